"""Answers that are sets of labels, worth the less the larger they are."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from lossmith.errors import BadInput, TooLarge
from lossmith.exact.rational import RationalLike, as_list, as_rationals
from lossmith.families import at_least, family
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.renaming import Labels, label_names

Gains = Sequence[RationalLike] | str

_LINEAR = {"discounted": Fraction(1), "u65": Fraction(8, 5), "u80": Fraction(11, 5)}  # a in a/s + (1 − a)/s²
_MOST = 12  # labels


def _gains(n: int, g: Gains) -> tuple[Fraction, ...]:
    if isinstance(g, str) and g in _LINEAR:
        a = _LINEAR[g]
        return tuple(a / s + (1 - a) / (s * s) for s in range(1, n + 1))
    known = ", ".join(map(repr, _LINEAR))
    if isinstance(g, str) and not g[:1].isdigit():
        raise BadInput(f"g is {g!r}; give {known}, or the worth of 1, 2, … labels")
    read = as_rationals(as_list(g), "g")
    if len(read) != n or not all(0 <= x <= 1 for x in read):
        raise BadInput(f"g has {len(read)} numbers; give {known}, or {n} numbers from 0 to 1: what 1, 2, … are worth")
    return read


def _size(n: int, g: Gains = "u65", labels: Labels = None) -> tuple[int, int]:
    if at_least("n", n, 2) > _MOST:
        raise TooLarge(f"n is {n}; set_utility is written down, for at most {_MOST} labels: top_k_costs takes more")
    _gains(n, g)
    return n, (1 << n) - 1


@family(
    cite="M. Zaffalon, G. Corani, D. Mauá, Evaluating credal classifiers by discounted accuracy, 2012",
    small=({"n": 2}, {"n": 3}, {"n": 3, "g": "u80"}, {"n": 3, "g": "1 4/5 1/2"}),
    size=_size,
    of_size=lambda n: [{"n": n}],
)
def set_utility(n: int, g: Gains = "u65", labels: Labels = None) -> LossMatrix:
    """1 − g(|S|) if the label is in the predicted set S, else 1; the predictions are all sets but the empty one.

    g is "discounted", 1/s, under which sets of one label are always best; "u65", 1.6/s − 0.6/s², or "u80",
    2.2/s − 1.2/s², named by what two labels are worth; or the worth of 1, 2, … n labels.

    >>> print(set_utility(2, "u80"))
    truth ↓ decision →  {0}  {1}  {0,1}
    0                     0    1    0.2
    1                     1    0    0.2
    """
    worth, names = _gains(n, g), label_names(labels, n)
    sets = [chosen for s in range(1, n + 1) for chosen in combinations(range(n), s)]
    rows = [[1 - worth[len(t) - 1] * (y in t) for t in sets] for y in range(n)]
    shown = ["{" + ",".join(str(names[y]) for y in chosen) + "}" for chosen in sets]
    called = g if isinstance(g, str) else " ".join(map(str, worth))
    return LossMatrix(rows, names, shown, f"set_utility(n={n}, g={called})")
