"""Checks that a family of losses or surrogates keeps what every family promises: run them on one of your own.

>>> import lossmith as lm
>>> lm.testing.check_loss(lm.losses.abstain)
>>> lm.testing.check_surrogate(lm.surrogates.crammer_singer)
"""

from __future__ import annotations

from lossmith.testing.losses import check_loss
from lossmith.testing.surrogates import check_surrogate

__all__ = ["check_loss", "check_surrogate"]
