"""What one can start from."""

from __future__ import annotations

from lossmith.explore.state import State, state_of
from lossmith.losses import abstain, hierarchical, ordinal, top_k
from lossmith.losses.matrix import LossMatrix

_TREE = {"clothes": ["shirt", "coat"], "kitchen": ["pan", "knife"]}


def examples() -> list[dict[str, object]]:
    """Titles and states, the first one being what the page opens with.

    >>> [each["title"] for each in examples()][:2]
    ['Fraud: approve, review or decline', 'Triage: four places to send a patient']
    """
    return [{"title": title, "state": state_of(loss)} for title, loss in _losses()]


def first() -> State:
    """What the page opens with if nothing is named."""
    return state_of(_losses()[0][1])


def _losses() -> list[tuple[str, LossMatrix]]:
    return [
        (
            "Fraud: approve, review or decline",
            LossMatrix(
                [[0, 5, 40], [300, 15, 2]],
                ["legitimate", "fraud"],
                ["approve", "review", "decline"],
                "fraud",
            ),
        ),
        (
            "Triage: four places to send a patient",
            LossMatrix(
                [[0, 1, 4, 8, 10], [10, 3, 1, 5, 4], [60, 35, 12, 9, 0]],
                ["mild", "moderate", "severe"],
                ["home", "clinic", "ward", "transfer", "icu"],
                "triage",
            ),
        ),
        ("Reject option: abstain at a third", abstain(3, "1/3")),
        ("Ordinal: grades, and how far one is off", ordinal(4)),
        ("Hierarchy: the wrong article, or the wrong shelf", hierarchical(_TREE)),
        ("Top-k: two guesses among four", top_k(4, 2)),
    ]
