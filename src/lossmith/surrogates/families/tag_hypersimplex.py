"""A linear surrogate of precision and recall at q, on the hull of the indicators of q tags."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lossmith.errors import BadInput
from lossmith.families import Published, family
from lossmith.losses import precision_at, recall_at
from lossmith.losses.families.ranking.precision_at import PrecisionAt
from lossmith.losses.families.sets.recall_at import RecallAt
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.protocol import Loss
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.documents import relevance_of, sets_and_tags
from lossmith.surrogates.polyhedral import PolyhedralSurrogate


def _fits(loss: LossMatrix) -> Mapping[str, Any] | None:
    return {"loss": loss.written_from} if isinstance(loss.written_from, PrecisionAt | RecallAt) else None


@family(
    cite="thm:ccdim-upper-bound",
    latex=r"\psi_y(u) = 1 - w_y \sum_i y_i u_i, \quad 0 \leq u \leq 1, \; \textstyle\sum_i u_i = q, \quad "
    r"w_y = \frac{1}{q} \text{ or } \frac{1}{|y|}",
    preds=("sort",),
    kind="sets",
    small=({"loss": "precision-at:q=1,r=2"}, {"loss": "recall-at:r=2,q=1"}, {"loss": "recall-at:r=3,q=2"}),
    size=sets_and_tags,
    fits=_fits,
    verdicts=(
        Published(of_two_tags(lambda: precision_at(1, 2).matrix()), "··C", "docs/findings.md, 2026", pred="sort"),
        Published(of_two_tags(lambda: recall_at(2, 1).matrix()), "··C", "docs/findings.md, 2026", pred="sort"),
    ),
)
def tag_hypersimplex(loss: Loss | str) -> PolyhedralSurrogate:
    """1 − Σ_i w_y y_i u_i on {u ∈ [0, 1]^r : Σ u_i = q}, w_y = 1/q for precision at q, and 1/|y| for recall.

    At the indicator of q tags it is what they cost: `top_k_hypersimplex`, where any number of tags may be right.
    The set of no tags has no recall, and costs nothing.

    >>> [str(x) for x in tag_hypersimplex("recall-at:r=2,q=1")(["1/4", "3/4"])]
    ['0', '1/4', '3/4', '1/2']
    """
    given, labels = relevance_of(loss)
    known, r = given.factored, len(labels[0])
    if not isinstance(known, PrecisionAt | RecallAt):
        raise BadInput(
            f"tag_hypersimplex is of precision and recall; {given.name} is neither: try precision_at(1, r={r})"
        )
    share = [Fraction(1, known.q if isinstance(known, PrecisionAt) else max(sum(y), 1)) for y in labels]
    start = [int(isinstance(known, PrecisionAt) or any(y)) for y in labels]
    return PolyhedralSurrogate.from_function(
        lambda y, u: start[y] - share[y] * sum(x for x, bit in zip(u, labels[y], strict=True) if bit),
        n=len(labels),
        dim=r,
        domain=lambda u: [sum(u) == known.q, *(x >= 0 for x in u), *(x <= 1 for x in u)],
        name=f"tag_hypersimplex({known.name})",
    )
