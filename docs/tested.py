"""Write docs/tested.md from what the sessions of noxfile.py have found: the end of `make check-pythons`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "tested.md"
ABOVE = """# What was tested

`make check-pythons` writes this page. It runs the README's tests against the built wheel, not against the tree: on
every Python that `pyproject.toml` names, with the lowest versions that it allows, and with pre-releases, which alone
may fail. Exhaustive tests, those in a browser, and those of torch where it is not installed are left out here;
`make check` and `make check-all` run them.

{runs}
`{wheel}` has {files} files and {megabytes:.2f} MB. In an environment that has nothing else it answers costs on its
standard input and passes `lossmith selftest`; `import lossmith` takes {seconds:.2f} s of processor time.

These are the versions of what it needs:

{versions}"""
COLUMNS = ("session", "Python", "on", "passed", "failed", "left out", "seconds")


def written(records: Mapping[str, Mapping[str, Any]]) -> str:
    """The page, from what the sessions have found, by their names."""
    empty = records["empty"]
    runs = {name: each for name, each in records.items() if name != "empty"}
    told = [
        (name, each["python"], each["system"], each["passed"], each["failed"], left_out(each), each["seconds"])
        for name, each in runs.items()
    ]
    needed = sorted({name for each in runs.values() for name in each["versions"]})
    return ABOVE.format(
        runs=table(COLUMNS, told),
        wheel=empty["wheel"],
        files=empty["files"],
        megabytes=empty["bytes"] / 1e6,
        seconds=empty["seconds to import"],
        versions=table(("", *runs), [(name, *(each["versions"][name] for each in runs.values())) for name in needed]),
    )


def left_out(run: Mapping[str, Any]) -> str:
    """How many tests were deselected, by reason, and how many skipped themselves."""
    counts = {**run["left out"], "skipped": run["skipped"]}
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in (head, ["---"] * len(head), *rows))


if __name__ == "__main__":
    found = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "build" / "tested").glob("*.json"))}
    PAGE.write_text(written(found))
    print(f"wrote {PAGE.relative_to(ROOT)}")
