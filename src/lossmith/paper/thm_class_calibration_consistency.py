"""thm:class-calibration-consistency: an experiment with finitely many instances and empirical risks minimised exactly.

The instances are four, each with its own distribution of the three labels, in which no label has probability ½. f may
be any function, so that the empirical ψ-risk is minimised at each instance alone, by an exact linear program.
Lee–Lin–Wahba is calibrated for 0-1 loss, with argmax. Crammer–Singer is not: from some sample size on f(x) = 0 for
every x, and pred(0) is one decision for all of them; it is given the best one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import lossmith as lm
from lossmith.exact.vectors import rational_dot
from lossmith.paper.item import Item, Outcome, Picture, equal, holds, outcome

STATEMENT = (
    "ψ is L-calibrated iff there is a pred such that for all distributions D and all f_m: er^ψ[f_m] → er^{ψ,*} implies "
    "er^L[pred ∘ f_m] → er^{L,*}."
)
CONDITIONALS = tuple(
    tuple(Fraction(x, 100) for x in p) for p in ((45, 30, 25), (40, 35, 25), (30, 42, 28), (34, 27, 39))
)
SIZES = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000)
RUNS = 40
Curve = tuple[list[Fraction], list[Fraction]]
ALT = (
    "Two charts over the sample size, from 10 to 30,000. Left: the excess surrogate risk of Lee–Lin–Wahba and of "
    "Crammer–Singer falls to 0. Right: the excess 0-1 loss of Lee–Lin–Wahba falls to 0, that of Crammer–Singer stays "
    "at the dashed line, the least that any pred can reach."
)


def _compute() -> Outcome:
    loss = lm.losses.zero_one(3)
    good, bad = lm.surrogates.lee_lin_wahba(3), lm.surrogates.crammer_singer(3)
    risks = [loss.risk(p) for p in CONDITIONALS]
    # One decision for all x, the best one: what Crammer–Singer costs too much in the limit.
    price = min(sum(column, Fraction(0)) for column in zip(*(_excess(r) for r in risks), strict=True)) / len(risks)
    curves = {psi.name: _experiment(psi, loss) for psi in (good, bad)}
    calibrated, other = curves[good.name], curves[bad.name]
    claims = [
        equal("Lee–Lin–Wahba with argmax, 0-1 loss", "calibrated", lm.check(good, loss, pred="argmax").status),
        equal("Crammer–Singer, 0-1 loss", "not calibrated", lm.check(bad, loss).status),
        equal(f"excess ψ-risk of Lee–Lin–Wahba at m = {SIZES[-1]:,}", 0, calibrated[0][-1]),
        equal(f"excess ψ-risk of Crammer–Singer at m = {SIZES[-1]:,}", 0, other[0][-1]),
        equal(f"excess L-risk of Lee–Lin–Wahba at m = {SIZES[-1]:,}", 0, calibrated[1][-1]),
        holds(
            "excess L-risk of Crammer–Singer stays at the price of one decision for all x", other[1][-1] == price > 0
        ),
    ]
    picture = Picture("thm-class-calibration-consistency", partial(_draw, curves, price), _caption(price), ALT)
    summary = f"excess 0-1 loss: Lee–Lin–Wahba → 0, Crammer–Singer → {price} with the best pred there is"
    return outcome(summary, *claims, pictures=[picture])


def _caption(price: Fraction) -> str:
    return (
        f"Four instances x, {RUNS} samples of each size m, the empirical ψ-risk minimised exactly. Both surrogates "
        f"reach the least ψ-risk; only with the calibrated one the 0-1 loss becomes least. Dashed: {price}, what one "
        "decision for all x costs too much."
    )


def _experiment(psi: lm.PolyhedralSurrogate, loss: lm.LossMatrix) -> Curve:
    """The mean excess ψ-risk and the mean excess L-risk for each sample size, exactly."""
    import numpy as np

    found: Curve = ([], [])
    chance, least = np.random.default_rng(9), [psi.bayes_risk(p) for p in CONDITIONALS]
    for m in SIZES:
        totals = [Fraction(0), Fraction(0)]
        for _ in range(RUNS):
            models = [psi.minimum(counts).point for counts in _sample(m, chance)]
            for p, u, best in zip(CONDITIONALS, models, least, strict=True):
                totals[0] += rational_dot(p, psi(u)) - best
            totals[1] += min(_excess_of(loss, decisions) for decisions in _decisions(models))
        for curve, total, count in zip(found, totals, (RUNS * len(CONDITIONALS), RUNS), strict=True):
            curve.append(total / count)
    return found


def _decisions(models: Sequence[Sequence[Fraction]]) -> list[list[int]]:
    """argmax at each x; where all scores are equal, each of the three decisions that pred may take there."""
    return [[max(range(3), key=lambda t: (u[t], t == tie)) for u in models] for tie in range(3)]


def _excess_of(loss: lm.LossMatrix, decisions: Sequence[int]) -> Fraction:
    excess = [_excess(loss.risk(p))[t] for p, t in zip(CONDITIONALS, decisions, strict=True)]
    return sum(excess, Fraction(0)) / len(excess)


def _excess(risks: Sequence[Fraction]) -> list[Fraction]:
    return [risk - min(risks) for risk in risks]


def _sample(m: int, chance: Any) -> list[list[int]]:
    """How often each label was seen at each x among m examples; where x was not seen at all, f(x) is arbitrary."""
    chances = [float(q) / len(CONDITIONALS) for p in CONDITIONALS for q in p]
    counts = chance.multinomial(m, chances).tolist()
    return [counts[start : start + 3] for start in range(0, len(counts), 3)]


def _draw(curves: dict[str, Curve], price: Fraction) -> Any:
    from matplotlib.figure import Figure

    from lossmith.plot.palette import DASHED, line

    figure = Figure(figsize=(8.4, 3.4), layout="constrained")
    titles = ("excess ψ-risk", "excess 0-1 loss of argmax ∘ f")
    for i, (ax, title) in enumerate(zip(figure.subplots(1, 2), titles, strict=True)):
        for k, (name, found) in enumerate(
            zip(("Lee–Lin–Wahba: calibrated", "Crammer–Singer: not calibrated"), curves.values())
        ):
            ax.plot(
                SIZES, [float(x) for x in found[i]], label=name, marker="os"[k], markersize=5, clip_on=False, **line(k)
            )
        ax.set(xscale="log", xlabel="sample size m", title=title)
        ax.set_ylim(bottom=0)
        ax.spines[["top", "right"]].set_visible(False)
    ax.axhline(float(price), zorder=1, label=f"one decision for all x: {price}", **{**DASHED, "linewidth": 1})
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


ITEM = Item("thm:class-calibration-consistency", "Calibration is consistency", STATEMENT, _compute)
