"""
Where each decision is optimal
==============================

Three conditions of a patient, four places to send them; the triangle holds all distributions of the conditions.
"""

import lossmith as lm

loss = lm.LossMatrix(
    [[0, 1, 4, 10], [10, 3, 1, 4], [60, 35, 12, 0]],
    labels=["mild", "moderate", "severe"],
    predictions=["home", "clinic", "ward", "icu"],
)
figure = lm.plot.trigger_sets(loss, points={"a patient": ["7/10", "1/5", "1/10"]})
