"""
One number for an ordered loss
==============================

The surrogate that is designed for star ratings has one dimension; the marks show where each decision is made.
"""

import lossmith as lm

loss = lm.losses.ordinal(4)
figure = lm.plot.curves(lm.design(loss).surrogate, loss=loss)
