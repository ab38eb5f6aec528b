"""lossmith reproduce: every label of the paper is there, every mark is right, and the folder it writes is sound.

The fast tests compute the items one by one and let the command write the pages of a few of them; the exhaustive ones
let it write all.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from matplotlib.text import Text

import command
from lossmith import paper
from lossmith.cli import commands, run
from lossmith.cli.reproduce import print_table
from lossmith.errors import BadInput, NotWritten
from lossmith.paper import ITEMS, thm_class_calibration_consistency
from lossmith.paper.item import Item, Picture, at_least, at_most, equal, outcome
from lossmith.paper.reproducing import reproduce
from lossmith.sweeping import Store

LABELS = (Path(__file__).parent.parent / "architecture" / "paper_labels.txt").read_text().split()
# Where the library is known to prove more than the paper states.
SHARPER = {
    "thm:ccdim-upper-bound",  # affdim − 1 if the differences of columns span a positive vector
    "exmp:ccdim-hamming",  # = r
    "subsec:tight",  # abstain: 2 for n = 3, 4
    "lem:tight",  # μ = n − affdim − 1
    "thm:tight",  # = affdim
    "cor:col-perm",  # = affdim
    "subsec:NDCG",  # = r − 1
    "subsec:PD",  # = r(r − 1)/2
    "subsec:MAP",  # = r(r + 1)/2 − 2
    "prop:MAP-rank-lower-bound",  # = r(r + 1)/2 − 1
    "eqn:rank-A",  # full
    "eqn:rank-B",  # full but one
}
FIGURES = {  # and the items that they belong to
    "fig-loss-matrices": "fig:loss-matrices",
    **{f"fig-trigger-prob-{part}": "fig:trigger-prob" for part in "abc"},
    "fig-pos-normals": "fig:pos-normals",
    "fig-necess-cond-illus": "fig:necess-cond-illus",
    **{f"fig-abs-surrogate-{part}": "fig:abs-surrogate" for part in "ab"},
    **{f"fig-eps-surrogate-{part}": "fig:eps-surrogate" for part in "ab"},
    **{f"fig-feasible-subspace-dim-{part}": "fig:feasible-subspace-dim" for part in "abcd"},
    "thm-class-calibration-consistency": "thm:class-calibration-consistency",
}
EXPERIMENT = "thm:class-calibration-consistency"
SLOW = {EXPERIMENT, "prop:MAP-rank-lower-bound"}  # items that take longest
FEW = {  # of each mark, and with two pictures
    "sec:intro",
    "exmp:loss-0-1",
    "lem:continuous",
    "fig:loss-matrices",
    "fig:pos-normals",
    "exmp:ccdim-hamming",
}
RIGHT = Item("exmp:loss-0-1", "right", "1 + 1 = 2.", lambda: outcome("2", equal("1 + 1", 2, 1 + 1)))
WRONG = Item("exmp:loss-ord", "wrong", "1 + 1 = 3.", lambda: outcome("2", equal("1 + 1", 3, 1 + 1)))


@cache
def outcome_of(label):
    """What became of an item, computed here."""
    return next(item for item in ITEMS if item.label == label).run()


@pytest.fixture(scope="module")
def experiment():
    """The outcome of the experiment with four samples of two sizes, and the texts of its picture."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thm_class_calibration_consistency, "SIZES", (10, 30_000))
        patch.setattr(thm_class_calibration_consistency, "RUNS", 4)
        found = thm_class_calibration_consistency.ITEM.run()
        return found, texts_of(found.pictures[0].draw())


@pytest.fixture(scope="module", params=["few", pytest.param("all", marks=pytest.mark.exhaustive)])
def made(request, tmp_path_factory):
    """The command, run once for some items or for all, what it printed, the items, and the folder that it wrote."""
    items = ITEMS if request.param == "all" else tuple(item for item in ITEMS if item.label in FEW)
    assert request.param == "all" or len(items) == len(FEW)
    folder = tmp_path_factory.mktemp("reproduced") / "out"
    if request.param == "all":  # as users run it
        program = [sys.executable, "-m", "lossmith", "reproduce", str(folder)]
        run = subprocess.run(program, capture_output=True, text=True, check=False, timeout=300)
    else:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(paper, "ITEMS", items)
            run = command.lossmith("reproduce", str(folder))
    labels = {item.label for item in items}
    figures = {name for name, label in FIGURES.items() if label in labels}
    return SimpleNamespace(run=run, folder=folder, items=items, figures=figures)


def first_lines(printed):
    """One for each label; what is long goes on below, indented."""
    return [line for line in printed.splitlines()[:-2] if not line.startswith(" ")]


def expected_mark(item):
    if item.compute is None:
        return "heading" if item.label.startswith(("sec:", "subsec:", "app:")) else "proof only"
    return "✓ sharper" if item.label in SHARPER else "✓"


def lossmith(*arguments):
    """The command in this process; its exit code and what it printed."""
    run = CliRunner().invoke(commands, arguments, standalone_mode=False)
    return run.return_value, run.output, run.exception


def test_every_label_of_the_paper_is_listed_once():
    assert sorted(item.label for item in ITEMS) == LABELS


def test_the_folder_and_the_tuple_agree():
    modules = {
        name: importlib.import_module(f"lossmith.paper.{name}") for _, name, _ in pkgutil.iter_modules(paper.__path__)
    }
    with_items = {name: module.ITEM for name, module in modules.items() if hasattr(module, "ITEM")}
    for name, item in with_items.items():
        assert name == re.sub(r"\W+", "_", item.label).strip("_").lower()
    assert [item for item in ITEMS if item.compute] == [item for item in ITEMS if item in with_items.values()]
    assert len(with_items) == sum(item.compute is not None for item in ITEMS)


def test_every_file_begins_with_its_label():
    for item in ITEMS:
        if item.compute is not None:
            module = sys.modules[item.compute.__module__]
            assert module.__doc__.startswith(f"{item.label}: ")


@pytest.mark.parametrize(
    "item",
    [
        pytest.param(item, marks=pytest.mark.exhaustive if item.label in SLOW else [])
        for item in ITEMS
        if item.compute is not None
    ],
    ids=lambda item: item.label,
)
def test_every_item_that_is_computed_agrees(item):
    assert outcome_of(item.label).mark == expected_mark(item)
    assert item.statement


def test_what_has_nothing_to_compute_says_so():
    for item in ITEMS:
        if item.compute is None:
            assert item.run().mark == expected_mark(item)
            assert not item.label.startswith(("exmp", "fig", "thm", "cor", "prop", "def"))


def test_the_page_of_the_site_tells_the_counts():
    page = (Path(__file__).parent.parent.parent / "docs" / "paper.md").read_text()
    (told,) = (each for each in page.split("\n\n") if re.search(rf"\b{len(ITEMS)}\b", each))
    marks = [expected_mark(item) for item in ITEMS]
    counts = [marks.count(mark) for mark in ("✓", "✓ sharper", "heading", "proof only")]

    assert [int(number) for number in re.findall(r"\d+", told)] == [len(ITEMS), *counts]
    assert sum(counts) == len(ITEMS)


def test_the_loose_proofs_are_named():
    notes = {item.label: item.note for item in ITEMS}
    assert "(a, b)" in notes["prop:PD-rank"]
    assert "L̃" in notes["subsec:PD"]
    assert "ℓ₃" in notes["app:calculations-trigger-prob"]


@pytest.mark.parametrize(
    ("module", "constant", "value", "words"),
    [
        ("fig_loss_matrices", "PAPER", dict.fromkeys("abcd", ((0, 9), (9, 0))), "(0, 9); (9, 0)"),
        ("fig_pos_normals", "POINTS", ((0, 1, 0), (1, 0, 0), (0, 0, 1), (0, 0, 0)), "N(z₁)"),
        ("exmp_pos_normals_abs_surrogate", "VERDICTS", dict.fromkeys("abc", "calibrated"), "zero_one(n=3)"),
        ("exmp_pos_normals_abs_surrogate", "Z", ((0, 1, 3),), "(0, 1, 3)"),
        ("app_calculations_pos_normals", "A", ((1, 0),), "(−1, −1, 1, 0, 1, 0)"),
        ("fig_feasible_subspace_dim", "PAPER", (2, 1, 1), "μ_Q(p³)"),
        ("thm_condition_necessary_sequence", "SEQUENCES", (("z₁", [(1, 0, 0)], [(1, 0, 0)]),), "N at z₁"),
    ],
)
def test_an_item_differs_if_the_paper_had_said_something_else(monkeypatch, module, constant, value, words):
    item = importlib.import_module(f"lossmith.paper.{module}")
    monkeypatch.setattr(item, constant, value)

    found = item.ITEM.run()

    assert found.mark == "✗"
    assert words in found.difference


def test_a_set_that_is_larger_or_smaller_than_that_of_the_paper_differs():
    from lossmith import losses, trigger_sets
    from lossmith.paper.item import equal_sets

    first = trigger_sets(losses.zero_one(3))[0].polytope
    assert equal_sets("Q₁", "as printed", [(1, -1, 0), (1, 0, -1)], first).mark == "✓"
    assert equal_sets("Q₁", "larger", [(1, -1, 0)], first).mark == "✗"
    assert equal_sets("Q₁", "smaller", [(1, -1, -1)], first).mark == "✗"


def test_bounds_are_sharper_the_same_or_contradicted():
    assert [at_most("", 3, computed).mark for computed in (2, 3, 4)] == ["✓ sharper", "✓", "✗"]
    assert [at_least("", 3, computed).mark for computed in (2, 3, 4)] == ["✗", "✓", "✓ sharper"]


def test_an_item_without_a_comparison_or_with_an_error_does_not_pass():
    def fail():
        raise ValueError("no such thing")

    assert outcome("nothing was compared").mark == "✗"
    broken = Item("x", "x", "x", fail).run()
    assert (broken.mark, broken.difference) == ("✗", "ValueError: no such thing")


def test_the_command_succeeds_and_tells_of_every_label_in_lines_that_fit(made):
    run, lines = made.run, made.run.stdout.splitlines()
    marks = [(line[12:].split()[0], line[:10].strip()) for line in first_lines(run.stdout)]

    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stderr == ""
    assert marks == [(item.label, expected_mark(item)) for item in made.items]
    assert all(len(line) <= 120 for line in lines[:-1])
    marks, certificates = lines[-2].split("; ")
    assert marks.endswith("0 ✗")
    assert re.findall(r"\d+", certificates)[1:] == ["0"]  # none is conditional
    assert str(made.folder / "index.html") in lines[-1]


def test_a_wrong_item_makes_exit_1_and_shows_the_difference(monkeypatch, tmp_path):
    monkeypatch.setattr(paper, "ITEMS", (RIGHT, WRONG))

    code, printed, _ = lossmith("reproduce", str(tmp_path / "out"))

    assert code == 1
    assert re.search(r"^✗           exmp:loss-ord  2\n            1 \+ 1: .* 3, .* 2\n", printed, re.MULTILINE)
    assert "1 ✓, 0 ✓ sharper, 0 heading, 0 proof only, 1 ✗" in printed
    assert re.search(r"1 \+ 1: .* 3, .* 2\b", (tmp_path / "out" / "index.html").read_text())


def test_on_a_terminal_there_is_a_table(capsys):
    print_table(reproduce([RIGHT, WRONG, Item("sec:intro", "Introduction")]))

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["label", "mark"],
        ["exmp:loss-0-1", "✓"],
        ["exmp:loss-ord", "✗"],
        ["sec:intro", "heading"],
    ]
    assert re.search(r"1 \+ 1: .* 3, .* 2$", lines[2].rstrip())


def test_json_holds_the_outcomes(monkeypatch):
    words = (Item("sec:intro", "Introduction"), Item("lem:continuous", "Continuity"))
    monkeypatch.setattr(paper, "ITEMS", (RIGHT, WRONG, *words))

    code, printed, _ = lossmith("reproduce", "--json")
    data = json.loads(printed)

    assert code == 1
    assert data["counts"] == {"✓": 1, "✓ sharper": 0, "heading": 1, "proof only": 1, "✗": 1}
    assert [item["mark"] for item in data["items"]] == ["✓", "✗", "heading", "proof only"]
    assert data["items"][1]["claims"] == [{"what": "1 + 1", "paper": "3", "computed": "2", "mark": "✗"}]


class Page(HTMLParser):
    """What matters of the page: its elements in order, and the stack that must be empty at the end."""

    VOID = ("meta", "img")

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def page(made):
    return Page((made.folder / "index.html").read_text(encoding="utf-8"))


def test_the_page_is_whole_and_asks_for_nothing_outside(page, made):
    assert page.open == []
    assert page.all("html") == [{"lang": "en"}]
    assert not {"script", "link", "iframe", "object"} & {tag for tag, _ in page.elements}
    assert all(image["src"].startswith("data:image/svg+xml;base64,") for image in page.all("img"))
    text = (made.folder / "index.html").read_text(encoding="utf-8")
    assert "@import" not in text
    assert "url(" not in text
    for link in page.all("a"):
        assert link["href"].startswith("#") or (made.folder / link["href"]).is_file()


def test_the_page_can_be_read_by_everyone(page, made):
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.all("meta")
    assert len(page.all("img")) == len(made.figures)
    assert all(len(image["alt"]) > 40 for image in page.all("img"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_label_has_its_place_in_the_page_and_can_be_reached(page, made):
    places = [attributes["id"] for tag, attributes in page.elements if "id" in attributes]
    assert len(set(places)) == len(places) == len(made.items)
    assert {link["href"][1:] for link in page.all("a") if link["href"].startswith("#")} == set(places)


def test_every_figure_is_there_as_svg_and_png_and_nothing_else(made):
    assert {path.name for path in made.folder.iterdir()} == {
        "index.html",
        *(f"{name}.{ending}" for name in made.figures for ending in ("svg", "png")),
    }
    for name in made.figures:
        assert ElementTree.parse(made.folder / f"{name}.svg").getroot().tag.endswith("svg")
        assert (made.folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_the_texts_of_the_pictures_are_texts_in_the_files(made):
    for name in made.figures:
        written = {"".join(each.itertext()).strip() for each in ElementTree.parse(made.folder / f"{name}.svg").iter()}
        texts = {line for each in texts_of(picture_of(name).draw()) for line in each.split("\n")}
        assert {each for each in texts if not re.search(r"\$|^[\d.−]+$", each)} <= written  # formulas, ticks


def picture_of(name):
    return next(each for each in outcome_of(FIGURES[name]).pictures if each.name == name)


def texts_of(figure):
    """The texts that can be read in a figure, without those of ticks, which are made when it is drawn."""
    return {each.get_text() for each in figure.findobj(Text) if each.get_text().strip() and each.get_visible()}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("fig-loss-matrices", ["(a)", "(b)", "(c)", "(d)", "½"]),
        ("fig-trigger-prob-a", ["Q₁", "Q₂", "Q₃", "(1, 0, 0)", "(½, ½, 0)"]),
        ("fig-trigger-prob-b", ["Q₁", "Q₂", "Q₃"]),
        ("fig-trigger-prob-c", ["Q₁", "Q₂", "Q₃", "Q₄"]),
        ("fig-pos-normals", ["N(z₁)", "N(z₂)", "N(z₃)", "N(z₄)"]),
        ("fig-necess-cond-illus", ["Q₁", "Q₂", "q₁", "q₂"]),
        ("fig-abs-surrogate-a", ["ψ₁", "ψ₂", "ψ₃"]),
        ("fig-abs-surrogate-b", ["N(z₁)", "N(z₂)", "N(z₃)"]),
        ("fig-eps-surrogate-a", ["ψ₁", "ψ₂", "ψ₃"]),
        ("fig-eps-surrogate-b", ["N(z₁)", "N(z₂)", "N(z₃)", "N(z₄)"]),
        ("fig-feasible-subspace-dim-a", ["Q", "p¹", "p²", "p³"]),
        ("fig-feasible-subspace-dim-d", ["Q", "p³"]),
    ],
)
def test_the_pictures_carry_the_labels_of_the_captions(name, words):
    assert set(words) <= texts_of(picture_of(name).draw())


@pytest.mark.exhaustive
def test_no_two_texts_of_a_picture_overlap():
    pictures = [picture for label in {*FIGURES.values()} for picture in outcome_of(label).pictures]
    assert {picture.name for picture in pictures} == {*FIGURES}
    for picture in pictures:
        assert overlapping(picture) == [], picture.name


def overlapping(picture: Picture):
    """Pairs of different texts whose boxes overlap; a name is written twice, in white below and in ink above."""
    figure = picture.draw()
    figure.draw_without_rendering()
    boxes = {}
    for text in figure.findobj(Text):
        if text.get_text().strip() and text.get_visible():
            boxes[text.get_text(), *text.get_window_extent().get_points().round().ravel()] = text.get_window_extent()
    return [
        (a[0], b[0])
        for (a, first), (b, second) in combinations(boxes.items(), 2)
        if a[0] != b[0]
        and first.x0 < second.x1
        and second.x0 < first.x1
        and first.y0 < second.y1
        and second.y0 < first.y1
    ]


@pytest.mark.parametrize("size", ["small", pytest.param("whole", marks=pytest.mark.exhaustive)])
def test_the_experiment_is_exact(experiment, size):
    found = experiment[0] if size == "small" else outcome_of(EXPERIMENT)
    # One decision for all four p: the best is the first, wrong by 42 − 30 and 39 − 34 hundredths at the last two.
    p = [(45, 30, 25), (40, 35, 25), (30, 42, 28), (34, 27, 39)]
    price = min(sum(max(each) - each[t] for each in p) for t in range(3))
    assert price == 12 + 5
    assert f"→ {Fraction(price, 400)} " in found.computed
    at_most = [claim for claim in found.claims if claim.what.endswith("m = 30,000")]
    assert [claim.computed for claim in at_most] == ["0", "0", "0"]  # both ψ-risks, and the L-risk of the calibrated
    assert found.mark == "✓"


def test_the_picture_of_the_experiment_names_its_axes_and_curves(experiment):
    _, texts = experiment
    assert [each for each in texts if re.search(r"\bm$", each)]
    for name in ("Lee–Lin–Wahba: ", "Crammer–Singer: ", ": 17/400"):
        assert [each for each in texts if name in each]


def test_a_directory_made_by_the_command_is_replaced_and_what_is_foreign_stays(monkeypatch, tmp_path):
    monkeypatch.setattr(paper, "ITEMS", (RIGHT,))
    assert lossmith("reproduce", str(tmp_path / "out"))[0] == 0
    (tmp_path / "out" / "notes.txt").write_text("mine")
    monkeypatch.setattr(paper, "ITEMS", (RIGHT, WRONG))

    assert lossmith("reproduce", str(tmp_path / "out"))[0] == 1
    assert "wrong" in (tmp_path / "out" / "index.html").read_text()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"index.html", "notes.txt"}


def test_an_empty_directory_is_filled(monkeypatch, tmp_path):
    monkeypatch.setattr(paper, "ITEMS", (RIGHT,))
    monkeypatch.chdir(tmp_path)

    assert lossmith("reproduce", ".")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_a_directory_that_holds_something_else_is_refused_at_once(monkeypatch, tmp_path):
    monkeypatch.setattr(paper, "ITEMS", (Item("x", "never computed", "x", lambda: pytest.fail("computed")),))
    (tmp_path / "index.html").write_text("<title>my site</title>")

    _, _, error = lossmith("reproduce", str(tmp_path))

    assert isinstance(error, BadInput)
    assert "'index.html'" in str(error)
    assert (tmp_path / "index.html").read_text() == "<title>my site</title>"


@pytest.mark.parametrize("where", ["file", "file/out", "nowhere/out"])
def test_a_place_that_cannot_be_written_is_refused_in_one_line(monkeypatch, tmp_path, where):
    monkeypatch.setattr(paper, "ITEMS", (Item("x", "never computed", "x", lambda: pytest.fail("computed")),))
    (tmp_path / "file").write_text("")

    command.assert_refused(command.lossmith("reproduce", str(tmp_path / where)), where, code=4)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_without_permission_nothing_is_computed(monkeypatch, tmp_path):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(paper, "ITEMS", (Item("x", "never computed", "x", lambda: pytest.fail("computed")),))
    monkeypatch.setattr(Path, "mkdir", refuse)

    _, _, error = lossmith("reproduce", str(tmp_path / "out"))

    assert isinstance(error, NotWritten)
    assert f"{str(tmp_path / 'out')!r}: Permission denied" in str(error)


def interrupted():
    """An item that, like a search for bounds, catches Ctrl-C and goes on with what it has."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        return outcome("2", equal("1 + 1", 2, 2))


@pytest.mark.parametrize("existing", [False, True])
def test_ctrl_c_leaves_nothing_even_if_an_item_swallows_it(monkeypatch, tmp_path, existing):
    monkeypatch.setattr(paper, "ITEMS", (RIGHT, Item("x", "interrupted", "x", interrupted)))
    folder = tmp_path / "out"
    if existing:
        folder.mkdir()
    before = signal.getsignal(signal.SIGINT)

    _, _, error = lossmith("reproduce", str(folder))

    assert isinstance(error, (KeyboardInterrupt, SystemExit)) or type(error).__name__ == "Abort"
    assert signal.getsignal(signal.SIGINT) is before
    assert [path.name for path in tmp_path.rglob("*")] == (["out"] if existing else [])


def test_ctrl_c_with_a_store_says_that_it_goes_on(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(paper, "ITEMS", (RIGHT, Item("x", "interrupted", "x", interrupted)))
    path = tmp_path / "paper.sqlite"

    monkeypatch.setattr(sys, "argv", ["lossmith", "reproduce", "--store", str(path)])

    assert run() == 130
    [line] = capsys.readouterr().err.split("\n")[1:-1]  # the first is that of ^C
    assert line.startswith("lossmith: ")
    assert f"'{path}'" in line
    with Store(path) as store:
        assert len(store) == 1


def test_ctrl_c_while_drawing_leaves_nothing(monkeypatch, tmp_path):
    def draw():
        signal.raise_signal(signal.SIGINT)

    picture = Picture("never", draw, "", "")
    item = Item("x", "x", "x", lambda: outcome("2", equal("1 + 1", 2, 2), pictures=[picture]))
    monkeypatch.setattr(paper, "ITEMS", (item,))

    lossmith("reproduce", str(tmp_path / "out"))

    assert list(tmp_path.iterdir()) == []
