"""CCdim(L) ≤ n − 1 (`lem:surrogate-universal`): the probabilities of all labels but one tell everything."""

from __future__ import annotations

from lossmith.analysis.facts import Facts
from lossmith.dimension.bounds import Bound
from lossmith.dimension.construction import Construction
from lossmith.dimension.le_surrogate import CertifiedSurrogate
from lossmith.surrogates.families.class_probability import class_probability
from lossmith.text.numbers import counted


def le_labels(facts: Facts) -> Bound:
    """The bound n − 1.

    >>> from lossmith.losses import ordinal
    >>> le_labels(Facts(ordinal(5))).value
    4
    """
    n = facts.loss.n
    proof = CertifiedSurrogate(facts, probabilities)
    return Bound("upper", n - 1, "labels − 1 (lem:surrogate-universal)", counted(n, "label"), facts.loss, proof)


def probabilities(facts: Facts) -> Construction:
    """The surrogate whose minimisers tell the probabilities of all labels but one."""
    return Construction("class probability", class_probability(facts.loss.n))
