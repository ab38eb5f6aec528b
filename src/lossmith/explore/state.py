"""What the page holds, a table as typed: as a loss, as the fragment of an address, and from what people paste."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from lossmith.errors import BadInput, BadLoss, LossmithError, TooLarge
from lossmith.exact.rational import as_rational
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.numerals import is_number
from lossmith.losses.reading import named_table, rationals_of
from lossmith.losses.sources import table_in
from lossmith.losses.tables import names_of
from lossmith.text.numbers import written

State: TypeAlias = dict[str, Any]

MOST_LABELS, MOST_DECISIONS, MOST_LETTERS = 60, 60, 200
LIMITS = {"labels": MOST_LABELS, "decisions": MOST_DECISIONS, "letters": MOST_LETTERS}
_KEYS = ("name", "labels", "decisions", "costs", "gains", "p", "cut", "overlay")  # the last three are the page's own


class BadCell(BadLoss):
    """An entry that is no cost; `cell` is its row and column."""

    def __init__(self, message: str, cell: tuple[int, int]) -> None:
        super().__init__(message)
        self.cell = cell


def loss_of(state: object) -> LossMatrix:
    """The loss that a state means; an entry that means nothing is named by its place.

    >>> loss_of({"labels": ["ok", "fraud"], "decisions": ["pay", "stop"], "costs": [["0", "$5"], ["$1,200.00", "5"]]})
    LossMatrix('costs': 2 labels × 2 predictions)
    """
    labels, decisions, costs = _table(state)
    assert isinstance(state, Mapping)
    gains, name = bool(state.get("gains")), str(state.get("name") or "costs")[:MOST_LETTERS]
    make = LossMatrix.from_gains if gains else LossMatrix
    try:
        return make(costs, names_of(labels), names_of(decisions), name)
    except LossmithError as error:
        cell = _blamed(costs, gains)
        if cell is None:
            raise
        raise BadCell(f"{error}", cell) from None


def numbers_of(state: object) -> list[list[Fraction]]:
    """The costs, or gains, as they stand in the table.

    >>> numbers_of({"labels": ["a", "b"], "decisions": ["c"], "costs": [["-1/2"], ["$1,200.00"]], "gains": True})
    [[Fraction(-1, 2)], [Fraction(1200, 1)]]
    """
    labels, decisions, costs = _table(state)
    return rationals_of(named_table(costs, names_of(labels), names_of(decisions)))


def _table(state: object) -> tuple[list[str], list[str], list[list[str]]]:
    """Labels, decisions and costs, if they are texts and as many as they should be."""
    if not isinstance(state, Mapping):
        raise BadInput("there is no state; it is an object with labels, decisions and costs")
    labels, decisions, costs = (state.get(key) for key in ("labels", "decisions", "costs"))
    for what, names, most in (("labels", labels, MOST_LABELS), ("decisions", decisions, MOST_DECISIONS)):
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadInput(f"the {what} of the state are no list of texts")
        if len(names) > most:
            raise TooLarge(f"{len(names)} {what} are more than the {most} that this page takes; use lossmith analyze")
        long = next((name for name in names if len(name) > MOST_LETTERS), None)
        if long is not None:
            raise TooLarge(f"the name {long[:20]!r}… has {len(long)} letters, more than {MOST_LETTERS}; shorten it")
    assert isinstance(labels, list)
    assert isinstance(decisions, list)
    texts = isinstance(costs, list) and all(
        isinstance(row, list) and all(isinstance(cell, str) and len(cell) <= MOST_LETTERS for cell in row)
        for row in costs
    )
    if not texts:
        raise BadInput(f"the costs of the state are no rows of texts of at most {MOST_LETTERS} letters")
    assert isinstance(costs, list)
    if len(costs) != len(labels) or any(len(row) != len(decisions) for row in costs):
        raise BadInput(
            f"the costs are not {len(labels)} rows with {len(decisions)} entries each, one for each decision"
        )
    return labels, decisions, costs


def _blamed(costs: Sequence[Sequence[str]], gains: bool) -> tuple[int, int] | None:
    """The first entry that is no number, else the first that is refused if it stands alone."""
    places = [(y, t) for y, row in enumerate(costs) for t in range(len(row))]
    strange = (place for place in places if not is_number(costs[place[0]][place[1]]))
    alone = (place for place in places if _is_refused(costs[place[0]][place[1]], gains))
    return next(strange, next(alone, None))


def _is_refused(cell: str, gains: bool) -> bool:
    try:
        (LossMatrix.from_gains if gains else LossMatrix)([[cell], ["0"]])
    except LossmithError:
        return True
    return False


def _is_negative(cell: str) -> bool:
    return cell.strip().startswith(("-", "−")) and any(digit in "123456789" for digit in cell)


def state_of(loss: LossMatrix, gains: bool = False) -> State:
    """The state that means a loss.

    >>> state_of(LossMatrix([["1/3", "0.5"], [1, 0]], ["a", "b"], ["c", "d"], "tiny"))["costs"]
    [['1/3', '0.5'], ['1', '0']]
    """
    if loss.n > MOST_LABELS or loss.k > MOST_DECISIONS:
        raise TooLarge(
            f"{loss.name} has {loss.n} labels and {loss.k} decisions; the page takes {MOST_LABELS} and "
            f"{MOST_DECISIONS}: lossmith analyze and lossmith report take any number"
        )
    return {
        "name": loss.name[:MOST_LETTERS],
        "labels": [f"{label}"[:MOST_LETTERS] for label in loss.labels],
        "decisions": [f"{decision}"[:MOST_LETTERS] for decision in loss.predictions],
        "costs": [[_as_typed(cell) for cell in row] for row in loss.entries],
        "gains": gains,
    }


def _as_typed(cost: Any) -> str:
    """As people write it where that is exact, else the fraction."""
    shown = written(cost)
    return shown if as_rational(shown) == cost else str(cost)


def fragment_of(state: State) -> str:
    """The state as the fragment of an address.

    >>> state_in(fragment_of({"labels": ["a"]}))
    {'labels': ['a']}
    """
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    return "#" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def state_in(fragment: str) -> State:
    """The state that a fragment holds."""
    text = fragment.strip().partition("#")[2] or fragment.strip()
    try:
        content = json.loads(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError):
        content = None
    if not isinstance(content, dict):
        raise BadInput(f"{fragment[:40]!r} holds no state; copy it with the button of the page, it begins with #ey")
    return content


def read_state(text: str) -> State:
    """The state in what was pasted or opened: a fragment, JSON, or a table of a spreadsheet with or without names.

    >>> read_state("truth,pay,stop" + chr(10) + "ok,0,5" + chr(10) + "fraud,200,5")["decisions"]
    ['pay', 'stop']
    """
    if text.lstrip().startswith("#ey"):
        state = state_in(text)
        loss_of(state)
        return {key: state[key] for key in _KEYS if key in state}
    table = table_in(text)
    if not all(isinstance(row, list) for row in table.entries) or not table.entries:
        raise BadLoss("there is no table in the text; give one row per label and one column per decision")
    costs = [[f"{cell}".strip() for cell in row] for row in table.entries]
    state = {
        "name": table.name or "costs",
        "labels": [f"{name}" for name in table.labels or range(len(costs))],
        "decisions": [f"{name}" for name in table.predictions or range(len(costs[0]))],
        "costs": costs,
        "gains": any(_is_negative(cell) for row in costs for cell in row),  # costs never are
    }
    loss_of(state)
    return state
