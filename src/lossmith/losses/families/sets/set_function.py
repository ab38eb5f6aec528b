"""Any function of the set of wrong tags."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from lossmith.exact.rational import RationalLike
from lossmith.families import family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.sets.set_functions import read_values, value_of
from lossmith.losses.sets.tags import tags_name


@family(
    cite="J. Yu, M. Blaschko, Learning submodular losses with the Lovász hinge, ICML 2015",
    small=({"values": "0 1 1 1"}, {"values": "0 1 2 5/2"}),
    size=lambda values: (len(read_values(values)), len(read_values(values))),
    of_size=lambda n: [{"values": " ".join(["0", *["1"] * (n - 1)])}] if n.bit_count() == 1 and n > 2 else [],
)
def set_function(values: Sequence[RationalLike] | str) -> LossMatrix:
    """f of the set of tags in which truth and answer differ; `values` are those of f in binary order, the first 0.

    >>> print(set_function([0, 1, 1, "3/2"]))       # of no tag, the last, the first, both
    truth ↓ decision →   00  01  10   11
    00                    0   1   1  1.5
    01                    1   0  1.5   1
    10                    1  1.5   0   1
    11                  1.5   1   1    0
    """
    f = read_values(values)
    sets = list(product((0, 1), repeat=len(f).bit_length() - 1))
    rows = [[value_of(f, [i != j for i, j in zip(y, t, strict=True)]) for t in sets] for y in sets]
    names = list(map(tags_name, sets))
    return LossMatrix(rows, names, names, f"set_function({' '.join(map(str, f[:8]))}{' …' * (len(f) > 8)})")
