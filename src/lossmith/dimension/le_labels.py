"""CCdim(L) ≤ n − 1 (`lem:surrogate-universal`): the probabilities of all labels but one tell everything."""

from __future__ import annotations

from functools import partial

from lossmith.dimension.bounds import Bound
from lossmith.dimension.claims import Case
from lossmith.dimension.le_surrogate import CertifiedSurrogate
from lossmith.surrogates.families.class_probability import class_probability


def le_labels(case: Case) -> Bound:
    """The bound n − 1.

    >>> from lossmith.losses import ordinal
    >>> le_labels(Case.of(ordinal(5))).value
    4
    """
    n = case.loss.n
    proof = CertifiedSurrogate(partial(class_probability, n), case.loss)
    return Bound("upper", n - 1, "labels − 1 (lem:surrogate-universal)", f"{n} labels", case.loss, proof)
