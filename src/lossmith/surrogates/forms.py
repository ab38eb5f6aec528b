"""The closed forms of smooth surrogates: what torch and boosting have their own arithmetic for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from lossmith.surrogates.margins import margin_named

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Kind: TypeAlias = Literal[
    "softmax", "square", "logistic", "squared hinge", "exponential", "modified huber", "smooth hinge"
]
FORM_OF_MARGIN: dict[str, Kind] = {
    "logistic": "logistic",
    "squared-hinge": "squared hinge",
    "exponential": "exponential",
    "modified-huber": "modified huber",
    "smooth-hinge": "smooth hinge",
}


@dataclass(frozen=True)
class Form:
    """ψ_y(u) = w_y Σ_i φ(u_i; a_yi) with w = `weights` and a = `rows`; for "softmax", w_y (log Σ_j e^{u_j} − a_y·u).

    φ(x; a) is (x − a)² for "square", log(1 + e^{−sx}) for "logistic", (1 − sx)₊² for "squared hinge" and so on, where
    s = 2a − 1 is the sign of the bit a (`margins`); for "softmax" the rows are shares: not negative, and they sum to 1.

    >>> from lossmith.surrogates import class_probability, softmax
    >>> class_probability(2).form.rows
    ((Fraction(1, 1),), (Fraction(0, 1),))
    >>> softmax(2).weighted([1, 3]).form.weights
    (Fraction(1, 1), Fraction(3, 1))
    """

    kind: Kind
    rows: tuple[tuple[Fraction, ...], ...]
    weights: tuple[Fraction, ...]

    @classmethod
    def of(cls, kind: Kind, rows: tuple[tuple[Fraction, ...], ...]) -> Form:
        """The form with all weights 1."""
        return cls(kind, rows, (Fraction(1),) * len(rows))

    def weighted(self, weights: tuple[Fraction, ...]) -> Form:
        """The form with class weights on top of its own."""
        return Form(self.kind, self.rows, tuple(a * b for a, b in zip(self.weights, weights, strict=True)))

    def values(self, U: Array) -> Array:
        """ψ at every row of U: what the values of the surrogate are compared with.

        >>> import numpy as np
        >>> Form.of("square", ((Fraction(0),), (Fraction(3),))).values(np.array([[1.0]])).tolist()
        [[1.0, 4.0]]
        """
        import numpy as np

        rows, weights = np.array(self.rows, dtype=float), np.array(self.weights, dtype=float)
        if self.kind == "softmax":
            values = np.logaddexp.reduce(U, axis=1, keepdims=True) - U @ rows.T
        elif self.kind == "square":
            values = np.stack([((U - row) ** 2).sum(axis=1) for row in rows], axis=1)
        else:
            phi = margin_named(self.kind.replace(" ", "-"))
            values = np.stack([phi.value((2 * row - 1) * U).sum(axis=1) for row in rows], axis=1)
        result: Array = values * weights
        return result
