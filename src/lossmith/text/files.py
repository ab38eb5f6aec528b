"""Files and folders that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO

from lossmith.errors import BadInput, NotWritten


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of `path` only once it is written whole."""
    target = Path(path)
    with _blaming("cannot write", path):
        if target.exists() and not target.is_file():  # a pipe or a device takes what it is given; a folder refuses
            with open(target, "wb") as stream:
                yield stream
            return
        target = _followed(target)
        temporary = target.with_name(f".lossmith-{secrets.token_hex(8)}")
        try:
            with open(temporary, "xb") as stream:
                yield stream
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


@contextmanager
def filling(path: str | PathLike[str]) -> Iterator[Path]:
    """Open a temporary folder whose files take their places in the folder `path` only once all of them are written.

    A folder that does not exist is made; in one that does, files and folders of the same names are replaced and others
    stay.
    """
    target = Path(path)
    with _blaming("cannot write to", path):
        if target.exists() and not target.is_dir():
            raise NotWritten(f"cannot write to {str(path)!r}: it is not a directory; choose another name")
        target = _followed(target)
        existed = target.exists()
        name = f".lossmith-{secrets.token_hex(8)}"
        temporary = target / name if existed else target.with_name(name)  # on the same file system in any case
        try:
            temporary.mkdir()
            yield temporary
            if existed:
                for each in sorted(temporary.iterdir()):
                    old = target / each.name
                    if old.is_dir() and not old.is_symlink():
                        os.replace(old, temporary / f".{name}-{each.name}")  # which is removed
                    os.replace(each, old)
            else:
                os.rename(temporary, target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def refuse_foreign(directory: Path, mark: str, command: str) -> None:
    """Raise an error if the directory holds something, and no index.html that bears the mark of this command."""
    try:
        names = sorted(each.name for each in directory.iterdir()) if directory.is_dir() else []
        index = directory / "index.html"
        ours = index.is_file() and mark in index.read_text(encoding="utf-8", errors="replace")[:20_000]
    except OSError as error:
        raise BadInput(f"cannot read {str(directory)!r}: {error.strerror}") from None
    if names and not ours:
        raise BadInput(
            f"{str(directory)!r} holds {names[0]!r} and was not made by {command}; name a new or empty directory"
        )


def folder(path: str | PathLike[str]) -> Path:
    """The folder, made if it does not exist."""
    with _blaming("cannot make the folder", path):
        Path(path).mkdir(parents=True, exist_ok=True)
    return Path(path)


def picture_ending(path: str | PathLike[str]) -> str:
    """Of which kind the picture in a file is to be, by the ending of its name.

    >>> picture_ending("cells.SVG")
    'svg'
    """
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in ("png", "svg", "pdf", "pgf"):
        raise BadInput(f"cannot write {str(path)!r}; a picture's file must end in .png, .svg, .pdf or .pgf")
    return ending


def refuse_unwritable(path: str | PathLike[str]) -> None:
    """Raise the error of `replacing` that can be foreseen: before long work, not after it."""
    with _blaming("cannot write", path):
        target = _followed(Path(path))
        if not target.exists():
            os.stat(f"{target.parent}{os.sep}")  # with the separator, a file is no folder


def _followed(path: Path) -> Path:
    """Where the links lead; what exists there must be open to writing, although only its folder is written to."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target


@contextmanager
def _blaming(failure: str, path: str | PathLike[str]) -> Iterator[None]:
    """Say what could not be written, whether the system or a name is to blame, and what to do if that can be told."""
    failed = f"{failure} {str(path)!r}"
    try:
        yield
    except (NotWritten, BrokenPipeError):  # of a file within a folder; a reader who has left
        raise
    except OSError as error:
        hint = "; make its folder first" if not os.path.isdir(os.path.dirname(path) or ".") else ""
        hint = "; choose a folder that may be written to" if isinstance(error, PermissionError) else hint
        raise NotWritten(f"{failed}: {error.strerror or error}{hint}") from None
    except UnicodeEncodeError as error:
        raise BadInput(f"{failed}: {error}") from None
