"""lossmith: cost matrices in, certified losses out.

>>> import lossmith as lm
>>> loss = lm.LossMatrix([[0, 1, 4], [2, 0, 1], [9, 3, 0]])
>>> lm.affdim(loss)
2
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from lossmith import errors, losses, surrogates
from lossmith.analysis.affine_dimension import affdim
from lossmith.analysis.positive_normals import positive_normal_set
from lossmith.analysis.trigger_probabilities import trigger_sets
from lossmith.answers.bounding import ccdim
from lossmith.answers.designing import design
from lossmith.answers.regretting import Regret, regret
from lossmith.answers.sensitive import sensitivity
from lossmith.answers.study import analyze
from lossmith.answers.using import which
from lossmith.calibration.checking import check
from lossmith.calibration.scanning import scan
from lossmith.calibration.verdicts import Calibrated, NotCalibrated, Undecided
from lossmith.certificates.certificate import Certificate, verify
from lossmith.dimension.bounds import DimensionBounds
from lossmith.dimension.ge_feasible_subspace import feasible_subspace_dimension
from lossmith.losses.example_costs import ExampleCosts
from lossmith.losses.matrix import LossMatrix
from lossmith.reporting.content import report
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.surrogates.tracing import maximum, pos, sum_largest

if TYPE_CHECKING:
    from lossmith import boosting, learn, plot, testing
    from lossmith import nn as nn  # not in __all__: "from lossmith import *" must work without torch
    from lossmith.answers.demonstration import demonstrate
    from lossmith.answers.small_losses import census

__version__ = "0.2.0"
__all__ = [
    "Calibrated",
    "Certificate",
    "DimensionBounds",
    "ExampleCosts",
    "LossMatrix",
    "NotCalibrated",
    "PolyhedralSurrogate",
    "Pred",
    "Regret",
    "SmoothSurrogate",
    "Undecided",
    "affdim",
    "analyze",
    "boosting",
    "ccdim",
    "census",
    "check",
    "demonstrate",
    "design",
    "errors",
    "feasible_subspace_dimension",
    "learn",
    "losses",
    "maximum",
    "plot",
    "pos",
    "positive_normal_set",
    "regret",
    "report",
    "scan",
    "sensitivity",
    "sum_largest",
    "surrogates",
    "testing",
    "trigger_sets",
    "verify",
    "which",
]

_ON_DEMAND = ("boosting", "learn", "nn", "plot", "testing")  # scikit-learn, torch and matplotlib take long to load
# Functions that need numpy, or a data base.
_ELSEWHERE = {"census": "lossmith.answers.small_losses", "demonstrate": "lossmith.answers.demonstration"}


def __getattr__(name: str) -> Any:
    if name in _ON_DEMAND:
        return importlib.import_module(f"lossmith.{name}")
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module 'lossmith' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", "nn"])
