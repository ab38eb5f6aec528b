"""What there is to reproduce: an item of the paper, the claims it makes, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from lossmith.certificates.certificate import Certificate, verify
from lossmith.dimension.bounds import DimensionBounds
from lossmith.exact.vectors import rational_dot, unit_rows
from lossmith.geometry.linear_program import maximize
from lossmith.geometry.polytope import Polytope

Mark: TypeAlias = Literal["✓", "✓ sharper", "heading", "proof only", "✗"]
FAILED = "failed"  # what is computed where there is an error
_HEADINGS = ("sec", "subsec", "app")  # kinds of labels


@dataclass(frozen=True)
class Claim:
    """A quantity, what the paper says of it, what was computed, and how the two compare."""

    what: str
    paper: str
    computed: str
    mark: Mark


@dataclass(frozen=True)
class Picture:
    """A figure of the paper, or a part of it: the stem of its files, how it is drawn, and what it shows in words."""

    name: str
    draw: Callable[[], Any]
    caption: str
    alt: str


@dataclass(frozen=True)
class Outcome:
    """What became of an item: its mark, what was computed in a line, where it differs, and all claims and pictures."""

    mark: Mark
    computed: str
    difference: str = ""
    claims: tuple[Claim, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Item:
    """A label of the paper: what stands there, and how it is computed, unless there is nothing to compute.

    `note` tells where the paper is loose or has a slip.
    """

    label: str
    title: str
    statement: str = ""
    compute: Callable[[], Outcome] | None = None
    note: str = ""

    def run(self) -> Outcome:
        """Compute the item; an error is a disagreement.

        >>> Item("sec:intro", "Introduction").run().mark, Item("lem:continuous", "Continuity").run().mark
        ('heading', 'proof only')
        """
        if self.compute is None:
            return Outcome("heading" if self.label.split(":")[0] in _HEADINGS else "proof only", "")
        try:
            return self.compute()
        except MemoryError:
            raise
        except Exception as error:
            return Outcome("✗", FAILED, f"{type(error).__name__}: {error}")


def outcome(computed: str, *claims: Claim, pictures: Sequence[Picture] = ()) -> Outcome:
    """Sum up claims: one that fails makes ✗, else one that is sharper makes ✓ sharper.

    >>> outcome("two dimensions", equal("affdim", 2, 2), at_most("CCdim", 3, 2)).mark
    '✓ sharper'
    >>> outcome("", equal("affdim", 2, 3)).difference
    'affdim: the paper has 2, computed 3'
    """
    failed = [claim for claim in claims if claim.mark == "✗"]
    mark: Mark = "✗" if failed or not claims else "✓"
    if mark == "✓" and any(claim.mark == "✓ sharper" for claim in claims):
        mark = "✓ sharper"
    difference = "; ".join(f"{claim.what}: the paper has {claim.paper}, computed {claim.computed}" for claim in failed)
    return Outcome(mark, computed, difference, claims, tuple(pictures))


def equal(what: str, paper: object, computed: object) -> Claim:
    """The paper gives a value; it is the computed one or not."""
    return Claim(what, shown(paper), shown(computed), "✓" if paper == computed else "✗")


def holds(what: str, truth: bool, computed: str = "") -> Claim:
    """The paper states something; it is true of what was computed or not."""
    return Claim(what, "true", (computed or "true") if truth else "false", "✓" if truth else "✗")


def accepted(what: str, certificate: Certificate) -> Claim:
    """The checker accepts a certificate, or accepts it on a condition, or rejects it."""
    answer = verify(certificate)
    found = "conditional" if answer.conditional else "accepted" if answer.accepted else f"rejected: {answer.why}"
    return Claim(what, "accepted", found, "✓" if answer.accepted else "✗")


def at_least(what: str, paper: int, computed: int) -> Claim:
    """The paper gives a lower bound on what was computed; it is sharper if that is larger."""
    return Claim(what, f"≥ {shown(paper)}", f"= {computed}", _order(paper, computed))


def at_most(what: str, paper: int, computed: int) -> Claim:
    """The paper gives an upper bound on what was computed; it is sharper if that is less.

    >>> at_most("rank", 3, 4).mark
    '✗'
    """
    return Claim(what, f"≤ {paper}", f"= {computed}", _order(computed, paper))


def bounded(what: str, low: int, high: int, found: DimensionBounds) -> Claim:
    """The paper has low ≤ CCdim ≤ high; sharper if more was proved, and a disagreement if that was not."""
    lower, upper = found.lower.value, found.upper.value
    paper = f"= {low}" if low == high else f"{shown(low)} … {high}"
    computed = f"= {lower}" if lower == upper else f"{lower} … {upper}"
    mark: Mark = "✗" if not low <= lower <= upper <= high else "✓" if (low, high) == (lower, upper) else "✓ sharper"
    return Claim(what, paper, computed, mark)


def equal_sets(what: str, paper: str, rows: Iterable[Sequence[int]], polytope: Polytope) -> Claim:
    """The paper describes a set of distributions, here given as rows a with a·p ≥ 0: whether the polytope is that set.

    It lies in the set if its vertices do, and holds the set if none of its inequalities fails there (linear programs).

    >>> import lossmith as lm
    >>> cell = lm.trigger_sets(lm.losses.zero_one(2))[0].polytope
    >>> equal_sets("Q₁", "p₁ ≥ 1/2", [(1, -1)], cell).mark
    '✓'
    """
    rows = [tuple(row) for row in rows]
    inside = all(rational_dot(row, p) >= 0 for row in rows for p in polytope.vertices)
    n = len(polytope.valid[0])
    cone = [*((0, *row) for row in rows), *((0, *row) for row in unit_rows(n))]
    found = [maximize([-a for a in facet], cone, [(-1, *[1] * n)]) for facet in polytope.inequalities]
    outside = all(best is None or best.value <= 0 for best in found)
    return Claim(what, f"{{p : {paper}}}", f"hull of {shown(polytope.vertices)}", "✓" if inside and outside else "✗")


def shown(value: object) -> str:
    """Write a value in a line: fractions as a/b, lists as sets, tuples of points apart by semicolons.

    >>> shown(((Fraction(1, 2), Fraction(1, 2)), (1, 0))), shown([-1, 1])
    ('(1/2, 1/2); (1, 0)', '{−1, 1}')
    """
    if isinstance(value, list):
        return "{" + ", ".join(map(shown, value)) + "}"
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple | list):
            return "; ".join(map(shown, value))
        return "(" + ", ".join(map(shown, value)) + ")"
    if value is None:
        return "none"
    return str(value).replace("-", "−") if isinstance(value, int | Fraction) else str(value)


def _order(low: int, high: int) -> Mark:
    return "✓" if low == high else "✓ sharper" if low < high else "✗"
