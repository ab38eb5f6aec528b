"""CCdim(L) ≥ |S| − 1 if no line through some p with support S stays in a trigger set until it leaves the simplex.

Labels outside S may be left out; so let p > 0, and n = |S|.
Lemma. If ψ on C ⊂ R^d is calibrated, some subspace H of R^n of dimension n − d or more has p ∈ H and H ∩ Δ ⊂ Q_t, for
some t.
Proof. Let p·ψ(u_m) tend to inf p·ψ, by ε_m more; the ψ(u_m) are bounded, as p > 0. 0 is an ε_m-subgradient of p·ψ at
u_m, hence Σ p_y w_y = 0 for ε_m/p_y-subgradients w_y of the ψ_y on C. The q with Σ q_y w_y = 0 form a subspace H_m of
dimension n − d or more, with p in it, and for q ∈ H_m ∩ Δ u_m is optimal up to ε_m / min_y p_y. Let H be a limit of the
H_m. A q > 0 in H ∩ Δ is a limit of q_m ∈ H_m ∩ Δ, so that q·ψ(u_m) tends to inf q·ψ: q lies in the positive normal set
of the sequence, and by `thm:condition-necessary-sequence` in a Q_t that is the same for all q. Q_t is closed. ∎

This is how the paper proves `thm:ccdim-lower-bound`, which then keeps the dimension at p only; cf. Finocchiaro,
Frongillo & Waggoner, *Unifying lower bounds on prediction dimension of convex surrogates*, NeurIPS 2021. If d ≤ n − 2,
H ∩ Δ holds a line through p. It leaves Δ at q and q′, with q_i = 0 and q′_j = 0. So the p in Q_t with a line are those
in the hulls of {q ∈ Q_t : q_i = 0 or q_j = 0}, i < j: n (n − 1)/2 polytopes. If they do not cover Q_t, CCdim ≥ n − 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from lossmith.analysis.facts import Facts
from lossmith.certificates.certificate import Certificate, vector
from lossmith.dimension.bounds import Bound, dimension_certificate
from lossmith.errors import TooLarge
from lossmith.exact.vectors import Row, cleared, dot, minus, rational_dot, unit_rows
from lossmith.geometry.double_description import facets
from lossmith.geometry.linear_program import maximize
from lossmith.losses.matrix import LossMatrix

_MOST_VERTICES = 300
MOST_PARTS = 500  # of a cell, that are looked at


@dataclass(frozen=True)
class NoLine:
    """A distribution p at which t alone is optimal, and no line through p stays in the cell of t."""

    facts: Facts
    p: tuple[Fraction, ...]
    prediction: int

    def certificate(self, bound: Bound) -> Certificate:
        """For each two labels of the support, why no line through p leaves the simplex where these have none."""
        support = [y for y, x in enumerate(self.p) if x]
        own = self.facts.columns[self.prediction]
        steps = [minus([column[y] for y in support], [own[y] for y in support]) for column in self.facts.columns]
        p = cleared([self.p[y] for y in support])
        pairs = combinations(range(len(p)), 2)
        evidence = {
            "point": vector(self.p),
            "prediction": self.prediction,
            "multipliers": [vector(_multipliers(p, steps, *pair)) for pair in pairs],
        }
        return dimension_certificate(bound, self.facts.loss, evidence)


def ge_labels_of_no_line(facts: Facts, above: int, enough: int) -> Bound | None:
    """The bound |S| − 1 for as many labels S as it is true for, more than `above` and at most `enough`; None if none.

    >>> from lossmith.losses import abstain
    >>> ge_labels_of_no_line(Facts(abstain(3)), 0, 2).value, ge_labels_of_no_line(Facts(abstain(4)), 2, 3)
    (2, None)
    """
    n, entries = facts.loss.n, facts.loss.entries
    for size in range(min(n, enough + 1), above + 1, -1):
        for labels in combinations(range(n), size):
            part = facts if size == n else Facts(LossMatrix([entries[y] for y in labels]), facts.progress)
            for cell in part.cells(_MOST_VERTICES, reduced=False):
                inside = _without_line(cell.polytope.rays, cell.polytope.inequalities)
                if inside is None:
                    continue
                p = dict(zip(labels, inside, strict=True))
                proof = NoLine(facts, tuple(p.get(y, Fraction(0)) for y in range(n)), cell.prediction)
                why = f"through a p on {size} labels no line stays in a cell until it leaves the simplex"
                return Bound("lower", size - 1, "no line in a cell", why, facts.loss, proof)
    return None


def _without_line(rays: Sequence[Row], inequalities: Sequence[Row]) -> tuple[Fraction, ...] | None:
    """A point inside a cell, and the simplex, that lies in no hull of {q : q_i = 0 or q_j = 0}; None if there is none.

    What is left of a cell is divided: a point inside it that lies in a hull must pass one of the facets of this hull.
    """
    n, found = len(rays[0]), 0
    ends = [[ray for ray in rays if not (ray[i] and ray[j])] for i, j in combinations(range(n), 2)]
    hulls = [_rows_of_hull(each) for each in ends if each]
    parts: list[tuple[Row, ...]] = [(*inequalities, *unit_rows(n))]
    while parts:
        found += 1
        if found > MOST_PARTS:
            raise TooLarge(f"a cell falls into more than {MOST_PARTS:,} parts, to find a point without a line")
        part = parts.pop()
        best = maximize([0] * n + [1], [(0, *row, -1) for row in part], [(-1, *[1] * n, 0)])
        if best is None or best.value <= 0:
            continue
        p = best.point[:n]
        around = next((hull for hull in hulls if all(rational_dot(row, p) >= 0 for row in hull)), None)
        if around is None:
            return p
        parts += [(*part, tuple(-x for x in row)) for row in around]
    return None


def _rows_of_hull(rays: Sequence[Row]) -> list[Row]:
    """Rows that are not negative just on the hull; of less than full dimension, it has rows of both signs."""
    rows = facets(rays)
    return [*rows, *(tuple(-x for x in row) for row in rows if not any(dot(row, ray) for ray in rays))]


def _multipliers(p: Row, steps: Sequence[Row], i: int, j: int) -> tuple[Fraction, ...]:
    """Numbers x_s that show that no line through p in the cell ends where q_i = 0 and where q_j = 0.

    With v = Σ_s x_s (ℓ_s − ℓ_t) they make p_j v_j + Σ p_y min(v_y, 0), y ≠ i, j, exceed Σ_s max(x_s, 0) p·(ℓ_s − ℓ_t):
    the unknowns are x_s, what stands for max(x_s, 0), and what stands for min(v_y, 0).
    """
    k, others = len(steps), [y for y in range(len(p)) if y not in (i, j)]
    gain = [*(p[j] * step[j] for step in steps), *(-dot(p, step) for step in steps), *(p[y] for y in others)]
    rows: list[Row] = [(1, *(-x for x in gain))]
    units = unit_rows(len(gain))
    for s in range(k):
        rows += [(0, *units[k + s]), (0, *minus(units[k + s], units[s]))]
    for c, y in enumerate(others, start=2 * k):
        below = [*(step[y] for step in steps), *[0] * (k + len(others))]
        rows += [(0, *(-x for x in units[c])), (0, *minus(below, units[c]))]
    best = maximize(gain, rows)
    assert best is not None
    assert best.value > 0, "a line through p stays in the cell"
    return best.point[:k]
