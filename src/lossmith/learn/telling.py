"""What is said once about a fit: labels without examples, surrogates without a proof, solvers that stopped early."""

from __future__ import annotations

import warnings
from typing import Any, TypeAlias

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from lossmith.calibration.verdicts import Calibrated
from lossmith.learn.choosing import Chosen
from lossmith.learn.linear import LinearFit
from lossmith.losses.matrix import LossMatrix

Array: TypeAlias = np.ndarray[Any, Any]


def tell_missing(truth: Array, loss: LossMatrix) -> None:
    """Labels that no example has, which is as if they could not be."""
    missing = np.flatnonzero(np.bincount(truth, minlength=loss.n) == 0)
    if missing.size:
        shown = ", ".join(repr(loss.labels[i]) for i in missing[:5]) + ", …" * (missing.size > 5)
        warnings.warn(
            f"y has no example of {shown} ({missing.size} of {loss.n} labels). What is learned gives "
            f"{'it' if missing.size == 1 else 'them'} probability 0, so decisions ignore the costs of "
            f"{'this label' if missing.size == 1 else 'these labels'}. Add examples, or leave the labels out with "
            f"loss.restrict(labels=…)",
            stacklevel=3,
        )


def tell_uncertified(chosen: Chosen) -> None:
    """A surrogate that is trained although it is not calibrated."""
    if chosen.decided is not None and not isinstance(chosen.decided, Calibrated):
        warnings.warn(str(chosen.decided), stacklevel=3)


def tell_gap(model: LinearFit, tol: float) -> None:
    """A duality gap above `tol` of the objective."""
    if model.gap > tol * model.objective:
        warnings.warn(
            f"the objective {model.objective:.6g} may be {model.gap:.2g} above the least one, more than tol = {tol:g} "
            f"of it; raise max_iter, or scale the features",
            ConvergenceWarning,
            stacklevel=4,
        )
