"""How curved a function of margins is, and what follows for the regrets of surrogates that are made from it.

Proofs are in docs/beyond-the-paper.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lossmith.surrogates.traits import Curved


@dataclass(frozen=True)
class Bend:
    """What is known of φ, with the risk f(u) = x φ(u) + (1 − x) φ(−u) of two labels, and the estimate x̂ that u tells.

    f(u) − inf f ≥ `kappa` (x − x̂)², and it is h²/`halves` + o(h²) at x̂ = 1/2 and x = (1 ± h)/2. φ′ is Lipschitz
    continuous with the factor `most`, None for exponentials; −φ′(z) − φ′(−z) ≥ `meeting`, and φ′(0) = −`slope`.
    With weights a > b of two scores v ≥ u, v ≥ 0, f = a φ(−v) + b φ(−u) can be lessened by (a − b)²/(`moved` (a + b)),
    if v falls and u rises by as much.
    """

    kappa: Fraction
    halves: Fraction
    moved: Fraction
    most: Fraction | None
    meeting: Fraction
    slope: Fraction

    def of_two_labels(self) -> Curved:
        """What that means for φ of the margin of two labels: (x − x̂)(d_0 − d_1), squared."""
        return Curved("span", 1 / self.kappa, self.halves)


def _bend(kappa: str, halves: int, moved: int, most: str | None, meeting: int, slope: str) -> Bend:
    largest = None if most is None else Fraction(most)
    return Bend(Fraction(kappa), Fraction(halves), Fraction(moved), largest, Fraction(meeting), Fraction(slope))


BENDS = {  # `moved` is 2 · most/slope², and 2 for exponentials: (√a − √b)² ≥ (a − b)²/(2 (a + b))
    "logistic": _bend("2", 2, 2, "1/4", 1, "1/2"),
    "exponential": _bend("2", 2, 2, None, 2, "1"),
    "squared-hinge": _bend("4", 1, 1, "2", 4, "2"),
    "modified-huber": _bend("4", 1, 1, "2", 4, "2"),
    "smooth-hinge": _bend("1/2", 1, 2, "1", 1, "1"),
}
