"""Pictures of verdicts and of curves, measured: what lies where, what it is called, what is refused, files.

The fast tests look at one verdict of each kind, the exhaustive ones at all.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.legend import Legend
from matplotlib.text import Text

import lossmith as lm
from lossmith import plot
from lossmith.analysis.positive_normals import positive_normal_set, positive_normal_sets
from lossmith.errors import BadInput
from lossmith.geometry.edges import edges
from lossmith.losses import abstain, cost_sensitive_binary, ordinal, zero_one
from lossmith.plot import tetrahedron, triangle
from lossmith.plot.one_dimension import break_points
from lossmith.plot.palette import DASHED, WARNING, fill, line, pale
from lossmith.surrogates import absolute, crammer_singer, epsilon_insensitive, lee_lin_wahba, weston_watkins

LONG_LABELS = ["no disease at all, certainly ok", "moderate disease of the lungs", "severe disease, life threatened"]
LONG_NAMES = ["send home with a leaflet & call", "admit to the ordinary $ward", "admit to intensive_care at once"]
PAIRS = {
    "cs-zero-one": lambda: (crammer_singer(3), zero_one(3)),
    "cs-abstain": lambda: (crammer_singer(3), abstain(3)),
    "llw": lambda: (lee_lin_wahba(3), zero_one(3)),
    "ww": lambda: (weston_watkins(3), zero_one(3)),
    "long": lambda: (crammer_singer(3), lm.LossMatrix([[0, 1, 4], [2, 0, 1], [9, 3, 0]], LONG_LABELS, LONG_NAMES)),
    "eps3": lambda: (epsilon_insensitive(3), ordinal(3)),
    "abs4": lambda: (absolute(4), ordinal(4)),
    "cs4": lambda: (crammer_singer(4), zero_one(4)),
    "cs2": lambda: (crammer_singer(2), zero_one(2)),
    "cost": lambda: (crammer_singer(2), cost_sensitive_binary("1/6")),
}
TRIANGLES = ["cs-zero-one", "cs-abstain", "llw", "ww", "long", "eps3"]
FEW = {"cs-zero-one", "cs-abstain", "eps3", "cs4", "cost"}  # one of each kind


def each_verdict(names, few=FEW):
    """One test for each of the verdicts; those that are not among the few are exhaustive."""
    return pytest.mark.parametrize(
        "name", [pytest.param(each, marks=[] if each in few else pytest.mark.exhaustive) for each in names]
    )


every_verdict, every_triangle = each_verdict(PAIRS), each_verdict(TRIANGLES)
OFTEN = [lambda p, y=y: [p[y] >= "3/5"] for y in range(3)]


@dataclass(frozen=True)
class Logistic:
    """A surrogate that is not polyhedral."""

    name: str = "logistic"
    n: int = 2
    dim: int = 1

    def evaluate(self, points):
        return np.log1p(np.exp(np.asarray(points) * [[-1, 1]]))


@cache
def verdict_of(name: str):
    return lm.check(*PAIRS[name]())


@cache
def picture_of(name: str) -> Figure:
    """The picture, drawn once for all that is measured in it."""
    return plot.verdict(verdict_of(name))


@cache
def picture_within() -> Figure:
    """A picture with the distributions in question: where one label has 3/5."""
    return plot.verdict(lm.check(crammer_singer(3), zero_one(3), within=OFTEN))


def legends_of(figure: Figure) -> list[Legend]:
    return [each for each in figure.axes[0].get_children() if isinstance(each, Legend)]


def texts_of(figure: Figure) -> list[Text]:
    """Every text that can be read: those in the axes, without the white outlines below them, and in the legends."""
    inside = [t for t in figure.axes[0].texts if not t.get_path_effects()]
    return inside + [t for legend in legends_of(figure) for t in legend.get_texts()]


def said(figure: Figure) -> str:
    return "\n".join(" ".join(t.get_text().split()) for t in texts_of(figure))


def dashed_of(figure: Figure) -> list[np.ndarray]:
    lines = [each for each in figure.axes[0].lines if each.is_dashed() and each.get_linewidth() == DASHED["linewidth"]]
    return [np.column_stack(each.get_data_3d() if hasattr(each, "get_data_3d") else each.get_data()) for each in lines]


def hatched_of(figure: Figure) -> list[np.ndarray]:
    patches = [p for p in figure.axes[0].patches if to_hex(p.get_edgecolor()) == WARNING.lower() and p.get_hatch()]
    return [patch.get_xy()[:-1] for patch in patches]


def corners(points) -> set[tuple[float, ...]]:
    return {tuple(float(x) for x in np.round(point, 9) + 0.0) for point in points}


def placed(polytope, simplex) -> set[tuple[float, ...]]:
    return corners(np.array(polytope.vertices, dtype=float) @ simplex)


def assert_readable(figure: Figure) -> None:
    """No text leaves the figure or overlaps another."""
    figure.draw_without_rendering()
    texts = [t for t in texts_of(figure) if t.get_text()]
    for text in texts:
        box = Text.get_window_extent(text)
        assert figure.bbox.padded(0.01).contains(*box.min), text.get_text()
        assert figure.bbox.padded(0.01).contains(*box.max), text.get_text()
    for first, second in combinations(texts, 2):
        boxes = Text.get_window_extent(first), Text.get_window_extent(second)
        assert not boxes[0].overlaps(boxes[1]), (first.get_text(), second.get_text())


# What is drawn where.


@every_triangle
def test_dashes_and_the_triangle_are_the_outlines_of_the_cells(name):
    """Going around each cell of the surrogate, every side is dashed or lies on a side of the triangle."""
    drawn = {frozenset(corners(segment)) for segment in dashed_of(picture_of(name))}
    sides = set()
    for cell in positive_normal_sets(verdict_of(name).surrogate).cells:
        places = np.array(cell.polytope.vertices, dtype=float)
        around = places @ triangle.CORNERS - (places @ triangle.CORNERS).mean(axis=0)
        order = [*np.arctan2(around[:, 1], around[:, 0]).argsort()]
        for i, j in pairwise([*order, order[0]]):
            if all(x + y > 0 for x, y in zip(places[i], places[j], strict=True)):
                sides.add(frozenset(corners(places[[i, j]] @ triangle.CORNERS)))
    assert drawn == sides


def test_dashes_of_crammer_singer_join_the_middles_of_the_sides():
    """fig:pos-normals: four cells, the middle one between the midpoints."""
    middles = corners((triangle.CORNERS + np.roll(triangle.CORNERS, 1, axis=0)) / 2)
    drawn = dashed_of(picture_of("cs-abstain"))
    assert len(drawn) == 3
    assert set().union(*map(corners, drawn)) == middles


def test_dashes_in_the_tetrahedron_are_the_edges_of_an_octahedron():
    drawn = dashed_of(picture_of("cs4"))
    middles = corners((a + b) / 2 for a, b in combinations(tetrahedron.CORNERS, 2))
    assert len(drawn) == 12
    assert set().union(*map(corners, drawn)) == middles


def test_dashes_cross_the_bar_where_the_surrogate_changes():
    assert [segment[:, 0].tolist() for segment in dashed_of(picture_of("cost"))] == [[0.5, 0.5]]
    assert {"0", "0.17", "0.5", "1"} <= set(said(picture_of("cost")).split("\n"))


@every_triangle
def test_the_hatched_cell_is_the_one_at_u(name):
    verdict = verdict_of(name)
    hatched = [corners(outline) for outline in hatched_of(picture_of(name))]
    if verdict.status == "calibrated":
        assert hatched == []
    else:
        normals = positive_normal_set(verdict.surrogate, verdict.u)
        assert hatched == [placed(normals.polytope, triangle.CORNERS)]


def test_the_hatched_part_of_the_bar():
    (outline,) = hatched_of(picture_of("cost"))
    assert sorted(set(outline[:, 0])) == [0, 0.5]


def test_thick_edges_in_the_tetrahedron_are_those_of_the_cell_and_thinner_where_it_hides_them():
    figure = picture_of("cs4")
    thick = [each for each in figure.axes[0].lines if each.get_color() == WARNING]
    middles = corners((a + b) / 2 for a, b in combinations(tetrahedron.CORNERS, 2))
    assert len(thick) == 12
    assert set().union(*(corners(np.column_stack(each.get_data_3d())) for each in thick)) == middles
    # The octahedron is p ≤ 1/2; a step from the middle of a hidden edge towards the eye leads into it.
    step = 1e-6 * tetrahedron.CORNERS @ tetrahedron.TO_EYE
    to_distribution = np.linalg.inv(np.column_stack([tetrahedron.CORNERS, np.ones(4)]))
    for each in thick:
        p = np.array([*np.mean(each.get_data_3d(), axis=1), 1]) @ to_distribution + step
        assert (each.get_linewidth() < 2) == bool((p > 0).all() and (p < 0.5).all())


@each_verdict(["cs-zero-one", "ww", "long", "cs4", "cost"])
def test_marks_are_at_the_distributions(name):
    verdict, figure = verdict_of(name), picture_of(name)
    (dots,) = [each for each in figure.axes[0].lines if each.get_marker() == "o"]
    exact = np.array(verdict.distributions, dtype=float)
    if verdict.loss.n == 2:
        assert dots.get_xdata() == pytest.approx(exact[:, 1])
    elif verdict.loss.n == 3:
        assert dots.get_xydata() == pytest.approx(exact @ triangle.CORNERS)
    else:
        assert np.column_stack(dots.get_data_3d()) == pytest.approx(exact @ tetrahedron.CORNERS)
    assert {f"p{i}" for i in range(1, len(exact) + 1)} <= set(said(figure).split("\n"))


def test_edges_are_exact_in_every_dimension():
    cells = positive_normal_sets(crammer_singer(4)).cells
    assert sorted(len(edges(cell.polytope)) for cell in cells) == [6, 6, 6, 6, 12]
    flat = positive_normal_set(crammer_singer(3), ["1/2", 0, 0]).polytope
    half = Fraction(1, 2)
    assert edges(flat) == [((half, 0, half), (half, half, 0))]


# What is said.


@each_verdict(PAIRS, few={"cs-zero-one", "cost"})
def test_no_text_of_a_verdict_overlaps_another_or_leaves_the_figure(name):
    assert_readable(plot.verdict(verdict_of(name), title="A title"))


@every_verdict
def test_every_sign_is_explained(name):
    """The cells by the name of the surrogate; where it goes wrong, the cell and each of the distributions."""
    verdict, lines = verdict_of(name), said(picture_of(name)).split("\n")
    assert len([each for each in lines if verdict.surrogate.name in each]) == 1
    explained = [each for each in lines if re.match(r"p\d.*: u = ", each)]
    assert len(explained) == (verdict.status == "not calibrated")
    for each in explained:
        assert f": u = ({', '.join(map(str, verdict.u))}) " in each
        assert re.findall(r"p(\d)", each) == [str(i) for i, _ in enumerate(verdict.distributions, start=1)]


def test_a_given_pred_is_named():
    bad = plot.verdict(lm.check(crammer_singer(3), abstain(3), pred="argmax"))
    assert re.search(r"\bargmax\b", said(bad))
    assert "p1: u = (0, 0, 0) " in said(bad)
    good = plot.verdict(lm.check(crammer_singer(3), abstain(3), pred="argmax-gap:tau=1/2"))
    assert "argmax-gap:tau=1/2" in said(good)
    for figure in (bad, good):
        assert_readable(figure)


def test_a_cell_without_area_is_a_thick_line():
    """At u = (1/2, 0, 0) the Crammer-Singer surrogate is optimal on a segment only."""
    half = Fraction(1, 2)
    pred = SimpleNamespace(name="mine")
    verdict = SimpleNamespace(
        status="not calibrated", surrogate=crammer_singer(3), loss=abstain(3), u=(half, 0, 0), asked=pred, within=None,
        distributions=((half, Fraction(1, 4), Fraction(1, 4)),),
    )  # fmt: skip
    figure = plot.verdict(verdict)
    assert re.search(r"\bmine\b", said(figure))
    (thick,) = [each for each in figure.axes[0].lines if each.get_color() == WARNING]
    assert corners(thick.get_xydata()) == {(0.5, 0.0), (0.25, round(3**0.5 / 4, 9))}


def test_outside_the_distributions_in_question_the_colours_are_pale():
    figure = picture_within()
    patches = figure.axes[0].patches
    assert [to_hex(p.get_facecolor()) for p in patches[:3]] == [pale(t)["facecolor"] for t in range(3)]
    assert len(patches) == 3 + 3 * 3  # every cell again, in its full colour, clipped to each of three regions
    assert all(p.get_clip_on() and p.get_clip_path() is not None for p in patches[3:])
    assert_readable(figure)


def test_pixels_are_pale_outside_and_full_inside(tmp_path):
    figure = picture_within()
    figure.savefig(tmp_path / "cells.png", dpi=100)
    pixels = imread(tmp_path / "cells.png")
    for p, paint in (((0.8, 0.1, 0.1), fill(0)), ((0.45, 0.28, 0.27), pale(0))):
        across, up = figure.axes[0].transData.transform(np.array(p) @ triangle.CORNERS)
        assert to_hex(pixels[round(len(pixels) - up), round(across)]) == to_hex(paint["facecolor"])


@pytest.mark.parametrize("n", [2, 4])
def test_regions_on_the_bar_and_in_space(n):
    verdict = lm.check(crammer_singer(n), zero_one(n), within=lambda p: [p[0] >= "3/5"])
    figure = plot.verdict(verdict)
    assert n == 4 or "0.4" in said(figure).split("\n")
    assert_readable(figure)


def test_a_smooth_surrogate_has_no_cells_but_marks():
    verdict = SimpleNamespace(
        status="not calibrated", surrogate=Logistic(), loss=zero_one(2), u=(0.25,), asked=None, within=None,
        distributions=((Fraction(1, 3), Fraction(2, 3)),),
    )  # fmt: skip
    figure = plot.verdict(verdict)
    assert dashed_of(figure) == hatched_of(figure) == []
    assert "p1: u = (0.25) " in said(figure)


# Curves.


@pytest.mark.parametrize(("family", "dots"), [(absolute, [1, 2, 3]), (epsilon_insensitive, [1.25, 1.75, 2.25, 2.75])])
def test_curves_and_cells_are_those_of_the_paper(family, dots):
    """fig:abs-surrogate and fig:eps-surrogate; the dots are the u_i of their captions."""
    figure = plot.curves(family(3), loss=ordinal(3))
    lines = figure.axes[0].lines
    assert [x for each in lines if each.get_marker() == "o" for x in each.get_xdata()] == dots
    eps = 0 if len(dots) == 3 else 0.25
    for y, curve in enumerate(lines[:3]):
        assert curve.get_ydata() == pytest.approx(np.maximum(abs(curve.get_xdata() - (y + 1)) - eps, 0))
        assert curve.get_xdata().min() < 1 - eps
        assert curve.get_xdata().max() > 3 + eps
    assert_readable(figure)


def test_decisions_stand_below_their_cells():
    figure = plot.curves(epsilon_insensitive(3), loss=ordinal(3))
    below = {t.xy[0]: t.get_text() for t in figure.axes[0].texts if "→" in t.get_text()}
    assert below == {1.25: "1.25\n→ 0", 1.75: "1.75\n→ 1", 2.25: "2.25\n→ 1", 2.75: "2.75\n→ 2"}


def test_without_calibration_cells_have_no_decisions():
    for figure in (plot.curves(absolute(3)), plot.curves(absolute(3), loss=zero_one(3))):
        assert "→" not in said(figure)
        assert {"1", "2", "3"} <= set(said(figure).split("\n"))
    assert "zero_one(n=3)" in said(figure)


def test_an_interval_of_optimal_points_is_a_bar():
    """(|u − y| − 1)₊ for y = 1, 2 is 0 for both labels from u = 1 to 2, which is optimal everywhere."""
    figure = plot.curves(epsilon_insensitive(2, 1))
    assert figure.axes[0].lines[-1].get_xdata() == pytest.approx([1, 2])
    assert re.search(r"\b1 \w+ 2\b", said(figure))


def test_the_domain_bounds_the_curves():
    hinge = lm.PolyhedralSurrogate.from_function(
        lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, domain=lambda u: [u[0] <= "1/2", u[0] >= -2]
    )
    assert break_points(hinge) == [-2, -1, Fraction(1, 2)]
    figure = plot.curves(hinge)
    assert figure.axes[0].get_xlim() == (-2, 0.5)
    assert figure.axes[0].lines[0].get_ydata() == pytest.approx([3, 2, 0.5])


def test_smooth_curves_are_sampled():
    figure = plot.curves(Logistic())
    first, second = figure.axes[0].lines
    assert first.get_ydata() == pytest.approx(np.log1p(np.exp(-first.get_xdata())))
    assert second.get_ydata() == pytest.approx(first.get_ydata()[::-1])
    assert_readable(figure)


@pytest.mark.parametrize("n", [2, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (9, 30))])
def test_curves_of_few_and_many_labels_can_be_read(n):
    figure = plot.curves(absolute(n), title="A title")
    assert_readable(figure)
    assert {str(y) for y in range(n)} <= set(said(figure).split("\n"))


def test_long_names_of_curves_can_be_read():
    figure = plot.curves(absolute(3), loss=lm.LossMatrix(ordinal(3).entries, LONG_LABELS, LONG_NAMES))
    assert_readable(figure)
    for name in (*LONG_LABELS, *LONG_NAMES):
        assert name in said(figure)


def test_thirty_five_curves_have_thirty_five_paints():
    assert len({(line(y)["color"], line(y)["linestyle"]) for y in range(35)}) == 35


# Bad input.


def test_what_shows_nothing_is_refused():
    undecided = SimpleNamespace(status="undecided", surrogate=Logistic(), loss=zero_one(2))
    with pytest.raises(BadInput, match=r"\bundecided\b.*lm\.plot\.trigger_sets"):
        plot.verdict(undecided)
    with pytest.raises(BadInput, match=r"^3 "):
        plot.verdict(3)


def test_verdicts_of_five_labels_are_refused():
    with pytest.raises(BadInput, match=r"\b5 .*restrict\(labels="):
        plot.verdict(lm.check(crammer_singer(5), zero_one(5)))


def test_curves_of_more_dimensions_are_refused():
    with pytest.raises(BadInput, match=r"crammer_singer\(n=3\) .*\b3; .*lm\.plot\.verdict"):
        plot.curves(crammer_singer(3))
    with pytest.raises(BadInput, match=r"absolute\(n=3\) .* 3 .*zero_one\(n=4\) .* 4"):
        plot.curves(absolute(3), loss=zero_one(4))
    point = lm.PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - y), n=2, dim=1, domain=lambda u: [u[0] == 1], name="fixed"
    )
    with pytest.raises(BadInput, match=r"\bfixed\b.* 1\b"):
        plot.curves(point)


def test_given_axes_are_drawn_in():
    figure = Figure(figsize=(9, 4))
    left, right = figure.subplots(1, 2)
    assert plot.verdict(verdict_of("cs-abstain"), ax=left) is figure
    assert plot.curves(absolute(3), ax=right, title="Right") is figure
    assert tuple(figure.get_size_inches()) == (9, 4)
    with pytest.raises(BadInput, match="'3d'"):
        plot.verdict(verdict_of("cs4"), ax=left)
    with pytest.raises(BadInput, match="'rectilinear'"):
        plot.curves(absolute(3), ax=Figure().add_subplot(projection="3d"))


# Files.


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "ending"), [("cost", "svg"), ("cs4", "svg")])
def test_the_same_verdict_is_the_same_file(name, ending, tmp_path):
    for copy in ("one", "two"):
        plot.save(plot.verdict(lm.check(*PAIRS[name]())), tmp_path / f"{copy}.{ending}")
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()


def test_the_same_curves_are_the_same_file(tmp_path):
    for copy in ("one", "two"):
        plot.save(plot.curves(absolute(2), loss=ordinal(2)), tmp_path / f"{copy}.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert ">→ 1</text>" in (tmp_path / "one.svg").read_text(encoding="utf-8")


ENGINE = f"""#!{sys.executable}
import sys
print("*pgf_backend_query_start\\n*", end="", flush=True)
for line in sys.stdin:
    if "@@end" in line:
        break
    if "sbox" in line:
        print("\\n12.0pt,7.0pt,2.0pt\\n\\n*", end="", flush=True)
"""


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """A stand-in for xelatex, which says that every text is 12 points wide."""
    program = tmp_path / "bin" / "xelatex"
    program.parent.mkdir()
    program.write_text(ENGINE)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    with mpl.rc_context({"pgf.texsystem": "xelatex", "pgf.preamble": "% a stand-in"}):
        yield


def special_names() -> Figure:
    return plot.trigger_sets(lm.LossMatrix([[0, 1], [5, 0]], ["ok & well", "ill_now"], ["tea & call", "care_now, $5"]))


def test_pgf_with_latex_holds_names_as_they_are(engine, tmp_path):
    figure = special_names()
    before = said(figure)
    plot.save(figure, tmp_path / "cells.pgf")
    content = (tmp_path / "cells.pgf").read_text(encoding="utf-8")
    assert r"\begin{pgfpicture}" in content
    for name in (r"ok \& well", r"ill\_now", r"tea \& call", r"care\_now, \$5"):
        assert name in content
    assert said(figure) == before


@pytest.mark.exhaustive
def test_the_same_picture_is_the_same_pgf(engine, tmp_path):
    figure = special_names()
    for copy in ("one", "two"):
        plot.save(figure, tmp_path / f"{copy}.pgf")
    assert (tmp_path / "one.pgf").read_bytes() == (tmp_path / "two.pgf").read_bytes()


def test_pgf_without_latex_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadInput, match=r"'.*cells\.pgf': xelatex .*\.pdf"):
        plot.save(plot.verdict(verdict_of("cs2")), tmp_path / "cells.pgf")
    assert list(tmp_path.iterdir()) == []
