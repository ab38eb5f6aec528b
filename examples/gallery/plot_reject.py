"""
A reject option among four labels
=================================

Abstaining at cost 1/2 is best in the middle of the tetrahedron.
"""

import lossmith as lm

figure = lm.plot.trigger_sets(lm.losses.abstain(4))
