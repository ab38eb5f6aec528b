"""Tags that may be left open, for any function of sets of tags: what the Lovász hinge embeds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from lossmith.exact.rational import RationalLike
from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.set_functions import read_values, value_of
from lossmith.losses.sets.tags import tags_name


def _size(values: Sequence[RationalLike] | str) -> tuple[int, int]:
    n = len(read_values(values))
    return n, 3 ** (n.bit_length() - 1)


@family(
    cite="J. Finocchiaro, R. Frongillo, E. Nueve, The structured abstain problem and the Lovász hinge, COLT 2022",
    small=({"values": "0 1 1 1"}, {"values": "0 1 2 5/2"}),
    size=_size,
    of_size=lambda n: [{"values": " ".join(["0", *["1"] * (n - 1)])}] if n.bit_count() == 1 and n > 2 else [],
)
def structured_abstain(values: Sequence[RationalLike] | str) -> LossMatrix:
    """f(wrong tags) + f(wrong and open tags); `values` are those of f in binary order, the first 0.

    >>> print(structured_abstain([0, 1]))
    truth ↓ decision →  0  1  ?
    0                   0  2  1
    1                   2  0  1
    """
    f = read_values(values)
    r = len(f).bit_length() - 1
    sets, answers = list(product("01", repeat=r)), list(product("01?", repeat=r))

    def loss(y: Sequence[str], t: Sequence[str]) -> object:
        pairs = list(zip(y, t, strict=True))
        return value_of(f, [j not in (i, "?") for i, j in pairs]) + value_of(f, [i != j for i, j in pairs])

    rows = [[loss(y, t) for t in answers] for y in sets]
    labels = [tags_name(tuple(map(int, y))) for y in sets]
    name = f"structured_abstain({' '.join(map(str, f[:8]))}{' …' * (len(f) > 8)})"
    return LossMatrix(rows, labels, map("".join, answers), name)
