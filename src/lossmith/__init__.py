"""lossmith: cost matrices in, certified losses out.

>>> import lossmith as lm
>>> loss = lm.LossMatrix([[0, 1, 4], [2, 0, 1], [9, 3, 0]])
>>> lm.affdim(loss)
2
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from lossmith import losses
from lossmith.analysis.affine_dimension import affdim
from lossmith.analysis.trigger_probabilities import trigger_sets
from lossmith.losses.matrix import LossMatrix
from lossmith.study import analyze

if TYPE_CHECKING:
    from lossmith import plot

__version__ = "0.1.0"
__all__ = ["LossMatrix", "affdim", "analyze", "losses", "plot", "trigger_sets"]

_ON_DEMAND = ("plot",)  # matplotlib takes longer to load than everything else together


def __getattr__(name: str) -> Any:
    if name in _ON_DEMAND:
        return importlib.import_module(f"lossmith.{name}")
    raise AttributeError(f"module 'lossmith' has no attribute {name!r}")
