"""The command line: ``python -m lossmith_verify FILE``."""

import argparse
import os
import sys

from lossmith_verify import MAX_BYTES, check


def main(arguments: list[str] | None = None) -> int:
    """Return 0 for accepted, 1 for rejected, 2 for a file that cannot be read."""
    parser = argparse.ArgumentParser("python -m lossmith_verify", description="Check a certificate made by lossmith.")
    parser.add_argument("file", metavar="FILE", help="a certificate; - reads standard input")
    name = parser.parse_args(arguments).file
    try:
        with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
            verdict = check(file.read(MAX_BYTES + 1))
        code = sys.stdout.encoding or "utf-8"  # some terminals cannot show every name
        print(str(verdict).encode(code, "backslashreplace").decode(code), flush=True)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        print(f"cannot read {name!a}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 2
    return 0 if verdict.accepted else 1


if __name__ == "__main__":
    sys.exit(main())
