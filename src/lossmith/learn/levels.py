"""What least squares tell of the expected losses, beyond which is least."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from lossmith.errors import BadInput
from lossmith.exact.solve import combinations
from lossmith.learn.choosing import Chosen
from lossmith.surrogates.smooth import SmoothSurrogate

Array: TypeAlias = np.ndarray[Any, Any]


def levels(chosen: Chosen) -> Array:
    """Rows (c, b) with p·ℓ_t = c_t + b_t·u for the mean u, if there are such.

    >>> from lossmith.learn.choosing import choose
    >>> from lossmith.losses import ordinal
    >>> levels(choose(ordinal(3), "square")).shape[0]
    3
    """
    if isinstance(chosen.surrogate, SmoothSurrogate) and chosen.surrogate.traits.scales is None:
        means = chosen.surrogate.traits.mean or ()
        unit = chosen.loss.rational.denominator
        ones = [type(means[0][0])(1)] * chosen.loss.n
        found = combinations([ones, *zip(*means, strict=True)], chosen.loss.rational.integer_columns())
        if all(x is not None for x in found):
            return np.array([[float(each) for each in x or ()] for x in found]) / unit
    raise BadInput(
        f'{chosen.surrogate.name} tells which decision is best, not what it costs; use surrogate="plug-in" for that'
    )
