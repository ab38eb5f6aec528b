"""A surrogate that was made for a loss, written out: one formula for each label, in exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.calibration.verdicts import Calibrated
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Decide
from lossmith.text.sums import signed_sum

_MOST_PIECES = 40  # of one formula


def parts(verdict: Calibrated) -> list[tuple[str, str]]:
    """For each label, its name and ψ_y(u).

    >>> from lossmith.answers.designing import design
    >>> from lossmith.losses import ordinal, zero_one
    >>> parts(design(zero_one(3)))[0]
    ('0', '(u_1 + 2)² + (u_2 + 15/13)²')
    >>> parts(design(ordinal(3)))
    [('0', 'max(−u, u)'), ('1', 'max(1 − u, u − 1)'), ('2', 'max(2 − u, u − 2)')]
    """
    labels = [f"{label}" for label in verdict.loss.labels]
    return [(label, _psi(verdict, y)) for y, label in enumerate(labels)]


def decisions(verdict: Calibrated) -> list[tuple[str, str]]:
    """For each decision, its name and what is compared: the least one is decided; nothing if the pred is another."""
    pred, names = verdict.pred, [f"{name}" for name in verdict.loss.predictions]
    if not isinstance(pred, Decide) or pred.reads != "means":
        return []
    return [(name, affine(row)) for name, row in zip(names, pred.affine, strict=True) if row is not None]


def affine(row: Sequence[Fraction]) -> str:
    """b + a·u for the row (b, a), without zeros.

    >>> affine([Fraction(1), Fraction(-1, 2), Fraction(0)])
    '1 − (1/2)u_1'
    """
    names = ["u"] if len(row) == 2 else [f"u_{i}" for i in range(1, len(row))]
    terms = [(x, f"{_factor(abs(x))}{name}") for x, name in zip(row[1:], names, strict=True) if x]
    terms.sort(key=lambda term: term[0] < 0)
    constant = [(row[0], str(abs(row[0])))] if row[0] or not terms else []
    ordered = constant + terms if row[0] > 0 and terms and terms[0][0] < 0 else terms + constant
    return signed_sum(ordered, "−")


def _factor(value: Fraction) -> str:
    return "" if value == 1 else str(value) if value.denominator == 1 else f"({value})"


def _psi(verdict: Calibrated, y: int) -> str:
    surrogate = verdict.surrogate
    if isinstance(surrogate, PolyhedralSurrogate):
        if sum(map(len, surrogate.terms[y])) > _MOST_PIECES:
            return f"a sum of {len(surrogate.terms[y])} maxima; see best.surrogate.terms[{y}]"
        return " + ".join(_maximum(maximum) for maximum in surrogate.terms[y])
    assert surrogate.traits.mean is not None, f"{surrogate.name} is no squared distance"
    centre, scales = surrogate.traits.mean[y], surrogate.traits.scales
    if len(centre) > _MOST_PIECES:
        return f"a sum of {len(centre)} squares; see best.surrogate.targets"
    squares = " + ".join(_square(centre, i) for i in range(len(centre)))
    if scales is None or scales[y] == 1:
        return squares
    return f"{_factor(scales[y])}{squares}" if len(centre) == 1 else f"{_factor(scales[y])}[{squares}]"


def _maximum(pieces: Sequence[Sequence[Fraction]]) -> str:
    shown = [affine(piece) for piece in pieces]
    return shown[0] if len(shown) == 1 else f"max({', '.join(shown)})"


def _square(centre: Sequence[Fraction], i: int) -> str:
    name = "u" if len(centre) == 1 else f"u_{i + 1}"
    if not centre[i]:
        return f"{name}²"
    return f"({name} {'−' if centre[i] > 0 else '+'} {abs(centre[i])})²"
