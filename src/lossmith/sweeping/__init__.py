"""Many independent questions at once, here or on a cluster, and a store that a sweep goes on from.

>>> from lossmith.sweeping import Answer, Form, Kept, Question, Store, asked_once, sweep

`running` says how they go together.
"""

from lossmith.sweeping.questions import Answer as Answer
from lossmith.sweeping.questions import Kept as Kept
from lossmith.sweeping.questions import Question as Question
from lossmith.sweeping.running import Form as Form
from lossmith.sweeping.running import asked_once as asked_once
from lossmith.sweeping.running import sweep as sweep
from lossmith.sweeping.store import Store as Store
