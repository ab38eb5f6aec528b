"""The tutorial on several processes, run: two of them take the steps of one."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.needs_torch]

PAGE = Path(__file__).parents[2] / "docs" / "tutorials" / "torch_distributed.md"
COMPARED = """
import numpy as np
from train_together import alone, together
if __name__ == "__main__":
    both, single = together(2, PORT, epochs=EPOCHS), alone(epochs=EPOCHS)
    for one in both.values():
        for mine, theirs in zip(one, single):
            np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)
    print(len(both), "processes agree with one")
"""


def run(folder, name):
    made = subprocess.run([sys.executable, name], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stderr
    return made.stdout.splitlines()[-1]


def free_port():
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return each.getsockname()[1]


@pytest.fixture
def folder(tmp_path):
    text = PAGE.read_text().split("<!-- file: train_together.py -->\n```python\n")[1].split("\n```")[0]
    (tmp_path / "train_together.py").write_text(text.replace("29511", str(free_port())))
    return tmp_path


@pytest.mark.parametrize("epochs", [1, 3])
def test_two_processes_take_the_steps_of_one(folder, epochs):
    (folder / "compared.py").write_text(COMPARED.replace("PORT", str(free_port())).replace("EPOCHS", str(epochs)))
    assert run(folder, "compared.py") == "2 processes agree with one"


def test_it_prints_what_the_page_says(folder):
    assert f"\n{run(folder, 'train_together.py')}\n```" in PAGE.read_text()
