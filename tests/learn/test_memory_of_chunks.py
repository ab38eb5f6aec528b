"""Examples on disk are never in memory all at once."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

LEARN = """
import resource, sys
import numpy as np
from lossmith.learn import SurrogateClassifier, chunks
from lossmith.losses import zero_one

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

def read():
    with open(sys.argv[1], "rb") as file:
        while len(X := np.fromfile(file, dtype=np.float32, count=50 * 5000)):
            X = X.reshape(-1, 50)
            yield X, (X[:, 0] > 0).astype(int)

SurrogateClassifier(zero_one(2), sys.argv[2]).fit(X_y for X_y in [next(read())]).predict(np.zeros((1, 50)))
before = peak()
SurrogateClassifier(zero_one(2), sys.argv[2]).fit(read()).predict(np.zeros((1, 50)))
print(peak() - before)
"""


@pytest.mark.parametrize(
    "surrogate",
    ["square", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ("plug-in", "max-min-hinge"))],
)
def test_a_hundred_thousand_examples_take_the_memory_of_a_few_thousand(surrogate, tmp_path):
    path, generator = tmp_path / "X", np.random.default_rng(0)
    with path.open("wb") as file:
        for _ in range(20):
            generator.standard_normal((5000, 50), dtype=np.float32).tofile(file)
    told = subprocess.run(
        [sys.executable, "-c", LEARN, str(path), surrogate], capture_output=True, text=True, check=True, timeout=120
    )
    assert int(told.stdout) < 20  # MB; all examples are 20 MB as they are, and 40 as the numbers that are learned from
