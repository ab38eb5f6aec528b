"""The report as a page: its sections, in the order in which one asks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from lossmith.answers.cataloguing import formula
from lossmith.answers.rule import condition, conditions_of, distribution_text
from lossmith.answers.screen import DECIDING, LOOKING, TRAINING, practice_lines
from lossmith.answers.study import LossStudy
from lossmith.answers.theory import REGRESSION, corner
from lossmith.calibration.remembering import certificate_text
from lossmith.calibration.verdicts import Calibrated, Undecided
from lossmith.losses.sampling import leading_pairs
from lossmith.plot.saving import as_svg
from lossmith.plot.simplex import picture
from lossmith.reporting.adjacency import MOST_NODES, boundary, graph
from lossmith.reporting.content import MOST_DIMENSIONS, MOST_LABELS, Report
from lossmith.reporting.formulas import decisions, parts
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.text.numbers import as_fractions, counted, percent
from lossmith.text.pages import download, file_name, mark, page, table, typeset

HELD = 230_000  # bytes of certificates, so that the page stays below 500 KB
_LARGEST_MATRIX = 1_000  # entries that the page holds
MOST_ENTRIES = 20_000  # of a loss, whose certificates the page may hold
_MOST_WALLS, _MOST_PAIRS = 8, 12  # labels of walls that can be read; pairs of decisions in place of these
_MOST_ROWS, _MOST_CORNERS, _MOST_LETTERS = 40, 12, 600
_NOT_HELD = '<span class="quiet">too large for this page</span>'


def document(report: Report) -> str:
    """The page; certificates are held in it, first those of the recommendation, as far as there is room."""
    links = _links(report)
    title = f"{report.study.loss.name}: a report"
    return page(title, [section for part in _parts(report, links) for section in part])


def _parts(report: Report, links: dict[str, str]) -> Iterator[Iterator[str]]:
    study = report.study
    yield _head(study, report.gains)
    yield _rule(study)
    yield _practice(study)
    yield _use(study)
    yield _redundant(study)
    yield _theory(study)
    yield _cells(study)
    yield _dimension(study, links)
    yield _recommended(report, links)
    yield _verdicts(report, links)


def _head(study: LossStudy, gains: bool) -> Iterator[str]:
    loss = study.loss
    yield f"<h1>{_name(loss.name)}</h1>"
    yield (
        f"<p>{counted(loss.n, 'label')}, {counted(loss.k, 'decision')}. One row for each true label, one column for "
        "each decision: the number in row <i>y</i> and column <i>t</i> is what it costs to decide <i>t</i> when the "
        "truth is <i>y</i>.</p>"
    )
    if gains:
        yield "<p>What was given are gains; the costs are what is lost against the best decision of each row.</p>"
    header, *rows = loss.shown_rows()
    cells = [[_name(cell) for cell in row] for row in rows]
    yield table(f"Cost of each decision, {_name(loss.name)}", [_name(cell) for cell in header], cells, "numbers")


def _rule(study: LossStudy) -> Iterator[str]:
    yield "<h2>What to decide when</h2>"
    if study.rule is None:
        yield from _winning(study)
    else:
        shown = "".join(f"<li>{_cut(sentence)}</li>" for sentence in study.rule.sentences[:_MOST_ROWS])
        yield f'<p class="claim">{escape(study.rule.heading)}</p><ul>{shown}'
        yield f"{_more(len(study.rule.sentences), 'li')}</ul>"
    if study.trigger_sets is not None and study.loss.n <= 4:
        yield from _picture(study)
    elif study.loss.n <= _MOST_WALLS:
        yield from _graph(study)
    elif len(study.facts.kept) > 1:
        yield _pairs(study)


def _practice(study: LossStudy) -> Iterator[str]:
    if study.acting is None:
        return
    yield "<h2>The worst case of acting on the most probable label</h2>"
    yield f"<p>{_cut(' '.join(line.strip() for line in practice_lines(study.loss, study.acting)))}</p>"
    yield (
        "<p>What it costs on your data: <code>lm.learn.compare(loss, models, X, y)</code>. On other estimators: "
        "<code>lossmith which LOSS</code>.</p>"
    )


def _use(study: LossStudy) -> Iterator[str]:
    if study.dimension.upper.value == 0:
        return
    file, held = file_name(study.loss.name) + ".json", "the matrix as a file"
    if study.loss.n * study.loss.k <= _LARGEST_MATRIX:
        held = download(study.loss.to_json(), file, held, f"loss matrix, {file}")
    yield "<h2>How to use it</h2>"
    yield f"<p>With any classifier of scikit-learn that has <code>predict_proba</code>, and {held}:</p>"
    lines = [
        "import lossmith as lm",
        "from sklearn.linear_model import LogisticRegression",
        "",
        f'loss = lm.LossMatrix.from_json("{file}")',
        "model = LogisticRegression().fit(X, y)  # y by the names of the labels",
        LOOKING,
        DECIDING,
    ]
    yield f"<pre>{_code(*lines)}</pre><p>Or let lossmith choose and train the model:</p><pre>{_code(TRAINING)}</pre>"


def _redundant(study: LossStudy) -> Iterator[str]:
    yield "<h2>Decisions that are never needed</h2>"
    if not study.redundant:
        yield "<p>None: every decision is the best one for some distribution of the labels.</p>"
        return
    shown = "".join(f"<li>{_cut(each.explain(study.loss))}</li>" for each in study.redundant[:_MOST_ROWS])
    yield f"<ul>{shown}{_more(len(study.redundant), 'li')}</ul>"


def _theory(study: LossStudy) -> Iterator[str]:
    yield "<h2>Theory and proofs</h2>"
    yield f"<p>{escape(study.claim)} Numbers are exact here, and certificates can be checked.</p>"


def _cells(study: LossStudy) -> Iterator[str]:
    loss, cells = study.loss, study.trigger_sets
    if cells is None or loss.n not in (3, 4):  # two labels are said in words, and of more the walls
        return
    yield "<h3>Where each decision is best</h3>"
    rows = []
    with as_fractions():
        for cell in cells[:_MOST_ROWS]:
            corners = [corner(p, loss.labels) for p in cell.polytope.vertices[::-1][:_MOST_CORNERS]]
            more = len(cell.polytope.rays) - _MOST_CORNERS
            listed = "; ".join(corners) + (f"; … {more} more" if more > 0 else "")
            when = conditions_of(cell, loss.labels)
            rows.append([_name(loss.predictions[cell.prediction]), _cut(when), _cut(listed)])
    yield table(
        "When each decision is best, and the corners of its cell", ["decision", "best when", "corners"], rows, "stack"
    )
    yield _more(len(cells), "p")


def _picture(study: LossStudy) -> Iterator[str]:
    loss = study.loss
    shapes = {2: "an interval", 3: "a triangle", 4: "a tetrahedron"}
    names = ", ".join(f"{loss.predictions[cell.prediction]}" for cell in study.trigger_sets or ())
    words = (
        f"The distributions of the labels {', '.join(map(format, loss.labels))} as {shapes[loss.n]}, divided into the "
        f"cells of {names}"
    )
    apart = "; cells are drawn a little smaller, so that inner ones can be seen" if loss.n == 4 else ""
    drawn = as_svg(picture(study.facts), words)
    yield (
        f"<figure>{drawn}<figcaption>Each point is a distribution of the labels; at a corner "
        f"one label is certain. Each colour is where one decision costs least on average{apart}.</figcaption></figure>"
    )


def _graph(study: LossStudy) -> Iterator[str]:
    loss, kept, pairs = study.loss, study.facts.kept, study.facts.neighbours.pairs
    if 1 < len(kept) <= MOST_NODES:
        drawn = graph(loss, kept, pairs)
        yield (
            f"<figure>{drawn}<figcaption>A line joins two decisions whose cells share a wall: there both "
            f"are best, and on either side of it one of them.</figcaption></figure>"
        )
    rows = [
        [
            f"{_name(loss.predictions[s])} or {_name(loss.predictions[t])}",
            _cut(condition(boundary(loss, s, t), loss.labels, "=")),
        ]
        for s, t in pairs[:_MOST_ROWS]
    ]
    if rows:
        yield table(
            "The walls between cells: with &gt; instead of = the first decision is the better one",
            ["decisions", "cost the same where"],
            rows,
        )
        yield _more(len(pairs), "p")


def _pairs(study: LossStudy) -> str:
    """For many labels: a wall has as many terms, and nearly every two cells touch."""
    names, pairs = study.loss.predictions, leading_pairs(study.loss, study.facts.kept)
    rows = [[f"{_name(names[s])} or {_name(names[t])}", percent(share)] for (s, t), share in pairs[:_MOST_PAIRS]]
    title = "Between which two decisions it mostly is: those that cost least, and of how many distributions (sampled)"
    return table(title, ["decisions", "share"], rows)


def _winning(study: LossStudy) -> Iterator[str]:
    loss, found = study.loss, study.facts.winning
    yield (
        "<p>Decide for the least expected cost. For each decision: a distribution at which it is better than "
        "all others, by about as much as can be, and of how many distributions it is the best one (sampled).</p>"
    )
    rows = [
        [
            _name(loss.predictions[each.prediction]),
            _cut(distribution_text(each.p, loss.labels)),
            f"{float(each.margin):.3g}",
            percent(study.shares[each.prediction]),
        ]
        for each in sorted(found, key=lambda each: -study.shares[each.prediction])[:_MOST_ROWS]
    ]
    yield table("Where each decision wins", ["decision", "at", "by", "share"], rows)
    yield _more(len(found), "p")


def _dimension(study: LossStudy, links: dict[str, str]) -> Iterator[str]:
    low, high = study.dimension.lower, study.dimension.upper
    yield "<h3>How many functions must be learned</h3>"
    yield (
        f"<p>{escape(study.claim)} CCdim is the least number of real-valued functions with which a convex surrogate "
        f"can be calibrated for the loss. The affine dimension of the columns is {study.affdim}, their rank "
        f"{study.rank}.</p>"
    )
    best = {id(low): links.get("lower", ""), id(high): links.get("upper", "")}
    rows = [
        [
            f"{'at least' if each.side == 'lower' else 'at most'}&nbsp;{each.value}",
            f'{_cut(each.why)}<br><span class="quiet">{escape(each.theorem)}</span>',
            best.get(id(each), ""),
        ]
        for each in sorted(dict.fromkeys(study.dimension.bounds), key=lambda each: (id(each) not in best, each.side))
    ]
    yield table("Bounds on CCdim, the best ones first", ["CCdim is", "because", "certificate"], rows, "stack")
    yield from (f"<p>{escape(note)}</p>" for note in study.dimension.notes)


def _recommended(report: Report, links: dict[str, str]) -> Iterator[str]:
    yield "<h3>What to train with</h3>"
    if report.fewest is None or report.regression is None:
        yield "<p>Nothing needs to be learned: one decision is always best.</p>"
        return
    yield "<h4>Probabilities, with any classifier</h4>"
    yield "<p>On most data this costs least: learn probabilities, and take the decision of least expected cost.</p>"
    yield f"<pre>{_code(DECIDING)}</pre>"
    yield "<h4>By regression, with any regressor</h4>"
    yield f"<p>With <code>y</code> as names of labels, three lines train and decide:</p><pre>{_code(*REGRESSION)}</pre>"
    yield from _design(report.regression, links.get("regression", ""))
    dim = report.fewest.surrogate.dim
    if dim < report.regression.surrogate.dim or isinstance(report.fewest.surrogate, PolyhedralSurrogate):
        yield f"<h4>In {dim} dimension{'s' * (dim > 1)}, the fewest that are certified</h4>"
        yield f"<pre>{_code(report.code)}</pre>"
        yield from _design(report.fewest, links.get("recommended", ""))


def _design(verdict: Calibrated, link: str) -> Iterator[str]:
    yield f"<p>{escape(verdict.made_by)}. {link}</p>"
    formulas = [[_name(label), typeset(text)] for label, text in parts(verdict)[:_MOST_ROWS]]
    yield table("The surrogate", ["label <i>y</i>", "ψ<sub>y</sub>(u)"], formulas)
    yield _more(verdict.loss.n, "p")
    compared = decisions(verdict)
    if compared:
        rows = [[_name(name), typeset(text)] for name, text in compared[:_MOST_ROWS]]
        yield table("The pred: decide for the least", ["decision", "compare"], rows)
        yield _more(len(compared), "p")
    elif verdict.cells:
        names = verdict.loss.predictions
        ordered = sorted(verdict.cells, key=lambda cell: cell.u)
        cells = [[", ".join(map(str, cell.u)), _name(names[cell.prediction])] for cell in ordered[:_MOST_ROWS]]
        yield table("Where it is least, and what <code>best.decide</code> says there", ["u", "decision"], cells)
        yield _more(len(verdict.cells), "p")


def _verdicts(report: Report, links: dict[str, str]) -> Iterator[str]:
    yield "<h3>Surrogates in use: which are right for this loss?</h3>"
    if not report.verdicts:
        yield "<p>They were not decided here; ask <code>lossmith check SURROGATE LOSS</code>.</p>"
        return
    yield (
        "<p>A surrogate is calibrated for the loss if minimising it, with enough data and a rich model, and then "
        "deciding by a suitable pred minimises the expected cost. If it is not, the counterexample says on which "
        "distributions it goes wrong, and what that costs.</p>"
    )
    rows = []
    for i, verdict in enumerate(report.verdicts):
        word = {"calibrated": "the proof", "not calibrated": "the counterexample", "undecided": "why"}[verdict.status]
        why = f"<details><summary>{word}</summary><pre>{_cut(str(verdict), 4 * _MOST_LETTERS)}</pre></details>"
        name = f"<code>{_name(verdict.surrogate.name)}</code>"
        size = f"{verdict.surrogate.dim} dimension{'s' * (verdict.surrogate.dim > 1)}"
        about = f'<br><span class="quiet">{typeset(formula(verdict.surrogate))}; {size}</span>'
        found = f"{mark(verdict.status, verdict.status)} {links.get(f'verdict {i}', '')}{why}"
        rows.append([name + about, found])
    yield table("Verdicts", ["surrogate", "verdict"], rows, "stack")
    if report.study.loss.n > 4:
        yield (
            f"<p>Hinges and other polyhedral surrogates are decided here for up to {MOST_LABELS} labels and "
            f"{MOST_DIMENSIONS} dimensions; for others ask <code>lossmith check SURROGATE LOSS</code>.</p>"
        )


def _links(report: Report) -> dict[str, str]:
    """A link for every certificate that the page holds, and words for those that are too large."""
    bounds = report.study.dimension
    claims: list[tuple[str, object, str]] = []
    if report.regression is not None and report.fewest is not None:
        claims += [("regression", report.regression, "regression"), ("recommended", report.fewest, "fewest dimensions")]
    claims += [("lower", bounds.lower, "lower bound"), ("upper", bounds.upper, "upper bound")]
    claims += [(f"verdict {i}", each, each.surrogate.name) for i, each in enumerate(report.verdicts)]
    links, room = {}, HELD
    for key, claim, name in claims:
        if report.study.loss.n * report.study.loss.k > MOST_ENTRIES:
            links[key] = "" if isinstance(claim, Undecided) else _NOT_HELD
            continue
        text = certificate_text(claim)
        size = 0 if text is None else len(text.encode())
        if text is not None and size <= room:
            room -= size
            words = f"certificate&nbsp;({max(1, round(size / 1000))}&nbsp;KB)"
            file = file_name(report.study.loss.name, name) + ".json"
            links[key] = download(text, file, words, f"certificate, {name}")
        else:
            links[key] = _NOT_HELD if text is not None else ""
    return links


def _code(*lines: str) -> str:
    return escape("\n".join(lines))


def _name(name: object) -> str:
    return _cut(f"{name}", 60)


def _cut(text: str, most: int = _MOST_LETTERS) -> str:
    return escape(text if len(text) <= most else text[: most - 1] + "…")


def _more(count: int, tag: str) -> str:
    return f"<{tag}>… and {count - _MOST_ROWS} more</{tag}>" if count > _MOST_ROWS else ""
