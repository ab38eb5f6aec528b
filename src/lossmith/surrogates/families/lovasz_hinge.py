"""The Lovász hinge: hinges of tags, combined by a submodular function of how many are wrong."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import Published, at_least, family
from lossmith.losses import hamming
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import mismatches, of_two_tags, open_tags, tags_of
from lossmith.surrogates.number_lists import Numbers, numbers, spelled
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum


def _values(values: Numbers) -> tuple[Fraction, ...]:
    read = numbers("values", values, 2, lambda x: x >= 0, "at least 0")
    if not _concave(read):
        raise BadInput(f"values are {spelled(read)}; they must begin with 0, not fall, and rise less and less")
    return read


def _concave(values: tuple[Fraction, ...]) -> bool:
    steps = [after - before for before, after in pairwise(values)]
    return not values[0] and steps[0] > 0 <= steps[-1] and all(a >= b for a, b in pairwise(steps))


def _size(values: Numbers) -> tuple[int, int]:
    r = at_least("r", len(_values(values)) - 1, 1)
    return 2**r, r


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The values by which the loss counts wrong tags, also where tags may be left open."""
    r = loss.n.bit_length() - 1
    if loss.n != 2**r or loss.k not in (2**r, 3**r):
        return None
    closed, columns = loss.k == 2**r, sorted(zip(*loss.entries, strict=True))
    ends = [2**j - 1 if closed else (3**j - 1) // 2 for j in range(r + 1)]  # the last j tags are wrong for label 0
    values = tuple(loss.entries[0][t] / (1 if closed else 2) for t in ends)
    if not _concave(values):
        return None
    same = mismatches(values) if closed else open_tags(values)
    return {"values": spelled(values)} if sorted(zip(*same.entries, strict=True)) == columns else None


@family(
    cite="J. Yu, M. Blaschko, Learning submodular losses with the Lovász hinge, ICML 2015",
    latex=r"\psi_y(u) = \sum_j (f_j - f_{j-1}) \, m_{(j)}, \quad m_i = (1 - s_{yi} u_i)_+",
    preds=("sign",),
    kind="sets",
    small=({"values": "0 1"}, {"values": "0 1 2"}, {"values": "0 1 3/2"}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(hamming, "C–C", "Finocchiaro, Frongillo, Nueve, COLT 2022"),
        Published(hamming, "C–C", "Finocchiaro, Frongillo, Nueve, COLT 2022", pred="sign"),
        Published(of_two_tags(lambda: mismatches(["0", "1", "1"])), "··N", "Finocchiaro, Frongillo, Nueve, COLT 2022"),
        Published(
            of_two_tags(lambda: mismatches(["0", "1", "3/2"])), "··N", "Finocchiaro, Frongillo, Nueve, COLT 2022"
        ),
        Published(of_two_tags(lambda: open_tags(["0", "1", "3/2"])), "··C", "Finocchiaro, Frongillo, Nueve, COLT 2022"),
    ),
)
def lovasz_hinge(values: Numbers) -> PolyhedralSurrogate:
    """Σ_j (f_j − f_{j−1}) times the j-th largest (1 − s_yi u_i)₊ on R^r; f_j is the cost of j wrong tags, f_0 = 0.

    f is concave and does not fall, s_yi is 1 if y has tag i, else −1; labels are the r-bit strings in binary order.
    It is calibrated for f(number of wrong tags) only if f is linear, as in `binary_relevance_hinge`; where tags may be
    left open, always.

    >>> from lossmith.surrogates import binary_relevance_hinge
    >>> lovasz_hinge("0 1 2")([3, -2]) == binary_relevance_hinge(2)([3, -2])
    True
    """
    f = _values(values)
    r, tags = len(f) - 1, tags_of(len(f) - 1)
    steps = [after - before for before, after in pairwise(f)]
    drops = [before - after for before, after in pairwise((*steps, Fraction(0)))]

    def psi(y: int, u: list[Any]) -> Any:
        gaps = [1 - s * x for s, x in zip(tags[y], u, strict=True)]
        sums = [[sum(chosen) for m in range(1, j + 1) for chosen in combinations(gaps, m)] for j in range(1, r + 1)]
        return sum(drop * maximum(0, *each) for drop, each in zip(drops, sums, strict=True) if drop)

    return PolyhedralSurrogate.from_function(psi, n=2**r, dim=r, name=f"lovasz_hinge(values={spelled(f)})")
