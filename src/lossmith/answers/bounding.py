"""How many real-valued functions must be learned: the convex calibration dimension, bounded from both sides."""

from __future__ import annotations

from collections.abc import Callable

from lossmith.analysis.facts import Facts
from lossmith.constructions.orderable import orderable
from lossmith.constructions.search.run import Found, search
from lossmith.dimension.bounds import Bound, DimensionBounds
from lossmith.dimension.eq_affdim_of_equalizer import eq_affdim_of_equalizer, paper_form
from lossmith.dimension.eq_affdim_of_factors import eq_affdim_of_factors
from lossmith.dimension.ge_feasible_subspace import MAX_FACES, ge_feasible_subspace, ge_feasible_subspace_at
from lossmith.dimension.ge_two_of_not_orderable import ge_two_of_not_orderable
from lossmith.dimension.le_affdim import le_affdim, le_rank
from lossmith.dimension.le_labels import le_labels
from lossmith.dimension.le_surrogate import CertifiedSurrogate, of_verdict
from lossmith.dimension.lt_affdim_of_positive_vector import lt_affdim_of_positive_vector
from lossmith.errors import TooLarge
from lossmith.families import count
from lossmith.geometry.double_description import Progress
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.protocol import Loss

MAX_VERTICES = 20_000
_MOST_SECTIONS = 40  # predictions that are compared in pairs
_QUICK_SEARCH, _MOST_DIMENSIONS, _FEW_VERTICES = 60, 4, 300  # what is tried in passing: configurations, sizes
_FEW_WRITTEN = 20_000  # entries of a list of graphs that the factors do not settle


def ccdim(
    loss: Loss,
    *,
    designs: bool = True,
    max_vertices: int = MAX_VERTICES,
    max_faces: int = MAX_FACES,
    progress: Progress | None = None,
) -> DimensionBounds:
    """Bound the convex calibration dimension of a loss from both sides, each bound with a theorem and a certificate.

    From cheap to dear; what exceeds its budget, or is interrupted with Ctrl-C, is left out and said in the notes.
    `designs=False` leaves out the search for surrogates in fewer dimensions.

    >>> from lossmith.losses import abstain, zero_one
    >>> ccdim(zero_one(4))
    CCdim(zero_one(n=4)) = 3  [lower: equaliser (cor:col-perm); upper: labels − 1 (lem:surrogate-universal)]
    >>> bounds = ccdim(abstain(6))
    >>> bounds.lower.value, bounds.upper.value, bounds.exact
    (2, 3, None)
    """
    if loss.factored is not None and (settled := by_factors(loss.factored)) is not None:
        return settled
    return bounds_of(Facts(loss.matrix(), progress), designs=designs, max_vertices=max_vertices, max_faces=max_faces)


def bounds_of(
    facts: Facts, *, designs: bool = True, max_vertices: int = MAX_VERTICES, max_faces: int = MAX_FACES
) -> DimensionBounds:
    """The same for a loss of which some facts may be known already; the bounds carry them on."""
    loss, affine = facts.loss, le_affdim(facts)
    bounds = [le_labels(facts), affine, le_rank(facts, affine)]
    notes: list[str] = []
    least = ge_feasible_subspace_at(facts, facts.tie)
    stages: list[tuple[str, Callable[[DimensionBounds], list[Bound | None]]]] = [
        ("the equaliser", lambda _: _equalizer(facts) or [least]),
        ("the positive vector", lambda _: [lt_affdim_of_positive_vector(facts)]),
        ("the order", lambda _: _order(facts)),
        ("the faces", lambda so_far: [_faces(facts, so_far, max_vertices, max_faces)]),
        ("the search", lambda so_far: _searched(facts, so_far) if designs and loss.n <= _MOST_SECTIONS else []),
    ]
    for name, stage in stages:
        so_far = DimensionBounds(loss, (*bounds, least))
        if name != "the equaliser" and so_far.exact is not None:
            break
        try:
            bounds += filter(None, stage(so_far))
        except TooLarge as error:
            notes.append(f"without {name}: {error}")
        except KeyboardInterrupt:
            notes.append(f"interrupted in {name}: these bounds were proved before")
            break
    if not any(each.side == "lower" for each in bounds):
        bounds.append(least)
    return DimensionBounds(loss, tuple(bounds), tuple(notes), facts)


def by_factors(loss: FactoredLoss) -> DimensionBounds | None:
    """What the factors prove; None if that is not everything, and the loss is small enough to be written down."""
    found = DimensionBounds(loss, tuple(eq_affdim_of_factors(loss)), (loss.note,) if loss.note else ())
    balanced = any(each.side == "lower" for each in found.bounds)
    if balanced and found.exact is not None:
        return found
    if loss.n * loss.k <= _FEW_WRITTEN:
        return None
    if balanced:
        return found
    raise TooLarge(
        f"{loss.name} has {count(loss.k)} predictions, too many to write down, and no distribution of its labels makes "
        f"all of them optimal; CCdim ≤ {found.upper.value} is what the factors show: rank fewer documents"
    )


def _equalizer(facts: Facts) -> list[Bound | None]:
    found = eq_affdim_of_equalizer(facts)
    if found is None:
        return []
    return [found, paper_form(found)] if found.value else [found]


def _order(facts: Facts) -> list[Bound | None]:
    if len(facts.kept) > _MOST_SECTIONS:
        raise TooLarge(f"{len(facts.kept)} predictions are more than {_MOST_SECTIONS} to compare in pairs")
    if len(facts.kept) < 2:
        return []
    if facts.order is None:
        return [ge_two_of_not_orderable(facts)]
    why = "the predictions can be ordered so that one real number decides"
    return [Bound("upper", 1, "orderable", why, facts.loss, CertifiedSurrogate(facts, orderable))]


def _faces(facts: Facts, so_far: DimensionBounds, max_vertices: int, max_faces: int) -> Bound:
    cells = facts.cells(max_vertices)
    return ge_feasible_subspace(facts, cells, so_far.upper.value, max_faces=max_faces, progress=facts.progress)


def _searched(facts: Facts, so_far: DimensionBounds) -> list[Bound | None]:
    for d in range(max(so_far.lower.value, 1), min(so_far.upper.value, _MOST_DIMENSIONS + 1)):
        found = search(facts, d, budget=_QUICK_SEARCH, seconds=5, max_vertices=_FEW_VERTICES)
        if isinstance(found, Found):
            return [of_verdict(facts, found.verdict, "search")]
    return []
