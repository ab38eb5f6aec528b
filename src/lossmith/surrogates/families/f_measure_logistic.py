"""One logistic regression for each tag and size of the label: what the F-measure needs."""

from __future__ import annotations

from itertools import product

from lossmith.families import Published, at_least, family
from lossmith.losses import f_measure
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.fitting import by_bits
from lossmith.surrogates.margins_per_bit import bits_of, margin_per_bit
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.squares_per_bit import margin_or_square, squares_per_bit


def _fits(loss: LossMatrix) -> dict[str, int] | None:
    given = by_bits(loss)
    return None if given is None else {"s": given["r"]}


def _size(s: int, phi: str = "logistic") -> tuple[int, int]:
    margin_or_square(phi)
    return 2 ** at_least("s", s, 1), s * s + 1


@family(
    cite="M. Zhang, H. G. Ramaswamy, S. Agarwal, Convex calibrated surrogates for the multi-label F-measure, ICML 2020",
    latex=r"\psi_y(u) = \sum_{i,m} \varphi(s_{yim} u_{im}) + \varphi(s_{y0} u_0)",
    preds=("decide",),
    small=({"s": 1}, {"s": 2}),
    size=_size,
    fits=_fits,
    verdicts=(Published(of_two_tags(lambda: f_measure(2).matrix()), "··C", "Zhang, Ramaswamy, Agarwal, ICML 2020"),),
)
def f_measure_logistic(s: int, phi: str = "logistic") -> SmoothSurrogate:
    """Logistic losses for the s² + 1 events that tag i is relevant and m tags are, and that none is; on R^{s²+1}.

    Or Σ φ(±u) of these events, with φ by name as in one_vs_all, also "square". Their probabilities decide every F_β,
    and whatever else is linear in them.

    >>> f_measure_logistic(2).traits.mean[3]  # both tags, so two of them
    (Fraction(0, 1), Fraction(1, 1), Fraction(0, 1), Fraction(1, 1), Fraction(0, 1))
    >>> f_measure_logistic(2, "square").minimizer([0, 0, "1/2", "1/2"])  # 2p − 1
    (0.0, 0.0, -1.0, 0.0, -1.0)
    """
    chosen, cells = margin_or_square(phi), list(product(range(s), range(1, s + 1)))
    events = tuple((*(int(y[i] == 1 and sum(y) == m) for i, m in cells), int(not any(y))) for y in bits_of(s))
    if chosen is None:
        return squares_per_bit(f"f_measure_logistic(s={s}, phi=square)", events)
    shown = "" if chosen.name == "logistic" else f", phi={chosen.name}"
    return margin_per_bit(f"f_measure_logistic(s={s}{shown})", events, chosen)
