"""What a certificate proves, told step by step. Whether it is right is for `lossmith_verify` to say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

import lossmith_verify
from lossmith.exact.vectors import rational_dot
from lossmith.text.numbers import counted, folded
from lossmith.text.sums import linear

_HELD = "\xa0"  # a space in a quotation, where no line is broken


def explain(text: str | bytes) -> str:
    """Check a certificate, and tell what it proves and how; the first line is the checker's verdict."""
    verdict = lossmith_verify.check(text)
    if not verdict.accepted:
        return f"{verdict}\n\nThe certificate is rejected. It proves neither its claim nor the contrary."
    return "\n".join([str(verdict), "", *_story(json.loads(text))]).replace(_HELD, " ")


def _story(content: Mapping[str, Any]) -> Iterator[str]:
    if "family" in content["loss"]:
        return _rankings(content)
    if content["claim"] == "ccdim at least":
        return _dimension(content)
    stories = {
        "calibrated": _calibrated,
        "not calibrated": _not_calibrated,
        "regret": _regret,
        "calibration function": _calibration_function,
    }
    lines, table = [*_inputs(content), "", *stories[content["claim"]](content)], set(_table(content))
    return (line if line in table else folded([line]) for line in lines)


def _rankings(content: Mapping[str, Any]) -> Iterator[str]:
    """Bounds for losses of rankings and of sets, which are too large for a table."""
    evidence, value = content["evidence"], content["value"]
    of = _title(content["loss"], "loss")
    if content["claim"] == "ccdim at most":
        yield f"Claim: some convex surrogate with {counted(value, 'dimension')} is calibrated for {of}."
        shown = {
            "tree_distance": "The tree shows it: so few labels, or predictions, or binary digits for each depth.",
            "top_k_costs": "One function for each label but one is always enough.",
        }
        spanned = f"The columns of the loss span at most {counted(value, 'dimension')}, as the family shows."
        yield from ("", shown.get(content["loss"]["family"], spanned))
        return
    yield f"Claim: no convex surrogate with fewer than {value} dimensions is calibrated for {of}."
    if "columns" not in evidence:
        support = sum(w != "0" for w in evidence["weights"])
        yield from ("", f"With weights on {counted(support, 'label')} the risks of all predictions follow.")
        yield "Those that tie, or the cells of three labels that meet that of another node, show the claim."
        return
    size, modulus = len(evidence["columns"]), evidence["modulus"]
    if "predictions" in evidence:
        listed, labels = len(evidence["predictions"]), len(evidence["labels"])
        yield from ("", f"With weights on {labels} labels these {listed} predictions are optimal among all sets.")
        yield f"{size} of their differences are independent, and {len(evidence['rows'])} combinations of the labels"
        yield f"on the same factors, even modulo {modulus}: no fewer dimensions than claimed are spanned."
        return
    yield from (
        "",
        f"With weights on {len(evidence['labels'])} labels every prediction has the same risk, so all are optimal.",
    )
    yield f"On these labels {counted(1 + size, 'prediction')} span {counted(size, 'dimension')}, even modulo {modulus}."


def _dimension(content: Mapping[str, Any]) -> Iterator[str]:
    evidence, (labels, predictions) = content["evidence"], _names(content)
    of, value = _title(content["loss"], "loss"), content["value"]
    yield f"Claim: no convex surrogate with fewer than {value} dimensions is calibrated for {of}."
    yield from ("", f"{of}:", *_table(content), "")
    if "multipliers" in evidence:
        yield f"At p = {_tuple(evidence['point'])} only {predictions[evidence['prediction']]} is optimal."
        yield "A line through p in its cell leaves the simplex at two ends, each without one of the labels."
        yield from _excluded(evidence, labels, predictions)
        return
    columns = [predictions[t] for t in evidence["columns"]]
    if len(evidence["points"]) > 1:
        yield f"The cell of {columns[0]} shares facets with three others. Points that span them:"
        for name, points in zip(columns[1:], evidence["points"], strict=True):
            yield f"  with {name}: {'; '.join(map(_tuple, points))}"
        yield "None of them is redundant; each is the only optimal one at:"
        yield from (f"  {name}: p = {_tuple(p)}" for name, p in zip(columns, evidence["alone"], strict=True))
    else:
        yield f"At p = {_tuple(evidence['points'][0][0])} these are optimal: {', '.join(columns)}."
        support = ", ".join(label for label, x in zip(labels, evidence["points"][0][0], strict=True) if x != "0")
        size, modulus = len(columns) - 1, evidence["modulus"]
        yield f"On the labels {support} their losses span {counted(size, 'dimension')}, even modulo {modulus}."


def _excluded(evidence: Mapping[str, Any], labels: Sequence[str], predictions: Sequence[str]) -> Iterator[str]:
    """How lines are excluded, for each two labels."""
    support = [label for label, x in zip(labels, evidence["point"], strict=True) if x != "0"]
    yield "That none does is shown by these combinations of risks, less that of the optimal one:"
    for (first, second), row in zip(combinations(support, 2), evidence["multipliers"], strict=True):
        yield f"  {first} and {second}: {linear([*map(Fraction, row)], predictions)}"


def _table(content: Mapping[str, Any]) -> Iterator[str]:
    labels, predictions = _names(content)
    table = [["truth ↓ decision →", *predictions]]
    table += [[label, *row] for label, row in zip(labels, content["loss"]["entries"], strict=True)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    yield from ("  " + "  ".join(map(str.rjust, row, widths)) for row in table)


def _inputs(content: Mapping[str, Any]) -> Iterator[str]:
    """What the claim is about. The names are the author's, so print what was in fact checked."""
    loss, surrogate, pred = content["loss"], content["surrogate"], content.get("pred")
    labels, predictions = _names(content)
    name, of, decides = _title(surrogate, "surrogate"), _title(loss, "loss"), _title(pred or {}, "pred")
    which = "" if pred is None else f" with {decides}"
    where = " on the distributions below" if "within" in content else ""
    verb = f"is {content['claim']} for {of}{where}"
    if "delta" in content:
        verb = f"has for {of} the calibration function δ below"
    elif "hull" in content:
        verb = f"has for {of} the regrets below, and no others"
    yield from (f"Claim: {name}{which} {verb}.", "", f"{of}:")
    yield from (*_table(content), "")
    if "estimates" in surrogate:
        weights = surrogate.get("weights")
        mean = "Σ p_y a_y" if weights is None else "Σ w_y p_y a_y / Σ w_y p_y"
        known = "ψ_y(u) = w_y‖u − a_y‖²" if weights else "ψ_y(u) = ‖u − a_y‖²"
        by = f"known by a theorem ({surrogate['theorem']})" if surrogate["theorem"] != "squares" else known
        yield f"{name}, {by}; the estimate that belongs to p is {mean} with"
        for y, (label, a) in enumerate(zip(labels, surrogate["estimates"], strict=True)):
            yield f"  a({label}) = {_tuple(a)}" + (f", w({label}) = {weights[y]}" if weights else "")
        yield from (f"  domain: {row}" for row in _constraints({"inequalities": [], "equations": [], **surrogate}, "x"))
    else:
        tangents = " (its tangents at u)" if surrogate.get("tangents") else ""
        yield f"{name}, for u of dimension {surrogate['dim']}{tangents}:"
        for label, maxima in zip(labels, surrogate["terms"], strict=True):
            terms = (f"{'max' * (len(maximum) > 1)}({', '.join(map(_affine, maximum))})" for maximum in maxima)
            yield f"  ψ({label}, u) = {' + '.join(terms)}"
        for label, pairs in zip(labels, surrogate.get("along", ()), strict=False):
            ends = (f"from {_tuple(g)} to {_tuple(h)}" for g, h in pairs)
            yield f"  slopes of ψ({label}, ·) on a segment: {', '.join(ends)}"
        yield from (f"  domain: {row}" for row in _constraints(surrogate))
    if pred is not None:
        yield from _pred(content, decides, predictions)
    for i, each in enumerate(content.get("within", ())):
        yield f"{'or ' * (i > 0)}distributions with {' and '.join(_constraints(each, 'p')) or 'any p'}"


def _pred(content: Mapping[str, Any], name: str, predictions: Sequence[str]) -> Iterator[str]:
    pred, surrogate = content["pred"], content["surrogate"]
    if "votes" in pred:
        pairs = ", ".join(f"{i} and {j}" for i, j in islice(combinations(predictions, 2), 3))
        yield f"{name}: of each two decisions the first has a vote if their score is positive, the second if it is"
        yield f"negative; the scores are those of {pairs}, and so on."
        yield "The decision with most votes is made, of equal ones the first."
        return
    for prediction, pieces in zip(predictions, pred["regions"], strict=False):
        yield f"{name} says {prediction}:" + " never" * (not pieces)
        symbol = "x" if surrogate.get("theorem") in ("mean", "squares", "proper composite", "binary margin") else "u"
        for i, each in enumerate(pieces):
            yield f"  {'or ' * (i > 0)}{' and '.join(_constraints(each, symbol)) or 'always'}"
    yield "Where several of these hold, the decision that comes first is made."


def _not_calibrated(content: Mapping[str, Any]) -> Iterator[str]:
    evidence, (_, predictions) = content["evidence"], _names(content)
    losses = [[Fraction(x) for x in row] for row in content["loss"]["entries"]]
    points = [[Fraction(x) for x in each["p"]] for each in evidence["points"]]
    far = content["surrogate"].get("theorem") == "far out" and "pred" in content
    if far:
        yield f"Along the multiples of u = {_tuple(evidence['u'])} the surrogate risk p·ψ tends to the least one for"
    elif "estimates" in content["surrogate"]:
        yield f"The estimate {_tuple(evidence['u'])} belongs to"
    else:
        yield f"At u = {_tuple(evidence['u'])} the surrogate risk p·ψ is least for"
    yield from (f"  p{i} = {_tuple(p)}" for i, p in enumerate(points))
    for i, each in enumerate(evidence.get("along", ()), start=len(points)):
        near, far = map(_tuple, each["p"])
        yield f"and on a segment that ends there, for p{i} = (1 − c) {near} + c {far} with 0 < c ≤ 1"
        points.append([Fraction(x) for x in each["p"][1]])
    if "votes" in content.get("pred", {}):
        t = _winner(len(predictions), evidence["u"])
        yield f"There {predictions[t]} has most votes, but:"
        better = [[t, 0, evidence["better"]]]
    elif "pred" in content:
        t = evidence["prediction"]
        where = "At all of them from u on" if far else f"There, or as near as one likes{_towards(evidence)}"
        yield f"{where}, the pred says {predictions[t]}, but:"
        better = [[t, 0, evidence["better"]]]
    else:
        yield "Whatever one predicts there, something else is better at one of these p:"
        better = evidence["better"]
    for t, i, s in better:
        risks = [rational_dot(points[i], column) for column in zip(*losses, strict=True)]
        less, more = _short(risks[s]), _short(risks[t])
        where = " for 0 < c < 1; for c = 1" if i >= len(evidence["points"]) else ""
        yield f"  {predictions[s]} is better than {predictions[t]} at p{i}{where}: expected loss {less} < {more}"


def _winner(k: int, u: Sequence[str]) -> int:
    votes = [0] * k
    for (i, j), x in zip(combinations(range(k), 2), u, strict=True):
        votes[i if Fraction(x) > 0 else j] += 1
    return votes.index(max(votes))


def _regret(content: Mapping[str, Any]) -> Iterator[str]:
    evidence, (_, predictions) = content["evidence"], _names(content)
    yield "On average, a regret of the loss takes at least this regret of the surrogate, linear from (0, 0) on:"
    for (x, y), each in zip(content["hull"], evidence["attained"], strict=True):
        said = predictions[each["prediction"]]
        yield f"  {x} takes {y}: at p = {_tuple(each['p'])}, where the pred says {said} at u = {_tuple(each['u'])}"
        yield f"    or as near as one likes{_towards(each)}"
    if content["hull"]:
        x, y = map(Fraction, content["hull"][0])
        most = f"at most {_short(x / y)} times that" if y else "not bounded by a multiple of that"
        yield f"So the regret of the loss is {most} of the surrogate, and never more than {content['hull'][-1][0]}."
    yield "\nNothing lies below. What is above the least risk further down is so by as much as these lines say."
    yield from _calibrated({**content, "evidence": evidence["above"]})


def _calibration_function(content: Mapping[str, Any]) -> Iterator[str]:
    evidence, (_, predictions), start = content["evidence"], _names(content), "0"
    yield "The least regret δ(ε) of the surrogate at which that of the loss can be ε, linear on each of these:"
    for (end, first, last), each in zip(content["delta"], evidence["attained"], strict=True):
        said, instead = predictions[each["prediction"]], predictions[each["instead"]]
        shown = f"from {first} just above ε = {start} to {last} at ε = {end}"
        yield f"  {shown}: the pred says {said}, {instead} is better,"
        yield f"    at u = {_tuple(each['u'])}, or as near as one likes{_towards(each)}"
        start = end
    ratios = [(Fraction(end), Fraction(last)) for end, _, last in content["delta"]]
    if ratios:
        bounded = all(last for _, last in ratios)
        most = f"at most {_short(max(x / y for x, y in ratios))} times" if bounded else "not bounded by a multiple of"
        yield f"So the regret of the loss is {most} that of the surrogate, and never more than {start}."
    yield "\nNothing lies below. The sets of p at which these u minimise the surrogate risk p·ψ cover the simplex:"
    yield from _cells(evidence["all"], predictions)
    for t, region in enumerate(evidence["pieces"]):
        for i, part in enumerate(region):
            yield f"So do, of all u in piece {i} of {predictions[t]}:"
            yield from _cells(part, predictions)
    yield "Each of these u has, at the corners of the first list, a regret of the surrogate, and one of the loss"
    yield "against every other decision. The hulls of these pairs lie nowhere below δ."
    yield from _covered(evidence)


def _calibrated(content: Mapping[str, Any]) -> Iterator[str]:
    evidence, (_, predictions) = content["evidence"], _names(content)
    if "votes" in content.get("pred", {}):
        yield "Where the risk is nearly least, each score is positive if the first of its two decisions costs less, and"
        yield "negative if the second does: what costs least wins against all that costs more, and so has more votes."
        return
    if "estimates" in content["surrogate"]:
        if "pred" in content:
            yield "Where the estimate lies in a region, the prediction of that region is optimal at all its corners."
            yield from _covered(evidence)
        else:
            yield f"The loss of each decision exceeds that of {predictions[0]} by a function of the estimate x of p:"
            for name, row in zip(predictions, evidence["affine"], strict=True):
                yield f"  {name}: {_affine(row, 'x')}"
        return
    if "theorem" in evidence:
        yield f"A theorem, which is not proved here, says so of the {evidence['theorem']}, whatever its size."
        yield "The pieces, the domain and the regions, if there are any, are those that it is about, number by number."
        return
    if "blocks" in evidence:
        yield from _exchanged(evidence, _names(content)[0])
    else:
        yield "The sets of p at which these u minimise the surrogate risk p·ψ cover the simplex:"
    yield from _cells(evidence, predictions)
    where = "corner of the distributions above, cut by these sets" if "within" in content else "corner"
    if "blocks" in evidence and "pred" not in content:
        yield "At each corner, the prediction of every cell that is tight there is optimal, and so is what it becomes"
        yield "by exchanging labels of one block at which the cell's ψ(u) is the same."
    elif "pred" not in content:
        yield f"At each {where}, the prediction of every cell that is tight there is optimal."
    else:
        yield f"At each {where}, weights prove that regions of decisions not optimal there stay above the least risk:"
        for each in evidence["apart"]:
            yield f"  p = {_tuple(each['p'])}: {predictions[each['prediction']]}, piece {each['piece']}"
        if "blocks" in evidence:
            yield "So do the other regions that become these if labels with the same probability are exchanged."
            labels, scores = _names(content)[0], map(_affine, evidence["scores"])
            told = ", ".join(f"{score} for {label}" for label, score in zip(labels, scores, strict=True))
            yield f"It is enough to look at u where these scores fall within each block: {told}."
        yield from _covered(evidence)


def _cells(evidence: Mapping[str, Any], predictions: Sequence[str]) -> Iterator[str]:
    for j, cell in enumerate(evidence["cells"]):
        decided = f", predict {predictions[cell['prediction']]}" if "prediction" in cell else ""
        yield f"  cell {j}: u = {_tuple(cell['u'])}{decided}"
    yield "The corners of these sets; weights prove that the least risk there is that of the cells tight there:"
    yield from (f"  p = {_tuple(each['p'])}" for each in evidence["vertices"])


def _exchanged(evidence: Mapping[str, Any], labels: Sequence[str]) -> Iterator[str]:
    yield "Neither the loss nor the surrogate tells the labels of a block apart; neighbours are exchanged by maps of u:"
    for each in evidence["blocks"]:
        names = [labels[y] for y in each["labels"]]
        yield f"  {', '.join(names)}"
        for x, y, moves in zip(names, names[1:], each["maps"], strict=False):
            yield f"    {x} and {y}: " + (", ".join(_moved(moves)) or "u stays")
    yield "So it is enough to look at the p that fall within each block. The sets of such p at which these u minimise"
    yield "the surrogate risk p·ψ cover all of them:"


def _moved(moves: Sequence[Sequence[Any]]) -> Iterator[str]:
    """The coordinates of Au that are not those of u."""
    for i in dict.fromkeys(i for i, _, _ in moves):
        terms = [(Fraction(w), f"u[{j}]") for to, j, w in moves if to == i]
        yield f"u[{i}] becomes {linear([w for w, _ in terms], [name for _, name in terms])}"


def _covered(evidence: Mapping[str, Any]) -> Iterator[str]:
    """How the regions cover; certificates of version 1 do not say, and the checker finds it by itself."""
    if "cover" in evidence:
        leaves = list(_leaves(evidence["cover"]["tree"]))
        thin = sum("thin" in leaf for leaf in leaves)
        kept = f"{len(leaves) - thin} part{'s' * (len(leaves) - thin > 1)}, each within a region"
        yield f"The regions leave nothing out: comparisons divide everything into {kept}" + (
            f", and {thin} of ties only." if thin else "."
        )


def _leaves(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "parts" in node:
        for part in node["parts"]:
            yield from _leaves(part)
    else:
        yield node


def _towards(evidence: Mapping[str, Any]) -> str:
    if evidence.get("toward", evidence["u"]) == evidence["u"]:
        return ""
    return f" on the way to {_tuple(evidence['toward'])}"


def _names(content: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The names of labels and predictions, quoted; without any, count."""
    entries, loss = content["loss"]["entries"], content["loss"]
    labels, predictions = loss.get("labels", range(len(entries))), loss.get("predictions", range(len(entries[0])))
    return [_quoted(name) for name in labels], [_quoted(name) for name in predictions]


def _title(table: Mapping[str, Any], kind: str) -> str:
    return _quoted(table["name"]) if "name" in table else f"the {kind}"


def _quoted(name: str | int) -> str:
    """The file's own word, in quotation marks that nothing in it can end; integers need none."""
    quoted = json.dumps(name[:80]) + "…" * (len(name) > 80) if isinstance(name, str) else f"{name}"
    return quoted.replace(" ", _HELD)


def _short(x: Fraction) -> str:
    """A number that came up; Python does not print just any."""
    bits = max(x.numerator.bit_length(), x.denominator.bit_length())
    return str(x) if bits <= 300 else f"(a fraction of {bits} bits)"


def _constraints(rows: Mapping[str, Any], symbol: str = "u") -> list[str]:
    write = _linear if symbol == "p" else _affine
    signs = (("inequalities", "≥"), ("equations", "="))
    return [f"{write(row, symbol)} {sign} 0" for kind, sign in signs for row in rows[kind]]


def _affine(row: Sequence[str], symbol: str = "u") -> str:
    """b + a·u as one writes it."""
    return linear([*map(Fraction, row)], ["", *(f"{symbol}[{i}]" for i in range(len(row) - 1))])


def _linear(row: Sequence[str], symbol: str) -> str:
    return linear([*map(Fraction, row)], [f"{symbol}[{i}]" for i in range(len(row))])


def _tuple(values: Sequence[object]) -> str:
    return f"({', '.join(map(str, values))})"
