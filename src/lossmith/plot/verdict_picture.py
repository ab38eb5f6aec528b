"""A verdict as a picture: the cells of the surrogate over those of the loss."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from lossmith.analysis.facts import Facts
from lossmith.analysis.positive_normals import positive_normal_set, positive_normal_sets
from lossmith.calibration.verdicts import Verdict
from lossmith.errors import BadInput
from lossmith.plot.overlay import Overlay
from lossmith.plot.palette import DASHED, DOT, HATCHED, REGION, WARNED
from lossmith.plot.scene import shown
from lossmith.plot.simplex import picture
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


def verdict(verdict: Verdict, *, ax: Any = None, title: str | None = None) -> Figure:
    """Draw the cells of the surrogate, dashed, over the trigger sets of the loss, coloured; for 2, 3 or 4 labels.

    A surrogate is calibrated if each of its cells lies in one colour. If it is not, a cell that does not is hatched
    (in the tetrahedron its edges are thick), and p1, p2, … in it are the distributions of the verdict. What lies
    outside the regions to which a verdict is limited is pale (in the tetrahedron they have edges only). A surrogate
    that is not polyhedral has no cells to draw. `ax` and `title` are as in `trigger_sets`.

    >>> from lossmith.calibration.checking import check
    >>> from lossmith.losses import zero_one
    >>> from lossmith.surrogates import crammer_singer
    >>> figure = verdict(check(crammer_singer(3), zero_one(3)))
    >>> sorted({text.get_text() for text in figure.axes[0].texts})
    ['0', '1', '2', 'p1', 'p2', 'p3']
    """
    status = getattr(verdict, "status", None)
    if status not in ("calibrated", "not calibrated"):
        what = repr(verdict) if status is None else f"a verdict that is {status}"
        raise BadInput(
            f"{what} has nothing to draw; give one that lm.check decided, or draw the loss with lm.plot.trigger_sets"
        )
    points = {f"p{i}": p for i, p in enumerate(getattr(verdict, "distributions", ()), start=1)}
    overlay = _overlay(verdict)
    return picture(Facts(verdict.loss), points, overlay, _key(verdict, overlay, tuple(points)), ax, title)


def _overlay(verdict: Any) -> Overlay:
    """Look up what there is to lay over the cells of the loss, all of it exact."""
    surrogate = verdict.surrogate
    regions = tuple(region.polytope for region in getattr(verdict, "within", None) or ())
    if not isinstance(surrogate, PolyhedralSurrogate) or surrogate.n > 4:
        return Overlay(within=regions)
    if verdict.status == "calibrated":
        return Overlay(tuple(cell.polytope for cell in verdict.cells), None, regions)
    cells = tuple(cell.polytope for cell in positive_normal_sets(surrogate).cells)
    return Overlay(cells, positive_normal_set(surrogate, verdict.u).polytope, regions)


def _key(verdict: Any, overlay: Overlay, names: tuple[str, ...]) -> list[tuple[Any, str]]:
    """Say in words what each sign means."""
    key: list[tuple[Any, str]] = []
    calibrated = verdict.status == "calibrated"
    pred = None if verdict.asked is None else shown(verdict.asked.name or "pred")
    if overlay.cells:
        fits = f", each in one colour{' inside the line' * bool(overlay.within)}" if calibrated else ""
        fits += f", decided by {pred}" if calibrated and pred else ""
        key.append((Line2D([], [], **DASHED), f"dashed: cells of {shown(verdict.surrogate.name)}{fits}"))
    if overlay.bad is not None:
        hatched = (Patch(**{**HATCHED, "linewidth": 2}), "hatched")
        no_area = verdict.loss.n == 4 or overlay.bad.dim < verdict.loss.n - 1
        handle, sign = (Line2D([], [], **WARNED), "thick") if no_area else hatched
        wrong = "no single decision is" if pred is None else f"the decision of {pred} is not always"
        key.append((handle, f"{sign}: one cell, {wrong} best in it"))
    if names:
        u = ", ".join(f"{x:.3g}" if isinstance(x, float) else str(x) for x in verdict.u)
        best = f"u = ({u}) is optimal{' for each' * (len(names) > 1)}"
        key.append((Line2D([], [], **DOT), f"{', '.join(names)}: {best}"))
    if overlay.within:
        key.append((Line2D([], [], **REGION), "solid line: the distributions in question"))
    return key
