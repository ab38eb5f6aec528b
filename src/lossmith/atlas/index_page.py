"""The index of the atlas: all verdicts in one table that can be searched, filtered and sorted."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lossmith.answers.cataloguing import MARKS
from lossmith.atlas.contents import Atlas
from lossmith.atlas.deciding import Finding
from lossmith.atlas.members import MOST_DECISIONS
from lossmith.atlas.parts import CLASSES, LEFT_OUT, LEGEND, address, jumps, link, place, sign, site_page

FEW = 200  # rows that are shown at first: all of them take a browser ten seconds


def index_page(atlas: Atlas) -> str:
    """The page."""
    decided = [each for each in atlas.findings if each.status in ("calibrated", "not calibrated")]
    body = [
        "<h1>The atlas of surrogates and losses</h1>",
        f"<p>{len(atlas.families)} families of surrogates, {len(atlas.loss_pages)} of losses, "
        f"{len(atlas.findings):,} statements on members with {', '.join(map(str, atlas.sizes))} labels; "
        f"{len(decided):,} are decided, each with its certificate; losses with more than {MOST_DECISIONS} decisions "
        f"are left out. Each verdict is a link to the statement, with its certificate, the command that makes it, and "
        f"how to cite it. {escape(LEGEND)} All statements as {link('statements.csv', 'a table')}.</p>",
        jumps({"Verdicts": "verdicts", "Surrogates": "surrogates", "Losses": "losses"}),
        _filters(atlas),
        _table(atlas),
        '<h2 id="surrogates">Surrogates</h2>',
        _names("surrogates", list(atlas.of_surrogate)),
        '<h2 id="losses">Losses</h2>',
        _names("losses", list(atlas.loss_pages)),
    ]
    return site_page("The atlas of surrogates and losses", body, up="", script=True)


def _names(folder: str, names: Sequence[str]) -> str:
    links = [link(f"{folder}/{name}.html", name) for name in names]
    return f'<ul class="names">{"".join(f"<li>{each}</li>" for each in links)}</ul>'


def _filters(atlas: Atlas) -> str:
    marks = {"": "any", **{mark: status for status, mark in MARKS.items()}, LEFT_OUT: "left out"}
    parts = [
        '<label>Search <input type="search" name="search" placeholder="hinge top-k"></label>',
        _choice("Loss", "loss", {"": "all", **{name: name for name in atlas.loss_pages}}),
        _choice("Kind", "kind", {"": "all", "polyhedral": "polyhedral", "smooth": "smooth"}),
        _choice("Pred", "pred", {"some": "some pred", "customary": "customary preds", "": "both"}),
        _choice("Labels", "n", {"": "any", **{str(n): str(n) for n in atlas.sizes}}),
        '<label>Dimension at most <input type="number" name="dim" min="1"></label>',
        _choice("Verdict", "verdict", marks),
        '<button type="reset">Reset</button>',
    ]
    return (
        f'<form id="filters" hidden>{"".join(parts)} <output id="shown" aria-live="polite"></output> '
        '<button type="button" id="more" hidden>Show all</button></form>'
    )


def _choice(words: str, name: str, options: dict[str, str]) -> str:
    listed = "".join(f'<option value="{escape(key)}">{escape(value)}</option>' for key, value in options.items())
    return f'<label>{words} <select name="{name}">{listed}</select></label>'


def _table(atlas: Atlas) -> str:
    """One row for each surrogate, loss and pred, with a verdict for each number of labels."""
    groups: dict[tuple[str, str, str | None], dict[int, Finding]] = {}
    for each in atlas.findings:
        statement = each.statement
        key = (statement.family.name, statement.member.name, statement.pred)
        groups.setdefault(key, {})[statement.member.loss.n] = each
    sizes = "".join(f'<th scope="col" data-n="{n}">{n}</th>' for n in atlas.sizes)
    first, last = (_heads(*words) for words in (("surrogate", "loss", "pred"), ("dimension", "kind")))
    rows = "\n".join(_row(atlas, found) for found in groups.values())
    words = "Verdicts by surrogate, loss and pred, for each number of labels"
    return (
        f'<div id="verdicts" class="scroll" role="region" tabindex="0" aria-label="{words}">\n'
        f'<table class="index marks-only" data-few="{FEW}"><caption>{words}</caption>\n'
        f"<thead><tr>{first}{sizes}{last}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _heads(*words: str) -> str:
    return "".join(f'<th scope="col">{word}</th>' for word in words)


def _row(atlas: Atlas, found: dict[int, Finding]) -> str:
    statement = next(iter(found.values())).statement
    name, member = statement.name.partition("/")[0], statement.member
    kind = "polyhedral" if statement.polyhedral else "smooth"
    family = statement.family
    words = " ".join([family.name, *family.aliases, family.kind]).lower()
    about = (
        f'data-loss="{escape(member.page)}" data-kind="{kind}" data-pred="{escape(statement.pred or "")}" '
        f'data-words="{escape(words)}"'
    )
    dims = dict.fromkeys(str(each.statement.surrogate.dim) for each in found.values())
    cells = "".join(_cell(found.get(n)) for n in atlas.sizes)
    of_surrogate = link(f"surrogates/{name}.html", name)
    of_loss = link(f"losses/{member.page}.html", member.name)
    return (
        f'<tr {about}><th scope="row">{of_surrogate}</th><td>{of_loss}</td><td>{escape(statement.pred or "some")}</td>'
        f"{cells}<td>{', '.join(dims)}</td><td>{kind}</td></tr>"
    )


def _cell(finding: Finding | None) -> str:
    if finding is None:
        return "<td></td>"
    where = address(place(finding.statement))
    shown = f'<a class="mark {CLASSES[finding.status]}" href="{where}">{sign(finding)}</a>'
    return f'<td data-d="{finding.statement.surrogate.dim}">{shown}</td>'
