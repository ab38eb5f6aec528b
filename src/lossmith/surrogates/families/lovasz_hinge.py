"""The Lovász hinge: hinges of tags, combined by a submodular function of which are wrong, or of how many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, pairwise
from math import perm
from typing import Any

from lossmith.errors import BadInput, TooLarge
from lossmith.families import Published, family, one_of
from lossmith.losses import hamming, set_function, structured_abstain
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.set_functions import read_values
from lossmith.losses.sets.submodular import corners, summands, why_not
from lossmith.surrogates.cases import mismatches, of_two_tags, open_tags, tags_of
from lossmith.surrogates.number_lists import Numbers, numbers, spelled
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import maximum

_MOST = 4  # tags of functions that depend on which are wrong
_SOURCE = "Finocchiaro, Frongillo, Nueve, COLT 2022"


def _values(values: Numbers, of: str) -> tuple[Fraction, ...]:
    if one_of("of", of, ("number", "set")) == "set":
        return _of_sets(values)
    read = numbers("values", values, 2, lambda x: x >= 0, "at least 0")
    steps = [after - before for before, after in pairwise(read)]
    if read[0] or not steps[0] > 0 <= steps[-1] or any(a < b for a, b in pairwise(steps)):
        raise BadInput(
            f"values are {spelled(read)}; those of the number of wrong tags must begin with 0, not fall, and rise less "
            f"and less; for one value for each set of them say of=set"
        )
    return read


def _of_sets(values: Numbers) -> tuple[Fraction, ...]:
    read = read_values(values)
    r = _tags(read, "set")
    if r > _MOST:
        pieces = sum(perm(r, m) for m in range(r + 1))
        raise TooLarge(
            f"values are those of the sets of {r} tags, and of=set takes at most {_MOST}: ψ would have up to {pieces} "
            f"pieces for each of {2**r} labels; a function of how many tags are wrong, of=number, has fewer"
        )
    why = why_not(read) or "all are 0" * (not read[-1])
    if why:
        raise BadInput(f"values are {spelled(read)}; they must be submodular, not fall, and not all be 0, but {why}")
    return read


def _tags(f: tuple[Fraction, ...], of: str) -> int:
    return len(f) - 1 if of == "number" else len(f).bit_length() - 1


def _size(values: Numbers, of: str = "number") -> tuple[int, int]:
    r = _tags(_values(values, of), of)
    return 2**r, r


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    """The values that the loss has for sets of wrong tags, also where tags may be left open."""
    r = loss.n.bit_length() - 1
    if loss.n != 2**r or loss.k not in (2**r, 3**r):
        return None
    closed = loss.k == 2**r
    places = range(2**r) if closed else [int(f"{s:b}", 3) for s in range(2**r)]  # where these tags are wrong for ∅
    f = tuple(loss.entries[0][t] / (1 if closed else 2) for t in places)
    if f[0] or not f[-1] or why_not(f):
        return None
    counted = tuple(f[2**j - 1] for j in range(r + 1))
    if all(value == counted[s.bit_count()] for s, value in enumerate(f)):
        given, same = {"values": spelled(counted)}, (mismatches if closed else open_tags)(counted)
    elif r <= _MOST:
        given, same = {"values": spelled(f), "of": "set"}, (set_function if closed else structured_abstain)(f)
    else:
        return None
    return given if sorted(zip(*same.entries, strict=True)) == sorted(zip(*loss.entries, strict=True)) else None


@family(
    cite="J. Yu, M. Blaschko, Learning submodular losses with the Lovász hinge, ICML 2015",
    latex=r"\psi_y(u) = \sum_j (f_j - f_{j-1}) \, m_{(j)}, \quad m_i = (1 - s_{yi} u_i)_+",
    preds=("sign",),
    kind="sets",
    small=({"values": "0 1"}, {"values": "0 1 2"}, {"values": "0 1 3/2"}, {"values": "0 1 2 5/2", "of": "set"}),
    size=_size,
    fits=_fits,
    verdicts=(
        Published(hamming, "C–C", _SOURCE),
        Published(hamming, "C–C", _SOURCE, pred="sign"),
        Published(of_two_tags(lambda: mismatches(["0", "1", "1"])), "··N", _SOURCE),
        Published(of_two_tags(lambda: mismatches(["0", "1", "3/2"])), "··N", _SOURCE),
        Published(of_two_tags(lambda: open_tags(["0", "1", "3/2"])), "··C", _SOURCE),
        Published(of_two_tags(lambda: set_function("0 1 2 3")), "··C", _SOURCE),
        Published(of_two_tags(lambda: set_function("0 1 2 5/2")), "··N", _SOURCE),
        Published(of_two_tags(lambda: structured_abstain("0 1 2 5/2")), "··C", _SOURCE),
    ),
)
def lovasz_hinge(values: Numbers, of: str = "number") -> PolyhedralSurrogate:
    """Σ_j (f_j − f_{j−1}) times the j-th largest (1 − s_yi u_i)₊ on R^r; f_j is the cost of j wrong tags, f_0 = 0.

    f is concave and does not fall, s_yi is 1 if y has tag i, else −1; labels are the r-bit strings in binary order.
    With of="set" the values are those of a function of the set of wrong tags, 2^r in binary order, as `set_function`
    takes them; it is submodular and does not fall, and f_j is its value for the tags of the j largest (1 − s_yi u_i)₊.
    It is calibrated for f(wrong tags) only if f is a sum over the tags, as in `binary_relevance_hinge`; where tags may
    be left open, `structured_abstain`, always.

    >>> from lossmith.surrogates import binary_relevance_hinge
    >>> lovasz_hinge("0 1 2")([3, -2]) == binary_relevance_hinge(2)([3, -2])
    True
    >>> [str(x) for x in lovasz_hinge("0 1 2 5/2", of="set")([-1, -1])]     # of no tag, the last, the first, both
    ['0', '2', '4', '5']
    """
    f = _values(values, of)
    r, maxima = _tags(f, of), _by_sets(f) if of == "set" else _by_number(f)
    tags = tags_of(r)

    def psi(y: int, u: list[Any]) -> Any:
        return maxima([1 - s * x for s, x in zip(tags[y], u, strict=True)])

    name = f"lovasz_hinge(values={spelled(f)}{', of=set' * (of == 'set')})"
    return PolyhedralSurrogate.from_function(psi, n=2**r, dim=r, name=name)


def _by_number(f: tuple[Fraction, ...]) -> Callable[[list[Any]], Any]:
    """A multiple of the largest sum of at most j margins, for each j."""
    steps = [after - before for before, after in pairwise(f)]
    drops = [before - after for before, after in pairwise((*steps, Fraction(0)))]

    def value(gaps: list[Any]) -> Any:
        sums = [[sum(one) for m in range(1, j + 1) for one in combinations(gaps, m)] for j in range(1, len(f))]
        return sum(drop * maximum(0, *each) for drop, each in zip(drops, sums, strict=True) if drop)

    return value


def _by_sets(f: tuple[Fraction, ...]) -> Callable[[list[Any]], Any]:
    """The largest w·m for w ≥ 0 with w(S) ≤ f(S): greedily it is Σ_j (f_j − f_{j−1}) m_(j), and w = 0 where m < 0."""
    parts = [(tags, corners(f, tags)) for tags in summands(f)]

    def value(gaps: list[Any]) -> Any:
        by_tag = {1 << i: gap for i, gap in enumerate(reversed(gaps))}
        sums = [
            [sum(x * by_tag[i] for i, x in zip(tags, w, strict=True)) for w in each]
            for tags, each in parts
            if len(each) > 1  # else its tags cost nothing
        ]
        return sum(maximum(*each) for each in sums)

    return value
