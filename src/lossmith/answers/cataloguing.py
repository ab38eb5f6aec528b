"""Every surrogate against every loss: which is calibrated for which, with a certificate for each verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from textwrap import wrap
from typing import Any, NamedTuple, TypeAlias

from lossmith.analysis.facts import Facts
from lossmith.calibration.checking import ask
from lossmith.calibration.remembering import Told, answer, certificate_text, named, told
from lossmith.calibration.verdicts import Evidence, Surrogate, Undecided, Verdict
from lossmith.errors import BadInput, TooLarge
from lossmith.families import Family
from lossmith.geometry.double_description import Progress
from lossmith.losses import CATALOGUE as LOSSES
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.showing import aligned
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.surrogates.fitting import of_documents, of_sets
from lossmith.surrogates.members import fitting_surrogate
from lossmith.sweeping.questions import Answer, Question
from lossmith.sweeping.running import Form, asked_once
from lossmith.sweeping.store import Store
from lossmith.text.latex import latex_text
from lossmith.text.pages import download, file_name, mark, page, table, typeset

OF_LABELS = tuple(each for each in SURROGATES if each.fits not in (of_documents, of_sets))
MAX_VERTICES = 20_000  # of the cells of one surrogate
SHORT = 12  # surrogates in a table that is not divided
_KINDS = ("0-1 and costs", "ordinal", "abstaining", "top-k", "sets", "ranking", "smooth")
MARKS = {"calibrated": "C", "not calibrated": "N", "undecided": "?"}
_NONE = "–"
_MEANING = (
    "C: calibrated, with a suitable pred. N: not calibrated, whatever the pred. ?: undecided. "
    "–: the sizes differ, or the family has no such member."
)

Row = Family[..., Any] | Surrogate
Column = Family[..., Any] | LossMatrix


@dataclass(frozen=True)
class Entry:
    """One place of the catalogue: the verdict on a surrogate for a loss, its proof as JSON text, and a file for it.

    There is no certificate of a verdict that is undecided, nor where it would be too large to be made. A verdict out of
    a store says the same as the one that went in.
    """

    verdict: Verdict | Told
    certificate: str | None
    file: str

    @property
    def mark(self) -> str:
        """C, N or ?."""
        return MARKS[self.verdict.status]


@dataclass(frozen=True)
class Catalogue:
    """A table of verdicts: `entries[i][j]` is on surrogate i for loss j, None where they do not fit together.

    `surrogates` are families or members of them, each family with the member that fits the loss; `losses` are losses,
    or families that have no member of the size.
    """

    n: int
    surrogates: tuple[Row, ...]
    losses: tuple[Column, ...]
    entries: tuple[tuple[Entry | None, ...], ...]

    @property
    def sizes(self) -> str:
        """The numbers of labels, in words."""
        found = sorted({loss.n for loss in self.losses if isinstance(loss, LossMatrix)}) or [self.n]
        return " and ".join(filter(None, [", ".join(map(str, found[:-1])), f"{found[-1]} labels"]))

    @property
    def found(self) -> list[Entry]:
        """The entries that there are, row by row."""
        return [entry for row in self.entries for entry in row if entry is not None]

    def dimension(self, i: int) -> str:
        """The dimension of surrogate i, or the range of its dimensions where it depends on the loss."""
        found = sorted({entry.verdict.surrogate.dim for entry in self.entries[i] if entry is not None})
        return f"{found[0]}–{found[-1]}" if len(found) > 1 else str(found[0]) if found else _NONE

    def __str__(self) -> str:
        return self.to_text()

    @property
    def parts(self) -> list[tuple[str, list[int]]]:
        """The rows of a long table that are not empty, by kind of surrogate; of a short one all, under no name."""
        if len(self.surrogates) <= SHORT:
            return [("", list(range(len(self.surrogates))))]
        found: dict[str, list[int]] = {kind: [] for kind in _KINDS}
        for i, row in enumerate(self.surrogates):
            family = row if isinstance(row, Family) else row.made_by
            if any(self.entries[i]):
                found.setdefault("others" if family is None else family.kind, []).append(i)
        return [(kind, rows) for kind, rows in found.items() if rows]

    def to_text(self) -> str:
        """The table for a terminal: the losses are numbered, and listed above it."""
        numbers = [str(j) for j in range(1, len(self.losses) + 1)]
        key = [f"{number:>2}  {name_of(loss)}" for number, loss in zip(numbers, self.losses, strict=True)]
        head, *lines = aligned([["surrogate", "dim", *numbers], *self._rows()])
        shown = [line for kind, rows in self.parts for line in (*_heading(kind), *(lines[i] for i in rows))]
        return "\n".join([*key, "", head, *shown, "", *wrap(self._left_out(), 100), *wrap(_MEANING, 100)])

    def to_markdown(self) -> str:
        """The table as a section of a page in Markdown, with the formula of each family."""
        head = ["surrogate", "ψ_y(u)", "dim", *map(name_of, self.losses)]
        lines = [[f"`{row[0]}`", formula(s), *row[1:]] for s, row in zip(self.surrogates, self._rows(), strict=True)]
        shown = [f"## {self.sizes}"]
        for kind, places in self.parts:
            rows = [head, ["---", "---", *[":-:"] * (len(head) - 2)], *(lines[i] for i in places)]
            shown += ["", *([f"### {kind}, {self.sizes}", ""] if kind else [])]
            shown += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
        return "\n".join([*shown, *(["", left_out] if (left_out := self._left_out()) else [])])

    def to_latex(self) -> str:
        """The table for a paper; the losses are numbered, and listed below it."""
        head = ["surrogate", "$d$", *(f"$L_{{{j}}}$" for j in range(1, len(self.losses) + 1))]
        rows = [[latex_text(row[0]), *(cell.replace("–", "--") for cell in row[1:])] for row in self._rows()]
        lines = " \\\\\n".join(" & ".join(row) for row in rows)
        key = ", ".join(f"$L_{{{j}}}$: {latex_text(name_of(loss))}" for j, loss in enumerate(self.losses, start=1))
        return (
            f"\\begin{{tabular}}{{l{'c' * (len(head) - 1)}}}\n{' & '.join(head)} \\\\ \\hline\n{lines}\n"
            f"\\end{{tabular}}\n\n{key}.\n"
        )

    def to_html(self, folder: str | None = None) -> str:
        """The table as a page; each verdict is a link to its certificate, in the page or in a folder beside it."""
        names = [f"<code>{escape(name_of(surrogate))}</code>" for surrogate in self.surrogates]
        rows = [
            [
                name,
                self.dimension(i),
                *(_NONE if entry is None else _linked(entry, folder) for entry in self.entries[i]),
            ]
            for i, name in enumerate(names)
        ]
        header = ["surrogate", "dimension", *(escape(name_of(loss)) for loss in self.losses)]
        formulas = [[name, typeset(formula(each))] for name, each in zip(names, self.surrogates, strict=True)]
        return page(
            f"Surrogates and losses, {self.sizes}",
            [
                "<h1>Which surrogate is calibrated for which loss?</h1>",
                f"<p>{escape(_MEANING)} Each C and N is a link to a certificate that proves it; with the pointer on "
                "it, it says why.</p>",
                *(
                    table(
                        f"Verdicts for {self.sizes}{f': {kind}' * bool(kind)}",
                        header,
                        [rows[i] for i in chosen],
                        "marks",
                    )
                    for kind, chosen in self.parts
                ),
                "<h2>The surrogates</h2>",
                table("What each surrogate is", ["surrogate", "ψ<sub>y</sub>(u)"], formulas),
            ],
        )

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data."""
        return {
            "n": self.n,
            "losses": [
                {"name": name_of(loss), "n": loss.n if isinstance(loss, LossMatrix) else None} for loss in self.losses
            ],
            "surrogates": [
                {
                    "name": name_of(surrogate),
                    "formula": formula(surrogate),
                    "verdicts": [None if entry is None else _plain(entry) for entry in row],
                }
                for surrogate, row in zip(self.surrogates, self.entries, strict=True)
            ],
        }

    def _left_out(self) -> str:
        """The surrogates of a long table that fit none of the losses."""
        shown = {i for _, rows in self.parts for i in rows}
        names = [name_of(row) for i, row in enumerate(self.surrogates) if i not in shown]
        return f"For none of these losses: {', '.join(names)}." if names else ""

    def _rows(self) -> list[list[str]]:
        return [
            [name_of(surrogate), self.dimension(i), *(_NONE if each is None else each.mark for each in self.entries[i])]
            for i, surrogate in enumerate(self.surrogates)
        ]


def catalogue(
    losses: Iterable[Column] = LOSSES,
    surrogates: Iterable[Row] = OF_LABELS,
    n: int = 3,
    *,
    n_jobs: int | None = 1,
    store: Store | None = None,
    progress: Progress | None = None,
) -> Catalogue:
    """Decide for every surrogate and every loss; a family stands for its member with n labels, or the loss's.

    `n_jobs` workers of joblib decide; None leaves their number and kind to `joblib.parallel_config`. What a `store`
    holds is not decided again.

    >>> from lossmith.losses import abstain, zero_one
    >>> from lossmith.surrogates import crammer_singer, softmax
    >>> print(catalogue([zero_one, abstain], [crammer_singer, softmax]))
     1  zero_one(n=3)
     2  abstain(n=3, cost=1/2)
    <BLANKLINE>
    surrogate       dim  1  2
    crammer_singer    3  N  C
    softmax           3  C  C
    <BLANKLINE>
    C: calibrated, ...
    """
    columns: list[Column] = []
    for each in losses:
        known = [column for column in columns if isinstance(column, LossMatrix)]
        columns.append(each if isinstance(each, LossMatrix) else member_of_size(each, n, known) or each)
    rows = tuple(surrogates)
    places = [
        (i, j, fitting, loss)
        for i, row in enumerate(rows)
        for j, loss in enumerate(columns)
        if isinstance(loss, LossMatrix) and (fitting := fitting_surrogate(row, loss)) is not None
    ]
    names = [file_name(fitting.name, loss.name) for _, _, fitting, loss in places]
    files = [f"{name}{f'--{k}' * (names.count(name) > 1)}.json" for k, name in enumerate(names)]
    table: list[list[Entry | None]] = [[None] * len(columns) for _ in rows]
    decided = _decide([Pair(fitting, loss) for _, _, fitting, loss in places], n_jobs, store, progress)
    for (i, j, _, _), (verdict, proof), file in zip(places, decided, files, strict=True):
        table[i][j] = Entry(verdict, proof, file)
    return Catalogue(n, rows, tuple(columns), tuple(map(tuple, table)))


def verdicts_on(
    facts: Facts,
    surrogates: Sequence[Surrogate],
    *,
    max_vertices: int = MAX_VERTICES,
    progress: Progress | None = None,
) -> tuple[Verdict, ...]:
    """The verdicts on surrogates for one loss."""
    found = []
    for done, surrogate in enumerate(surrogates):
        if progress is not None:
            progress(done, len(surrogates))
        found.append(decided(surrogate, facts, max_vertices))
    return tuple(found)


def member_of_size(family: Family[..., Any], n: int, known: Sequence[LossMatrix] = ()) -> LossMatrix | None:
    """The first member with n labels that the family declares, better one that is no multiple of a loss known already.

    >>> from lossmith.losses import hamming, top_k, zero_one
    >>> member_of_size(hamming, 4).name, member_of_size(hamming, 3), member_of_size(top_k, 4, [zero_one(4)]).name
    ('hamming(r=2)', None, 'top_k(n=4, k=2)')
    """
    found = []
    for given in family.of_size(n):
        try:
            if family.size(**given)[0] == n:
                found.append(family(**given))
        except BadInput:
            continue  # a set of k labels must be smaller than n
    shapes = [_shape(loss) for loss in known]
    return next((loss for loss in found if _shape(loss) not in shapes), found[0] if found else None)


def decided(surrogate: Surrogate, facts: Facts, max_vertices: int = MAX_VERTICES, pred: str | None = None) -> Verdict:
    """The verdict; undecided where it would take more work than the budget allows."""
    try:
        return ask(surrogate, facts, pred, max_vertices=max_vertices)
    except TooLarge as error:
        return Undecided(surrogate, facts.loss, (("budget", str(error)),), Evidence(0, 0.0, (), ()))


def _heading(kind: str) -> list[str]:
    return ["", f"{kind}:"] if kind else []


def name_of(item: Row | Column) -> str:
    """The name of a family, a surrogate or a loss."""
    return str(item.name)


def formula(row: Row) -> str:
    """What a family's docstring says of ψ_y(u) in its first sentence; nothing for a surrogate of one's own.

    >>> from lossmith.surrogates import crammer_singer
    >>> formula(crammer_singer), formula(crammer_singer(3)) == formula(crammer_singer)
    ('(1 + max_{j≠y} u_j − u_y)₊ on R^n', True)
    """
    family = row if isinstance(row, Family) else row.made_by
    if family is None:
        return ""
    return (family.__doc__ or "").splitlines()[0].split(";")[0].partition(". ")[0].rstrip(".")


class Pair(NamedTuple):
    """A surrogate and a loss, of which it is asked whether they go together."""

    surrogate: Surrogate
    loss: LossMatrix

    def __str__(self) -> str:
        return f"{self.surrogate.name} for {self.loss.name}"


Proved: TypeAlias = tuple[Verdict | Told, str | None]  # a verdict and its certificate


def _decide(
    pairs: Sequence[Pair], n_jobs: int | None, store: Store | None, progress: Progress | None
) -> Iterator[Proved]:
    form = Form(_named, _answer, _told)
    return asked_once(_proved, pairs, form, n_jobs=n_jobs, store=store, progress=progress)


def _proved(pair: Pair) -> Proved:
    surrogate, loss = pair
    verdict = decided(surrogate, Facts(loss))
    return verdict, certificate_text(verdict)


def _answer(proved: Proved) -> Answer:
    return answer(proved[0])


def _told(pair: Pair, kept: Answer) -> Proved:
    return told(*pair, kept), kept.certificates.get("proof")


def _named(pair: Pair) -> Question:
    return named(*pair, MAX_VERTICES)


def _shape(loss: LossMatrix) -> tuple[tuple[Fraction, ...], ...]:
    largest = max(map(max, loss.entries)) or Fraction(1)
    return tuple(tuple(entry / largest for entry in row) for row in loss.entries)


def _linked(entry: Entry, folder: str | None) -> str:
    verdict, why = entry.verdict, escape(str(entry.verdict))
    words = f'<span title="{why}">{entry.mark}</span>'
    spoken = escape(f"{verdict.surrogate.name} is {verdict.status} for {verdict.loss.name}: the certificate")
    if entry.certificate is None:
        return mark(verdict.status, words)
    target = None if folder is None else f"{folder}/{entry.file}"
    return mark(verdict.status, download(entry.certificate, entry.file, words, spoken, target))


def _plain(entry: Entry) -> dict[str, Any]:
    return {**entry.verdict.to_dict(), "dim": entry.verdict.surrogate.dim, "mark": entry.mark}
