"""The structured support vector machine, with the worst distribution for which the label is the right answer."""

from __future__ import annotations

from lossmith.exact.vectors import rational_dot
from lossmith.families import Published, family
from lossmith.losses import ordinal, zero_one
from lossmith.losses.named import LossLike
from lossmith.surrogates.cases import squared, star
from lossmith.surrogates.corners_of_risk import corners_of_risk
from lossmith.surrogates.fitting import by_zero_diagonal
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.square_losses import labels_and_labels, with_zero_diagonal


@family(
    cite="A. Nowak-Vila, A. Rudi, F. Bach, On the consistency of max-margin losses, AISTATS 2022",
    latex=r"\psi_y(u) = \max_{q \in Q_y} (\ell_y + u) \cdot q - u_y",
    preds=("argmax",),
    small=({"loss": "zero-one:n=3"}, {"loss": "ordinal:n=3"}),
    size=labels_and_labels,
    fits=by_zero_diagonal,
    verdicts=(
        Published(zero_one, "CCC", "docs/findings.md, 2026"),
        Published(zero_one, "CCC", "docs/findings.md, 2026", pred="argmax"),
        Published(ordinal, "CCC", "docs/findings.md, 2026"),
        Published(ordinal, "CCC", "docs/findings.md, 2026", pred="argmax"),
        Published(squared, "·NN", "docs/findings.md, 2026"),
        Published(star, "··C", "docs/findings.md, 2026"),
        Published(star, "··N", "docs/findings.md, 2026", pred="argmax"),
    ),
)
def restricted_max_margin(loss: LossLike) -> PolyhedralSurrogate:
    """max_q (ℓ_y + u)·q − u_y on R^n, over the distributions q in the trigger set of y; L as in `margin_rescaling`.

    Over all q the maximum is `margin_rescaling`, if L is symmetric. The paper restricts it; that the trigger set of the
    label is meant, and the column ℓ_y where L is not symmetric, is how we read it. For 0-1 loss it is
    `adversarial_zero_one`, over the sets of labels that have y as a member; of two labels, half the hinge. It is
    calibrated if at each corner q of a trigger set all y with q_y > 0 are optimal.

    >>> from lossmith.surrogates import adversarial_zero_one
    >>> [[str(x) for x in made([3, 2, 0])] for made in (restricted_max_margin("zero-one:n=3"), adversarial_zero_one(3))]
    [['0', '1', '7/3'], ['0', '1', '3']]
    """
    read = with_zero_diagonal(loss, "restricted_max_margin")
    corners = corners_of_risk(read, "restricted_max_margin")
    own = [[row for row in corners if rational_dot(read.column(y), row[1:]) == row[0]] for y in range(read.n)]
    terms = [(tuple(tuple(x - (i == y + 1) for i, x in enumerate(row)) for row in own[y]),) for y in range(read.n)]
    return PolyhedralSurrogate(tuple(terms), read.n, name=f"restricted_max_margin({read.name})")
