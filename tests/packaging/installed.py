"""Whether the wheel that is installed here works: python installed.py WHEEL RECORD. It needs nothing but lossmith."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

COSTS = "truth,wait,treat\nwell,0,1\nill,5,0\n"  # treat if 5 P(ill) ≥ 1 − P(ill)
RULE = "wait when P(ill) ≤ 1/6; else treat"
SECONDS = "import time; began = time.process_time(); import lossmith; print(time.process_time() - began)"


def program(*command: str, said: str | None = None) -> str:
    """What a command prints, given this on its standard input; in a folder without the tree."""
    environment = {**os.environ, "PYTHONUTF8": "1"}
    how = {"capture_output": True, "text": True, "encoding": "utf-8", "env": environment, "cwd": sys.prefix}
    run = subprocess.run(command, input=said, check=False, **how)
    if run.returncode:
        sys.exit(f"{' '.join(command)} exits with {run.returncode}: {run.stdout}{run.stderr}")
    return run.stdout


def main(wheel: Path, record: Path) -> None:
    lossmith = str(Path(sysconfig.get_path("scripts")) / "lossmith")
    where = program(sys.executable, "-c", "import lossmith; print(lossmith.__file__)")
    assert Path(where).is_relative_to(sys.prefix), f"lossmith is imported from {where}"
    answer = program(lossmith, "analyze", "-", "--exact", said=COSTS)
    assert RULE in answer, answer
    print(program(lossmith, "selftest"), end="")
    found = {
        "wheel": wheel.name,
        "files": len(ZipFile(wheel).namelist()),
        "bytes": wheel.stat().st_size,
        "seconds to import": min(float(program(sys.executable, "-c", SECONDS)) for _ in range(3)),
    }
    record.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
