"""Every command with many questions goes on from its store: the same bytes, and nothing asked twice."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import pytest
from joblib import parallel_config

import lossmith as lm
from command import assert_refused, lossmith
from lossmith.answers.demonstration import demonstrate
from lossmith.answers.ranking_table import lines
from lossmith.calibration.remembering import named
from lossmith.calibration.within import read_within
from lossmith.constructions.search.run import search
from lossmith.errors import BadInput
from lossmith.paper import ITEMS
from lossmith.paper.item import Item, Outcome
from lossmith.paper.reproducing import as_data, reproduce
from lossmith.sweeping import Question, Store
from sweeping.asking import as_nobody

COMMANDS = (
    "catalogue --losses zero-one --losses abstain --surrogates crammer-singer --surrogates softmax --json",
    "census --labels 3 --decisions 3 --entries 0..1 --json",
    "scan epsilon-insensitive:n=3,eps=? ordinal:n=3 --from 0 --to 1 --json",
    "which zero-one:n=3 --class-weight 1,1,5 --json",
    "design abstain:n=5 --dim 2 --budget 20",
    "ranking-table --to 4 --json",
    "demonstrate softmax ordinal:n=3 --pred argmax --json",
)
LONGER = (
    "catalogue -n 3 --json",
    "census --labels 3 --decisions 4 --entries 0..1 --json",
    "scan crammer-singer abstain:n=3 --pred argmax-gap:tau=? --from 0 --to 2 --json",
    "which zero-one:n=4",
    "design abstain:n=5 --dim 2 --budget 600",
    "ranking-table --to 10 --json",
    "demonstrate crammer-singer zero-one:n=3 --pred argmax --json",
    "reproduce --json",
)
each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.split()[0])
each_longer_command = pytest.mark.parametrize("command", LONGER, ids=lambda each: each.split()[0])


class Kept:
    """How many answers were written to stores; `after` so many, Ctrl-C is pressed."""

    def __init__(self, monkeypatch):
        self.number, self.after = 0, None
        keep = Store.keep

        def counted(store, question, answer):
            keep(store, question, answer)
            self.number += 1
            if self.number == self.after:
                raise KeyboardInterrupt

        monkeypatch.setattr(Store, "keep", counted)


@pytest.fixture
def kept(monkeypatch):
    return Kept(monkeypatch)


def rows(path):
    """All that a store holds."""
    with Store(path) as store:
        return [(question.text, answer.value, answer.certificates) for question, answer in store]


def assert_goes_on(command, path, kept):
    plain = lossmith(*command.split())
    kept.number, kept.after = 0, 2
    stopped = lossmith(*command.split(), "--store", str(path))
    assert stopped.returncode == 130
    assert len(rows(path)) == 2

    kept.after = None
    ended = lossmith(*command.split(), "--store", str(path))
    asked = kept.number
    again = lossmith(*command.split(), "--store", str(path))
    for answer in (ended, again):
        assert (answer.returncode, answer.stdout, answer.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    assert kept.number == asked == len(rows(path)) > 2


@each_command
def test_after_an_interrupt_the_same_command_says_the_same_and_asks_nothing_twice(command, tmp_path, kept):
    assert_goes_on(command, tmp_path / "store.sqlite", kept)


@pytest.mark.exhaustive
@each_longer_command
def test_so_it_is_with_more_questions(command, tmp_path, kept):
    assert_goes_on(command, tmp_path / "store.sqlite", kept)


@pytest.mark.exhaustive
@each_longer_command
def test_one_two_and_four_workers_print_and_keep_the_same(command, tmp_path):
    plain, held = lossmith(*command.split()), []
    for jobs in ("1", "2", "4"):
        path = tmp_path / f"{jobs}.sqlite"
        answer = lossmith(*command.split(), "--jobs", jobs, "--store", str(path))
        assert (answer.returncode, answer.stdout, answer.stderr) == (plain.returncode, plain.stdout, plain.stderr)
        held.append(rows(path))

    assert held[0] == held[1] == held[2] != []


def test_two_workers_keep_the_same_as_one():
    held = []
    for jobs in (1, 2):
        with parallel_config(backend="threading", n_jobs=jobs), Store() as store:
            assert list(lines(4, n_jobs=None, store=store)) == list(lines(4))
            held.append(list(store))

    assert held[0] == held[1] != []


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(COMMANDS[3], id="which", marks=pytest.mark.exhaustive),
        pytest.param(COMMANDS[5], id="ranking-table"),
    ],
)
def test_another_version_of_lossmith_asks_again(command, tmp_path, kept, monkeypatch):
    path = tmp_path / "store.sqlite"
    first = lossmith(*command.split(), "--store", str(path))
    before = kept.number
    monkeypatch.setattr("lossmith.sweeping.questions.installed", lambda package: "99.0")
    second = lossmith(*command.split(), "--store", str(path))

    assert (second.returncode, second.stdout) == (first.returncode, first.stdout)
    assert kept.number == 2 * before == len(rows(path))


def test_how_numbers_are_shown_is_no_part_of_an_answer(tmp_path):
    command, held = ["which", "zero-one:n=3", "--estimator", "crammer"], []
    for shown in ([], ["--exact"]):
        path = tmp_path / f"{len(shown)}.sqlite"
        assert lossmith(*command, *shown, "--store", str(path)).stdout == lossmith(*command, *shown).stdout
        held.append(rows(path))

    assert held[0] == held[1] != []


def test_several_commands_share_a_store(tmp_path, kept):
    path, few = tmp_path / "store.sqlite", (COMMANDS[0], COMMANDS[5])
    first = [lossmith(*command.split(), "--store", str(path)).stdout for command in few]
    before = kept.number
    again = [lossmith(*command.split(), "--store", str(path)).stdout for command in few]

    assert first == again == [lossmith(*command.split()).stdout for command in few]
    assert kept.number == before


@pytest.mark.parametrize(
    ("command", "accepted"),
    [
        pytest.param(COMMANDS[2], {"calibrated", "not calibrated"}, id="scan", marks=pytest.mark.exhaustive),
        pytest.param("which zero-one:n=3", {"calibrated", "not calibrated"}, id="which", marks=pytest.mark.exhaustive),
        pytest.param("design abstain:n=4 --dim 2 --method search", {"calibrated"}, id="design"),
        pytest.param(COMMANDS[5], {"ccdim at least", "ccdim at most"}, id="ranking-table"),
        pytest.param(COMMANDS[6], {"not calibrated"}, id="demonstrate"),
    ],
)
def test_the_store_holds_certificates_that_the_checker_accepts(command, accepted, tmp_path):
    path = tmp_path / "store.sqlite"
    assert lossmith(*command.split(), "--store", str(path)).returncode == 0
    with Store(path) as store:
        hashes = {each for _, kept in store for each in kept.certificates.values()}
        texts = [store.certificate(each) for each in hashes]

    assert all(lm.verify(text).accepted for text in texts)
    assert {json.loads(text)["claim"] for text in texts} == accepted


def test_progress_is_told_of_practices_and_of_values_also_where_a_store_held_some():
    seen, eps = [], lm.surrogates.epsilon_insensitive
    with Store() as store:
        for _ in range(2):
            lm.which("zero-one:n=3", "LinearSVC", store=store, progress=lambda *far: seen.append(far))
    assert seen == [(0, 1), (1, 1), (1, 1)]

    seen.clear()
    found = lm.scan(lambda x: lm.check(eps(3, x), lm.losses.ordinal(3)), 0, 1, progress=lambda *far: seen.append(far))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == len(found.tested)


# What Python gets out of a store is what it gets without one.


def test_the_lines_of_which_are_the_same_with_their_certificates():
    plain = lm.which("zero-one:n=2")
    with Store() as store:
        told = [lm.which("zero-one:n=2", store=store) for _ in range(2)][-1]

    assert str(told) == str(plain)
    assert [each.price for each in told] == [each.price for each in plain]
    for mine, theirs in zip(told, plain, strict=True):
        assert (mine.verdict is None) == (theirs.verdict is None)
        assert mine.verdict is None or mine.verdict.certificate == theirs.verdict.certificate


def test_labels_that_are_decisions_are_not_taken_for_others_of_the_same_look():
    names = [True, False], ["True", "False"]  # which look the same in plain data
    with Store() as store:
        same, other = (
            str(lm.which(lm.LossMatrix([[0, 1], [1, 0]], names[0], names[i], name="L"), "softmax", store=store))
            for i in (0, 1)
        )
        assert len(store) == 2

    assert other.count("(True, False)") == 2  # the decisions, and the labels that they are not
    assert "(True, False)" not in same


def test_the_bounds_of_ranking_losses_are_the_same_with_their_certificates():
    plain = list(lines(5))
    with Store() as store:
        told = [list(lines(5, store=store)) for _ in range(2)][-1]

    assert told == plain
    for mine, theirs in zip(told, plain, strict=True):
        assert str(mine.bounds) == str(theirs.bounds)
        assert [b.certificate for b in mine.bounds.bounds] == [b.certificate for b in theirs.bounds.bounds]


def test_a_design_that_was_searched_for_is_the_same():
    plain = lm.design("abstain:n=4", 2, "search")
    with Store() as store:
        told = [lm.design("abstain:n=4", 2, "search", store=store) for _ in range(2)][-1]
        kinds = {question.kind for question, _ in store}

    assert told == plain
    assert (told.certificate, told.made_by) == (plain.certificate, plain.made_by)
    assert kinds == {"programs", "search"}


def test_a_search_goes_on_with_a_larger_budget(kept):
    facts = lm.ccdim(lm.losses.abstain(5)).facts
    with Store() as store:
        search(facts, 2, budget=16, store=store)
        before = kept.number
        longer = search(facts, 2, budget=32, store=store)

    assert longer == search(facts, 2, budget=32)
    assert before < kept.number < 2 * before + 8


def test_a_demonstration_with_other_samples_is_another_question():
    verdict = lm.check("softmax", lm.losses.ordinal(3), pred="argmax")
    how = [{"seed": 0}, {"seed": 3}, {"sizes": [10, 20], "seed": 0}]
    with Store() as store:
        told = [demonstrate(verdict, **{"sizes": [10, 30], **each}, repetitions=5, store=store) for each in how]
        assert len(store) == 5 + 3 + 5

    assert told == [demonstrate(verdict, **{"sizes": [10, 30], **each}, repetitions=5) for each in how]


def test_a_figure_of_the_paper_is_drawn_from_what_a_store_tells():
    [item] = (each for each in ITEMS if each.label == "fig:loss-matrices")
    with Store() as store:
        [(_, told)] = [reproduce([item], store=store) for _ in range(2)][-1]

    assert as_data([(item, told)]) == as_data(reproduce([item]))
    assert [[ax.get_title() for ax in each.draw().axes] for each in told.pictures] == [
        [ax.get_title() for ax in each.draw().axes] for each in item.run().pictures
    ]


def test_an_item_of_the_paper_that_failed_is_computed_again():
    def compute():
        runs.append(len(runs))
        if len(runs) == 1:
            raise RuntimeError("no such package")
        return Outcome("✓", "one")

    runs = []
    item = Item("exmp:mine", "An example", compute=compute)
    with Store() as store:
        [(_, told)] = reproduce([item], store=store)

    assert told == Outcome("✓", "one")


def test_a_function_cannot_be_known_again_by_a_store():
    def question(eps):
        return lm.check(lm.surrogates.epsilon_insensitive(2, eps), lm.losses.ordinal(2))

    with Store() as store:
        with pytest.raises(BadInput, match="named="):
            lm.scan(question, 0, 1, store=store)
        found = lm.scan(question, 0, 1, store=store, named=lambda eps: Question("my eps", str(eps)))

    assert found == lm.scan(question, 0, 1)


def test_preds_of_one_name_are_told_apart_by_their_regions_and_questions_by_their_distributions():
    psi, loss = lm.surrogates.absolute(2), lm.losses.ordinal(2)
    preds = [
        lm.Pred.from_regions([lambda u, cut=cut: [u[0] <= cut], lambda u, cut=cut: [u[0] >= cut]], dim=1)
        for cut in ("3/2", "5/4")
    ]
    within = read_within("p[0] >= 1/3", loss)
    asked = [named(psi, loss, 100, pred, part) for pred in (None, "nearest", *preds) for part in (None, within)]

    assert len({each.key for each in asked}) == 8


@pytest.mark.exhaustive
def test_a_scan_of_a_pred_of_ones_own_knows_its_regions(tmp_path):
    path, file = tmp_path / "store.sqlite", tmp_path / "own.py"
    command = ["scan", "absolute:n=3", "ordinal:n=3", "--pred", f"{file}:own", "--within", "p[0] >= ?"]
    command += ["--from", "1/4", "--to", "1/2", "--json"]
    told = []
    for cut in ("3/2", "9/4"):  # the middle of the first two grades, and what is not
        file.write_text(
            "import lossmith as lm\n"
            f"own = lm.Pred.from_regions([lambda u: [u[0] <= '{cut}'], lambda u: [u[0] >= '{cut}', u[0] <= '5/2'],"
            " lambda u: [u[0] >= '5/2']], dim=1)\n"
        )
        told.append(lossmith(*command, "--store", str(path)))
        assert told[-1].stdout == lossmith(*command).stdout

    assert told[0].stdout != told[1].stdout


# What can be wrong with the file: a line, and 2 or 4.


@each_command
def test_a_file_that_cannot_be_the_store_is_refused_in_a_line(command, tmp_path):
    words = command.split()
    (tmp_path / "costs.csv").write_text("a,b\n0,1\n1,0\n" * 100)
    assert_refused(lossmith(*words, "--store", str(tmp_path / "costs.csv")), "costs.csv")
    Store(tmp_path / "later.sqlite").close()
    with contextlib.closing(sqlite3.connect(tmp_path / "later.sqlite")) as later:
        later.execute("PRAGMA user_version = 99")
    assert_refused(lossmith(*words, "--store", str(tmp_path / "later.sqlite")), "later.sqlite", " 99,")
    held = tmp_path / "held.sqlite"
    with Store(held):
        assert_refused(lossmith(*words, "--store", str(held)), "held.sqlite", code=4)
    assert_refused(lossmith(*words, "--store", str(tmp_path / "no" / "such.sqlite")), "such.sqlite", code=4)


def test_a_store_that_may_only_be_read():
    """What it holds stays."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        assert lossmith("ranking-table", "--to", "2", "--store", str(path)).returncode == 0
        before = path.read_bytes()
        os.chmod(path, 0o444)
        os.chmod(folder, 0o555)
        with as_nobody():
            answer = lossmith("ranking-table", "--to", "3", "--store", str(path))

        assert_refused(answer, str(path), code=4)
        assert path.read_bytes() == before


def cramped(folder, room):
    """Leave the folder so many bytes of room: a disk of that size, else a limit on files for the process."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={room}", "lossmith", str(folder)]
    with contextlib.suppress(OSError):
        if subprocess.run(mount, capture_output=True, check=False).returncode == 0:
            return None
    return partial(resource.setrlimit, resource.RLIMIT_FSIZE, (room, room))


@pytest.fixture
def disk(tmp_path):
    (folder := tmp_path / "disk").mkdir()
    yield folder
    while os.path.ismount(folder):
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.exhaustive
def test_a_full_disk_loses_nothing_that_was_kept(disk):
    """First two answers fit, then no more; with room again it goes on from the two."""
    path, room = disk / "store.sqlite", 32 * 1024
    limit = cramped(disk, room)
    question = ["ranking-table", "--to", "8", "--json"]
    assert lossmith("ranking-table", "--to", "2", "--store", str(path)).returncode == 0
    before = rows(path)
    command = [sys.executable, "-m", "lossmith", *question, "--store", str(path)]
    full = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)
    assert_refused(full, str(path), code=4)
    assert set(map(repr, before)) <= set(map(repr, rows(path)))

    if limit is None:
        subprocess.run(["mount", "-o", "remount,size=4m", str(disk)], check=True)
    roomy = lossmith(*question, "--store", str(path))
    assert (roomy.returncode, roomy.stdout) == (0, lossmith(*question).stdout)
    assert len(rows(path)) == 4 * 7
