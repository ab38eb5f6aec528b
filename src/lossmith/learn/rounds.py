"""Boosting that is stopped where it is best on examples that it was not trained on."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

Array: TypeAlias = np.ndarray[Any, Any]

EVERY = 4  # rounds after which it is asked
_FIRST = 24
_NO_GAIN = 6e-3  # of log-loss: where all is clear it would fall for ever


def first_good(paid: Any) -> int:
    """The first of some mean log-losses that is hardly above the least one.

    >>> first_good([0.7, 0.5, 0.305, 0.3, 0.4])
    2
    """
    return int(np.argmax(np.asarray(paid) <= np.min(paid) + _NO_GAIN))


class StoppedBoosting(HistGradientBoostingClassifier):  # type: ignore[misc]
    """Histogram boosting that can be asked while it is trained, so that rounds which bring nothing need not be trained.

    >>> X, y = np.arange(200.0)[:, None], np.arange(200) // 20 % 2
    >>> model = StoppedBoosting(early_stopping=False, learning_rate=1.0)
    >>> model.told_by_round(X[::2], y[::2], None, X[1::2], y[1::2], np.ones(100)).shape, model.n_iter_
    ((13, 100, 2), 54)
    """

    def told_by_round(self, X: Any, y: Array, weights: Array | None, unseen: Any, truth: Array, mass: Array) -> Array:
        """Train; the probabilities for other examples after every fourth round, as long as they help.

        Rounds are added by halves of those before, up to `max_iter`, until a third of all brought nothing; few are
        trained at once. `mass` are the weights of the other examples.
        """
        most: int = self.get_params()["max_iter"]
        rounds = most if most <= 2 * _FIRST else _FIRST
        while True:
            self.set_params(max_iter=rounds, warm_start=True).fit(X, y, sample_weight=weights)
            told = np.stack([P for i, P in enumerate(self.staged_predict_proba(unseen), 1) if i % EVERY == 0])
            right = (told * (self.classes_ == truth[:, None])).sum(axis=2)
            paid = -np.log(right.clip(min=1e-5)) @ mass
            if EVERY * (1 + first_good(paid / mass.sum())) <= rounds * 2 / 3 or rounds == most:
                return told
            rounds = min(rounds * 3 // 2, most)
