"""Rankings as corners of the permutahedron, and the projection on it: soft ranks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations
from math import factorial
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.families import Published, family
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses import spearman_rho
from lossmith.losses.ranking.rankings import written_documents
from lossmith.surrogates.fitting import by_rankings
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.traits import Reading, Traits

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]


def _size(r: int) -> tuple[int, int]:
    return factorial(written_documents(r, "permutahedron_projection", "gain_regression, on grades, takes more")), r


@family(
    cite="M. Blondel, Structured prediction with projection oracles, NeurIPS 2019",
    latex=r"\psi_y(u) = \tfrac12 \lVert u - \rho(y) \rVert^2 - \tfrac12 \operatorname{dist}(u, P)^2",
    preds=("decide",),
    small=({"r": 2}, {"r": 3}),
    size=_size,
    fits=by_rankings,
    verdicts=(Published(spearman_rho, "C––", "Blondel, NeurIPS 2019"),),
    formless="its curvature is that of a projection, which is no sum over scores",
)
def permutahedron_projection(r: int) -> SmoothSurrogate:
    """½‖u − ρ(y)‖² − ½ dist(u, P)² on R^r; ρ_i(y) documents come after i in y, and P is the hull of all ρ(y).

    A Fenchel–Young loss: the projection of u on P tells the mean of ρ, which decides Spearman's distance.

    >>> permutahedron_projection(2)([1, 0]), permutahedron_projection(2)([0.5, 0.5])
    ((0.0, 1.0), (0.25, 0.25))
    """
    corners = tuple(tuple(Fraction(r - 1 - place) for place in y) for y in permutations(range(r)))
    reading = Reading(_project, _itself, _permutahedron(r), ordered=True)
    traits = Traits(mean=corners, reading=reading, divergence="half square")
    name = f"permutahedron_projection(r={r})"
    return SmoothSurrogate(name, len(corners), r, _Value(corners), _Slope(corners), traits)


def _permutahedron(r: int) -> Polyhedron:
    """Any s coordinates sum to at least 0 + 1 + … + (s−1), and all of them to so much."""
    sets = [chosen for s in range(1, r) for chosen in combinations(range(r), s)]
    rows = [(Fraction(-len(s) * (len(s) - 1), 2), *(Fraction(i in s) for i in range(r))) for s in sets]
    return Polyhedron(r, tuple(rows), ((Fraction(-r * (r - 1), 2), *[Fraction(1)] * r),))


def _itself(x: Array) -> Array:
    return x


def _project(U: Array) -> Array:
    """The nearest point of the permutahedron: sorted scores, less the nearest falling sequence to scores − ranks."""
    import numpy as np

    r = U.shape[1]
    order = np.argsort(-U, axis=1, kind="stable")
    excess = np.take_along_axis(U, order, axis=1) - np.arange(r - 1, -1, -1)
    totals = np.concatenate([np.zeros((len(U), 1)), np.cumsum(excess, axis=1)], axis=1)
    falling = np.empty_like(excess)
    for i in range(r):  # the least over a ≤ i of the greatest over b ≥ i of the mean of what is between
        means = [
            np.max([(totals[:, b + 1] - totals[:, a]) / (b + 1 - a) for b in range(i, r)], axis=0) for a in range(i + 1)
        ]
        falling[:, i] = np.min(means, axis=0)
    found = np.empty_like(excess)
    np.put_along_axis(found, order, np.take_along_axis(U, order, axis=1) - falling, axis=1)
    return found


@dataclass(frozen=True)
class _Corners:
    corners: tuple[tuple[Fraction, ...], ...]

    @cached_property
    def floats(self) -> Array:
        import numpy as np

        return np.array([[float(x) for x in row] for row in self.corners])


class _Value(_Corners):
    def __call__(self, U: Array) -> Array:
        """(u − x)·(x − ρ) + ½‖x − ρ‖², in which no large squares cancel."""
        x = _project(U)
        apart = x[:, None, :] - self.floats
        result: Array = ((U - x)[:, None, :] * apart + apart * apart / 2).sum(axis=2)
        return result


class _Slope(_Corners):
    def __call__(self, U: Array) -> Array:
        result: Array = _project(U)[:, None, :] - self.floats
        return result
