"""Losses of sets, written out as they are defined, and small members of each family."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

from lossmith.losses import f_measure, recall_at, weighted_hamming

Bits = tuple[int, ...]


def sets(r: int) -> list[Bits]:
    return list(product((0, 1), repeat=r))


def of_size(r: int, q: int) -> list[Bits]:
    return [tuple(int(i in chosen) for i in range(r)) for chosen in combinations(range(r), q)]


def weighted(weights: Any):
    def loss(y: Bits, t: Bits) -> Fraction:
        return sum((Fraction(w) for w, a, b in zip(weights, y, t, strict=True) if a != b), Fraction(0))

    return loss


def f_beta(beta: Any):
    def loss(y: Bits, t: Bits) -> Fraction:
        if not any(y) and not any(t):
            return Fraction(0)
        both = sum(a and b for a, b in zip(y, t, strict=True))
        missed, wrong = sum(y) - both, sum(t) - both
        square = Fraction(beta) ** 2
        return 1 - (1 + square) * both / ((1 + square) * both + square * missed + wrong)

    return loss


def recall(y: Bits, t: Bits) -> Fraction:
    return 1 - Fraction(sum(a and b for a, b in zip(y, t, strict=True)), sum(y)) if any(y) else Fraction(0)


def members(r: int) -> list[tuple[Any, list[Bits], Any]]:
    """Losses on r tags, with their predictions and their definition."""
    weights = [Fraction(i + 1, 1 + i % 3) for i in range(r)]
    found: list[tuple[Any, list[Bits], Any]] = [(weighted_hamming(weights), sets(r), weighted(weights))]
    if r > 1:
        found += [(f_measure(r, beta), sets(r), f_beta(beta)) for beta in (1, 2, "1/3")]
        found += [(recall_at(r, q), of_size(r, q), recall) for q in range(1, r)]
    return found


SMALL = [each for r in range(1, 5) for each in members(r)]
IDS = [loss.name for loss, _, _ in SMALL]
