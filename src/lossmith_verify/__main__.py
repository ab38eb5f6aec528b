"""The command line: ``python -m lossmith_verify FILE [--explain]``."""

from __future__ import annotations

import argparse
import io
import os
import sys

from lossmith_verify import MAX_BYTES, check, explain


def main(arguments: list[str] | None = None) -> int:
    """Print the verdict; return 0 for accepted, 1 for rejected, 2 for a file that cannot be read."""
    parser = argparse.ArgumentParser("python -m lossmith_verify", description="Check a certificate made by lossmith.")
    parser.add_argument("file", metavar="FILE", help="a certificate; - reads standard input")
    parser.add_argument("--explain", action="store_true", help="tell what the certificate proves, and how")
    options = parser.parse_args(arguments)
    try:
        with open(0 if options.file == "-" else options.file, "rb", closefd=options.file != "-") as file:
            text = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        print(f"cannot read {options.file!a}: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 2
    report = explain(text) if options.explain else str(check(text))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for terminals that cannot show every name
    try:
        print(report, flush=True)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0 if report.startswith("accepted:") else 1


if __name__ == "__main__":
    sys.exit(main())
