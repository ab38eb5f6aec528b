"""How many real-valued functions must be learned: the convex calibration dimension, bounded from both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import TypeAlias

from lossmith.analysis.corners import many_alike
from lossmith.analysis.facts import Facts
from lossmith.calibration.checking import ask
from lossmith.calibration.verdicts import Calibrated, Undecided
from lossmith.constructions.lower_hull import lower_hull
from lossmith.constructions.orderable import orderable
from lossmith.constructions.search.run import Found, search
from lossmith.dimension.bounds import Bound, DimensionBounds
from lossmith.dimension.eq_affdim_of_equalizer import eq_affdim_of_equalizer, paper_form
from lossmith.dimension.ge_feasible_subspace import (
    MAX_FACES,
    ge_feasible_subspace,
    ge_feasible_subspace_at,
    ge_feasible_subspace_in_chamber,
)
from lossmith.dimension.ge_labels_of_no_line import ge_labels_of_no_line
from lossmith.dimension.ge_two_of_not_orderable import ge_two_of_not_orderable
from lossmith.dimension.ge_vertex_support import ge_vertex_support
from lossmith.dimension.le_affdim import le_affdim, le_rank
from lossmith.dimension.le_labels import le_labels
from lossmith.dimension.le_surrogate import CertifiedSurrogate, of_verdict
from lossmith.dimension.lt_affdim_of_positive_vector import lt_affdim_of_positive_vector
from lossmith.dimension.of_factors import of_factors
from lossmith.errors import TooLarge
from lossmith.families import count
from lossmith.geometry.double_description import Progress
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.families.sets.top_k_costs import TopKCosts
from lossmith.losses.families.sets.tree_distance import TreeDistance
from lossmith.losses.named import LossLike, as_loss
from lossmith.losses.sets.set_loss import SetLoss
from lossmith.surrogates.members import polyhedral_between

MAX_VERTICES = 10_000
_MOST_ENTRIES = 10**5  # of a loss whose cells are enumerated: a vertex has as many coordinates as there are labels
_MOST_COMPARED = 2 * 10**7  # numbers in pairs of predictions that are compared
_MOST_STEPS, _STEP_WORK = 2000, 8 * 10**9  # of the climb: at most, and how much they may multiply
_FEW_LABELS = 40  # up to here a search is tried in passing, and then
_QUICK_SEARCH, _MOST_DIMENSIONS, _FEW_VERTICES = 60, 4, 300  # configurations, sizes
_SEARCH_WORK = 6 * 10**7  # configurations, each as the third power of the number of vertices
_LINED = 6  # labels: up to here lines are looked for in cells, on all of them and on fewer
_MANY_LABELS, _CHECKED_ENTRIES = 300, 600_000  # of surrogates of the catalogue: labels, coordinates of their vertices
_FEW_WRITTEN = 20_000  # entries of a list of graphs that the factors do not settle

Stage: TypeAlias = Callable[[int, int], Iterable[Bound | None]]


def ccdim(
    loss: LossLike,
    *,
    designs: bool = True,
    max_vertices: int = MAX_VERTICES,
    max_faces: int = MAX_FACES,
    seed: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> DimensionBounds:
    """Bound the convex calibration dimension of a loss from both sides, each bound with a theorem and a certificate.

    From cheap to dear; what exceeds its budget, or is interrupted with Ctrl-C, is left out and said in the notes.
    `designs=False` leaves out the surrogates in fewer dimensions, from the catalogue and by a search. Budgets count
    work, so that the bounds depend on the loss and the seed alone; after `seconds` they are what was proved by then.
    The loss is given as to `analyze`.

    >>> from lossmith.losses import abstain, zero_one
    >>> ccdim(zero_one(4))
    CCdim(zero_one(n=4)) = 3  [lower: equaliser (cor:col-perm); upper: labels − 1 (lem:surrogate-universal)]
    >>> bounds = ccdim(abstain(30))
    >>> bounds.lower.value, bounds.upper.value, bounds.upper.why
    (2, 5, 'binary_encoded(n=30, cost=1/2) is calibrated')
    """
    loss = as_loss(loss)
    if loss.factored is not None and (settled := by_factors(loss.factored)) is not None:
        return settled
    watch = None if seconds is None else _Watch(seconds, progress)
    facts = Facts(loss.matrix(), watch or progress)
    found = bounds_of(facts, designs=designs, max_vertices=max_vertices, max_faces=max_faces, seed=seed)
    if isinstance(loss, TreeDistance) and found.exact is None:
        found = replace(found, bounds=(*found.bounds, *of_factors(loss)))
    if watch is not None:
        watch.end = inf  # whoever takes the facts on has time
    return found


def bounds_of(
    facts: Facts,
    *,
    designs: bool = True,
    max_vertices: int = MAX_VERTICES,
    max_faces: int = MAX_FACES,
    seed: int = 0,
) -> DimensionBounds:
    """The same for a loss of which some facts may be known already; the bounds carry them on."""
    bounds, notes, left_out, interrupted = [le_labels(facts)], list[str](), dict[str, str](), False
    stages: list[tuple[str, Stage]] = [
        ("the affine dimension", lambda low, high: _affine(facts)),
        ("the equaliser", lambda low, high: _equalizer(facts)),
        ("the positive vector", lambda low, high: [lt_affdim_of_positive_vector(facts)]),
        ("the order", lambda low, high: _order(facts, low)),
        ("the lower hull", lambda low, high: [_lower_hull(facts)]),
        ("the faces", lambda low, high: [_faces(facts, high, max_vertices, max_faces)]),
        ("the climb", lambda low, high: _climb(facts, low, high, seed) if "the faces" in left_out else []),
        ("the catalogue", lambda low, high: _catalogued(facts, low, high) if designs else []),
        ("the search", lambda low, high: _searched(facts, low, high, seed) if designs else []),
        ("the lines", lambda low, high: [ge_labels_of_no_line(facts, low, high)] if facts.loss.n <= _LINED else []),
    ]
    for name, stage in stages:
        before, proved = list(bounds), dict[str, Bound]()
        low = max((each.value for each in bounds if each.side == "lower"), default=-1)
        high = min(each.value for each in bounds if each.side == "upper")
        if low == high:
            break
        try:
            for bound in filter(None, stage(max(low, 0), high)):
                proved[bound.theorem] = bound  # of several from one stage the last is the best
                bounds = [*before, *proved.values()]
        except TooLarge as error:
            left_out[name] = str(error)
        except KeyboardInterrupt:
            notes.append(f"interrupted in {name}: these bounds were proved before")
            interrupted = True
            break
        except _OutOfTime as over:
            notes.append(f"the {over} were over in {name}: these bounds were proved before")
            break
    if not any(each.side == "lower" for each in bounds):
        bounds.append(ge_feasible_subspace_at(facts, [1] + [0] * (facts.loss.n - 1)))
    return DimensionBounds(facts.loss, tuple(bounds), (*_without(left_out), *notes), facts, interrupted)


def _without(left_out: Mapping[str, str]) -> list[str]:
    """What was left out, those together that have the same reason."""
    names: dict[str, list[str]] = {}
    for name, why in left_out.items():
        names.setdefault(why, []).append(name)
    return [f"without {' and '.join(each)}: {why}" for why, each in names.items()]


def upper_bounds(facts: Facts) -> DimensionBounds:
    """What is certified at once: in one dimension by order, else by a surrogate of the catalogue or by squares."""
    bounds = [le_labels(facts), *_affine(facts), lt_affdim_of_positive_vector(facts)]
    if facts.order is not None:
        bounds += _order(facts, 0)
    found = [bound for bound in bounds if bound is not None]
    with suppress(TooLarge):  # what was not decided is no bound
        found.extend(_catalogued(facts, 1, min(bound.value for bound in found)))
    least = ge_feasible_subspace_at(facts, [1] + [0] * (facts.loss.n - 1))
    return DimensionBounds(facts.loss, (*found, least), facts=facts)


class _OutOfTime(Exception):
    """The time that was given is over."""


class _Watch:
    """Passes on what is reported, until the time is over."""

    def __init__(self, seconds: float, progress: Progress | None) -> None:
        self.seconds, self.end, self._progress = seconds, perf_counter() + seconds, progress

    def __call__(self, done: int, total: int) -> None:
        if perf_counter() > self.end:
            raise _OutOfTime(f"{self.seconds:g} s")
        if self._progress is not None:
            self._progress(done, total)


def by_factors(loss: FactoredLoss) -> DimensionBounds | None:
    """What the factors prove; None if that is not everything, and the loss is small enough to be written down."""
    found = DimensionBounds(loss, tuple(of_factors(loss)), (loss.note,) if loss.note else ())
    balanced = any(each.side == "lower" for each in found.bounds)
    few = loss.n * loss.k <= _FEW_WRITTEN
    if few and isinstance(loss, TreeDistance):  # which has designs of few dimensions
        return None
    tagged = isinstance(loss, SetLoss) and not isinstance(loss, TopKCosts)  # no more is known of its matrix
    if balanced and (found.exact is not None or tagged):
        return found
    if few:
        return None
    if balanced:
        return found
    raise TooLarge(
        f"{loss.name} has {count(loss.k)} predictions, too many to write down, and no distribution of its labels makes "
        f"all of them optimal; CCdim ≤ {found.upper.value} is what the factors show: rank fewer documents"
    )


def _affine(facts: Facts) -> Iterator[Bound]:
    affine = le_affdim(facts)
    yield affine
    yield le_rank(facts, affine)


def _equalizer(facts: Facts) -> list[Bound]:
    found = eq_affdim_of_equalizer(facts)
    if found is None:
        return [ge_feasible_subspace_at(facts, facts.tie)]
    return [found, paper_form(found)] if found.value else [found]


def _order(facts: Facts, low: int) -> list[Bound | None]:
    k = len(facts.kept)
    if k < 2:
        return []
    if facts.order is not None:
        why = "the predictions can be ordered so that one real number decides"
        return [Bound("upper", 1, "orderable", why, facts.loss, CertifiedSurrogate(facts, orderable))]
    if low >= 2:
        return []
    if k * k * facts.loss.n > _MOST_COMPARED:
        raise TooLarge(f"{k} predictions for {facts.loss.n} labels are too many to compare in pairs")
    return [ge_two_of_not_orderable(facts)]


def _lower_hull(facts: Facts) -> Bound | None:
    if facts.positive is not None:
        return None  # the squares prove as much
    if facts.loss.n > _FEW_LABELS:
        raise TooLarge(f"{facts.loss.n} labels are more than {_FEW_LABELS} to project the columns in passing")
    if facts.nonnegative is None:
        return None
    facts.cells(_FEW_VERTICES)  # those of the surrogate, which its certificate lists
    why = "no p > 0 makes all risks equal: the columns are projected along a vector w ≥ 0"
    proof = CertifiedSurrogate(facts, lower_hull)
    return Bound("upper", len(facts.basis) - 1, "affdim − 1, no equaliser", why, facts.loss, proof)


def _faces(facts: Facts, high: int, max_vertices: int, max_faces: int) -> Bound:
    n, k = facts.loss.n, len(facts.kept)
    if n * k > _MOST_ENTRIES:
        raise TooLarge(f"{n} labels × {k} predictions are too many to enumerate cells")
    if many_alike(facts.kept_blocks):
        return ge_feasible_subspace_in_chamber(
            facts, high, max_vertices=max_vertices, max_faces=max_faces, progress=facts.progress
        )
    cells = facts.cells(max_vertices)
    return ge_feasible_subspace(facts, cells, high, max_faces=max_faces, progress=facts.progress)


def _climb(facts: Facts, low: int, high: int, seed: int) -> Iterator[Bound]:
    n, k = facts.loss.n, len(facts.kept)
    steps = min(_MOST_STEPS, max(n // 20, _STEP_WORK // (n * k * min(n, k))))
    return ge_vertex_support(facts, low, high, steps=steps, seed=seed)


def _catalogued(facts: Facts, low: int, high: int) -> Iterator[Bound]:
    """What a surrogate of the catalogue proves, the one of fewest dimensions that is certified."""
    n, open_ = facts.loss.n, list[str]()
    if n > _MANY_LABELS:
        raise TooLarge(f"{n} labels are more than {_MANY_LABELS} to check its surrogates in passing; try check")
    for surrogate in polyhedral_between(facts.loss, low, high):
        verdict = ask(surrogate, facts, max_vertices=_CHECKED_ENTRIES // n, progress=facts.progress)
        if isinstance(verdict, Calibrated):
            yield of_verdict(facts, verdict, surrogate.name)
            break
        if isinstance(verdict, Undecided):
            open_.append(surrogate.name)
    if open_:
        raise TooLarge(f"{', '.join(open_)} would need more than {_CHECKED_ENTRIES // n:,} vertices to be decided")


def _searched(facts: Facts, low: int, high: int, seed: int) -> Iterator[Bound]:
    if facts.loss.n > _FEW_LABELS:
        raise TooLarge(f"{facts.loss.n} labels are more than {_FEW_LABELS} to look for points in passing; try design")
    corners = {ray for cell in facts.cells(_FEW_VERTICES) for ray in cell.polytope.rays}
    budget = min(_QUICK_SEARCH, max(1, _SEARCH_WORK // len(corners) ** 3))
    for d in range(max(low, 1), min(high, _MOST_DIMENSIONS + 1)):
        found = search(facts, d, seed=seed, budget=budget, max_vertices=_FEW_VERTICES, progress=facts.progress)
        if isinstance(found, Found):
            yield of_verdict(facts, found.verdict, "search")
            break
