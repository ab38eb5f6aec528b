"""How long learning takes, as ratios to peers in one run, with one thread."""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before numpy is loaded

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

from lossmith.learn import SurrogateClassifier, loss_score
from lossmith.learn.linear import fit_linear
from lossmith.losses import hamming, zero_one
from lossmith.surrogates import crammer_singer


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    result = function()
    return result, time.perf_counter() - started


def classes(m: int, features: int, n: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    X = generator.standard_normal((m, features))
    scores = X @ generator.standard_normal((features, n)) + noise * generator.gumbel(size=(m, n))
    return X, scores.argmax(axis=1)


def tags(m: int, features: int = 20, r: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Examples with r tags each, written as a string of bits: one of 2^r labels."""
    generator = np.random.default_rng(0)
    X = generator.standard_normal((m, features))
    bits = X @ generator.standard_normal((features, r)) + 2 * generator.standard_normal((m, r)) > 0
    return X, np.array(["".join("01"[int(bit)] for bit in row) for row in bits])


def hinge() -> None:
    """The Crammer–Singer hinge, against LIBLINEAR, at equal objective: both without intercept."""
    print("Crammer–Singer hinge                        LinearSVC           ours     ratio   objectives (theirs, ours)")
    for m, features, n, C in [(10_000, 20, 3, 1.0), (100_000, 20, 3, 0.01), (20_000, 20, 10, 0.1)]:
        X, y = classes(m, features, n, 1 if n > 3 else 3)
        theirs, slow = timed(
            lambda X=X, y=y, C=C: LinearSVC(multi_class="crammer_singer", C=C, fit_intercept=False).fit(X, y)
        )
        ours, fast = timed(lambda X=X, y=y, C=C, n=n: fit_linear(crammer_singer(n), X, y, C=C, fit_intercept=False))
        losses = crammer_singer(n).evaluate(X @ theirs.coef_.T)[np.arange(m), y]
        reached = 0.5 * (theirs.coef_**2).sum() + C * losses.sum()
        case = f"{m:>7} × {features}, {n:>2} labels, C = {C:g}"
        print(f"{case:<40}{slow:>11.2f} s{fast:>13.2f} s{fast / slow:>10.2f}   {reached:.6g}, {ours.objective:.6g}")
    print("target: ratio at most 5\n")


def squares() -> None:
    """Least squares, against ridge regression on the same targets."""
    X, y = classes(100_000, 50, 10, 1)
    model = SurrogateClassifier(zero_one(10), "square").fit(X[:100], y[:100])  # the loss is analysed once
    targets = model.surrogate_.surrogate.targets[0][y]
    alone = min(timed(lambda: Ridge(alpha=0.5).fit(X, targets))[1] for _ in range(5))
    whole = min(timed(lambda: model.fit(X, y))[1] for _ in range(5))
    print(f"square, 100000 × 50, 10 labels: {whole:.3f} s, ridge alone {alone:.3f} s, ratio {whole / alone:.2f}")
    print("target: ratio at most 1.5\n")


def many_labels(m: int = 10_000) -> None:
    """1024 labels through 10 functions, against logistic regression on 1024 classes."""
    loss = hamming(10)
    X, y = tags(2 * m)
    model = SurrogateClassifier(loss)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # some labels have no example
        warnings.simplefilter("ignore", ConvergenceWarning)
        _, first = timed(lambda: model.fit(X[:m], y[:m]))
        _, again = timed(lambda: model.fit(X[:m], y[:m]))
        logistic, slow = timed(lambda: LogisticRegression().fit(X[:m], y[:m]))
    P = np.zeros((m, loss.n))
    P[:, np.searchsorted(np.array(loss.labels), logistic.classes_)] = logistic.predict_proba(X[m:])
    print(f"Hamming loss on 10 tags, {m} × 20, {len(logistic.classes_)} of 1024 labels seen")
    print(f"  {model.surrogate_}")
    for name, decided, taken in [
        ("ours, 10 functions", model.predict(X[m:]), again),
        ("logistic, argmax", logistic.predict(X[m:]), slow),
        ("logistic, plug-in", loss.decide(P), slow),
    ]:
        print(f"  {name:<20}{taken:>9.2f} s   mean Hamming loss {loss_score(loss, y[m:], decided):.3f}")
    print(f"  {slow / again:.0f} × faster; with the analysis of the loss, made once, {slow / first:.0f} ×")
    print("target: at least 20 ×, at no worse Hamming loss")


def main() -> None:
    """Print the three comparisons."""
    hinge()
    squares()
    many_labels()


if __name__ == "__main__":
    main()
