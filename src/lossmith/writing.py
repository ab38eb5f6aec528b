"""Files and folders that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO

from lossmith.errors import BadInput


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of `path` only once it is written whole."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file():  # a pipe or a device takes what it is given; a folder refuses
            with open(target, "wb") as stream:
                yield stream
            return
        target = target.resolve()
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
    except (OSError, UnicodeEncodeError) as error:
        raise BadInput(f"cannot write {str(path)!r}: {getattr(error, 'strerror', None) or error}") from None


@contextmanager
def filling(path: str | PathLike[str]) -> Iterator[Path]:
    """Open a temporary folder whose files take their places in the folder `path` only once all of them are written.

    A folder that does not exist is made; in one that does, files of the same names are replaced and others stay.
    """
    target = Path(path)
    try:
        if target.exists() and not target.is_dir():
            raise BadInput(f"cannot write to {str(path)!r}: it is not a directory; choose another name")
        target, existed = target.resolve(), target.exists()
        name = f".lossmith-{secrets.token_hex(8)}"
        temporary = target / name if existed else target.with_name(name)  # on the same file system in any case
        temporary.mkdir()
        try:
            yield temporary
            if existed:
                for each in sorted(temporary.iterdir()):
                    os.replace(each, target / each.name)
            else:
                os.rename(temporary, target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise BadInput(f"cannot write to {str(path)!r}: {error.strerror or error}") from None
