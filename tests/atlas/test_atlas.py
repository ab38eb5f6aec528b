"""The atlas: statements by name, pages whose links lead somewhere, certificates that prove what the pages say.

Nothing is drawn here: each picture is a title. The pictures are in test_whole_atlas.py.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest

import lossmith as lm
from command import assert_refused, lossmith
from lossmith.answers.cataloguing import decided
from lossmith.atlas.building import build
from lossmith.atlas.citing import bibtex, bibtex_of_bound, bibtex_of_regret
from lossmith.atlas.deciding import findings
from lossmith.atlas.members import dashed, members, slug
from lossmith.atlas.published import compared
from lossmith.atlas.statements import statements
from lossmith.atlas.using import how_to_use
from lossmith.atlas.verifying import verify_atlas
from lossmith.calibration import checking
from lossmith.losses import (
    FAMILIES,
    abstain,
    hamming,
    hierarchical,
    jaccard,
    ndcg,
    ordinal,
    precision_at,
    superset,
    top_k,
    zero_one,
)
from lossmith.surrogates import (
    CATALOGUE,
    absolute,
    all_threshold_hinge,
    cascade_hinge,
    crammer_singer,
    immediate_threshold_hinge,
    immediate_threshold_logistic,
    listnet,
    margin_vector,
    naive_hinge,
    one_vs_all_logistic,
    pick_all_labels,
    rejection_exponential,
    softmax,
    sparsemax,
    superset_hinge,
    tag_hypersimplex,
    top_k_hinge_averaged,
    top_k_hypersimplex,
)
from lossmith.sweeping.store import Store

HOSTILE = "</title><script>alert('../../x')</script>${\\input|rm}"  # the name of a loss
ROOT = Path(__file__).parent.parent.parent


class Page(HTMLParser):
    """The links of a page, what can be linked to in it, and its elements."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append(tag)
        self.links += [given[key] for key in ("href", "src") if given.get(key)]
        self.ids += [given["id"]] if "id" in given else []


@pytest.fixture(scope="module", autouse=True)
def titles_for_pictures():
    with pytest.MonkeyPatch.context() as patch:
        for name in ("simplex.picture", "verdict_picture.verdict", "one_dimension.curves"):
            patch.setattr(f"lossmith.plot.{name}", lambda *_: None)
        patch.setattr("lossmith.plot.saving.as_svg", lambda _, words: f"<svg><title>{escape(words)}</title></svg>")
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("atlas")


@pytest.fixture(scope="module")
def atlas(folder):
    """Three surrogates and three losses, and one whose names are no names."""
    hostile = lm.LossMatrix([[0, 1], [2, 0]], ["<i>a</i>", '"&b'], name=HOSTILE)
    return build(folder, [crammer_singer, softmax, absolute], [zero_one, abstain, ordinal, hostile], [2, 3])


@pytest.fixture
def copied(atlas, folder, tmp_path):
    """The same atlas, to be spoiled."""
    return Path(shutil.copytree(folder, tmp_path / "copied"))


@pytest.fixture(scope="module")
def table(atlas, folder):
    with open(folder / "statements.csv", encoding="utf-8", newline="") as stream:
        return {row["statement"]: row for row in csv.DictReader(stream)}


# exmp:calibration-CS-0-1, exmp:calibration-CS-abstain-ord; |u − y| is right for grades, and for 0-1 with two labels
# only, as more need n − 1 dimensions; softmax tells probabilities, so it is right for all, and argmax for 0-1.
KNOWN = {
    "crammer-singer/n=2/zero-one": "calibrated",
    "crammer-singer/n=3/zero-one": "not calibrated",
    "crammer-singer/n=3/abstain": "calibrated",
    "crammer-singer/n=3/abstain/argmax-gap,tau=1over2": "calibrated",
    "crammer-singer/n=3/ordinal": "calibrated",
    "absolute/n=3/ordinal/nearest": "calibrated",
    "absolute/n=3/zero-one": "not calibrated",
    "softmax/n=3/zero-one/argmax": "calibrated",
    "softmax/n=3/abstain/decide": "calibrated",
    "softmax/n=3/ordinal/argmax": "not calibrated",
    "zero-one/n=3/ccdim-lower": "CCdim at least 2",
    "abstain/n=3/ccdim-upper": "CCdim at most 2",
    "crammer-singer/n=3/abstain/argmax-gap,tau=1over2/regret": "regret factor 1",  # Ramaswamy, Tewari, Agarwal 2018
}


@pytest.mark.parametrize("name", list(KNOWN))
def test_a_statement_is_found_by_its_permanent_name(table, name):
    assert table[name]["status"] == KNOWN[name]


def test_every_statement_is_decided_and_the_checker_accepts_its_certificate(atlas, folder):
    found = verify_atlas(folder)

    assert found.wrong == ()
    assert (found.accepted + found.conditional, found.absent) == (len(atlas.held), 0)
    assert len(atlas.held) > len(atlas.findings) + 2 * len(atlas.dimensions)  # and what regrets cost


def test_every_link_leads_somewhere(atlas, folder):
    pages = {path: Page(path) for path in folder.rglob("*.html")}

    assert len(pages) == 3 + 4 + 1
    for path, page in pages.items():
        assert len(set(page.ids)) == len(page.ids)
        for link in (each for each in page.links if not each.startswith("data:")):
            target, _, fragment = unquote(link).partition("#")
            there = (path.parent / (target or path.name)).resolve()
            assert there.is_relative_to(folder.resolve())
            assert there.is_file(), link
            assert not fragment or fragment in pages[next(each for each in pages if each.resolve() == there)].ids, link


def test_a_statement_stands_at_its_name_with_its_certificate_beside_it(atlas, folder, table):
    page = (folder / "surrogates" / "crammer-singer.html").read_text(encoding="utf-8")
    row = page.split('<tr id="n=3/zero-one">')[1].split("</tr>")[0]
    file = table["crammer-singer/n=3/zero-one"]["certificate"]

    assert "N not calibrated" in row
    assert f'href="../{file}"' in row
    assert hashlib.sha256((folder / file).read_bytes()).hexdigest() in row
    assert "crammer-singer/n=3/zero-one" in row


@pytest.mark.parametrize("name", ["crammer-singer", "softmax", "absolute"])
def test_the_page_of_a_surrogate_has_all_its_parts(atlas, folder, name):
    page = (folder / "surrogates" / f"{name}.html").read_text(encoding="utf-8")
    (family,) = (each for each in CATALOGUE if dashed(each.name) == name)
    headings = re.findall(r'<h2 id="([^"]*)">', page)

    wanted = ["cells", "overview", "verdicts", "published", "use"]
    assert headings == [each for each in wanted if each != "cells" or name != "softmax"]
    for n in (2, 3):
        assert (folder / "pictures" / name / f"n={n}.svg").is_file()
        assert re.search(rf'src="../pictures/{name}/n={n}.svg" alt="[^"]*{name.replace("-", "_")}\(n={n}\)', page)
    for text in (family.latex, family.cite, *family.aliases, *family.preds):
        assert escape(text) in page
    assert re.search(r"<dd>\d \w+ n = 2, \d \w+ n = 3</dd>", page)
    assert ("regret<sub>L</sub> ≤" in page) is any(each.startswith(f"{name}/") for each in atlas.transfers)
    assert all(f'href="#{place}"' in page for place in headings)


def test_the_overview_has_a_mark_for_each_loss_and_size_that_leads_to_the_statement(atlas, folder):
    page = (folder / "surrogates" / "crammer-singer.html").read_text(encoding="utf-8")
    rows = page.split('class="overview')[1].split("</table>")[0].split("<tr>")
    (grades,) = (row for row in rows if ">ordinal<" in row)

    marks = re.findall(r'<a class="mark (\w+)"[^>]* href="#([^"]*)">(\w)</a>', grades)
    assert marks == [("yes", "n=2/ordinal", "C"), ("yes", "n=3/ordinal", "C")]


def test_the_page_of_a_loss_has_its_matrix_its_cells_and_citations_of_its_dimension(folder):
    page = (folder / "losses" / "zero-one.html").read_text(encoding="utf-8")
    section = page.split('<h2 id="zero-one/n=3">')[1]

    rows = re.findall(r'<tr><th scope="row">(\d)</th><td>(\d)</td><td>(\d)</td><td>(\d)</td></tr>', section)
    assert rows == [("0", "0", "1", "1"), ("1", "1", "0", "1"), ("2", "1", "1", "0")]
    # 0 is best where p_0 is the largest: a vertex, the middles of two edges, and the middle
    (first,) = re.findall(r'<th scope="row">0</th><td>(\(.*?)</td>', section)
    assert sorted(first.split("; ")) == ["(1, 0, 0)", "(1/2, 0, 1/2)", "(1/2, 1/2, 0)", "(1/3, 1/3, 1/3)"]
    assert "<pre>lossmith ccdim zero-one:n=3</pre>" in section
    assert "@misc{lossmith:zero-one:n.3:ccdim-lower," in section
    assert re.search(r"\b2\}\}", section)
    assert '<details id="zero-one/n=3/ccdim-upper">' in section


def test_a_decision_that_wins_nowhere_is_counted_and_has_no_cell(tmp_path):
    build(tmp_path, [], [lm.LossMatrix([[0, 1, 2], [1, 0, 2]], name="never")], [2])
    page = (tmp_path / "losses" / "never.html").read_text(encoding="utf-8")

    assert re.findall(r'<th scope="row">(\d)</th><td>\(', page) == ["0", "1"]
    assert re.search(r"\b1 \w+ \w+ 3\b", page)


def test_what_is_left_out_is_listed_with_its_command_and_what_is_undecided_has_no_proof(tmp_path, monkeypatch):
    monkeypatch.setattr("lossmith.atlas.statements.FEW_DIMENSIONS", 4)
    known = tuple(rule for rule in checking.RULES if rule is not checking.by_rejecting)
    monkeypatch.setattr(checking.answer, "__defaults__", (known,))  # nothing else in the atlas is undecided
    atlas = build(tmp_path, [naive_hinge, rejection_exponential], [zero_one, abstain], [2, 5])
    status = {each.statement.name: each.status for each in atlas.findings}
    page = (tmp_path / "surrogates" / "naive-hinge.html").read_text(encoding="utf-8")
    listed = page.split('<h2 id="left-out">')[1].split("</ul>")[0]

    assert status["naive-hinge/n=5/zero-one"] == "left out"
    assert "left out" not in {each for name, each in status.items() if "/n=2/" in name}
    assert "<li><code>lossmith check naive-hinge zero-one:n=5</code></li>" in listed
    assert ">…</a>" in (tmp_path / "index.html").read_text(encoding="utf-8")
    page = (tmp_path / "surrogates" / "rejection-exponential.html").read_text(encoding="utf-8")
    row = page.split('<tr id="n=2/abstain/reject">')[1].split("</tr>")[0]
    assert "? undecided" in row
    assert "<a download" not in row
    assert "lossmith check rejection-exponential abstain:n=2 --pred reject" in row
    assert "--certificate" not in row
    assert verify_atlas(tmp_path).wrong == ()


SHOWN = {  # one of each kind: with Σ u = 0, with inequalities, smooth, of documents, tags, candidates, trees
    crammer_singer: abstain,
    all_threshold_hinge: ordinal,
    softmax: zero_one,
    listnet: ndcg,
    tag_hypersimplex: precision_at,
    superset_hinge: superset,
    cascade_hinge: hierarchical,
}
SHOWN_TOO = {
    naive_hinge: zero_one,
    immediate_threshold_hinge: ordinal,
    top_k_hypersimplex: top_k,
    sparsemax: zero_one,
    one_vs_all_logistic: zero_one,
    pick_all_labels: precision_at,
}


@pytest.mark.filterwarnings("ignore:.* is NOT calibrated for ")
@pytest.mark.parametrize(
    ("family", "loss"),
    [
        *(pytest.param(family, loss, id=family.name) for family, loss in SHOWN.items()),
        *(
            pytest.param(family, loss, id=family.name, marks=pytest.mark.exhaustive)
            for family, loss in SHOWN_TOO.items()
        ),
    ],
)
def test_what_a_page_tells_to_write_runs(torch, atlas, folder, monkeypatch, family, loss):
    """In the folder of the atlas, where matrices lie; labels are given by name, and nothing is filled in but data."""
    with Store() as store:
        found = findings(list(statements([family], members([loss], [3, 4]))), store)
    text = unescape("".join(how_to_use(family, found)))
    for each in found:
        member = each.statement.member
        if member.words is None:
            monkeypatch.chdir(folder)
            (folder / member.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / member.file).write_text(member.loss.to_json())
    code = text.partition("<pre>")[2].partition("</pre>")[0]
    own, in_torch, in_learn = re.split("# PyTorch|# scikit-learn", code)
    given: dict = {}
    exec(own, given)  # as a reader pastes it
    rows = np.arange(60) % given["loss"].n
    dim = given["loss"].n if "surrogates.softmax" in in_torch else given["verdict"].surrogate.dim
    given["u"] = torch.randn(60, dim, generator=torch.Generator().manual_seed(0)).requires_grad_()
    given["y"] = torch.tensor(rows)
    exec("#" + in_torch, given)
    assert torch.isfinite(given["u"].grad).all()
    if "criterion.decide" in in_torch:
        assert set(given["decisions"]) <= set(given["loss"].predictions)

    given["X"] = np.random.default_rng(0).normal(size=(60, 2)) + rows[:, None]
    given["X_new"], given["y"] = given["X"][:5], [given["loss"].labels[y] for y in rows]
    exec("#" + in_learn, given)
    assert len(given["decisions"]) == 5
    assert {f"{each}" for each in given["decisions"]} <= {f"{each}" for each in given["loss"].predictions}


@pytest.mark.parametrize("name", ["crammer-singer/n=3/zero-one", "crammer-singer/n=3/abstain/argmax-gap,tau=1over2"])
def test_the_command_that_is_shown_makes_the_certificate(atlas, folder, table, tmp_path, name):
    (asked,) = (each.statement for each in atlas.findings if each.statement.name == name)
    program, *arguments = shlex.split(asked.command)
    run = lossmith(*arguments, "--certificate", str(tmp_path / "proof.json"), cwd=folder)

    assert (program, run.stderr) == ("lossmith", "")
    assert hashlib.sha256((tmp_path / "proof.json").read_bytes()).hexdigest() == table[name]["sha256"]


def test_a_loss_without_a_name_on_the_command_line_is_asked_by_its_file(atlas, folder):
    (asked,) = (
        each.statement
        for each in atlas.findings
        if (each.statement.member.loss.name, each.statement.family, each.statement.pred) == (HOSTILE, absolute, None)
    )
    run = lossmith(*shlex.split(asked.command)[1:], cwd=folder)

    assert (run.stderr, run.returncode) == ("", 1)  # |u − y| costs a mistake the same on either side


def test_names_are_shown_and_do_nothing(atlas, folder):
    for path in folder.rglob("*.html"):
        page = Page(path)
        assert page.tags.count("script") == (path.name == "index.html")
        assert "i" not in page.tags
    index = (folder / "index.html").read_text(encoding="utf-8").replace("<wbr>", "")
    assert slug(HOSTILE) in index
    assert all(".." not in path.parts for path in folder.rglob("*"))


def test_published_verdicts_stand_beside_what_was_found(atlas):
    for family in (crammer_singer, softmax, absolute):
        rows = list(compared(family, atlas.of_surrogate[family.name.replace("_", "-")]))
        assert rows
        assert all(each.agrees for each in rows)
    (first,) = (
        each for each in compared(crammer_singer, atlas.of_surrogate["crammer-singer"]) if each.loss == "zero_one"
    )
    assert (first.printed, first.found, first.mark) == ("CNN", "CN·", "✓")  # four labels are not in this atlas


def test_what_print_says_of_losses_that_the_atlas_lacks_has_no_mark():
    claims = list(compared(top_k_hinge_averaged, []))

    assert [each.loss for each in claims] == ["zero_one", "top_k(n=4, k=2)", "top_k(n=4, k=3)", "top_k(n=4, k=3)"]
    assert {each.mark for each in claims} == {""}
    assert not set("".join(each.found for each in claims)) & set("CN?")


def test_where_print_says_more_than_is_true_the_page_quotes_it_and_what_was_found(tmp_path):
    missing = next(iter(compared(top_k_hinge_averaged, []))).shown
    atlas = build(tmp_path, [margin_vector, immediate_threshold_logistic], [zero_one], [2, 3, 4])
    for family, source in ((margin_vector, "Zou, Zhu, Hastie"), (immediate_threshold_logistic, "Pedregosa")):
        first = next(compared(family, atlas.of_surrogate[dashed(family.name)]))
        assert (first.printed, first.shown, first.mark) == ("CCC", "C N N", "✗")
        assert source in first.source
        page = (tmp_path / "surrogates" / f"{dashed(family.name)}.html").read_text(encoding="utf-8")
        assert "docs/findings.md" in page
        assert (f"<td>{missing}</td>" in page) == (family is margin_vector)  # top_k


def test_surrogates_that_are_right_stand_on_the_page_of_the_loss_cheapest_first(atlas, folder):
    page = (folder / "losses" / "ordinal.html").read_text(encoding="utf-8").replace("<wbr>", "")
    right = re.findall(r'<table class="stack right">.*?</table>', page, re.DOTALL)[1]  # for three labels

    assert [right.index(f">{name}(n=3)<") for name in ("absolute", "crammer_singer", "softmax")] == sorted(
        right.index(f">{name}(n=3)<") for name in ("absolute", "crammer_singer", "softmax")
    )
    assert "CCdim = 1" in page


def test_a_citation_names_the_statement_and_the_proof_and_closes_its_braces(atlas):
    cited = (ROOT / "CITATION.cff").read_text()
    years = re.findall(r"^date-released: (\d+)-", cited, re.MULTILINE)
    verdicts = [(bibtex(each), each.proof) for each in atlas.findings]
    regrets = [
        (bibtex_of_regret(each, atlas.transfers[each.statement.name]), atlas.transfers[each.statement.name].proof)
        for each in atlas.findings
        if each.statement.name in atlas.transfers
    ]
    bounds = [
        (bibtex_of_bound(each, side, key), side.proof)
        for each in atlas.dimensions
        for key, side in (("lower", each.lower), ("upper", each.upper))
    ]
    entries = [entry for entry, _ in (*verdicts, *regrets, *bounds)]
    keys = [entry.partition("{")[2].partition(",\n")[0] for entry in entries]

    assert len(set(keys)) == len(keys)
    assert not set("".join(keys)) & set(" \"#%'(),={}\\~")  # which BibTeX or biber does not take in a key
    assert len(regrets) > 5
    for entry, proof in (*verdicts, *regrets, *bounds):
        plain = entry.replace("\\{", "").replace("\\}", "")
        assert plain.count("{") == plain.count("}")
        assert (proof or "") in entry
        assert re.findall(r"year   = \{(\d+)\}", entry) == years


@pytest.mark.parametrize("sizes", [[3], pytest.param([2, 3, 4, 5, 6], marks=pytest.mark.exhaustive)], ids=str)
def test_names_of_statements_differ_and_are_fit_for_files_and_addresses(sizes):
    """A name is that of a surrogate, of a loss with so many labels, and of a pred: it differs if each of these does."""
    losses = members(FAMILIES, sizes)
    places, surrogates = [each.place for each in losses], [dashed(each.name) for each in CATALOGUE]
    names = [each.name for each in statements(CATALOGUE[::8], [each for each in losses if each.loss.n == 3])]

    assert len({place.lower() for place in places}) == len(places) > 10 * len(sizes)
    assert not {each.name for each in losses} & set(surrogates)  # their certificates lie beside each other
    assert all(len({slug(pred) for pred in each.preds}) == len(each.preds) for each in CATALOGUE)
    assert len({name.lower() for name in names}) == len(names) > 20
    assert all(re.fullmatch(r"[A-Za-z0-9.=,/-]{3,199}", name) for name in (*names, *places))


@pytest.mark.parametrize("spoil", [lambda text: text.replace("2/5", "1/5", 1), None], ids=["changed", "gone"])
def test_a_certificate_that_was_changed_or_is_gone_is_complained_of(atlas, copied, spoil):
    path = copied / "certificates" / "crammer-singer" / "n=3" / "zero-one.json"
    path.unlink() if spoil is None else path.write_text(spoil(path.read_text()))
    run = lossmith("atlas", str(copied), "--verify")

    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    assert "crammer-singer/n=3/zero-one: " in run.stderr
    assert "certificates/crammer-singer/n=3/zero-one.json" in run.stderr
    accepted, conditional, complaints = (int(number) for number in re.findall(r"\d+", run.stdout))
    assert (accepted + conditional, complaints) == (len(atlas.held) - 1, 1)
    assert conditional > 5


def test_a_loss_of_which_nothing_must_be_learned_has_dimension_0_and_a_proof(tmp_path):
    build(tmp_path, [], [lm.LossMatrix([[0, 1], [0, 1]], name="free")], [2])
    found = verify_atlas(tmp_path)

    assert (found.accepted, found.conditional, found.wrong) == (2, 0, ())
    assert "CCdim = 0" in (tmp_path / "losses" / "free.html").read_text(encoding="utf-8")


def test_a_certificate_of_something_else_or_of_nothing_is_complained_of(copied):
    held = copied / "certificates" / "crammer-singer"
    (held / "n=3" / "zero-one.json").write_bytes((held / "n=2" / "zero-one.json").read_bytes())
    (held / "stray.json").write_text("{}")
    text = (copied / "statements.csv").read_text()
    row = next(line for line in text.splitlines() if line.startswith("crammer-singer/n=3/zero-one,"))
    other = hashlib.sha256((held / "n=3" / "zero-one.json").read_bytes()).hexdigest()
    (copied / "statements.csv").write_text(text.replace(row, row.rpartition(",")[0] + "," + other))
    found = verify_atlas(copied)

    assert [each.split(": ")[0] for each in found.wrong] == [
        "crammer-singer/n=3/zero-one",
        "certificates/crammer-singer/stray.json",
    ]


def test_what_the_store_holds_is_not_decided_again_and_the_pages_are_the_same(tmp_path, monkeypatch):
    chosen = ([crammer_singer], [zero_one, abstain], [2])
    with Store(tmp_path / "store.sqlite") as store:
        build(tmp_path / "first", *chosen, store=store)
    monkeypatch.setattr("lossmith.atlas.deciding.decided", None)
    monkeypatch.setattr("lossmith.atlas.deciding.ccdim", None)
    with Store(tmp_path / "store.sqlite") as store:
        build(tmp_path / "second", *chosen, store=store)
    first, second = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("first", "second")
    )

    assert len(first) > 15
    assert first == second


def test_the_command_writes_again_over_its_own_and_refuses_what_is_foreign(tmp_path):
    chosen = ("--losses", "zero-one", "--surrogates", "crammer-singer", "-n", "2")
    for _ in range(2):
        run = lossmith("atlas", "site", *chosen, cwd=tmp_path)
        assert (run.returncode, run.stderr) == (0, "")
        assert run.stdout.endswith(" site/index.html\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["site"]
    assert not list((tmp_path / "site").glob(".*"))

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    assert_refused(lossmith("atlas", "mine", *chosen, cwd=tmp_path), "'notes.txt'", "lossmith atlas")
    assert_refused(lossmith("atlas", "mine", "--verify", cwd=tmp_path), "'mine'", "lossmith atlas DIR")
    assert_refused(lossmith("atlas", "new", "--surrogates", "cramer-singer", cwd=tmp_path), "crammer-singer")
    for name in ("ramp", "focal-loss"):
        assert_refused(lossmith("atlas", "new", "--surrogates", name, cwd=tmp_path), name.split("-")[0], "softmax")
    assert not (tmp_path / "new").exists()


def test_an_interrupt_leaves_nothing_half_written_and_the_store_goes_on_from_there(tmp_path, monkeypatch):
    @contextlib.contextmanager
    def five_questions(_):
        def told(done, _):
            if done == 5:
                raise KeyboardInterrupt

        yield told

    command = ("atlas", "site", "--store", "store.sqlite", "-n", "3", "--surrogates", "crammer-singer")
    with monkeypatch.context() as patched:
        patched.setattr("lossmith.cli.atlas.progress_bar", five_questions)
        run = lossmith(*command, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (130, "")
    assert "'store.sqlite'" in run.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["store.sqlite"]
    with Store(tmp_path / "store.sqlite") as store:
        assert len(store) == 5

    asked = []
    monkeypatch.setattr("lossmith.atlas.deciding.decided", lambda *given: asked.append(given) or decided(*given))
    assert lossmith(*command, "--losses", "zero-one", "--losses", "ordinal", cwd=tmp_path).returncode == 0
    assert len(asked) == 1  # of 2 losses and 3 preds: some, argmax and its gap
    assert verify_atlas(tmp_path / "site").wrong == ()


@pytest.mark.exhaustive
def test_a_signal_ends_the_program_and_its_folder(tmp_path):
    command = [sys.executable, "-m", "lossmith", "atlas", "site", "-n", "3"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        printed, complaint = process.communicate(timeout=60)

    assert (process.returncode, printed) == (130, "")
    assert re.fullmatch(r"lossmith: .*\n", complaint.lstrip("\n"))
    assert not list(tmp_path.iterdir())


def test_a_loss_without_a_member_of_the_size_and_a_folder_that_cannot_be_are_refused_at_once(tmp_path):
    (tmp_path / "file").write_text("mine")
    refused = lossmith("atlas", "new", "--losses", "hierarchical", "-n", "2", cwd=tmp_path)
    assert_refused(refused, "hierarchical", " 2 ", "-n")
    assert_refused(lossmith("atlas", "new", "--losses", "zero-on", cwd=tmp_path), "'zero-one'")
    assert_refused(lossmith("atlas", "file", cwd=tmp_path), "'file'", code=4)
    assert_refused(lossmith("atlas", "a/b", cwd=tmp_path), "'a/b'", code=4)
    assert_refused(lossmith("atlas", "none", "--verify", cwd=tmp_path), "'none'", "lossmith atlas DIR")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_everything_that_is_checked_before_a_release_builds_and_verifies_the_atlas():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    whole = text.split("\ncheck-all:")[1].split("\n\n")[0]

    assert "$(MAKE) atlas check-atlas" in whole
    assert "lossmith atlas build/atlas --verify" in text.split("\ncheck-atlas:")[1].split("\n\n")[0]


def test_a_verdict_whose_certificate_is_too_large_is_left_out_and_a_bound_is_counted(tmp_path, monkeypatch):
    def decided_of(path):
        """How many statements are decided, as the index tells."""
        text = (path / "index.html").read_text(encoding="utf-8").partition("<p>")[2]
        return int(re.search(r"\d+", text.split(";")[1])[0])

    build(tmp_path / "all", [crammer_singer], [zero_one], [2, 3])
    assert decided_of(tmp_path / "all") == 4
    monkeypatch.setattr("lossmith.atlas.writing.MOST_BYTES", 10)
    atlas = build(tmp_path / "none", [crammer_singer], [zero_one], [2, 3])

    assert decided_of(tmp_path / "none") == 0
    assert {each.status for each in atlas.findings} == {"left out"}
    assert atlas.transfers == {}
    found = verify_atlas(tmp_path / "none")
    assert (found.accepted, found.conditional, found.wrong) == (0, 0, ())
    assert found.absent >= 2


def test_surrogates_of_sets_are_asked_about_every_loss_on_sets_once():
    asked = list(statements([pick_all_labels], members([hamming, precision_at, jaccard, zero_one], [2, 3, 4])))
    names = [each.name for each in asked if each.pred is None]

    assert sorted(names) == [
        "pick-all-labels/n=4/hamming",
        "pick-all-labels/n=4/jaccard",
        "pick-all-labels/n=4/precision-at,q=1",
        "pick-all-labels/n=8/precision-at,q=1",
    ]
