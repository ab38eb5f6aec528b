"""One logistic regression for each tag and size of the label: what the F-measure needs."""

from __future__ import annotations

from itertools import product

from lossmith.families import Published, at_least, family
from lossmith.losses import f_measure
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.cases import of_two_tags
from lossmith.surrogates.fitting import by_bits
from lossmith.surrogates.margins import margin_named
from lossmith.surrogates.margins_per_bit import bits_of, margin_per_bit
from lossmith.surrogates.smooth import SmoothSurrogate


def _fits(loss: LossMatrix) -> dict[str, int] | None:
    given = by_bits(loss)
    return None if given is None else {"s": given["r"]}


@family(
    cite="M. Zhang, H. G. Ramaswamy, S. Agarwal, Convex calibrated surrogates for the multi-label F-measure, ICML 2020",
    latex=r"\psi_y(u) = \sum_{i,m} \log\bigl(1 + e^{-s_{yim} u_{im}}\bigr) + \log\bigl(1 + e^{-s_{y0} u_0}\bigr)",
    preds=("decide",),
    small=({"s": 1}, {"s": 2}),
    size=lambda s: (2 ** at_least("s", s, 1), s * s + 1),
    fits=_fits,
    verdicts=(Published(of_two_tags(lambda: f_measure(2).matrix()), "··C", "Zhang, Ramaswamy, Agarwal, ICML 2020"),),
)
def f_measure_logistic(s: int) -> SmoothSurrogate:
    """Logistic losses for the s² + 1 events that tag i is relevant and m tags are, and that none is; on R^{s²+1}.

    The probabilities of these events decide every F_β, and whatever else is linear in them.

    >>> f_measure_logistic(2).traits.mean[3]  # both tags, so two of them
    (Fraction(0, 1), Fraction(1, 1), Fraction(0, 1), Fraction(1, 1), Fraction(0, 1))
    """
    cells = list(product(range(s), range(1, s + 1)))
    events = tuple((*(int(y[i] == 1 and sum(y) == m) for i, m in cells), int(not any(y))) for y in bits_of(s))
    return margin_per_bit(f"f_measure_logistic(s={s})", events, margin_named("logistic"))
