"""Many independent questions at once, here or on a cluster, and a store that a sweep goes on from.

>>> from lossmith.sweeping import Answer, Kept, Question, Store, sweep

`running` says how they go together.
"""

from lossmith.sweeping.questions import Answer as Answer
from lossmith.sweeping.questions import Kept as Kept
from lossmith.sweeping.questions import Question as Question
from lossmith.sweeping.running import sweep as sweep
from lossmith.sweeping.store import Store as Store
