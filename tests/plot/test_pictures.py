"""Pictures of trigger sets, measured: areas, places, room for text, files.

The fast tests look at a bar, two triangles and a tetrahedron; the exhaustive ones look at all.
"""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from operator import mul
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from mpl_toolkits.mplot3d.proj3d import proj_transform

from lossmith import LossMatrix, plot
from lossmith.analysis.facts import Facts
from lossmith.analysis.trigger_probabilities import trigger_sets
from lossmith.errors import BadInput, TooLarge
from lossmith.losses import abstain, cost_sensitive_binary, hamming, ordinal, top_k, zero_one
from lossmith.plot import tetrahedron, triangle
from lossmith.plot.palette import fill
from lossmith.plot.placing import spread
from lossmith.plot.scene import scene_of
from lossmith.text.numbers import probabilities

ROOT = Path(__file__).parents[2]
# The squared distances from the corners of a triangle to twelve sites: twelve cells of a Voronoi diagram.
SITES = [(6, 4), (1, 1), (3, 1), (6, 0), (9, 1), (11, 1), (3, 4), (9, 4), (6, 7), (6, 9), (4, 6), (8, 6)]
LOSSES = {
    "zero_one(2)": lambda: zero_one(2),
    "cost_sensitive_binary": lambda: cost_sensitive_binary("1/6"),
    "narrow": lambda: LossMatrix(
        [[0, 6, "12.99", 20], [20, 8, 4, 0]],
        labels=["well", "ill"],
        predictions=["wait", "test again", "retest quickly", "treat"],
    ),
    "zero_one(3)": lambda: zero_one(3),
    "ordinal(3)": lambda: ordinal(3),
    "abstain(3)": lambda: abstain(3),
    "triage": lambda: LossMatrix.from_csv(ROOT / "examples" / "triage.csv"),
    "twelve": lambda: LossMatrix(
        [[(x - a) ** 2 + (y - b) ** 2 for a, b in SITES] for x, y in ((0, 0), (12, 0), (6, 10))],
        predictions=[f"site {i}" for i in range(12)],
    ),
    "long": lambda: LossMatrix(
        [[0, 1, 4], [2, 0, 1], [9, 3, 0]],
        labels=["no disease at all, certainly ok", "moderate disease of the lungs", "severe disease, life threatened"],
        predictions=[
            "send home with a leaflet & call",
            "admit to the ordinary ward now!",
            "admit to intensive care at once",
        ],
    ),
    "odd": lambda: LossMatrix(
        [[0, 1, 4, 2], [2, 0, 1, 1], [9, 3, 0, 2]],
        labels=["größer", "Ω", "тяжёлый"],
        predictions=["_hidden?", "$5 or $10", "two\nlines", "στάση"],
    ),
    "captain": lambda: LossMatrix(
        zero_one(3).entries, predictions=["Donaudampfschifffahrtsgesellschaftskapitän", "b", "c"]
    ),
    "zero_one(4)": lambda: zero_one(4),
    "ordinal(4)": lambda: ordinal(4),
    "abstain(4)": lambda: abstain(4),
    "hamming(2)": lambda: hamming(2),
    "top_k(4, 2)": lambda: top_k(4, 2),
}
BARS = ["zero_one(2)", "cost_sensitive_binary", "narrow"]
TRIANGLES = ["zero_one(3)", "ordinal(3)", "abstain(3)", "triage", "twelve", "long", "odd"]
TETRAHEDRA = ["zero_one(4)", "ordinal(4)", "abstain(4)", "hamming(2)", "top_k(4, 2)"]
FEW = {"zero_one(2)", "narrow", "triage", "twelve", "zero_one(4)"}  # one of each kind


def each_loss(names, few=FEW):
    """One test for each of the losses; those that are not among the few are exhaustive."""
    return pytest.mark.parametrize(
        "name", [pytest.param(each, marks=[] if each in few else pytest.mark.exhaustive) for each in names]
    )


every_loss = each_loss([*BARS, *TRIANGLES, *TETRAHEDRA])
every_triangle = each_loss(TRIANGLES)
every_tetrahedron = each_loss(TETRAHEDRA)


@cache
def loss_of(name: str) -> LossMatrix:
    return LOSSES[name]()


@cache
def picture(name: str) -> Figure:
    """The figure of a loss with nothing added, for tests that only look at it."""
    return plot.trigger_sets(loss_of(name))


def texts_of(figure: Figure) -> list[Text]:
    """Every text that can be read: those in the axes, without the white outlines below them, and in the legend."""
    ax = figure.axes[0]
    legend = ax.get_legend()
    return [t for t in ax.texts if not t.get_path_effects()] + (list(legend.get_texts()) if legend else [])


def box_of(text: Text) -> Bbox:
    """The box of the letters alone; an annotation's own also holds its line."""
    return Text.get_window_extent(text)


def in_cells(figure: Figure) -> list[Text]:
    """The names in the cells and beside dots: the texts that have an outline."""
    outlined = {t.get_position() for t in figure.axes[0].texts if t.get_path_effects()}
    return [t for t in texts_of(figure) if t.get_position() in outlined]


def dots_of(figure: Figure) -> Line2D:
    (dots,) = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    return dots


def exact_share(cell) -> Fraction:
    """The area of a cell as a part of the triangle's: triangles from the middle to each edge, exactly."""
    vertices = cell.polytope.vertices
    middle = [sum(xs) / len(vertices) for xs in zip(*vertices, strict=True)]
    share = Fraction(0)
    for row in cell.polytope.inequalities:
        p, q = [v for v in vertices if sum(map(mul, row, v)) == 0]
        (a, b), (c, d) = ((p[i] - middle[i], q[i] - middle[i]) for i in (1, 2))
        share += abs(a * d - b * c)
    return share


def drawn_area(patch) -> float:
    corners = patch.get_patch_transform().transform_path(patch.get_path()).to_polygons()[0]
    return 0.5 * abs(sum(a * d - b * c for (a, b), (c, d) in pairwise(corners)))


# What is drawn where.


@every_triangle
def test_areas_of_polygons_are_those_of_the_cells(name):
    loss = loss_of(name)
    cells = trigger_sets(loss, reduced=False)
    patches = picture(name).axes[0].patches
    whole = 3**0.5 / 4
    assert [drawn_area(patch) / whole for patch in patches] == pytest.approx([float(exact_share(c)) for c in cells])
    assert sum(map(exact_share, cells)) == 1
    assert sum(map(drawn_area, patches)) == pytest.approx(whole)


@each_loss(BARS)
def test_pieces_of_the_bar_are_the_intervals(name):
    loss = loss_of(name)
    cells = trigger_sets(loss, reduced=False)
    patches = picture(name).axes[0].patches
    for cell, patch in zip(cells, patches, strict=True):
        exact = sorted(float(p[1]) for p in cell.polytope.vertices)
        assert [patch.get_xy()[:, 0].min(), patch.get_xy()[:, 0].max()] == pytest.approx(exact)


@pytest.mark.exhaustive
@every_tetrahedron
def test_bodies_fill_the_shrunken_tetrahedron(name):
    loss = loss_of(name)

    def volume(polygons) -> float:
        middle = np.mean(np.vstack(polygons), axis=0)
        corners = [(face[0] - middle, p - middle, q - middle) for face in polygons for p, q in pairwise(face[1:])]
        return sum(abs(np.linalg.det(each)) for each in corners) / 6

    edges = tetrahedron.CORNERS[1:] - tetrahedron.CORNERS[0]
    volumes = [volume(tetrahedron.faces(cell)) for cell in trigger_sets(loss, reduced=False)]
    assert sum(volumes) == pytest.approx(tetrahedron.SHRUNK**3 * abs(np.linalg.det(edges)) / 6)
    assert len(picture(name).axes[0].collections) == len(volumes)


@every_tetrahedron
def test_no_body_is_painted_over_one_that_is_nearer(name):
    loss = loss_of(name)
    scene = scene_of(Facts(loss), ())
    rank = {scene.cells[k].prediction: near for near, k in enumerate(tetrahedron.from_far_to_near(scene))}
    # A step towards the eye, in exact probabilities: the corners are orthogonal up to a factor.
    step = np.array([Fraction(x).limit_denominator(1000) for x in tetrahedron.CORNERS @ tetrahedron.TO_EYE])
    step -= sum(step) / 4
    random = np.random.default_rng(0)
    for start in random.integers(1, 30, (60, 4)):
        p = np.array([Fraction(int(x), int(start.sum())) for x in start])
        line = [p + Fraction(i, 20) * step for i in range(-20, 21)]
        met = [loss.optimal_predictions(q) for q in line if min(q) >= 0]
        alone = [rank[t] for t, *ties in met if not ties]
        assert alone == sorted(alone)


def test_dots_are_where_the_points_are():
    points = {"even": ["1/3", "1/3", "1/3"], "corner": [0, 1, 0], "inside": [0.6, 0.3, 0.1]}
    figure = plot.trigger_sets(loss_of("triage"), points=points)
    dots = dots_of(figure)
    height = 3**0.5 / 2
    assert dots.get_xydata().ravel() == pytest.approx([0.5, height / 3, 1, 0, 0.35, height / 10])
    to_pixels = figure.axes[0].transData.transform
    for name, place in zip(points, dots.get_xydata(), strict=True):
        (text,) = [t for t in in_cells(figure) if t.get_text() == name]
        nearest = np.clip(to_pixels(place), box_of(text).min, box_of(text).max)
        assert 2 < np.linalg.norm(nearest - to_pixels(place)) < 12


def test_dots_on_the_bar_and_in_space():
    bar = plot.trigger_sets(loss_of("narrow"), points=[["3/4", "1/4"], [0, 1]])
    assert list(dots_of(bar).get_xdata()) == [0.25, 1]
    space = plot.trigger_sets(zero_one(4), points=[["1/2", "1/2", 0, 0]])
    assert np.ravel(dots_of(space).get_data_3d()) == pytest.approx(tetrahedron.CORNERS[:2].mean(axis=0))


def test_corner_i_is_label_i():
    ax, labels = picture("triage").axes[0], loss_of("triage").labels
    corners = {t.get_text(): t.xy for t in ax.texts if t.get_text() in labels}
    assert [tuple(corners[label]) for label in labels] == [tuple(corner) for corner in triangle.CORNERS]


def test_thresholds_are_decimals_that_can_be_told_apart():
    shown = [t.get_text() for t in texts_of(picture("narrow"))]
    assert {"0", "0.333", "0.636", "0.637", "1", "P(ill)", "well", "ill"} <= set(shown)
    assert probabilities([Fraction(1, 3**40), Fraction(1, 3**41)]) == ["8.2e-20", "2.7e-20"]


# Names.


@every_loss
def test_every_cell_is_named(name):
    loss = loss_of(name)
    shown = [" ".join(t.get_text().split()) for t in texts_of(picture(name))]
    for cell in trigger_sets(loss, reduced=False):
        assert " ".join(str(loss.predictions[cell.prediction]).split()) in shown


@each_loss([*BARS, *TRIANGLES, *TETRAHEDRA], few={"narrow", "long"})
def test_no_text_overlaps_another_or_leaves_the_figure(name):
    loss = loss_of(name)
    even = [Fraction(1, loss.n)] * loss.n
    figure = plot.trigger_sets(loss, title="A title", points={"even": even})
    figure.draw_without_rendering()
    texts = texts_of(figure)
    tight = figure.dpi_scale_trans.transform_bbox(figure.get_tightbbox())
    for text in texts:
        box = box_of(text)
        assert box.width > 0
        for outer in (figure.bbox, tight):
            assert outer.padded(0.01).contains(*box.min), text.get_text()
            assert outer.padded(0.01).contains(*box.max), text.get_text()
    for first, second in combinations(texts, 2):
        assert not box_of(first).overlaps(box_of(second)), (first.get_text(), second.get_text())


@pytest.mark.parametrize("n", [3, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_names_keep_clear_of_dots_and_of_each_other(n):
    """Dots at the corners, and where the names of the cells would be."""
    corners = {f"surely {y}": [int(y == z) for z in range(n)] for y in range(n)}
    middles = {f"rather {y}": [Fraction(22 if y == z else 7, 7 * n + 15) for z in range(n)] for y in range(n)}
    figure = plot.trigger_sets(zero_one(n), points={**corners, **middles})
    figure.draw_without_rendering()  # dots in space are put on paper
    for first, second in combinations(texts_of(figure), 2):
        assert not box_of(first).overlaps(box_of(second)), (first.get_text(), second.get_text())
    for dot in figure.axes[0].transData.transform(dots_of(figure).get_xydata()):
        assert not any(box_of(text).contains(*dot) for text in texts_of(figure))


@every_triangle
def test_a_name_in_a_cell_is_the_name_of_the_cell(name):
    loss = loss_of(name)
    figure = picture(name)
    ax = figure.axes[0]
    names = in_cells(figure)
    assert names
    to_distribution = np.linalg.inv(np.column_stack([triangle.CORNERS, np.ones(3)]))
    for text in names:
        for corner in ax.transData.inverted().transform(box_of(text).corners()):
            p = np.array([*corner, 1]) @ to_distribution
            (best,) = loss.optimal_predictions([Fraction(x) / sum(map(Fraction, p)) for x in p])
            assert " ".join(text.get_text().split()) == " ".join(str(loss.predictions[best]).split())


def test_a_cut_name_is_whole_in_the_legend():
    figure = plot.trigger_sets(loss_of("captain"), points=[["1/3"] * 3])  # with dots there are no lines beside
    shown = [t.get_text() for t in in_cells(figure)]
    assert sorted(shown) == ["Donaudampfs…", "b", "c"]
    assert [t.get_text() for t in figure.axes[0].get_legend().get_texts()] == list(loss_of("captain").predictions)


@each_loss(["captain", "triage", "long"], few={"captain", "triage"})
def test_a_name_without_room_stands_beside_the_triangle_with_a_line_to_its_cell(name):
    loss = loss_of(name)
    figure = picture(name)
    ax = figure.axes[0]
    ends = [line.get_xydata() for line in ax.lines if line.get_marker() == "o"]
    inside = {" ".join(t.get_text().split()) for t in in_cells(figure)}
    outside = [t for t in texts_of(figure) if t not in in_cells(figure) and t.get_weight() != "bold"]
    assert ends
    assert len(ends) == len(outside) == len(trigger_sets(loss)) - len(inside)
    to_distribution = np.linalg.inv(np.column_stack([triangle.CORNERS, np.ones(3)]))
    for (start, end), text in zip(ends, outside, strict=True):
        p = np.array([*end, 1]) @ to_distribution
        assert p.min() > 0
        assert (np.array([*start, 1]) @ to_distribution).min() < 0
        (best,) = loss.optimal_predictions([Fraction(x) / sum(map(Fraction, p)) for x in p])
        assert " ".join(text.get_text().split()) == " ".join(str(loss.predictions[best]).split())
        crossing = np.linspace(*ax.transData.transform([start, end]), 200)
        assert not any(box_of(t).contains(*place) for t in texts_of(figure) for place in crossing)


@pytest.mark.exhaustive
@every_tetrahedron
def test_names_in_a_tetrahedron_keep_clear_of_its_edges(name):
    figure = picture(name)
    figure.draw_without_rendering()
    ax = figure.axes[0]
    corners = ax.transData.transform(np.column_stack(proj_transform(*tetrahedron.CORNERS.T, ax.get_proj())[:2]))
    for first, second in combinations(corners, 2):
        path = np.linspace(first, second, 300)
        assert not any(box_of(text).contains(*place) for text in in_cells(figure) for place in path)


def test_a_legend_only_where_one_is_needed():
    assert picture("abstain(3)").axes[0].get_legend() is None
    assert picture("zero_one(2)").axes[0].get_legend() is None
    assert picture("narrow").axes[0].get_legend() is None  # a name that does not fit stands above, with a line
    assert picture("triage").axes[0].get_legend() is None  # beside the triangle
    assert len(picture("zero_one(4)").axes[0].get_legend().get_texts()) == 4


@pytest.mark.exhaustive
def test_a_legend_has_the_names_that_have_no_room_in_a_triangle():
    crowded = loss_of("twelve").rename(predictions=[f"the site that we call site number {i}" for i in range(12)])
    assert len(plot.trigger_sets(crowded).axes[0].get_legend().get_texts()) == 12


def test_dollars_and_underscores_are_not_markup():
    figure = plot.trigger_sets(loss_of("odd").restrict(labels=["größer", "тяжёлый"]))
    names = [t for t in texts_of(figure) if t.get_text() in ("_hidden?", "$5 or $10")]
    assert len({t.get_text() for t in names}) == 2
    assert not any(t.get_parse_math() for t in names)


def test_seventy_two_cells_have_seventy_two_paints():
    assert len({(fill(t)["facecolor"], fill(t)["hatch"]) for t in range(72)}) == 72


def test_crowded_boxes_are_moved_no_further_than_needed():
    assert spread([0, 50, 100], [10, 10, 10], gap=2) == [0, 50, 100]
    places = spread([0, 49, 50, 51, 100], [20] * 5, gap=2)
    assert places == pytest.approx([0, 28, 50, 72, 100])
    assert spread([], [], gap=2) == []


# Bad input.


def test_of_many_labels_a_cut_is_drawn_on_those_that_are_named_or_tell_most():
    loss = ordinal(7)
    named, chosen = plot.trigger_sets(loss, labels=[0, 3, 6]), plot.trigger_sets(loss)
    assert {text.get_text() for text in named.axes[0].texts} == {"0", "3", "6"}  # medians of these labels
    assert len([text for text in chosen.axes[0].texts if re.search(r"\d, \d\D+\d", text.get_text())]) == 1
    with pytest.raises(BadInput, match=r" 5 .*restrict\(labels="):
        plot.trigger_sets(loss, labels=range(5))


def test_the_graph_joins_the_decisions_whose_cells_touch():
    (axes,) = plot.neighbours(ordinal(6), title="grades").axes
    (lines,) = axes.collections[:1]
    assert len(lines.get_segments()) == 5
    assert sorted(text.get_text() for text in axes.texts) == [*map(str, range(6)), "grades"]
    with pytest.raises(TooLarge, match=r"\b80 .*restrict"):
        plot.neighbours(zero_one(80))


@pytest.mark.parametrize(
    "points", [["1/3", "1/3", "1/3"], [0.2, 0.3, 0.5], [[1, 0]], [[1, 1, -1]], {"a": [0.3, 0.3, 0.3]}]
)
def test_points_that_are_no_distributions_are_refused(points):
    with pytest.raises(BadInput):
        plot.trigger_sets(zero_one(3), points=points)


def test_axes_of_the_wrong_kind_are_refused():
    flat, space = Figure().add_subplot(), Figure().add_subplot(projection="3d")
    with pytest.raises(BadInput, match="'3d'"):
        plot.trigger_sets(zero_one(4), ax=flat)
    with pytest.raises(BadInput, match="'rectilinear'"):
        plot.trigger_sets(zero_one(3), ax=space)


# Figures.


def test_given_axes_are_drawn_in_and_left_in_place():
    figure = Figure(figsize=(9, 4))
    left, right = figure.subplots(1, 2)
    before = right.get_position().bounds
    assert plot.trigger_sets(abstain(3), ax=right, title="Right") is figure
    assert len(right.patches) == 4
    assert not left.patches
    assert tuple(figure.get_size_inches()) == (9, 4)
    assert right.get_position(original=True).bounds == before
    part = Figure().subfigures(1, 2)[0]
    assert plot.trigger_sets(abstain(3), ax=part.add_subplot()) is part.canvas.figure


def test_no_module_names_pyplot():
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src" / "lossmith").rglob("*.py")}
    assert len(texts) > 100
    assert [path for path, text in texts.items() if "pyplot" in text] == []


@pytest.mark.exhaustive
def test_pyplot_is_not_loaded():
    code = (
        "import sys, lossmith; assert 'matplotlib' not in sys.modules; "
        "lossmith.plot.trigger_sets(lossmith.losses.zero_one(4)); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Files.


@each_loss(["narrow", "triage", "long", "odd", "abstain(4)"])
def test_nothing_is_cut_off(name, tmp_path):
    plot.save(picture(name), tmp_path / "cells.png")
    pixels = imread(tmp_path / "cells.png")
    rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    assert (rim == 1).all()
    assert (pixels < 0.5).any()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "ending"),
    [("narrow", "svg"), ("narrow", "pdf"), ("narrow", "png"), ("abstain(3)", "svg"), ("abstain(4)", "svg")],
)
def test_the_same_picture_is_the_same_file(name, ending, tmp_path):
    for copy in ("one", "two"):
        plot.save(plot.trigger_sets(loss_of(name)), tmp_path / f"{copy}.{ending}")
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"one.{ending}", f"two.{ending}"]


def test_text_in_svg_is_text(tmp_path):
    plot.save(plot.trigger_sets(loss_of("triage"), points={"patient 7": [0.6, 0.3, 0.1]}), tmp_path / "cells.SVG")
    content = (tmp_path / "cells.SVG").read_text(encoding="utf-8")
    for name in ("mild", "moderate", "severe", "home", "clinic", "ward", "icu", "patient 7"):
        assert f">{name}</text>" in content
    assert "dc:date" not in content


@pytest.mark.parametrize("name", ["cells.jpeg", "cells", "png", ".png"])
def test_other_endings_are_refused(name, tmp_path):
    with pytest.raises(BadInput, match=r"\.png, \.svg, \.pdf or \.pgf"):
        plot.save(picture("zero_one(2)"), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "cells.svg"
    figure = plot.trigger_sets(zero_one(3))
    plot.save(figure, path)
    before = path.read_bytes()

    def half(stream, **_):
        stream.write(b"<svg>")
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(figure, "savefig", half)
    with pytest.raises(RuntimeError):
        plot.save(figure, path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["cells.svg"]
