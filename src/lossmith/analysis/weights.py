"""Weights that prove a Bayes risk: p·ψ(u) ≥ v for all u (`lem:normal-computation`, read as a linear programming dual).

For each maximum g of ψ let its pieces carry weights that sum to the total p_y of the labels that use it, and let
active rows of the domain carry multipliers, so that all gradients together vanish. Then p·ψ(u) ≥ Σ weight · b,
minus the constants of the domain rows, whatever u ∈ C. Where the bound is attained, p lies in N(ψ(u)) and the weights
sit on gradients that are active at u.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import TypeAlias

from lossmith.exact.vectors import Row

Point: TypeAlias = tuple[Fraction, ...]


@dataclass(frozen=True)
class Weights:
    """A proof that p·ψ(u) ≥ `bound` for all u ∈ C, for the integer weights p on labels that it was made for.

    The weights are integers over `denominator`; fractions are made when they are asked for.
    """

    bound: Fraction
    denominator: int
    integer_pieces: tuple[tuple[int, int, int], ...]
    integer_domain: tuple[tuple[int, int], ...]

    @property
    def pieces(self) -> tuple[tuple[int, int, Fraction], ...]:
        """(g, j, weight): the weight of piece j of maximum g."""
        return tuple((g, j, Fraction(w, self.denominator)) for g, j, w in self.integer_pieces)

    @property
    def domain(self) -> tuple[tuple[int, Fraction], ...]:
        """(i, multiplier) of row i of the domain: inequalities first, then equations; these may have any sign."""
        return tuple((i, Fraction(w, self.denominator)) for i, w in self.integer_domain)


@dataclass(frozen=True)
class LinearProof:
    """Weights that are linear in p: a proof that p·ψ(u) ≥ `value`·p for all u ∈ C, at each p where none is negative.

    `pieces` are (g, j, row) and `domain` are (i, whether the multiplier needs a sign, row): the weight is row·p over
    `denominator`.
    """

    integer_value: Row
    denominator: int
    scale: int
    pieces: tuple[tuple[int, int, Sequence[int]], ...]
    domain: tuple[tuple[int, bool, Sequence[int]], ...]

    @property
    def value(self) -> Point:
        """z, if p·z is the bound."""
        return tuple(Fraction(x, self.denominator * self.scale) for x in self.integer_value)

    def holds(self, p: Row) -> bool:
        """Whether the weights prove the bound at p ≥ 0: none of them is negative."""
        return all(sum(map(mul, row, p)) >= 0 for row in self._signed)

    @cached_property
    def _signed(self) -> list[Sequence[int]]:
        """The rows of weights that must not be negative, and may be."""
        rows = [row for _, _, row in self.pieces] + [row for _, signed, row in self.domain if signed]
        return [row for row in rows if min(row) < 0]

    def at(self, p: Row) -> Weights | None:
        """The weights at p; None if they prove nothing there."""
        pieces, domain = [], []
        support = [(y, x) for y, x in enumerate(p) if x]  # of vertices it is often small
        for g, j, row in self.pieces:
            weight = sum([x * row[y] for y, x in support])
            if weight < 0:
                return None
            if weight:
                pieces.append((g, j, weight))
        for i, signed, row in self.domain:
            weight = sum([x * row[y] for y, x in support])
            if weight < 0 and signed:
                return None
            if weight:
                domain.append((i, weight))
        bound = Fraction(sum(map(mul, self.integer_value, p)), self.denominator * self.scale)
        return Weights(bound, self.denominator, tuple(pieces), tuple(domain))
