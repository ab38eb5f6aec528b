"""
A surrogate that goes wrong
===========================

The cells of the Crammer–Singer hinge, dashed, over the best decisions for 0-1 loss, coloured: the hatched cell lies
in no single colour.
"""

import lossmith as lm

figure = lm.plot.verdict(lm.check(lm.surrogates.crammer_singer(3), lm.losses.zero_one(3)))
