"""How many real-valued functions must be learned, and which surrogate gets by with the fewest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from lossmith.analysis.trigger_probabilities import trigger_sets
from lossmith.calibration.checking import check
from lossmith.calibration.verdicts import Calibrated
from lossmith.constructions import Construction
from lossmith.constructions.linear import linear
from lossmith.constructions.max_min_hinge import max_min_hinge
from lossmith.constructions.orderable import order_of, orderable, sections_of
from lossmith.constructions.regret import RegretBound, regret_bound
from lossmith.constructions.search import Found, search
from lossmith.constructions.squares_of_factors import SquaresOfFactors, squares_of_factors
from lossmith.dimension.bounds import Bound, DimensionBounds
from lossmith.dimension.claims import Case
from lossmith.dimension.eq_affdim_of_equalizer import eq_affdim_of_equalizer, paper_form
from lossmith.dimension.eq_affdim_of_factors import eq_affdim_of_factors
from lossmith.dimension.ge_feasible_subspace import MAX_FACES, ge_feasible_subspace, ge_feasible_subspace_at
from lossmith.dimension.ge_two_of_not_orderable import ge_two_of_not_orderable
from lossmith.dimension.le_affdim import le_affdim, le_rank, squares
from lossmith.dimension.le_labels import le_labels
from lossmith.dimension.le_surrogate import CertifiedSurrogate, of_verdict
from lossmith.dimension.lt_affdim_of_positive_vector import lt_affdim_of_positive_vector
from lossmith.errors import BadInput, Impossible, NotFound, TooLarge, UnknownName, nearest
from lossmith.families import at_least, count
from lossmith.geometry.double_description import Progress
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.families.class_probability import class_probability
from lossmith.surrogates.polyhedral import PolyhedralSurrogate

MAX_VERTICES = 20_000
_MOST_SECTIONS = 40  # predictions that are compared in pairs
_QUICK_SEARCH, _MOST_DIMENSIONS, _FEW_VERTICES = 60, 4, 300  # what `ccdim` tries on its own: configurations, sizes
_FEW_CLASSES = 6  # labels and predictions: up to here the exact worst ratio of the regrets takes a moment
_FEW_WRITTEN = 20_000  # entries of a list of graphs that the factors do not settle
METHODS = ("orderable", "search", "max-min-hinge", "square", "linear", "class-probability")


def ccdim(
    loss: LossMatrix | FactoredLoss,
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
    if isinstance(loss, FactoredLoss):
        if (by_factors := _by_factors(loss)) is not None:
            return by_factors
        loss = loss.matrix()
    case = Case.of(loss)
    affine = le_affdim(case)
    bounds = [le_labels(case), affine, le_rank(case, affine)]
    notes: list[str] = []
    least = ge_feasible_subspace_at(case, case.tie)
    stages: list[tuple[str, Callable[[DimensionBounds], list[Bound | None]]]] = [
        ("the equaliser", lambda _: _equalizer(case) or [least]),
        ("the positive vector", lambda _: [lt_affdim_of_positive_vector(case)]),
        ("the order", lambda _: _order(case)),
        ("the faces", lambda so_far: [_faces(case, so_far, max_vertices, max_faces, progress)]),
        ("the search", lambda so_far: _searched(loss, so_far) if designs and loss.n <= _MOST_SECTIONS else []),
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
    return DimensionBounds(loss, tuple(bounds), tuple(notes))


def design(
    loss: LossMatrix | FactoredLoss,
    dim: int | None = None,
    method: str | None = None,
    *,
    seed: int = 0,
    budget: int = 1000,
    n_jobs: int | None = 1,
    bounds: DimensionBounds | None = None,
    progress: Progress | None = None,
) -> Calibrated | SquaresOfFactors:
    """Make a surrogate for the loss: in the fewest dimensions that can be certified, or in `dim`, or by a method.

    Methods: "orderable", "search", "max-min-hinge", "square", "linear", "class-probability". A loss known by
    factors gets squares of its factors, at any size. Raises `Impossible`, with the bound that proves it, or `NotFound`,
    with how much was tried. `bounds` are those of `ccdim`, if known already.

    >>> from lossmith.losses import abstain, ordinal
    >>> design(ordinal(5)).surrogate.dim, design(abstain(4)).surrogate.dim
    (1, 2)
    """
    if isinstance(loss, FactoredLoss):
        if _by_factors(loss) is not None:
            return squares_of_factors(loss, dim, method)
        loss = loss.matrix()
    if dim is not None:
        at_least("dim", dim, 1)
        if dim > loss.n:
            raise BadInput(f"dim is {dim}; more than the {loss.n} labels are never needed")
    if method is not None and method not in METHODS:
        raise UnknownName(f"no method is called {method!r}; {nearest(method, METHODS)}")
    case = Case.of(loss)
    if len(case.kept) == 1:
        raise BadInput(
            f"{loss.predictions[case.kept[0]]} is always optimal for {loss.name}: CCdim = 0, there is nothing to learn"
        )
    if bounds is None:
        bounds = ccdim(loss, designs=False, progress=progress)
    if dim is not None and dim < bounds.lower.value:
        raise Impossible(
            f"no convex surrogate on R^{dim} is calibrated for {loss.name}: CCdim ≥ {bounds.lower.value} "
            f"({bounds.lower.theorem})",
            bounds.lower,
        )
    if method is not None and method != "search":
        made = _by_method(case, method)
        if dim is not None and made.surrogate.dim != dim:
            raise NotFound(
                f"{method} for {loss.name} has dimension {made.surrogate.dim}, not {dim}; leave out one of them"
            )
        return made
    last = bounds.upper.value + (method == "search")
    wanted = range(bounds.lower.value, last) if dim is None else [dim]
    tried = []
    for d in wanted:
        if method is None and (ready := _of_dimension(case, bounds, d)) is not None:
            return ready
        found = search(loss, d, seed=seed, budget=budget, n_jobs=n_jobs) if d < len(case.kept) else None
        if isinstance(found, Found):
            return _described(found.verdict, f"search ({found.configurations} configurations tried)")
        tried.append(f"{found}" if found is not None else f"R^{d}: more dimensions than the cells can use")
    if dim is None and method is None:
        ready = _of_dimension(case, bounds, bounds.upper.value)
        if ready is not None:
            return ready
    raise NotFound(f"no surrogate for {loss.name} was found: {'; '.join(tried) or 'the bounds leave no dimension'}")


def _by_factors(loss: FactoredLoss) -> DimensionBounds | None:
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


def squared(loss: LossMatrix, case: Case | None = None) -> Calibrated:
    """The squared distance to the rows of a basis of the differences of columns, one fewer where a theorem allows it.

    The dimension is the effective one: affdim(L), or affdim(L) − 1. Nothing is searched.

    >>> from lossmith.losses import abstain, hamming
    >>> squared(hamming(3)).surrogate.dim, squared(abstain(4)).surrogate.dim
    (3, 3)
    """
    case = case or Case.of(loss)
    best = lt_affdim_of_positive_vector(case)
    proof = best.evidence if best is not None else CertifiedSurrogate(partial(squares, case), loss)
    assert isinstance(proof, CertifiedSurrogate)
    return proof.verdict


def _equalizer(case: Case) -> list[Bound | None]:
    found = eq_affdim_of_equalizer(case)
    if found is None:
        return []
    return [found, paper_form(found)] if found.value else [found]


def _order(case: Case) -> list[Bound | None]:
    if len(case.kept) > _MOST_SECTIONS:
        raise TooLarge(f"{len(case.kept)} predictions are more than {_MOST_SECTIONS} to compare in pairs")
    if len(case.kept) < 2:
        return []
    if order_of(case.loss) is None:
        return [ge_two_of_not_orderable(case, sections_of(case.loss))]
    proof = CertifiedSurrogate(partial(_on_the_line, case.loss), case.loss)
    why = "the predictions can be ordered so that one real number decides"
    return [Bound("upper", 1, "orderable", why, case.loss, proof)]


def _on_the_line(loss: LossMatrix) -> PolyhedralSurrogate:
    return orderable(loss).surrogate


def _faces(case: Case, so_far: DimensionBounds, max_vertices: int, max_faces: int, progress: Progress | None) -> Bound:
    cells = trigger_sets(case.loss, max_vertices=max_vertices, progress=progress)
    return ge_feasible_subspace(case, cells, so_far.upper.value, max_faces=max_faces, progress=progress)


def _searched(loss: LossMatrix, so_far: DimensionBounds) -> list[Bound | None]:
    for d in range(max(so_far.lower.value, 1), min(so_far.upper.value, _MOST_DIMENSIONS + 1)):
        found = search(loss, d, budget=_QUICK_SEARCH, seconds=5, max_vertices=_FEW_VERTICES)
        if isinstance(found, Found):
            return [of_verdict(found.verdict)]
    return []


def _of_dimension(case: Case, bounds: DimensionBounds, d: int) -> Calibrated | None:
    """A construction that has exactly this dimension, without a search."""
    for bound in bounds.bounds:
        if bound.side == "upper" and bound.value == d and isinstance(bound.evidence, CertifiedSurrogate):
            if bound.theorem == "orderable":
                return _by_method(case, "orderable")
            if bound.theorem == "certified surrogate":
                return _described(bound.evidence.verdict, "search")
            if bound.theorem.startswith("labels"):
                return _by_method(case, "class-probability")
            if bound.theorem.startswith("affdim"):
                return _best_of_dimension(case, bound)
    return None


def _best_of_dimension(case: Case, bound: Bound) -> Calibrated:
    """The max-min hinge, which has linear regret, where its cells are few; else squares."""
    if case.loss.n <= 6 and len(case.kept) <= 8:
        try:
            made = _made(case.loss, max_min_hinge(case.loss))
            if made.surrogate.dim == bound.value:
                return made
        except TooLarge:
            pass
    assert isinstance(bound.evidence, CertifiedSurrogate)
    return _described(bound.evidence.verdict, "square")


def _by_method(case: Case, method: str) -> Calibrated:
    loss = case.loss
    if method == "square":
        return _described(squared(loss, case), "square")
    if method == "class-probability":
        return _described(CertifiedSurrogate(partial(class_probability, loss.n), loss).verdict, "class probability")
    makers = {"orderable": orderable, "linear": linear, "max-min-hinge": max_min_hinge}
    return _made(loss, makers[method](loss))


def _made(loss: LossMatrix, construction: Construction) -> Calibrated:
    verdict = check(construction.surrogate, loss)
    assert isinstance(verdict, Calibrated), f"{construction.name} is {verdict.status} for {loss.name}"
    return _described(replace(verdict, found_pred=construction.pred), construction.name, construction.regret)


def _described(verdict: Calibrated, name: str, proved: Fraction | None = None) -> Calibrated:
    """The verdict with how it was made and a bound on the regrets of its surrogate with its pred; one may be known.

    Up to six labels and predictions that one is made exact.
    """
    size = verdict.surrogate.dim
    if proved is not None and max(verdict.loss.n, verdict.loss.k) > _FEW_CLASSES:
        bound: RegretBound | None = RegretBound(proved)
    else:
        bound = regret_bound(verdict, proved)
    regret = "" if bound is None else f"; {bound}"
    return replace(verdict, made_by=f"{name}, {size} dimension{'s' * (size > 1)}{regret}")
