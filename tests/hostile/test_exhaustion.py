"""Inputs that ask for more memory or time than there is: each is answered or refused, within limits set from outside.

Every attack runs in a process of its own under a hard limit of its address space, with a limit of its time. Guarded
are the enumeration of cells under a budget of vertices, Ctrl-C in the middle of it, facets in reduced coordinates,
linear programs of surrogates with many labels, the search for redundant predictions among many, and `lossmith which`.
"""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import sys
import time
from math import ceil
from random import Random

import psutil
import pytest

import lossmith as lm
from lossmith.analysis.redundancy import redundant_predictions

GIBIBYTE = 2**30
FAMILIES = "from lossmith import losses, surrogates"


def limited(arguments: list[str], seconds: float, memory: int = GIBIBYTE) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments in at most so much address space; if it takes longer, it is killed."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds)))  # whoever else uses the processor

    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=900, preexec_fn=limit
    )


def seconds_of(process: subprocess.Popen[str]) -> float:
    """The time of the processor that a process has taken."""
    times = psutil.Process(process.pid).cpu_times()
    return float(times.user + times.system)


def seconds_of_children() -> float:
    """That of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(*arguments: object, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    return limited(["-m", "lossmith", *map(str, arguments)], seconds)


def python(*lines: str, seconds: float = 60) -> list[str]:
    """The lines that a program prints."""
    answer = limited(["-c", "\n".join(["import random", "import lossmith as lm", FAMILIES, *lines])], seconds)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.splitlines()


# Cells.


@pytest.mark.exhaustive
def test_cuts_that_double_the_vertices_stay_within_the_budget_and_a_theorem_decides():
    pair = ["lee-lin-wahba:n=24", "zero-one:n=24", "--pred", "argmax"]  # by symmetry it has 24 vertices, else 2^24
    answer = run("check", *pair, "--max-vertices", 20, seconds=30)
    assert answer.returncode == 0


def test_where_the_vertices_are_over_the_budget_a_theorem_decides():
    pair = lm.surrogates.lee_lin_wahba(12), lm.losses.zero_one(12)
    verdict = lm.check(*pair, pred="argmax", max_vertices=10)
    assert verdict.status == "calibrated"
    assert verdict.certificate.content["evidence"].keys() == {"theorem"}


@pytest.mark.exhaustive
def test_the_cells_of_a_loss_stay_within_the_budget_and_the_rest_is_told():
    answer = run("analyze", "zero-one:n=40", "--max-vertices", 1000, "--theory", seconds=30)
    assert answer.returncode == 0
    assert "CCdim = 39" in answer.stdout
    assert re.search(r"\b1,000\b.*\bmax_vertices\b", " ".join(answer.stdout.split()))


def test_what_is_known_without_the_cells_of_a_loss_is_told(lossmith):
    code, out, complaint = lossmith("analyze", "zero-one:n=12", "--max-vertices", "50", "--theory")
    assert (code, complaint) == (0, "")
    assert "CCdim = 11" in out
    assert re.search(r"\b50\b.*\bmax_vertices\b", " ".join(out.split()))


def test_facets_in_reduced_coordinates_have_the_same_budget():
    # Sixty points in general position in twelve dimensions: their hull has up to C(54, 6) + C(53, 5) facets.
    [line] = python(
        "draw = random.Random(0).randint",
        "left = [[draw(0, 9) for _ in range(12)] for _ in range(60)]",
        "right = [[draw(0, 9) for _ in range(20)] for _ in range(12)]",
        "rows = [[sum(a * b for a, b in zip(row, column)) for column in zip(*right)] for row in left]",
        "try:",
        "    lm.trigger_sets(lm.LossMatrix(rows), max_vertices=1000)",
        "except lm.errors.TooLarge as refusal:",
        "    print(refusal)",
    )
    assert "1,000" in line
    assert "max_vertices" in line


def lopsided() -> str:
    """Costs for which 2^16 − 1 vertices must be seen: the work of a while, within the budget.

    The last decision is never needed, but tells the labels apart.
    """
    return "\n".join(",".join([*(str(int(y != t)) for t in range(16)), str(2 + y)]) for y in range(16))


@pytest.fixture
def interrupted_after():
    """Interrupt this process once it has worked for so many seconds; return the seconds of its work until then."""

    def begin(seconds: float) -> list[float]:
        seen: list[float] = []

        def interrupt(*_: object) -> None:
            seen.append(time.process_time())
            signal.raise_signal(signal.SIGINT)

        signal.signal(signal.SIGPROF, interrupt)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        return seen

    before = signal.getsignal(signal.SIGPROF)
    yield begin
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


def test_an_interrupt_is_answered_in_the_middle_of_an_enumeration(tmp_path, lossmith, interrupted_after):
    (tmp_path / "costs.csv").write_text(lopsided())
    seen = interrupted_after(0.3)
    code, out, complaint = lossmith("check", "lee-lin-wahba:n=16", str(tmp_path / "costs.csv"))
    assert (code, out) == (130, "")
    assert len(complaint.strip().splitlines()) == 1
    assert time.process_time() - seen[0] < 2


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "words",
    [
        pytest.param("check lee-lin-wahba:n=16 LOPSIDED", id="enumeration"),
        pytest.param("design COSTS --dim 7", id="a large linear program"),
        pytest.param("analyze COSTS --max-vertices 1000000", id="cells"),
    ],
)
def test_an_interrupt_is_answered_within_a_moment_in_the_middle_of_the_work(words, tmp_path):
    dice, costs = Random(10), tmp_path / "costs.csv"
    n = 10 if "design" in words else 20
    rows = [[0 if y == t else round(dice.uniform(1, 20), 2) for t in range(n)] for y in range(n)]
    table = lopsided() if "LOPSIDED" in words else "\n".join(",".join(map(str, row)) for row in rows)
    costs.write_text(table, encoding="utf-8")
    arguments = ["-m", "lossmith", *words.replace("COSTS", str(costs)).replace("LOPSIDED", str(costs)).split()]
    before = seconds_of_children()
    process = subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        while process.poll() is None and seconds_of(process) < 2:
            time.sleep(0.05)
        begun = seconds_of(process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130
    assert seconds_of_children() - before - begun < 2
    assert len(said.strip().splitlines()) == 1


# Linear programs.


def test_the_least_risk_of_labels_that_are_as_likely():
    # At u = 0 every margin is violated by 1, and no other u has a smaller sum where all labels are as likely.
    assert lm.surrogates.weston_watkins(6).bayes_risk(["1/6"] * 6) == 5


@pytest.mark.exhaustive
@pytest.mark.parametrize("n", [30, 100])
def test_many_labels_make_no_dense_program(n):
    [least] = python(
        f"psi = surrogates.weston_watkins({n})",
        f"print(psi.bayes_risk(['1/{n}'] * {n}))",
        seconds=60 if n == 30 else 300,
    )
    assert least == str(n - 1)


@pytest.mark.exhaustive
def test_the_normals_at_one_point_of_many_labels_are_found_or_refused():
    refused, found = python(
        "try:",
        "    lm.positive_normal_set(surrogates.crammer_singer(60), [0] * 60, max_vertices=50)",
        "except lm.errors.TooLarge as refusal:",
        "    print(refusal)",
        "print(len(lm.positive_normal_set(surrogates.weston_watkins(20), [0] * 20).polytope.vertices))",
    )
    assert re.search(r"\b50\b", refused)
    assert found == "1"  # at 0 all margins are violated, so that the gradients cancel for the uniform p alone


# Many predictions.


RANDOM = "rows = [[draw(0, 10**6) for _ in range(k)] for _ in range(n)]"
FEW = "rows = [[draw(0, 2) for _ in range(k)] for _ in range(n)]"  # at most 3^n distinct columns
CURVED = "rows = [list(row) for row in zip(*((a, 10**12 - a * a) for a in range(k)))]"  # all but two are mixtures


KINDS = {"random": RANDOM, "few values": FEW, "curved": CURVED}


def drawn(n: int, k: int, most: int) -> list[list[int]]:
    draw = Random(0).randint
    return [[draw(0, most) for _ in range(k)] for _ in range(n)]


@pytest.mark.parametrize(
    ("rows", "least"),
    [
        pytest.param(lambda: [[*range(400)], [10**12 - a * a for a in range(400)]], 398, id="curved"),
        pytest.param(lambda: drawn(2, 60, 2), 51, id="few values"),
        pytest.param(lambda: drawn(5, 40, 10**6), 1, id="random"),
    ],
)
def test_redundant_predictions_are_found_with_proof(rows, least):
    rows = rows()
    found = redundant_predictions(lm.LossMatrix(rows))
    for each in found:
        assert sum(weight for _, weight in each.mixture) == 1
        for row in rows:
            assert sum(weight * row[s] for s, weight in each.mixture) <= row[each.prediction]
    assert least <= len(found) < len(rows[0])
    assert len(rows[0]) != 400 or len(found) == least  # all but the two ends are mixtures


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("n", "k", "kind"),
    [
        (2, 20_000, "curved"),
        (2, 400, "few values"),
        (20, 200, "random"),
        (2, 20_000, "random"),
        (3, 3000, "random"),
        (2, 100_000, "random"),
        (3, 10_000, "random"),
        (30, 1000, "random"),
    ],
)
def test_redundant_predictions_among_many_are_found_with_proof(n, k, kind):
    lines = python(
        "from lossmith.analysis.redundancy import redundant_predictions",
        f"draw, n, k = random.Random(0).randint, {n}, {k}",
        KINDS[kind],
        "found = redundant_predictions(lm.LossMatrix(rows))",
        "for each in found:",
        "    assert sum(weight for _, weight in each.mixture) == 1",
        "    for row in rows:",
        "        assert sum(weight * row[s] for s, weight in each.mixture) <= row[each.prediction]",
        "print(k - len(found))",
        seconds=40,
    )
    assert 1 <= int(lines[0]) <= k
    if kind == "curved":
        assert lines == ["2"]


def two_rows(k: int) -> str:
    return "\n".join(",".join(str((7919 * t * (y + 3)) % 10_007) for t in range(1, k + 1)) for y in range(2))


def test_a_file_with_a_hundred_predictions_is_analysed(tmp_path, lossmith):
    (tmp_path / "many.csv").write_text(two_rows(100))
    code, out, complaint = lossmith("analyze", str(tmp_path / "many.csv"))
    assert (code, complaint) == (0, "")
    assert re.search(r"\b2 \w+ × 100\b", out)
    assert len(out) < 20_000


@pytest.mark.exhaustive
@pytest.mark.parametrize("k", [5000, 100_000])
def test_a_file_with_many_predictions_is_analysed(tmp_path, k):
    path = tmp_path / "many.csv"
    path.write_text(two_rows(k))
    answer = run("analyze", path, seconds=40 if k == 5000 else 300)
    assert answer.returncode == 0, answer.stderr
    assert re.search(rf"\b2 \w+ × {k:,}\b", answer.stdout)
    assert len(answer.stdout) < 20_000


@pytest.mark.exhaustive
def test_which_answers_for_thirty_labels(tmp_path):
    path = tmp_path / "random.csv"
    path.write_text(
        "\n".join(",".join(str(x * x * (y + 2) % 1009) for x in range(30 * y, 30 * y + 30)) for y in range(30))
    )
    answer = run("which", path, seconds=300)
    assert answer.returncode == 0, answer.stderr
    assert "Weston–Watkins" in answer.stdout
