"""A store of answers: it knows a question again, keeps what came in time, and says in a line what is wrong with it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
from command import lossmith
from lossmith.answers.cataloguing import catalogue
from lossmith.errors import BadInput, NotWritten
from lossmith.sweeping import Answer, Kept, Question, Store, sweep
from strategies import examples
from sweeping.asking import as_nobody, asked, noted_square, square, squares

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@examples(30)
@given(PLAIN, PLAIN)
def test_what_is_kept_is_recalled(inputs, value):
    question = Question("any", inputs)
    with Store() as store:
        store.keep(question, Answer(value))

        assert store.recall(question) == Kept(value, {})
        assert list(store) == [(question, Kept(value, {}))]


@examples(30)
@given(PLAIN, PLAIN)
def test_the_same_data_is_the_same_question_and_other_data_another(one, other):
    first, second = Question("any", one), Question("any", other)

    assert (first.key == second.key) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))
    assert Question.of_text(first.text).key == first.key


def test_kind_parameters_and_meaning_are_part_of_a_question():
    asked_ = [Question("a", 1), Question("b", 1), Question("a", 1, {"budget": 5}), Question("a", 1, meaning=2)]

    assert len({each.key for each in asked_}) == 4


def test_names_that_no_encoding_knows_are_kept():
    question = Question("any", ["Größe", "\ud800"])
    with Store() as store:
        store.keep(question, Answer("\udfff"))

        assert store.recall(question).value == "\udfff"


def test_what_is_no_number_of_json_is_no_answer():
    with Store() as store, pytest.raises(ValueError, match="JSON"):
        store.keep(Question("any", 1), Answer(float("nan")))


def test_a_question_is_asked_once_whoever_asks_again(tmp_path):
    path, ask = tmp_path / "squares.sqlite", partial(noted_square, tmp_path)
    for numbers in ([1, 2, 2], [3, 2, 1], [1]):
        with Store(path) as store:
            assert [each.value for each in sweep(ask, squares(numbers), store=store)] == [x**2 for x in numbers]

    assert asked(tmp_path) == [1, 2, 3]


def test_a_new_meaning_is_asked_again(tmp_path):
    ask = partial(noted_square, tmp_path)
    with Store() as store:
        for meaning in (1, 2, 2):
            list(sweep(ask, [Question("square", 5, meaning=meaning)], store=store))

    assert asked(tmp_path) == [5, 5]


def test_the_text_of_a_certificate_is_kept_once_and_compressed(tmp_path):
    path, text = tmp_path / "store.sqlite", "0,1/2," * 200_000
    with Store(path) as store:
        for number in range(20):
            store.keep(Question("any", number), Answer(number, {"lower": text, "upper": f"{number}"}))
        kept = store.recall(Question("any", 7))

        assert store.certificate(kept.certificates["lower"]) == text
        assert store.certificate(kept.certificates["upper"]) == "7"
        assert store.certificate("no such hash") is None
    assert path.stat().st_size < len(text) / 10


def test_without_texts_only_hashes_are_kept_and_who_wants_them_asks_again(tmp_path):
    path, ask = tmp_path / "squares.sqlite", partial(noted_square, tmp_path)
    with Store(path, texts=False) as store:
        [first] = sweep(ask, squares([7]), store=store)
        assert store.certificate(first.certificates["proof"]) is None
    with Store(path) as store:
        [second] = sweep(ask, squares([7]), store=store)
        assert store.certificate(second.certificates["proof"]) == "7 times 7"
    assert first == second
    assert asked(tmp_path) == [7, 7]


def test_an_answer_is_safe_within_a_second_or_two(tmp_path):
    path, copy = tmp_path / "store.sqlite", tmp_path / "copy.sqlite"
    with Store(path) as store:
        made = path.stat().st_mtime_ns
        begun = time.monotonic()
        store.keep(Question("any", 1), Answer(1))
        while path.stat().st_mtime_ns == made and time.monotonic() < begun + 30:
            time.sleep(0.1)
        time.sleep(0.2)  # it is being written
        shutil.copy(path, copy)  # what a process that is killed now leaves

    with Store(copy) as store:
        assert len(store) == 1


def test_a_smooth_surrogate_of_ones_own_is_not_taken_for_another_of_its_name():
    own = lm.SmoothSurrogate("softmax(n=2)", 2, 1, lambda U: (U - [0, 1]) ** 2, lambda U: 2 * (U - [0, 1])[:, :, None])
    with Store() as store, pytest.raises(BadInput, match=re.escape("softmax(n=2)")):
        catalogue([lm.losses.zero_one], [own], 2, store=store)


# What can be wrong with the file: one line each, 2 for a file that is no store, 4 where nothing can be written.

SMALL = ("catalogue", "--losses", "zero-one", "--surrogates", "crammer-singer", "--surrogates", "softmax", "--store")


def refused(path, code, *words):
    """The line in which the command refuses the store."""
    answer = lossmith(*SMALL, str(path))
    assert answer.returncode == code, answer.stderr
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    for each in (path.name, *words):
        assert each in answer.stderr
    return answer.stderr


def test_the_command_keeps_its_verdicts_and_goes_on_from_them(tmp_path):
    path = tmp_path / "verdicts.sqlite"
    first, again, plain = lossmith(*SMALL, str(path)), lossmith(*SMALL, str(path)), lossmith(*SMALL[:-1])

    assert first.returncode == 0
    assert first.stdout == again.stdout == plain.stdout
    with Store(path) as store:
        assert sorted(kept.value["status"] for _, kept in store) == ["calibrated", "not calibrated"]
        for question, kept in store:
            text = store.certificate(kept.certificates["proof"])
            assert lm.verify(text).accepted
            assert json.loads(text)["claim"] == kept.value["status"]
            assert question.kind == "check"


def test_a_file_that_is_no_store(tmp_path):
    (tmp_path / "costs.csv").write_text("a,b\n0,1\n1,0\n" * 100)
    refused(tmp_path / "costs.csv", 2)
    assert (tmp_path / "costs.csv").read_text() == "a,b\n0,1\n1,0\n" * 100


def test_a_database_of_somebody_else(tmp_path):
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE answers (x)")
    other.close()
    refused(tmp_path / "other.sqlite", 2)


def test_a_store_of_another_version(tmp_path):
    Store(tmp_path / "later.sqlite").close()
    with sqlite3.connect(tmp_path / "later.sqlite") as later:
        later.execute("PRAGMA user_version = 99")
    later.close()
    refused(tmp_path / "later.sqlite", 2, " 99,", " 3;")


def all_of(path, question):
    with Store(path) as store:
        assert store.known([question.key]) == {question.key}
        return store.certificate(store.recall(question).certificates["proof"])


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE answers SET answer = json_remove(answer, '$.status')",
        "UPDATE answers SET answer = replace(answer, 'not calibrated', 'calibrated')",
        "UPDATE answers SET answer = '{'",
        "UPDATE answers SET certificates = NULL",
        "UPDATE answers SET question = '[]'",
        "UPDATE certificates SET text = X'00'",
        "DROP TABLE certificates",
    ],
)
def test_a_store_that_was_edited_by_hand_is_refused_in_a_line(tmp_path, edit):
    path = tmp_path / "verdicts.sqlite"
    question = Question("check", 7)
    with Store(path) as store:
        store.keep(question, Answer({"status": "not calibrated"}, {"proof": "7"}))
    assert all_of(path, question) == "7"
    with contextlib.closing(sqlite3.connect(path)) as edited, edited:
        edited.execute(edit)

    with pytest.raises(BadInput, match=r"verdicts\.sqlite"):
        all_of(path, question)


def test_answers_that_were_exchanged_are_seen(tmp_path):
    path, (first, second) = tmp_path / "store.sqlite", squares([2, 3])
    with Store(path) as store:
        list(sweep(square, [first, second], store=store))
    with contextlib.closing(sqlite3.connect(path)) as edited, edited:
        for old, new in ((first.key, "?"), (second.key, first.key), ("?", second.key)):
            edited.execute("UPDATE answers SET key = ? WHERE key = ?", (new, old))

    with Store(path) as store, pytest.raises(BadInput, match=r"store\.sqlite"):
        store.recall(first)


def test_an_answer_that_is_gone_is_no_answer():
    class Forgetful(Store):
        """Damaged where its rows are found by their keys, and not where they are listed."""

        def recall(self, question):
            return None

    with Forgetful() as store, pytest.raises(BadInput):
        list(sweep(square, squares([2]), store=store))


def test_no_name_is_that_of_memory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        with Store(":memory:") as store:
            list(sweep(partial(noted_square, tmp_path), squares([7]), store=store))

    assert asked(tmp_path) == [7]
    assert (tmp_path / ":memory:").is_file()


def test_a_store_has_a_name():
    with pytest.raises(BadInput, match="''"):
        Store("")


def test_a_store_that_somebody_holds(tmp_path):
    with Store(tmp_path / "held.sqlite"):
        refused(tmp_path / "held.sqlite", 4)
    assert lossmith(*SMALL, str(tmp_path / "held.sqlite")).returncode == 0


@pytest.mark.exhaustive
def test_a_store_that_another_process_holds(tmp_path):
    path = tmp_path / "held.sqlite"
    hold = "import sys; from lossmith.sweeping import Store; store = Store(sys.argv[1]); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        holder.stdout.readline()
        refused(path, 4)
        holder.communicate("\n")
    assert lossmith(*SMALL, str(path)).returncode == 0


def test_a_folder_and_a_folder_that_is_not_there(tmp_path):
    refused(tmp_path / "none" / "store.sqlite", 4)
    with pytest.raises(NotWritten, match=re.escape(str(tmp_path))):
        Store(tmp_path)


def test_a_folder_that_may_not_be_written_to():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        with as_nobody(), pytest.raises(NotWritten, match=re.escape(f"{folder}/store.sqlite")):
            Store(f"{folder}/store.sqlite")
        assert list(Path(folder).iterdir()) == []


@pytest.mark.exhaustive
def test_no_room_left_and_then_room(tmp_path):
    """A limit on the size of files, as a full disk is hard to come by; what was kept before is used after."""
    path = tmp_path / "full.sqlite"
    command = [sys.executable, "-m", "lossmith", "catalogue", "-n", "3", "--losses", "ordinal", "--store", str(path)]
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (60_000, 60_000))
    full = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)

    assert full.returncode == 4
    assert full.stderr.count("\n") == 1
    assert str(path) in full.stderr
    with Store(path) as store:
        before = len(store)
    roomy = lossmith(*command[3:])
    assert roomy.returncode == 0
    with Store(path) as store:
        assert len(store) > before


def test_sqlite_says_that_the_disk_is_full(tmp_path, monkeypatch):
    connect = sqlite3.connect

    def cramped(*given, **how):
        opened = connect(*given, **how)
        opened.execute("PRAGMA max_page_count = 20")
        return opened

    monkeypatch.setattr(sqlite3, "connect", cramped)
    with Store(tmp_path / "full.sqlite") as store:
        store.keep(Question("any", 0), Answer(0))
        store.flush()
        with pytest.raises(NotWritten, match=r"full\.sqlite"):
            store.keep(Question("any", 1), Answer("x" * 100_000))
    with Store(tmp_path / "full.sqlite") as store:
        assert store.recall(Question("any", 0)) is not None
