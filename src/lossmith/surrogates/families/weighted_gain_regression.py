"""Least squares regression on what each document is worth, some documents, and what is too high, counting more."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadInput
from lossmith.exact.rational import RationalLike
from lossmith.families import Published, family, rational_where
from lossmith.losses import dcg
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.documents import documents_of, labels_and_documents
from lossmith.surrogates.families.gain_regression import gain_regression
from lossmith.surrogates.fitting import of_documents
from lossmith.surrogates.number_lists import Numbers, numbers, spelled
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Curved, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def _weights(ranking: RankingLoss | str, weights: Numbers) -> tuple[Fraction, ...]:
    loss, r = documents_of(ranking)
    read = numbers("weights", weights, r, lambda x: x > 0, "positive")
    if len(read) != r:
        raise BadInput(f"weights are {len(read)} numbers; {loss.name} has {r} documents")
    return read


def _tail(tail: RationalLike) -> Fraction:
    return rational_where("tail", tail, lambda x: x >= 0, "0 or more")


def _size(ranking: RankingLoss | str, weights: Numbers, tail: RationalLike = 0) -> tuple[int, int]:
    _weights(ranking, weights)
    _tail(tail)
    return labels_and_documents(ranking)


def _fits(loss: LossMatrix) -> dict[str, Any] | None:
    """Weights that fall from document to document: some that are not equal."""
    found = of_documents(loss)
    return None if found is None else {**found, "weights": tuple(range(found["ranking"].r, 0, -1))}


@family(
    cite="D. Cossock, T. Zhang, Statistical analysis of Bayes optimal subset ranking, IEEE Transactions on Information "
    "Theory 2008",
    latex=r"\psi_y(u) = \sum_i w_i (u_i - g_i(y))^2 + W \max_i (u_i - \delta_i)_+^2, \quad \delta_i = \max_y g_i(y)",
    preds=("sort",),
    small=(
        {"ranking": "dcg:r=2", "weights": "2 1"},
        {"ranking": "precision-at:q=1,r=3", "weights": "3 2 1/2"},
        {"ranking": "dcg:r=2", "weights": "2 1", "tail": 3},
    ),
    size=_size,
    fits=_fits,
    verdicts=(Published(of_two_tags(lambda: dcg(2).matrix()), "··C", "Cossock, Zhang, IEEE TIT 2008", pred="sort"),),
    formless="its squares have weights that differ from document to document",
)
def weighted_gain_regression(ranking: RankingLoss | str, weights: Numbers, tail: RationalLike = 0) -> SmoothSurrogate:
    """Σ_i w_i (u_i − g_i(y))² + W max_i (u_i − δ_i)₊² with g as for `gain_regression`, and a weight w_i > 0 for each i.

    W = `tail` ≥ 0 counts scores that are higher than the document can be worth, δ_i = max_y g_i(y). Neither changes
    where the risk is least: the squares are least at the mean of the gains alone, which exceeds no δ_i. So the
    verdicts are those of `gain_regression`.

    >>> weighted_gain_regression("precision-at:q=1,r=2", "2 1")([1, 1])
    (3.0, 2.0, 1.0, 0.0)
    >>> weighted_gain_regression("precision-at:q=1,r=2", "2 1", tail=10)([1, 2])
    (16.0, 13.0, 14.0, 11.0)
    """
    w, high = _weights(ranking, weights), _tail(tail)
    even = gain_regression(ranking)
    rows = even.traits.mean
    assert rows is not None
    told = f", tail={high}" if high else ""
    name = f"weighted_gain_regression({documents_of(ranking)[0].name}, weights={spelled(w)}{told})"
    value, slope = _Value(rows, w, high), _Slope(rows, w, high)
    traits = Traits(mean=rows, curved=Curved("distance", 1 / min(w)))
    exact = None if high else _ExactSlope(rows, w, high)  # the tail has kinks, where two scores are equally too high
    return SmoothSurrogate(name, even.n, even.dim, value, slope, traits, exact)


@dataclass(frozen=True)
class _Weighted:
    rows: tuple[tuple[Fraction, ...], ...]
    weights: tuple[Fraction, ...]
    tail: Fraction

    def floats(self) -> tuple[Array, Array]:
        import numpy as np

        return np.array([[float(x) for x in row] for row in self.rows]), np.array([float(x) for x in self.weights])

    def excess(self, U: Array, rows: Array) -> Array:
        """By how much each score exceeds the largest gain of its document."""
        found: Array = (U - rows.max(axis=0)).clip(min=0)
        return found


class _Value(_Weighted):
    @property
    def centres_of_squares(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """For `are_squares`: the scalar product is Σ_i w_i u_i v_i, where no tail is added."""
        return None if self.tail else self.rows

    def __call__(self, U: Array) -> Array:
        rows, weights = self.floats()
        squares: Array = (weights * (U[:, None, :] - rows) ** 2).sum(axis=2)
        result: Array = squares + float(self.tail) * (self.excess(U, rows).max(axis=1) ** 2)[:, None]
        return result


class _Slope(_Weighted):
    def __call__(self, U: Array) -> Array:
        import numpy as np

        rows, weights = self.floats()
        squares: Array = 2 * weights * (U[:, None, :] - rows)
        excess = self.excess(U, rows)
        highest = np.arange(U.shape[1]) == excess.argmax(axis=1)[:, None]
        result: Array = squares + (2 * float(self.tail) * excess * highest)[:, None, :]
        return result


class _ExactSlope(_Weighted):
    def __call__(self, u: tuple[Fraction, ...]) -> list[list[Fraction]]:
        return [[2 * w * (x - a) for x, a, w in zip(u, row, self.weights, strict=True)] for row in self.rows]
