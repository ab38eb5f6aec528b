"""Whether an installed lossmith works: its engines, proofs made and checked, the paper's tables, a picture, a model.

What is expected stands here in closed form, or as the paper proves it; nothing of it comes from what is tested.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from pathlib import Path
from tempfile import TemporaryDirectory

import lossmith_verify
from lossmith import losses
from lossmith.analysis.trigger_probabilities import trigger_sets
from lossmith.answers.bounding import ccdim
from lossmith.calibration.checking import check
from lossmith.certificates.certificate import Certificate
from lossmith.exact.solve import solve
from lossmith.exact.vectors import unit_row
from lossmith.geometry.linear_program import guessed_and_proved
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import loss_named


@dataclass(frozen=True)
class Check:
    """What is computed, and what must come out of it."""

    title: str
    compute: Callable[[], object]
    expected: object


@dataclass(frozen=True)
class Outcome:
    """How a check ended: `wrong` says what differs, and is empty if nothing does."""

    title: str
    wrong: str
    seconds: float

    def __str__(self) -> str:
        return f"✗  {self.title}: {self.wrong}" if self.wrong else f"✓  {self.title} ({self.seconds:.1f} s)"


def run(check: Check) -> Outcome:
    """Compute and compare; what is raised on the way is what is wrong.

    >>> print(run(Check("one and one", lambda: 1 + 1, 3)), run(Check("a half", lambda: 1 / 0, 0.5)), sep="\\n")
    ✗  one and one: found 2, expected 3
    ✗  a half: ZeroDivisionError: division by zero
    """
    began = time.perf_counter()
    try:
        found = check.compute()
        wrong = "" if found == check.expected else "found {}, expected {}".format(*_differing(found, check.expected))
    except Exception as error:  # a library that is broken may raise anything
        wrong = f"{type(error).__name__}: {error}"
    return Outcome(check.title, wrong, time.perf_counter() - began)


def _differing(found: object, expected: object) -> tuple[object, object]:
    """Of tables only the entries that differ."""
    if isinstance(found, dict) and isinstance(expected, dict):
        keys = [key for key in expected if found.get(key) != expected[key]]
        return {key: found.get(key) for key in keys}, {key: expected[key] for key in keys}
    return found, expected


def hilbert(n: int) -> list[Fraction] | None:
    """The first column of the inverse of Hilbert's matrix, from whole numbers, by python-flint."""
    scale = lcm(*range(1, 2 * n))
    rows = [[scale // (i + j + 1) for j in range(n)] for i in range(n)]
    return solve(rows, [scale * each for each in unit_row(0, n)])


def path(n: int) -> Fraction | None:
    """The largest sum of n numbers ≥ 0 of which no two neighbours exceed 1, guessed by HiGHS and proved."""
    neighbours = [(1, *(-(j in (i, i + 1)) for j in range(n))) for i in range(n - 1)]
    proved = guessed_and_proved([1] * n, [*neighbours, *((0, *unit_row(i, n)) for i in range(n))], [])
    return None if proved is None else proved.value


def corners(name: str, sizes: Iterable[int]) -> list[int]:
    """How many corners the trigger sets of a loss have together, by double description."""
    cells = [trigger_sets(getattr(losses, name)(n)) for n in sizes]
    return [len({corner for cell in each for corner in cell.polytope.vertices}) for each in cells]


def proofs() -> dict[str, int]:
    """How many proofs the checker accepts, and how many of others only on a condition: that softmax is proper."""
    asked = [
        ("crammer-singer", losses.abstain(3)),
        ("crammer-singer", losses.zero_one(3)),
        ("softmax", losses.zero_one(3)),
    ]
    found = [checked(proof(loss, psi).text) for psi, loss in asked]
    return {"accepted": found.count((True, 0)), "conditional": found.count((True, 3))}


def forgeries() -> list[tuple[bool, int]]:
    """What it says of a proof with another cost of abstaining, and of a counterexample that is called a proof."""
    cheaper = proof(losses.abstain(3)).content
    for row in cheaper["loss"]["entries"]:
        row[-1] = "1/3"
    renamed = {**proof(losses.zero_one(3)).content, "claim": "calibrated"}
    return [checked(json.dumps(each)) for each in (cheaper, renamed)]


def proof(loss: LossMatrix, surrogate: str = "crammer-singer") -> Certificate:
    """The proof that a surrogate is calibrated for a loss, or that it is not."""
    certificate = check(surrogate, loss).certificate
    assert certificate is not None
    return certificate


def checked(text: str) -> tuple[bool, int]:
    """Whether the checker accepts a certificate, called here, and with which code it exits as a program of its own."""
    command = [sys.executable, "-m", "lossmith_verify", "-"]
    program = subprocess.run(command, input=text.encode(), capture_output=True, check=False, timeout=60)
    return lossmith_verify.check(text).accepted, program.returncode


def dimensions() -> dict[str, int | None]:
    """CCdim of losses of the paper, as it is proved."""
    return {name: ccdim(loss_named(name)).exact for name in DIMENSIONS}


def verdicts() -> dict[tuple[str, str], str]:
    """Whether surrogates of the paper are calibrated for its losses."""
    return {(psi, loss): check(psi, loss_named(loss)).status for psi, loss in VERDICTS}


def drawn() -> bool:
    """Whether the trigger sets of three labels can be drawn, by matplotlib."""
    from lossmith import plot

    with TemporaryDirectory() as folder:
        picture = Path(folder) / "picture.svg"
        plot.save(plot.trigger_sets(losses.abstain(3)), picture)
        return picture.read_bytes().rstrip().endswith(b"</svg>")


def learned() -> list[str]:
    """What a model decides that has seen the healthy below 0 and the ill above, with examples of both between."""
    from lossmith.learn import SurrogateClassifier

    loss = LossMatrix([[0, 1], [5, 0]], labels=["healthy", "ill"], predictions=["wait", "treat"])
    X = [[x / 10] for x in range(-40, 40)]
    y = ["ill" if x + (i % 3 - 1) > 0 else "healthy" for i, (x,) in enumerate(X)]
    return [str(each) for each in SurrogateClassifier(loss).fit(X, y).predict([[-4], [0], [4]])]


# The paper: exmp:ccdim-0-1, sec:ccdim, exmp:ccdim-hamming, subsec:tight; docs/beyond-the-paper.md for the last three.
DIMENSIONS = {
    **{f"zero-one:n={n}": n - 1 for n in range(2, 7)},
    **{f"ordinal:n={n}": 1 for n in range(2, 7)},
    **{f"hamming:r={r}": r for r in range(1, 4)},
    **{f"abstain:n={n}": 2 for n in (3, 4)},
    **{f"ndcg:r={r}": r - 1 for r in range(2, 6)},
    **{f"pairwise-disagreement:r={r}": r * (r - 1) // 2 for r in range(2, 6)},
}
# exmp:calibration-CS-0-1, exmp:calibration-CS-abstain-ord, exmp:pos-normals-abs-surrogate,
# exmp:pos-normals-eps-surrogate, subsec:related-work.
VERDICTS = {
    ("crammer-singer", "zero-one:n=3"): "not calibrated",
    ("crammer-singer", "abstain:n=3"): "calibrated",
    ("crammer-singer", "ordinal:n=3"): "calibrated",
    ("absolute", "zero-one:n=3"): "not calibrated",
    ("absolute", "abstain:n=3"): "not calibrated",
    ("absolute", "ordinal:n=3"): "calibrated",
    ("epsilon-insensitive", "zero-one:n=3"): "not calibrated",
    ("epsilon-insensitive", "abstain:n=3"): "not calibrated",
    ("epsilon-insensitive", "ordinal:n=3"): "calibrated",
    ("lee-lin-wahba", "zero-one:n=3"): "calibrated",
    ("weston-watkins", "zero-one:n=3"): "not calibrated",
}

CHECKS = (
    Check(
        "python-flint solves a system of Hilbert's matrix",
        lambda: hilbert(12),
        [(-1) ** i * comb(12 + i, 11) * comb(12, i + 1) * (i + 1) for i in range(12)],
    ),
    Check("HiGHS finds the optimum of a linear program, which is proved", lambda: path(41), 21),
    Check(
        "double description counts the corners of 0-1 loss, 2^n − 1",
        lambda: corners("zero_one", range(2, 9)),
        [2**n - 1 for n in range(2, 9)],
    ),
    Check(
        "double description counts the corners of ordinal loss, n(n + 1)/2",
        lambda: corners("ordinal", range(2, 11)),
        [n * (n + 1) // 2 for n in range(2, 11)],
    ),
    Check(
        "the checker accepts two proofs, and one on a condition, here and as a program of its own",
        proofs,
        {"accepted": 2, "conditional": 1},
    ),
    Check("the checker rejects forgeries", forgeries, [(False, 1)] * 2),
    Check("the paper's dimensions", dimensions, DIMENSIONS),
    Check("the paper's verdicts", verdicts, VERDICTS),
    Check("matplotlib draws a picture", drawn, True),
    Check("scikit-learn trains a model that decides by costs", learned, ["wait", "treat", "treat"]),
)
