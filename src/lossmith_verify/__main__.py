"""The command line: ``python -m lossmith_verify FILE``."""

import argparse
import os
import sys

from lossmith_verify import MAX_BYTES, check


def main(arguments: list[str] | None = None) -> int:
    """Return 0 for accepted, 1 for rejected, 3 for conditional, 2 or 4 if there is no verdict."""
    about = "Check a certificate made by lossmith."
    parser = argparse.ArgumentParser("python -m lossmith_verify", description=about)
    parser.add_argument("file", metavar="FILE", help="a certificate; - reads standard input")
    conditions = "exit with 0, not 3, if something about the surrogate is taken on trust"
    parser.add_argument("--allow-conditions", action="store_true", help=conditions)
    given = parser.parse_args(arguments)
    try:
        return _checked(given.file, given.allow_conditions)
    except KeyboardInterrupt:
        return _failed("interrupted", 130)
    except MemoryError:
        return _failed("out of memory", 4)
    except Exception as error:
        kind = type(error).__name__
        return _failed(f"internal error: {kind}: {str(error)!a}; please report it", 4)


def _checked(name: str, conditions_allowed: bool) -> int:
    if sys.stdout is None:
        return _failed("the standard output is closed", 4)
    try:
        with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
            text = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        return _failed(f"cannot read {name!a}: {getattr(error, 'strerror', None) or error}", 2)
    verdict = check(text)
    try:
        code = sys.stdout.encoding or "utf-8"  # some terminals cannot show every name
        print(str(verdict).encode(code, "backslashreplace").decode(code), flush=True)
    except BrokenPipeError:  # the reader has seen enough
        _drop_output()
    except OSError as error:
        _drop_output()
        return _failed(f"the verdict was not written: {error.strerror or error}", 4)
    return (3 if verdict.conditional and not conditions_allowed else 0) if verdict.accepted else 1


def _failed(message: str, code: int) -> int:
    try:
        if sys.stderr is not None:
            print(message, file=sys.stderr, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return code


def _drop_output() -> None:
    """Let the output lead nowhere, or the interpreter tries again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    sys.exit(main())
