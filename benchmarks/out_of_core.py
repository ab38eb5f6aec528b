"""Learning from a file that is larger than the memory allowed, as ratios to reading it once and to SGDClassifier.

    python benchmarks/out_of_core.py [examples, 10000000 unless told]

A temporary file of examples × 50 numbers of 4 bytes is written, 2 GB for ten million, and read in chunks. The peak of
memory is asserted to stay below 1 GiB.
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before numpy is loaded

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import SGDClassifier

from lossmith.learn import SurrogateClassifier
from lossmith.losses import abstain

FEATURES, LABELS, PART = 50, 3, 100_000
GIBIBYTE = 1024**3
COSTS = abstain(LABELS, cost="1/4")


def written(path: Path, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Examples on disk, and their labels."""
    generator = np.random.default_rng(0)
    W = generator.standard_normal((FEATURES, LABELS)) / 3
    y = np.empty(m, dtype=np.int8)
    with path.open("wb") as file:
        for start in range(0, m, PART):
            X = generator.standard_normal((min(PART, m - start), FEATURES), dtype=np.float32)
            y[start : start + len(X)] = (X @ W + generator.gumbel(size=(len(X), LABELS))).argmax(axis=1)
            X.tofile(file)
    return np.memmap(path, dtype=np.float32, mode="r", shape=(m, FEATURES)), y


def in_chunks(path: Path, y: np.ndarray) -> Any:
    """The same file read, not mapped: pages that the system keeps are not ours then, and memory can be measured."""
    with path.open("rb") as file:
        for start in range(0, len(y), PART):
            count = min(PART, len(y) - start)
            X = np.fromfile(file, dtype=np.float32, count=count * FEATURES).reshape(count, FEATURES)
            yield X, y[start : start + count]


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    made = function()
    return made, time.process_time() - started


def with_sgd(path: Path, y: np.ndarray) -> SGDClassifier:
    model = SGDClassifier(loss="log_loss")
    for X, labels in in_chunks(path, y):
        model.partial_fit(X, labels, classes=np.arange(LABELS))
    return model


def main(m: int) -> None:
    """Write, read once, and learn."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "examples.f32"
        stored, y = written(path, m)
        held_out, truth = np.array(stored[-10_000:]), y[-10_000:]
        y = y[:-10_000]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        _, read = timed(lambda: sum(float(X.sum()) for X, _ in in_chunks(path, y)))
        print(f"{m} × {FEATURES}, {path.stat().st_size / 1e9:.1f} GB: read and summed once {read:.1f} s of CPU")
        sgd, theirs = timed(lambda: with_sgd(path, y))
        costs = np.array(COSTS.entries, dtype=float)
        cost = costs[
            truth, [COSTS.predictions.index(each) for each in COSTS.decide(sgd.predict_proba(held_out))]
        ].mean()
        print(f"  {'SGDClassifier.partial_fit':<28}{theirs:>8.1f} s, mean cost {cost:.4f}")
        for surrogate in ("square", "plug-in", "crammer-singer:n=3"):
            costed = COSTS if surrogate != "crammer-singer:n=3" else abstain(LABELS, cost="1/2")
            model, ours = timed(lambda s=surrogate, c=costed: _learned(SurrogateClassifier(c, s), path, y))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            told = f"{ours / read:.1f} × reading, {ours / theirs:.2f} × SGDClassifier, peak {peak / GIBIBYTE:.2f} GiB"
            print(f"  {surrogate:<28}{ours:>8.1f} s, mean cost {-model.score(held_out, truth):.4f}; {told}", flush=True)
            assert peak <= GIBIBYTE, "the peak of memory is above 1 GiB"
        del stored
        mapped, ours = timed(
            lambda: SurrogateClassifier(COSTS, "square").fit(
                np.memmap(path, dtype=np.float32, mode="r", shape=(m, FEATURES))[: len(y)], y
            )
        )
        print(f"  {'square, np.memmap':<28}{ours:>8.1f} s, mean cost {-mapped.score(held_out, truth):.4f}")
        print(f"  before learning the peak was {before / 1024**2:.2f} GiB")


def _learned(model: SurrogateClassifier, path: Path, y: np.ndarray) -> SurrogateClassifier:
    model.fit(in_chunks(path, y))
    assert model.model_ is not None  # it is made when it is asked for
    return model


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
