"""The closed forms behind the smooth surrogates of the catalogue, for those who write them in other arithmetics."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from lossmith.surrogates.binary_relevance_logistic import logistic_per_bit
from lossmith.surrogates.one_vs_all_logistic import one_vs_all_logistic
from lossmith.surrogates.one_vs_all_squared_hinge import one_vs_all_squared_hinge
from lossmith.surrogates.smooth import SmoothSurrogate, WeightedValue
from lossmith.surrogates.softmax import softmax
from lossmith.surrogates.square import squared_distance

Kind: TypeAlias = Literal["softmax", "square", "logistic", "squared hinge"]


@dataclass(frozen=True)
class Form:
    """ψ_y(u) = w_y Σ_i φ(u_i; a_yi) with w = `weights` and a = `rows`; for "softmax", w_y (log Σ_j e^{u_j} − u_y).

    φ(x; a) is (x − a)² for "square", log(1 + e^{−sx}) for "logistic" and (1 − sx)₊² for "squared hinge", where
    s = 2a − 1 is the sign of the bit a.
    """

    kind: Kind
    rows: tuple[tuple[Fraction, ...], ...]
    weights: tuple[Fraction, ...]


def form_of(surrogate: SmoothSurrogate) -> Form | None:
    """The form of a surrogate that equals one of the catalogue's, with class weights or without; None for others.

    >>> from lossmith.surrogates.class_probability import class_probability
    >>> form_of(class_probability(2)).rows
    ((Fraction(1, 1),), (Fraction(0, 1),))
    >>> form_of(softmax(2).weighted([1, 3])).kind
    'softmax'
    >>> form_of(SmoothSurrogate.from_margin(lambda m: (1 - m) ** 2, lambda m: 2 * (m - 1), "distance")) is None
    True
    """
    n, value = surrogate.n, surrogate.value
    weights = value.weights if isinstance(value, WeightedValue) else None
    ones = tuple(tuple(Fraction(int(j == y)) for j in range(n)) for y in range(n))
    for kind, base, rows in _candidates(surrogate, ones):
        same = base if weights is None else base.weighted(weights)
        if (same.value, same.slope) == (surrogate.value, surrogate.slope):
            return Form(kind, rows, weights or (Fraction(1),) * n)
    return None


def _candidates(
    surrogate: SmoothSurrogate, ones: tuple[tuple[Fraction, ...], ...]
) -> list[tuple[Kind, SmoothSurrogate, tuple[tuple[Fraction, ...], ...]]]:
    """What it may be, by its dimension and its traits."""
    found: list[tuple[Kind, SmoothSurrogate, tuple[tuple[Fraction, ...], ...]]] = []
    n, mean = surrogate.n, surrogate.traits.mean
    if mean is not None and surrogate.traits.reading is None:
        found.append(("square", squared_distance("square", mean), mean))
    elif mean is not None and {x for row in mean for x in row} <= {0, 1}:
        found.append(("logistic", logistic_per_bit("logistic", tuple(tuple(map(int, row)) for row in mean)), mean))
    elif mean is None and surrogate.dim == n:
        found.append(("softmax", softmax(n), ones))
        found.append(("logistic", one_vs_all_logistic(n), ones))
        found.append(("squared hinge", one_vs_all_squared_hinge(n), ones))
    return found
