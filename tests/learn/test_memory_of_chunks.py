"""Examples on disk are never in memory all at once."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
import weakref

import numpy as np
import pytest

from lossmith.learn import SurrogateClassifier
from lossmith.losses import zero_one

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


def test_a_chunk_is_forgotten_before_the_chunk_after_the_next_is_read():
    generator, read = np.random.default_rng(0), []

    def chunks():
        for _ in range(6):
            X = generator.standard_normal((50, 3))
            read.append(weakref.ref(X))
            yield X, (X[:, 0] > 0).astype(int)
            del X
            assert [each for each in read[:-1] if each() is not None] == []

    SurrogateClassifier(zero_one(2), "square").fit(chunks())
    assert len(read) == 6


def test_the_memory_that_is_taken_does_not_grow_with_the_number_of_chunks():
    def most(count):
        X = np.random.default_rng(0).standard_normal((500, 20))
        tracemalloc.start()
        SurrogateClassifier(zero_one(2), "square").fit((X + i, (X[:, 0] > 0) * 1) for i in range(count))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    assert most(20) < 1.5 * most(4)


@pytest.mark.exhaustive
@pytest.mark.parametrize("surrogate", ["square", "plug-in", "max-min-hinge"])
def test_a_hundred_thousand_examples_take_the_memory_of_a_few_thousand(surrogate, tmp_path):
    path, generator = tmp_path / "X", np.random.default_rng(0)
    with path.open("wb") as file:
        for _ in range(20):
            generator.standard_normal((5000, 50), dtype=np.float32).tofile(file)
    told = subprocess.run(
        [sys.executable, "-c", LEARN, str(path), surrogate], capture_output=True, text=True, check=True, timeout=120
    )
    assert int(told.stdout) < 20  # MB; all examples are 20 MB as they are, and 40 as the numbers that are learned from
