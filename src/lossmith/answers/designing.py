"""A surrogate and a pred for a loss, in the fewest dimensions that can be certified."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from lossmith.analysis.facts import Facts
from lossmith.analysis.trigger_probabilities import MAX_VERTICES
from lossmith.answers.bounding import bounds_of, by_factors, upper_bounds
from lossmith.calibration.verdicts import Calibrated
from lossmith.constructions.cost_squares import cost_squares, fewest
from lossmith.constructions.linear import linear
from lossmith.constructions.max_min_hinge import max_min_hinge
from lossmith.constructions.orderable import orderable
from lossmith.constructions.regret_bounds import RegretBound, regret_bound
from lossmith.constructions.search.run import BUDGET, Found, NotFoundHere, search
from lossmith.constructions.squares_of_factors import SquaresOfFactors, squares_of_factors
from lossmith.dimension.bounds import DimensionBounds
from lossmith.dimension.construction import Construction
from lossmith.dimension.le_depths_of_tree import OfTree
from lossmith.dimension.le_labels import probabilities
from lossmith.dimension.le_surrogate import CertifiedSurrogate
from lossmith.errors import BadInput, Impossible, NotFound, TooLarge, UnknownName, nearest
from lossmith.families import at_least
from lossmith.geometry.double_description import Progress
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import LossLike, as_loss
from lossmith.sweeping.store import Store
from lossmith.text.numbers import counted

MAKERS: Mapping[str, Callable[[Facts], Construction]] = MappingProxyType(
    {
        "orderable": orderable,
        "max-min-hinge": max_min_hinge,
        "square": cost_squares,
        "linear": linear,
        "class-probability": probabilities,
    }
)
METHODS = ("orderable", "search", "max-min-hinge", "square", "linear", "class-probability")
_FEW_CLASSES = 6  # labels and predictions: up to here the exact worst ratio of the regrets takes a moment
_CHOICE = (
    ". The method {0} has as many dimensions, and {1}. That bound is linear, and so the better one for small regrets; "
    "squares can be learned by any regressor, hinges by models of their own"
)
_FEW_LABELS, _FEW_CELLS = 6, 8  # up to here the max-min hinge takes a moment
_SEARCHED = 5  # labels and predictions: up to here fewer dimensions are always searched for


def design(
    loss: LossLike,
    dim: int | None = None,
    method: str | None = None,
    *,
    seed: int = 0,
    budget: int | None = None,
    n_jobs: int | None = 1,
    store: Store | None = None,
    max_vertices: int | None = None,
    bounds: DimensionBounds | None = None,
    progress: Progress | None = None,
) -> Calibrated | SquaresOfFactors:
    """Make a surrogate for the loss: in the fewest dimensions that can be certified, or in `dim`, or by a method.

    It is for where each function that is learned has its price. What trains best is mostly another thing: a classifier,
    and the decision of least expected cost, `loss.decide(classifier, X)`. Of surrogates of one dimension squares are
    taken, weighed by the costs, as any regressor learns them.

    Methods: "orderable", "search", "max-min-hinge", "square", "linear", "class-probability". A loss known by
    factors gets squares of its factors, at any size. Up to five labels and predictions, and where a `dim`, a `budget`
    or "search" asks for it, fewer dimensions are searched for: `budget` configurations in each, 1000 if not given;
    Ctrl-C then ends with what is certified already, and a `store` keeps what was tried, so that the search goes on
    from there. Else the best that is certified at once is taken.

    Raises `Impossible`, with the bound that proves it, or `NotFound`, with how much was tried. `bounds` are those of
    `ccdim`, if known already: what they rest on is not made again. `max_vertices` bounds the cells of the max-min hinge
    and of the search. The loss is given as to `analyze`.

    >>> from lossmith.losses import abstain, ordinal
    >>> design(ordinal(5)).surrogate.dim, design(abstain(4)).surrogate.dim
    (1, 2)
    """
    loss = as_loss(loss)
    if loss.factored is not None and by_factors(loss.factored) is not None:
        return squares_of_factors(loss.factored, dim, method)
    if bounds is not None:  # those of a tree bring no surrogate
        bounds = replace(bounds, bounds=tuple(b for b in bounds.bounds if not isinstance(b.evidence, OfTree)))
    loss = loss.matrix()
    _expected(loss, dim, method)
    facts = Facts(loss, progress) if bounds is None or bounds.facts is None else bounds.facts
    _learnable(facts)
    made_by = None if method == "search" else method
    if made_by is not None and dim is None:
        return by_method(facts, made_by, max_vertices)
    few = max(loss.n, len(facts.kept)) <= _SEARCHED
    if not few and dim is None and method is None and budget is None:
        return _at_once(facts, upper_bounds(facts) if bounds is None else bounds)
    if bounds is None:
        bounds = bounds_of(facts, designs=False)
    if dim is not None and dim < bounds.lower.value:
        raise Impossible(
            f"no convex surrogate on R^{dim} is calibrated for {loss.name}: CCdim ≥ {bounds.lower.value} "
            f"({bounds.lower.theorem})",
            bounds.lower,
        )
    if made_by is not None:
        made = by_method(facts, made_by, max_vertices)
        if made.surrogate.dim == dim:
            return made
        raise NotFound(f"{method} for {loss.name} has dimension {made.surrogate.dim}, not {dim}; leave out one of them")
    limits = {"seed": seed, "budget": budget or BUDGET, "max_vertices": max_vertices or MAX_VERTICES}
    seek = partial(search, facts, **limits, n_jobs=n_jobs, store=store, progress=progress)
    return _by_dimension(facts, bounds, dim, seek, ready=method is None)


def _expected(loss: LossMatrix, dim: int | None, method: str | None) -> None:
    if dim is not None and at_least("dim", dim, 1) > loss.n:
        raise BadInput(f"dim is {dim}; more than the {loss.n} labels are never needed")
    if method is not None and method not in METHODS:
        raise UnknownName(f"no method is called {method!r}; {nearest(method, METHODS)}")


def _learnable(facts: Facts) -> None:
    if len(facts.kept) == 1:
        best = facts.loss.predictions[facts.kept[0]]
        raise BadInput(f"{best} is always optimal for {facts.loss.name}: CCdim = 0, there is nothing to learn")


def by_method(facts: Facts, method: str, max_vertices: int | None = None) -> Calibrated:
    """What a method of `MAKERS` makes, with the pred and the regret that are known of it."""
    _learnable(facts)
    make = MAKERS[method]
    if make is max_min_hinge and max_vertices is not None:
        make = partial(max_min_hinge, max_vertices=max_vertices)
    return _described(CertifiedSurrogate(facts, make))


def _by_dimension(
    facts: Facts, bounds: DimensionBounds, dim: int | None, seek: Callable[[int], Found | NotFoundHere], ready: bool
) -> Calibrated:
    """In the fewest dimensions, or in `dim`: what is certified at once, if allowed, else what a search finds."""
    tried = []
    for d in range(bounds.lower.value, bounds.upper.value + 1) if dim is None else [dim]:
        if ready and (known := _known(facts, bounds, d)) is not None:
            return _with_choice(known)
        try:
            found = seek(d) if d < len(facts.kept) else None
        except KeyboardInterrupt:
            if ready and dim is None:
                return _at_once(facts, bounds)
            raise
        if isinstance(found, Found):
            made_by = f"search ({counted(found.configurations, 'configuration')} tried)"
            return _described(CertifiedSurrogate.of(facts, found.verdict, made_by))
        work = f"{found.configurations} configurations, {found.programs} programs" if found else ""
        tried.append(f"R^{d}: {work or 'more dimensions than the cells can use'}")
    raise NotFound(f"no surrogate for {facts.loss.name} was found, which proves nothing ({'; '.join(tried)})")


def _at_once(facts: Facts, bounds: DimensionBounds) -> Calibrated:
    """What the best upper bound rests on, and how to look for something better."""
    d = bounds.upper.value
    known = _known(facts, bounds, d)
    assert known is not None
    low = bounds.lower.value
    if d == 1 or low == d:
        return _with_choice(known)
    fewer = (
        "in fewer dimensions nothing was searched for" if low < 2 else f"{low} to {d - 1} dimensions are not excluded"
    )
    return _with_choice(known, f"; {fewer}: dim={d - 1} (--dim {d - 1}) looks there")


def _known(facts: Facts, bounds: DimensionBounds, d: int) -> CertifiedSurrogate | None:
    """Squares of this dimension, else what the first upper bound of this value rests on, if it has this dimension."""
    if 0 <= len(facts.basis) - d <= 1 and fewest(facts) == d:
        return CertifiedSurrogate(facts, cost_squares)
    for bound in bounds.bounds:
        made = bound.evidence if bound.side == "upper" and bound.value == d else None
        if isinstance(made, CertifiedSurrogate) and made.construction.surrogate.dim == d:
            return made
    return None


def _with_choice(known: CertifiedSurrogate, note: str = "") -> Calibrated:
    """What is made, a note, and beside squares the hinge of the same dimension, with its constant."""
    made = _described(known)
    hinge = _hinge(known.facts, made.surrogate.dim) if known.make is cost_squares else None
    choice = "" if hinge is None else _CHOICE.format(*hinge)
    return replace(made, made_by=f"{made.made_by}{note}{choice}")


def _hinge(facts: Facts, d: int) -> tuple[str, RegretBound] | None:
    """The hinge that has the same dimension as squares, and its constant, if that takes a moment."""
    if facts.loss.n > _FEW_LABELS or len(facts.kept) > _FEW_CELLS:
        return None
    method = "orderable" if d == 1 else "max-min-hinge"
    with suppress(TooLarge):
        made = CertifiedSurrogate(facts, MAKERS[method])
        bound = _bound(made) if made.construction.surrogate.dim == d else None
        return None if bound is None else (method, bound)
    return None


def _described(made: CertifiedSurrogate) -> Calibrated:
    """The verdict with how it was made and a bound on the regrets of its surrogate with its pred; one may be known."""
    return replace(made.verdict, made_by=_made_by(made, _bound(made)))


def _bound(made: CertifiedSurrogate) -> RegretBound | None:
    """What is known of the regrets; up to six labels and predictions what was proved is made exact."""
    verdict, proved = made.verdict, made.construction.regret
    if proved is not None and max(verdict.loss.n, verdict.loss.k) > _FEW_CLASSES:
        return RegretBound(proved)
    return regret_bound(verdict, proved)


def _made_by(made: CertifiedSurrogate, bound: RegretBound | None) -> str:
    size = made.construction.surrogate.dim
    return f"{made.construction.name}, {counted(size, 'dimension')}" + ("" if bound is None else f"; {bound}")
