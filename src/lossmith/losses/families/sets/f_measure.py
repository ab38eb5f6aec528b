"""The F-measure of sets of tags: the weighted harmonic mean of precision and recall of each example."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, gcd, prod
from typing import TYPE_CHECKING, Any

from lossmith.errors import TooLarge
from lossmith.exact.rational import RationalLike
from lossmith.families import family, rational_where
from lossmith.losses.factored import Vector
from lossmith.losses.ranking.decoding import Decoded
from lossmith.losses.sets.core import Core, best_core
from lossmith.losses.sets.decoding import by_sizes
from lossmith.losses.sets.set_loss import TiedSetLoss, Ties
from lossmith.losses.sets.tags import Tags, indicators, number_of_tags

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

MOST_TAGS = 500


@dataclass(frozen=True, repr=False)
class FMeasure(TiedSetLoss):
    """1 − (1 + β²) |y ∩ t| / (β² |y| + |t|), 0 if both are empty.

    The factors are [y_i = 1 and |y| = m], first by m = 1 … r − 1, then by i; then [|y| = r] and [y = ∅].
    """

    r: int
    beta: Fraction
    family = "f_measure"
    learned = "whether a label has tag i and size m, for each i and m; has all tags; has none"
    decided = "for each size s take the s tags of largest Σ_m u_im/(β² m + s); of these sets, and ∅, the best"

    @property
    def name(self) -> str:  # type: ignore[override]
        """As it is called."""
        return f"f_measure(r={self.r}{f', beta={self.beta}' * (self.beta != 1)})"

    @property
    def m(self) -> int:  # type: ignore[override]
        """One factor per tag and size, but one for all labels of size r, and one for the empty set."""
        return self.r * (self.r - 1) + 2

    @property
    def parameters(self) -> dict[str, Any]:
        """The number of tags, and β."""
        return {"r": self.r, "beta": str(self.beta)}

    @cached_property
    def square(self) -> Fraction:
        """β²."""
        return self.beta * self.beta

    def row(self, y: Tags) -> tuple[Fraction, Fraction, Vector]:
        """1, 1, and the tags in the block of their number."""
        size, r = sum(y), self.r
        if 0 < size < r:
            return Fraction(1), Fraction(1), ((0,) * r * (size - 1) + y + (0,) * (r * (r - 1 - size) + 2))
        return Fraction(1), Fraction(1), (0,) * r * (r - 1) + (int(size == r), int(size == 0))

    def factors(self, t: Tags) -> Vector:
        """−(1 + β²) t_i/(β² m + |t|), and −1 for the empty set."""
        size, square = sum(t), self.square
        if not size:
            return (0,) * (self.m - 1) + (-1,)
        shares = [-(1 + square) / (square * m + size) for m in range(1, self.r + 1)]
        found = [share if each else 0 for share in shares[:-1] for each in t]
        return (*found, shares[-1] * size, 0)

    @cached_property
    def constants(self) -> tuple[Vector, ...]:
        """f_m = (−1)^m C(r, m) Π_j (β² m + j): Σ_m f_m s/(β² m + s) is the same for s = 1 … r, and signs alternate."""
        p, q = self.square.numerator, self.square.denominator
        signed = [(-1) ** m * comb(self.r, m) for m in range(1, self.r + 1)]
        tails = [prod(p * m + q * j for j in range(2, self.r + 1)) for m in range(1, self.r + 1)]
        by_size = [x * tail * (p * m + q) for m, (x, tail) in enumerate(zip(signed, tails, strict=True), 1)]
        empty = (p + q) * sum(x * tail for x, tail in zip(signed, tails, strict=True))
        common = gcd(*by_size, empty)
        *smaller, full, empty = (x // common for x in (*by_size, empty))
        return ((*(x for x in smaller for _ in range(self.r)), full, empty),)

    @cached_property
    def positive(self) -> tuple[Vector, Fraction]:
        """1/m for each tag of a label of size m, 1 for the last two, times one number where the functional is positive.

        Then a(y)·d is 1, or that number, or those where it is negative have one. The functional has both signs.
        """
        (functional,) = self.constants
        sizes = [*(m for m in range(1, self.r) for _ in range(self.r)), 1, 1]
        shares = [Fraction(x) / m for x, m in zip(functional, sizes, strict=True)]
        up, down = (sum((x * sign for x in shares if x * sign > 0), Fraction(0)) for sign in (1, -1))
        above, below = max(Fraction(1), down / up), max(Fraction(1), up / down)
        return tuple((above if x > 0 else below) / m for x, m in zip(functional, sizes, strict=True)), max(above, below)

    @cached_property
    def redundant(self) -> tuple[int, ...]:
        """Where the constant functional is largest: made 0, it changes the others by no more than itself."""
        (functional,) = self.constants
        return (max(range(self.m), key=lambda i: abs(Fraction(functional[i]))),)

    @property
    def spread(self) -> Fraction:
        """No product of two b is negative, so it is at most twice the largest ‖b‖²."""
        square, r = self.square, self.r
        lengths = [
            s * sum(1 / (square * m + s) ** 2 for m in range(1, r)) + s * s / (square * r + s) ** 2
            for s in range(1, r + 1)
        ]
        return 2 * max(Fraction(1), (1 + square) ** 2 * max(lengths))

    @property
    def ceiling(self) -> int:
        """affdim − 1: the signs of the constant functional alternate, so no distribution makes all sets tie."""
        return self.affdim - 1

    @cached_property
    def core(self) -> Core:
        """Tags that all sets contain that tie."""
        return best_core(self.r, self.square)

    @property
    def floor(self) -> int:
        """What the sets that contain a core span."""
        return self.core.dimension

    @property
    def tied(self) -> str:
        """The sets that contain the core."""
        return f"∅ and the 2^{self.core.others} sets that contain {self.core.b} of the tags are optimal"

    @property
    def work(self) -> int:
        """For each tag outside the core a matrix of sizes by sizes is eliminated."""
        return self.core.others * self.core.largest**3

    @cached_property
    def ties(self) -> Ties:
        """The sets that contain the core, and the empty set."""
        return self.core.ties()

    def targets(self, Y: object) -> Array:
        """The tags in the block of their number, 0 elsewhere."""
        import numpy as np

        tags = indicators(Y, self.r)
        sizes, found = tags.sum(axis=1).astype(int), np.zeros((len(tags), self.m))
        some = ((sizes > 0) & (sizes < self.r)).nonzero()[0]
        found[:, :-2].reshape(len(tags), self.r - 1, self.r)[some, sizes[some] - 1] = tags[some]
        found[:, -2], found[:, -1] = sizes == self.r, sizes == 0
        return found

    def offsets(self, Y: object) -> Array:
        """1 for all."""
        import numpy as np

        return np.ones(len(indicators(Y, self.r)))

    def losses(self, Y: object, T: object) -> Array:
        """1 − F_β of each row."""
        import numpy as np

        tags, chosen, square = indicators(Y, self.r), indicators(T, self.r, "T"), float(self.square)
        sizes = square * tags.sum(axis=1) + chosen.sum(axis=1)
        both = (1 + square) * (tags * chosen).sum(axis=1)
        found: Array = np.where(sizes > 0, 1 - both / np.where(sizes > 0, sizes, 1), 0.0)
        return found

    def decode(self, x: object) -> Decoded:
        """For each size the tags of the largest scores."""
        return by_sizes(x, self.r, self.square)


def _size(r: int, beta: RationalLike = 1) -> tuple[int, int]:
    rational_where("beta", beta, lambda b: b > 0, "positive: how much more recall counts than precision")
    if number_of_tags(r, 2) > MOST_TAGS:
        raise TooLarge(
            f"r is {r:,}; f_measure has r² − r + 2 = {r * r - r + 2:,} factors: choose at most {MOST_TAGS} tags, or "
            f"weighted_hamming or recall_at, which have one for each tag"
        )
    return 1 << r, 1 << r


@family(
    cite="K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier, An exact algorithm for F-measure maximization, 2011",
    small=({"r": 2}, {"r": 3}, {"r": 3, "beta": 2}),
    size=_size,
    factored=True,
    of_size=lambda n: [{"r": n.bit_length() - 1}] if n.bit_count() == 1 and n > 2 else [],
)
def f_measure(r: int, beta: RationalLike = 1) -> FMeasure:
    """1 − F_β of r tags: 1 − (1 + β²) |y ∩ t| / (β² |y| + |t|) for sets y and t, 0 if both are empty.

    >>> loss = f_measure(100)
    >>> loss
    f_measure(r=100): about 10^30 labels × about 10^30 predictions, 9902 factors
    >>> loss.loss({3, 17}, {17, 40, 41})                   # 1 − 2 · 1/(2 + 3)
    Fraction(3, 5)
    """
    _size(r, beta)
    return FMeasure(r, rational_where("beta", beta, lambda b: b > 0, "positive"))
