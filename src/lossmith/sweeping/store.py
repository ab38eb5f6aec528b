"""A store of answers: one SQLite file, one row for each question, written while a sweep goes on.

A sweep that was interrupted or killed goes on from its store. At most the last second of answers is not in it yet.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from types import TracebackType

from lossmith.errors import BadInput, NotWritten
from lossmith.sweeping.questions import Answer, Kept, Question, hashed
from lossmith.text.files import refuse_unwritable

VERSION = 3
_MARK = 0x6C6D7374  # SQLite's application_id, "lmst": by it a store is known
_WITHIN = 1.0  # seconds in which an answer is written
_AT_ONCE = 500  # keys in one query
_COLUMNS = "question, answer, certificates, seal"  # of each row, beside its key
_TABLES = (
    f"CREATE TABLE answers (key TEXT PRIMARY KEY, {_COLUMNS}) WITHOUT ROWID",
    "CREATE TABLE certificates (hash TEXT PRIMARY KEY, text BLOB)",
    f"PRAGMA application_id = {_MARK}",
    f"PRAGMA user_version = {VERSION}",
)


class Store:
    """Answers to questions in the file `path`, which is made if it does not exist; None keeps them in memory.

    The process that opens it holds it until `close`, the end of a `with`, or its own end. Certificates are kept by
    their hashes, and their texts, compressed, only with `texts`.

    >>> question = Question("square", 7)
    >>> with Store() as store:
    ...     store.keep(question, Answer(49, {"proof": "7 · 7 = 49"}))
    ...     store.recall(question).value, store.certificate(store.recall(question).certificates["proof"])
    (49, '7 · 7 = 49')
    """

    def __init__(self, path: str | PathLike[str] | None = None, *, texts: bool = True) -> None:
        self.path, self.texts = None if path is None else os.fspath(path), texts
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None
        self._failure: Exception | None = None
        if self.path is not None:
            if not self.path:
                raise BadInput("'' is not the name of a file; name that of the store")
            refuse_unwritable(self.path)
        with self._blaming():
            self._data = sqlite3.connect(
                os.path.abspath(self.path) if self.path else ":memory:",  # a file may have that name, too
                timeout=0,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._open()
            except BaseException:
                self._data.close()
                raise

    def keep(self, question: Question, answer: Answer) -> None:
        """Write an answer; within a second it is safe."""
        hashes = {role: hashed(text) for role, text in answer.certificates.items()}
        columns = (question.text, _plain(answer.value), _plain(hashes))
        row = (question.key, *columns, _seal(*columns))
        texts = [(hashes[role], zlib.compress(text.encode())) for role, text in answer.certificates.items()]
        with self._lock, self._blaming():
            if self._failure is not None:
                raise self._failure
            if not self._data.in_transaction:
                self._data.execute("BEGIN")
                self._timer = threading.Timer(_WITHIN, self._flush_in_time)
                self._timer.daemon = True
                self._timer.start()
            self._data.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", row)
            if self.texts:
                self._data.executemany("INSERT OR IGNORE INTO certificates VALUES (?, ?)", texts)

    def recall(self, question: Question) -> Kept | None:
        """The answer, or None if there is none yet."""
        with self._lock, self._blaming():
            query = f"SELECT key, {_COLUMNS} FROM answers WHERE key = ?"
            row = self._data.execute(query, (question.key,)).fetchone()
        return None if row is None else self._read(*row)[1]

    def certificate(self, sha256: str) -> str | None:
        """The text of a certificate, or None if only its hash was kept."""
        with self._lock, self._blaming():
            row = self._data.execute("SELECT text FROM certificates WHERE hash = ?", (sha256,)).fetchone()
        if row is None:
            return None
        try:
            text = zlib.decompress(row[0]).decode()
        except (zlib.error, TypeError, UnicodeDecodeError):
            text = ""
        if hashed(text) != sha256:
            raise damaged(self.path)
        return text

    def known(self, keys: Iterable[str]) -> set[str]:
        """Those questions, by their keys, that are answered here, with the texts of their certificates if wanted."""
        wanted, found = list(keys), set()
        with self._lock, self._blaming():
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                places = ", ".join("?" * len(part))
                rows = self._data.execute(f"SELECT key, {_COLUMNS} FROM answers WHERE key IN ({places})", part)
                read = [(row[0], self._read(*row)[1]) for row in rows.fetchall()]
                found |= {key for key, kept in read if not self.texts or self._has_texts(kept)}
        return found

    def __iter__(self) -> Iterator[tuple[Question, Kept]]:
        with self._lock, self._blaming():
            keys = self._data.execute("SELECT key FROM answers ORDER BY key").fetchall()
        for key in keys:
            with self._lock, self._blaming():
                row = self._data.execute(f"SELECT key, {_COLUMNS} FROM answers WHERE key = ?", key).fetchone()
            if row is None:
                raise damaged(self.path)
            yield self._read(*row)

    def __len__(self) -> int:
        with self._lock, self._blaming():
            return int(self._data.execute("SELECT COUNT(*) FROM answers").fetchone()[0])

    def flush(self) -> None:
        """Make safe what was written."""
        with self._lock, self._blaming():
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._failure is not None:
                raise self._failure
            if self._data.in_transaction:
                self._data.execute("COMMIT")

    def close(self) -> None:
        """Make safe what was written, and let go of the file."""
        try:
            self.flush()
        finally:
            self._data.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self) -> None:
        """Take hold of the file, and see that it is a store, or make it one."""
        self._data.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._data.execute("BEGIN EXCLUSIVE")
        queries = ("PRAGMA application_id", "PRAGMA user_version", "SELECT COUNT(*) FROM sqlite_master")
        mark, version, tables = (self._data.execute(query).fetchone()[0] for query in queries)
        if mark == version == tables == 0:
            for statement in _TABLES:
                self._data.execute(statement)
        elif mark != _MARK:
            raise BadInput(f"{self.path!r} is no store of answers; name another file, or a new one")
        elif version != VERSION:
            raise BadInput(
                f"{self.path!r} is a store of version {version}, and this lossmith reads {VERSION}; name a new file"
            )
        self._data.execute("COMMIT")

    def _read(self, key: str, question: str, answer: str, certificates: str, seal: str) -> tuple[Question, Kept]:
        """A row, if it is as it was written."""
        if seal != _seal(question, answer, certificates) or key != hashed(question):
            raise damaged(self.path)
        return Question.of_text(question), Kept(json.loads(answer), json.loads(certificates))

    def _has_texts(self, kept: Kept) -> bool:
        query = "SELECT COUNT(*) FROM certificates WHERE hash = ?"
        return all(self._data.execute(query, (each,)).fetchone()[0] for each in kept.certificates.values())

    def _flush_in_time(self) -> None:
        try:
            self.flush()
        except Exception as error:
            self._failure = error  # which the next to write hears of

    @contextmanager
    def _blaming(self) -> Iterator[None]:
        """Say in a line what SQLite complains of."""
        try:
            yield
        except sqlite3.Error as error:
            raise _told(error, self.path) from None


def damaged(path: str | None) -> BadInput:
    """What is said where a store does not hold what it held."""
    return BadInput(f"{path!r} does not hold what was written to it: damaged, or edited; name a new file")


def _told(error: sqlite3.Error, path: str | None) -> Exception:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the kind; above it stands which of that kind
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return NotWritten(f"another process holds the store {path!r}; wait until it ends, or name another file")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR):  # the last: a table is missing
        return BadInput(f"{path!r} is no store of answers, or a damaged one ({error}); name another file, or a new one")
    if code == sqlite3.SQLITE_FULL:
        return NotWritten(f"no room left for {path!r}; make room, and the same command goes on from what it holds")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
        return NotWritten(f"cannot write {path!r}: {error}; name a file in a folder that may be written to")
    return NotWritten(f"cannot write {path!r}: {error}")


def _seal(*columns: object) -> str:
    """What tells that a row is as it was written: against accidents, not against somebody who knows it."""
    return hashed("\n".join(map(str, columns)))


def _plain(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
