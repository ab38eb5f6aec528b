"""Features for linear models of tags: those given, of equal variance, and some of a Gaussian kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import issparse
from sklearn.decomposition import TruncatedSVD
from sklearn.kernel_approximation import Nystroem
from sklearn.preprocessing import StandardScaler

Array: TypeAlias = np.ndarray[Any, Any]

_MOST = 500  # features that are taken as they are; of more, as many directions
_EXAMPLES = 300  # of the kernel
_FEWEST = 100  # examples, below which a linear model is all that they tell


@dataclass(frozen=True)
class KernelFeatures:
    """What `kernel_features` fitted: both halves have the same mean square."""

    scaler: Any
    directions: Any
    kernel: Any
    size: float

    def __call__(self, X: Any) -> Array:
        """A row of numbers for each row of X, dense."""
        Z = self.scaler.transform(X)
        Z = Z if self.directions is None else self.directions.transform(Z)
        Z = Z.toarray() if issparse(Z) else Z
        return Z if self.kernel is None else np.hstack([Z, self.size * self.kernel.transform(Z)])


def kernel_features(X: Any, weights: Array, random: np.random.RandomState) -> KernelFeatures:
    """Fit features to examples: scaled, of more than 500 the main directions, and Nyström features of 300 examples.

    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> kernel_features(X, np.ones(200), np.random.RandomState(0))(X).shape
    (200, 103)
    """
    scaler = StandardScaler(with_mean=not issparse(X)).fit(X, sample_weight=weights)
    Z, directions = scaler.transform(X), None
    examples, count = X.shape
    if count > _MOST:
        directions = TruncatedSVD(min(_MOST, examples), random_state=random).fit(Z)
        Z = directions.transform(Z)
    Z = Z.toarray() if issparse(Z) else Z
    square = float((Z**2).sum(axis=1).mean())
    if examples < _FEWEST or square == 0:
        return KernelFeatures(scaler, directions, None, 1.0)
    kernel = Nystroem(gamma=1 / square, n_components=min(_EXAMPLES, examples // 2), random_state=random).fit(Z)
    return KernelFeatures(scaler, directions, kernel, square**0.5)
