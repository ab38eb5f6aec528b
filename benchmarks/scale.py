"""How long answers take at the sizes that people have, and what they say: a table in Markdown for each question.

`python benchmarks/scale.py --write` asks all questions and writes docs/performance.md, `python benchmarks/scale.py
ccdim` asks one of them. Every case runs in a process of its own, on one thread; a row is the worst of its cases.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import lossmith as lm
from lossmith.answers.using import which
from lossmith.losses import abstain, hierarchical, ordinal, top_k, zero_one
from lossmith.reporting import report
from lossmith.surrogates import (
    absolute,
    abstain_one_vs_all,
    binary_encoded,
    crammer_singer,
    lee_lin_wahba,
    softmax,
    weston_watkins,
)

SEEDS = range(5)
MOST_MEMORY = 1024  # MiB


def costs(n: int, seed: int, decimals: int = 0) -> lm.LossMatrix:
    """Random costs 1 … 20 of mistakes, in whole numbers or with decimals."""
    rng, unit = random.Random(seed), 10**decimals
    drawn = [[0 if y == t else Fraction(rng.randint(unit, 20 * unit), unit) for t in range(n)] for y in range(n)]
    return lm.LossMatrix(drawn, name=f"random {n} × {n}")


def tree(groups: int, leaves: int, predictions: str) -> lm.LossMatrix:
    """A hierarchy of two levels."""
    below = {f"group {i}": [f"leaf {i}.{j}" for j in range(leaves)] for i in range(groups)}
    return hierarchical(below, predictions=predictions)


# Every loss that a question may be asked about: a name, and how its cases are made.
LOSSES: dict[str, list[Callable[[], lm.LossMatrix]]] = {
    f"random {n} × {n}": [
        lambda n=n, seed=seed, decimals=decimals: costs(n, seed, decimals)
        for decimals in (0, 2)
        for seed in SEEDS[: 5 if n < 100 else 1]
    ]
    for n in (10, 20, 50, 100, 200)
} | {
    "ordinal(100)": [lambda: ordinal(100)],
    "abstain(30)": [lambda: abstain(30)],
    "abstain(60)": [lambda: abstain(60)],
    "abstain(100)": [lambda: abstain(100)],
    "zero_one(30)": [lambda: zero_one(30)],
    "zero_one(1000)": [lambda: zero_one(1000)],
    "top_k(20, 5)": [lambda: top_k(20, 5)],
    "hierarchy of 20 × 5 leaves": [lambda: tree(20, 5, "leaves")],
    "hierarchy of 20 × 5 leaves, decisions at all nodes": [lambda: tree(20, 5, "nodes")],
}


class Target(NamedTuple):
    """What a question should take at most, and what should be true of every answer."""

    seconds: float
    words: str = ""
    holds: Callable[[object], bool] = lambda answer: True


class Question(NamedTuple):
    """What is asked of a loss, how several answers are shown in a cell, and the targets, a row for each."""

    ask: Callable[[lm.LossMatrix], object]
    show: Callable[[list[object]], str]
    targets: dict[str, Target]


# ccdim: (lower, upper).


def ccdim(loss: lm.LossMatrix) -> tuple[int, int]:
    bounds = lm.ccdim(loss)
    return bounds.lower.value, bounds.upper.value


def intervals(answers: list[tuple[int, int]]) -> str:
    """3 … 5, and of several answers the ranges of both ends."""
    ends = [sorted({answer[side] for answer in answers}) for side in (0, 1)]
    low, high = (f"{end[0]}–{end[-1]}" if len(end) > 1 else f"{end[0]}" for end in ends)
    return low if low == high and len(ends[0]) == 1 else f"{low} … {high}"


def at_least(share: str, n: int) -> tuple[str, Callable[[tuple[int, int]], bool]]:
    return f"≥ {share} n", lambda answer: answer[0] >= Fraction(share) * n


def exactly(value: int) -> tuple[str, Callable[[tuple[int, int]], bool]]:
    return f"= {value}", lambda answer: answer == (value, value)


def at_most(value: int) -> tuple[str, Callable[[tuple[int, int]], bool]]:
    return f"≤ {value}", lambda answer: answer[1] <= value


CCDIM = {
    "random 10 × 10": Target(10, *at_least("0.75", 10)),
    "random 20 × 20": Target(10, *at_least("0.75", 20)),
    "random 50 × 50": Target(15, *at_least("0.65", 50)),
    "random 100 × 100": Target(15, *at_least("0.65", 100)),
    "random 200 × 200": Target(40, *at_least("0.5", 200)),
    "ordinal(100)": Target(15, *exactly(1)),
    "abstain(30)": Target(15, *at_most(5)),
    "abstain(100)": Target(15, *at_most(7)),
    "zero_one(1000)": Target(15, *exactly(999)),
    "top_k(20, 5)": Target(15, *exactly(19)),
    "hierarchy of 20 × 5 leaves": Target(15, *exactly(99)),
    "hierarchy of 20 × 5 leaves, decisions at all nodes": Target(15),
}

# analyze, printed; design; report and which: that there is an answer.


def analyze(loss: lm.LossMatrix) -> int:
    return len(str(lm.analyze(loss)).splitlines())


def design(loss: lm.LossMatrix) -> int:
    return lm.design(loss).surrogate.dim


def report_and_which(loss: lm.LossMatrix) -> int:
    return len(report(lm.analyze(loss)).to_html()) + len([*which(loss)])


def spread(answers: list[int]) -> str:
    least, most = min(answers), max(answers)
    return f"{least:,}" if least == most else f"{least:,}–{most:,}"


STRUCTURED = (
    "ordinal(100)",
    "abstain(100)",
    "zero_one(1000)",
    "top_k(20, 5)",
    "hierarchy of 20 × 5 leaves, decisions at all nodes",
)


def within(*seconds: float, structured: float) -> dict[str, Target]:
    """The targets for random matrices of 10, 20, 50 and 200 labels, and for the others."""
    sizes = [f"random {n} × {n}" for n in (10, 20, 50, 200)][: len(seconds)]
    return dict(zip(sizes, map(Target, seconds), strict=True)) | {name: Target(structured) for name in STRUCTURED}


# check: refuted at once, or proved with a certificate that is checked.


def refuted(make: Callable[[int], object], pred: str | None = None) -> Callable[[lm.LossMatrix], str]:
    def ask(loss: lm.LossMatrix) -> str:
        return lm.check(make(loss.n), loss, pred=pred).status

    return ask


def proved(make: Callable[[int], object]) -> Callable[[lm.LossMatrix], str]:
    def ask(loss: lm.LossMatrix) -> str:
        verdict = lm.check(make(loss.n), loss)
        checked = verdict.certificate is not None and lm.verify(verdict.certificate).accepted
        return f"{verdict.status}{', accepted' * checked}"

    return ask


def statuses(answers: list[str]) -> str:
    return ", ".join(sorted(set(answers)))


def says(status: str, *seconds: float) -> dict[str, Target]:
    sizes = [f"random {n} × {n}" for n in (10, 20, 50, 200)][: len(seconds)]
    return {size: Target(most, status, status.__eq__) for size, most in zip(sizes, seconds, strict=True)}


def is_proved(name: str) -> dict[str, Target]:
    return {name: Target(20, "calibrated, accepted", "calibrated, accepted".__eq__)}


QUESTIONS: dict[str, Question] = {
    "ccdim": Question(ccdim, intervals, CCDIM),
    "analyze": Question(analyze, spread, within(2, 2, 5, 30, structured=10)),
    "design": Question(design, spread, within(1, 1, 2, 10, structured=10)),
    "report, which": Question(report_and_which, spread, within(10, 10, 20, structured=20)),
    "check Weston–Watkins": Question(refuted(weston_watkins), statuses, says("not calibrated", 0.5, 0.5, 5)),
    "check Crammer–Singer": Question(refuted(crammer_singer), statuses, says("not calibrated", 0.5, 0.5, 5, 30)),
    "check softmax, argmax": Question(refuted(softmax, "argmax"), statuses, says("not calibrated", 0.5, 0.5, 5, 30)),
    "prove absolute": Question(proved(absolute), statuses, is_proved("ordinal(100)")),
    "prove Crammer–Singer": Question(proved(crammer_singer), statuses, is_proved("abstain(60)")),
    "prove binary encoded": Question(proved(binary_encoded), statuses, is_proved("abstain(60)")),
    "prove Lee–Lin–Wahba": Question(proved(lee_lin_wahba), statuses, is_proved("zero_one(30)")),
    "prove one-vs-all": Question(proved(lambda n: abstain_one_vs_all(n, "1/2")), statuses, is_proved("abstain(30)")),
}


def case(question: str, loss: str, number: int) -> tuple[object, float, float]:
    """The answer, and the seconds and MiB that it took."""
    made = LOSSES[loss][number]()
    started = time.perf_counter()
    answer = QUESTIONS[question].ask(made)
    spent = time.perf_counter() - started
    return answer, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def row(question: str, loss: str) -> str:
    """Ask about every case of a loss, and compare the worst with the target."""
    found = []
    for number in range(len(LOSSES[loss])):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
            found.append(alone.submit(case, question, loss, number).result())
    answers, target = [answer for answer, _, _ in found], QUESTIONS[question].targets[loss]
    seconds, memory = (max(each[i] for each in found) for i in (1, 2))
    kept = [seconds <= target.seconds, memory <= MOST_MEMORY, all(map(target.holds, answers))]
    wanted = ", ".join(filter(None, [target.words, f"{target.seconds:g} s"]))
    cells = [
        loss,
        QUESTIONS[question].show(answers),
        f"{seconds:.1f}",
        f"{memory:.0f}",
        wanted,
        "yes" if all(kept) else "no",
    ]
    return f"| {' | '.join(cells)} |"


INTRODUCTION = """# Performance

How long answers take, and what they say, at the sizes that people have: wall clock, one thread of a machine with two
slow cores, defaults. A random matrix has integers from 1 to 20 off a zero diagonal, or the same with two decimals; a
row is the worst of five seeds of each, of one from 100 labels on. Every case
runs in a process of its own, and its peak of memory is shown.
`make bench` measures again and writes this page. Lower bounds of 0.75 n are out of reach for some matrices of ten
labels: the best that all faces of their cells prove is 6 to 8.
"""
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"


def main() -> None:
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before numpy is imported in the processes
    write, asked = "--write" in sys.argv, [name for name in sys.argv[1:] if name != "--write"]
    lines = [INTRODUCTION]
    for question in asked or QUESTIONS:
        lines += [f"## {question}", "", "| loss | answer | seconds | MiB | target | met |", "|---|---|---|---|---|---|"]
        print("\n".join(["", *lines[-4:]]))
        for loss in QUESTIONS[question].targets:
            lines.append(row(question, loss))
            print(lines[-1], flush=True)
        lines.append("")
    if write:
        PAGE.write_text("\n".join([*lines, *against_bensolve()]), encoding="utf-8")


def against_bensolve() -> list[str]:
    """The full exact subdivision beside a solver in floating point, as benchmarks/positive_normals.py prints it."""
    program = [sys.executable, str(Path(__file__).with_name("positive_normals.py"))]
    printed = subprocess.run(program, stdout=subprocess.PIPE, check=True, text=True).stdout
    return ["## Cells of surrogates, against Bensolve", "", "```text", *printed.strip().splitlines(), "```", ""]


if __name__ == "__main__":
    main()
