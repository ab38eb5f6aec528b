"""
What a practice costs
=====================

The same patients, decided in several ways. Dots are mean costs; lines are 95 % intervals of the distance from the
cheapest.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression

import lossmith as lm

loss = lm.LossMatrix(
    [[0, 1, 4], [10, 3, 1], [60, 35, 12]],
    labels=["mild", "moderate", "severe"],
    predictions=["home", "clinic", "ward"],
    name="triage",
)
generator = np.random.default_rng(0)
X = generator.standard_normal((600, 2))
y = np.array(loss.labels)[np.digitize(X[:, 0] + generator.standard_normal(600), [0, 1.5])]

figure = lm.plot.comparison(lm.learn.compare(loss, {"logistic regression": LogisticRegression()}, X, y, cv=3))
