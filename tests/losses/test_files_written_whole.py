"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import threading

import pytest
from refusal import assert_quotes, refusal

from lossmith import LossMatrix
from lossmith.text.files import replacing

LOSS = LossMatrix([[0, 1], [2, 0]], labels=["a", "b"])
WRITERS = pytest.mark.parametrize("write", [LossMatrix.to_csv, LossMatrix.to_json])


@WRITERS
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, write):
    path = tmp_path / "costs"
    path.write_text("old")

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    assert_quotes(refusal(write, LOSS, path), repr(str(path)), "No space left on device")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@WRITERS
def test_a_name_that_no_file_can_hold_leaves_the_old_file_and_nothing_else(tmp_path, write):
    path = tmp_path / "costs"
    path.write_text("old")
    broken = LossMatrix([[0, 1], [2, 0]], labels=["\ud800", "b"])  # half of a pair of surrogates
    assert_quotes(refusal(write, broken, path), repr(str(path)))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_null_character_cannot_stand_in_a_table(tmp_path):
    message = refusal(LossMatrix([[0, 1], [2, 0]], labels=["a\0", "b"]).to_csv, tmp_path / "costs.csv")
    assert_quotes(message, "'a\\x00'", "to_json")
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("old")

    def interrupted() -> None:
        with replacing(path) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_new_file_appears_only_when_it_is_whole(tmp_path):
    path = tmp_path / "costs.csv"
    with replacing(path) as stream:
        stream.write(b"whole")
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


@WRITERS
def test_a_folder_that_is_not_there_is_a_clean_error(tmp_path, write):
    (tmp_path / "file").write_text("")
    for path, number in (
        (tmp_path / "none" / "costs", errno.ENOENT),
        (tmp_path / "file" / "costs", errno.ENOTDIR),
        (tmp_path, errno.EISDIR),
        ("", errno.EISDIR),
        (tmp_path / ("x" * 300), errno.ENAMETOOLONG),
    ):
        assert_quotes(refusal(write, LOSS, path), os.strerror(number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_new_file_has_the_rights_that_the_user_gives_to_new_files(tmp_path):
    previous = os.umask(0o027)
    try:
        LOSS.to_csv(tmp_path / "costs.csv")
    finally:
        os.umask(previous)
    assert stat.S_IMODE((tmp_path / "costs.csv").stat().st_mode) == 0o640


def test_a_replaced_file_keeps_its_rights(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("old")
    path.chmod(0o600)
    LOSS.to_csv(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert LossMatrix.from_csv(path).labels == ("a", "b")


def test_a_link_keeps_pointing_to_the_file_that_is_replaced(tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    LOSS.to_csv(tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert LossMatrix.from_csv(tmp_path / "real.csv") == LossMatrix.from_csv(tmp_path / "link.csv")


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    """As root, `-o /dev/null` must not turn the device into a file."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()), daemon=True)
    reader.start()
    text = LOSS.to_json(pipe)
    reader.join(timeout=10)
    assert received == [text]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
