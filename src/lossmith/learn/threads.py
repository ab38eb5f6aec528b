"""One thread for what is small: threads that wait for each other on a busy machine take a hundred times as long."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any

from threadpoolctl import ThreadpoolController

_SMALL = 200_000  # numbers: boosting starts some sixty teams of threads for each tree of 31 leaves


def few_threads(X: Any) -> AbstractContextManager[Any]:
    """One thread of OpenMP and BLAS where the table X is small, and as many as there are else.

    >>> import numpy as np
    >>> with few_threads(np.zeros((10, 2))):
    ...     {each.num_threads for each in ThreadpoolController().lib_controllers}
    {1}
    """
    if X.shape[0] * X.shape[1] >= _SMALL:
        return nullcontext()
    limited: AbstractContextManager[Any] = _libraries().limit(limits=1)
    return limited


@lru_cache(maxsize=1)
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()
