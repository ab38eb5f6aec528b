"""Certificates about the dimension of ranking losses, written by hand, and forgeries of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import pytest
from handmade import text
from rejections import assert_beyond, assert_rejected
from samples import sampled
from test_dimension_claims import other_numbers, places, replaced

import lossmith as lm
from lossmith.certificates.explaining import explain
from lossmith_verify import arithmetic, check

AT_LEAST, AT_MOST = "ccdim at least", "ccdim at most"


def claim(value: int, loss: Any, what: str = AT_LEAST, **evidence: Any) -> dict[str, Any]:
    head = {"format": "lossmith-certificate", "version": 1, "claim": what}
    return {**head, "value": value, "loss": loss, "evidence": evidence}


# By hand. The weights are those of the loss without its scales.


def gains(family: str = "dcg") -> dict[str, Any]:
    """One relevant document of three, 0 or 1 exchanged with 2: the gains change by 1 − 1/3 and by 1/2 − 1/3."""
    loss = {"family": family, "r": 3, "discount": ["1", "1/2", "1/3"], "gain": ["0", "1", "3"], "name": family}
    return claim(
        2,
        loss,
        labels=[[2, 0, 0], [0, 2, 0], [0, 0, 2]],
        weights=["1", "1", "1"],
        base=[0, 1, 2],
        columns=[[2, 1, 0], [0, 2, 1]],
        rows=[[[0, "1"]], [[1, "1"]]],
        modulus=7,
    )


def ndcg() -> dict[str, Any]:
    return gains("ndcg")


def precision() -> dict[str, Any]:
    """One document of three is shown, two are relevant. The rows are a = (2, 0, 0) and (0, 2, 0): the matrix is 2I."""
    return claim(
        2,
        {"family": "precision_at", "r": 3, "q": 1},
        labels=[[1, 1, 0], [1, 0, 1], [0, 1, 1]],
        weights=["1/2", "1/2", "1/2"],
        base=[2],
        columns=[[0], [1]],
        rows=[[[0, "1"], [1, "1"], [2, "-1"]], [[0, "1"], [1, "-1"], [2, "1"]]],
        modulus=3,
    )


def average() -> dict[str, Any]:
    """Two documents: exchanged, the relevant one gains or loses 1/2; both relevant always gain the same."""
    return claim(
        1,
        {"family": "mean_average_precision", "r": 2},
        labels=[[1, 0], [0, 1]],
        weights=["1", "1"],
        base=[0, 1],
        columns=[[1, 0]],
        rows=[[[0, "1"]]],
        modulus=5,
    )


def average_of_three() -> dict[str, Any]:
    """With one and two relevant documents. a(e_i + e_2) − a(e_i) − a(e_2) is the factor (i, 2) alone.

    The rows are the factors (2, 2), (0, 2), (1, 2), (1, 1), in which six times the b(t) change by (1, 0, 1, 3),
    (1, 1, 0, −1), (4, 1, 0, −1), (0, 0, 0, 3): the determinant is −9, a unit modulo 5.
    """
    single = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    return claim(
        4,
        {"family": "mean_average_precision", "r": 3},
        labels=[*single, [1, 1, 0], [1, 0, 1], [0, 1, 1]],
        weights=["1"] * 6,
        base=[0, 1, 2],
        columns=[[2, 0, 1], [0, 2, 1], [1, 2, 0], [1, 0, 2]],
        rows=[
            [[2, "1"]],
            [[4, "1"], [0, "-1"], [2, "-1"]],
            [[5, "1"], [1, "-1"], [2, "-1"]],
            [[1, "1"]],
        ],
        modulus=5,
    )


def edges(kind: str = "all DAGs") -> dict[str, Any]:
    """Single edges, both ways. 0 and 1 exchanged; then 2 moved ahead of 1, and of 0: one pair more each time."""
    return claim(
        3,
        {"family": "pairwise_disagreement", "r": 3, "graphs": kind},
        labels=[[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]],
        weights=["1", "1", "1/2", "1/2", "3", "3"],
        base=[0, 1, 2],
        columns=[[1, 0, 2], [0, 2, 1], [1, 2, 0]],
        rows=[[[0, "1"]], [[5, "1"]], [[2, "1/2"]]],
        modulus=2,
    )


def single_edges() -> dict[str, Any]:
    return edges("single edges")


def orders(kind: str = "total orders") -> dict[str, Any]:
    """Two orders and their reverses. 0>1>2 and 1>0>2 differ in one preference."""
    return claim(
        2,
        {"family": "pairwise_disagreement", "r": 3, "graphs": kind, "name": "orders"},
        labels=[[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]],
        weights=["1/4", "1/4", "1", "1"],
        base=[0, 1, 2],
        columns=[[1, 0, 2], [0, 2, 1]],
        rows=[[[0, "1"], [2, "-1"]], [[0, "1"]]],
        modulus=9,
    )


def tournaments() -> dict[str, Any]:
    return orders("tournaments")


def listed() -> dict[str, Any]:
    """Three graphs that cancel: 0>1, then 1>0 with 2>1, and 1>2."""
    return claim(
        2,
        {"family": "pairwise_disagreement", "r": 3, "graphs": [[[0, 1]], [[1, 0], [2, 1]], [[1, 2]]]},
        labels=[[0], [1], [2]],
        weights=["2", "2", "2"],
        base=[0, 1, 2],
        columns=[[1, 0, 2], [0, 2, 1]],
        rows=[[[0, "1"]], [[2, "1"]]],
        modulus=3,
    )


def at_most(make: Any, value: int) -> dict[str, Any]:
    return claim(value, make()["loss"], AT_MOST)


BELOW = [gains, ndcg, precision, average, average_of_three, edges, single_edges, orders, tournaments, listed]
ABOVE = [(gains, 2), (ndcg, 2), (precision, 2), (average, 1), (average_of_three, 4), (edges, 3), (single_edges, 3)]
ABOVE += [(orders, 3), (tournaments, 3), (listed, 2)]


def changed(certificate: dict[str, Any], **evidence: Any) -> dict[str, Any]:
    return {**certificate, "evidence": {**certificate["evidence"], **evidence}}


# The whole matrix, and ranks by elimination with fractions.


def table(loss: dict[str, Any]) -> tuple[dict[Any, list[Fraction]], list[Any]]:
    """All labels with the rows of the loss, written out as the families are defined, and all predictions."""
    r, family = loss["r"], loss["family"]
    rankings = list(permutations(range(r)))
    if family in ("dcg", "ndcg"):
        discount, gain = ([Fraction(x) for x in loss[key]] for key in ("discount", "gain"))
        rows = {}
        for y in product(range(len(gain)), repeat=r):
            gained = [sum(gain[y[i]] * discount[t[i]] for i in range(r)) for t in rankings]
            best = max(gained)
            if family == "dcg":
                rows[y] = [best - x for x in gained]
            else:
                rows[y] = [1 - x / best if best else Fraction(1) for x in gained]
        return rows, rankings
    if family == "precision_at":
        shown = list(combinations(range(r), loss["q"]))
        relevance = product((0, 1), repeat=r)
        return {y: [1 - Fraction(sum(y[i] for i in t), loss["q"]) for t in shown] for y in relevance}, shown
    if family == "mean_average_precision":
        return {y: [1 - precision_of(y, t) for t in rankings] for y in product((0, 1), repeat=r) if any(y)}, rankings
    graphs = loss["graphs"]
    if isinstance(graphs, list):
        known = {(y,): {tuple(edge) for edge in graph} for y, graph in enumerate(graphs)}
    elif graphs in ("all DAGs", "single edges"):  # the other graphs are sums of these, and not named in certificates
        known = {edge: {edge} for edge in permutations(range(r), 2)}
    else:
        known = {order: set(combinations(order, 2)) for order in rankings}
    wrong = {y: [Fraction(sum(t[i] > t[j] for i, j in graph)) for t in rankings] for y, graph in known.items()}
    return wrong, rankings


def precision_of(y: tuple[int, ...], t: tuple[int, ...]) -> Fraction:
    """The mean, over the relevant documents, of the precision at their positions."""
    at = sorted(t[i] for i in range(len(y)) if y[i])
    return sum((Fraction(count, 1 + position) for count, position in enumerate(at, 1)), Fraction(0)) / len(at)


def rank(rows: list[list[Fraction]]) -> int:
    rows, found = [list(row) for row in rows], 0
    for c in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][c]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][c] / rows[found][c]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found])]
        found += 1
    return found


def affine_rank(rows: list[list[Fraction]]) -> int:
    """Of the columns."""
    return rank([[x - row[0] for x in row] for row in rows])


def true(certificate: dict[str, Any]) -> bool:
    """Whether the claim follows: CCdim is at most affdim(L) and n − 1; and at least affdim(L[S]) at an equaliser on S.

    Whether weights w on S exist is seen from the certificate, up to scales: any w with equal risks of all predictions.
    The scales are those by which the rows of the table spread, compared with a(y)·b(t) computed here from scratch.
    """
    loss, value = certificate["loss"], certificate["value"]
    rows, predictions = table(loss)
    if certificate["claim"] == AT_MOST:
        return value >= min(affine_rank(list(rows.values())), len(rows) - 1)
    evidence = certificate["evidence"]
    labels = [tuple(y) for y in evidence["labels"]]
    weights = [Fraction(w) for w in evidence["weights"]]
    if min(weights) <= 0 or not all(y in rows for y in labels):
        return False
    spread = [[x / scale(loss, y) for x in rows[y]] for y in labels]
    risks = {sum(w * (row[t] - row[0]) for w, row in zip(weights, spread)) for t in range(len(predictions))}
    return len(risks) == 1 and value <= affine_rank(spread)


def scale(loss: dict[str, Any], y: tuple[int, ...]) -> Fraction:
    if loss["family"] == "ndcg":
        discount, gain = ([Fraction(x) for x in loss[key]] for key in ("discount", "gain"))
        best = max(sum(gain[y[i]] * discount[t[i]] for i in range(len(y))) for t in permutations(range(len(y))))
        return 1 / best if best else Fraction(1)
    return Fraction(1, sum(y)) if loss["family"] == "mean_average_precision" else Fraction(1)


# What is genuine is accepted.


def assert_names(why: str, certificate: dict[str, Any]) -> None:
    """The claim, the name of the loss in quotation marks if it has one, and the value."""
    claimed, name, value = why.split(": ")
    assert (claimed, value) == (certificate["claim"], str(certificate["value"]))
    assert "name" not in certificate["loss"] or name == json.dumps(certificate["loss"]["name"])


@pytest.mark.parametrize("make", BELOW)
def test_genuine(make):
    certificate = make()
    verification = check(text(certificate))
    assert verification.accepted, verification.why
    assert verification.given == ()
    assert_names(verification.why, certificate)
    assert true(certificate)
    assert check(text({**certificate, "value": certificate["value"] - 1})).accepted
    assert_rejected({**certificate, "value": certificate["value"] + 1}, "value")


@pytest.mark.parametrize(("make", "value"), ABOVE)
def test_genuine_from_above(make, value):
    certificate = at_most(make, value)
    assert check(text(certificate)).accepted
    assert true(certificate)
    assert check(text({**certificate, "value": value + 1})).accepted
    assert_rejected({**certificate, "value": value - 1}, "value")


@pytest.mark.parametrize("r", range(2, 5))
def test_the_upper_bounds_are_the_affine_dimensions(r):
    discount, gain = [f"1/{i + 2}" for i in range(r)], ["0", "1"]
    losses = [{"family": family, "r": r, "discount": discount, "gain": gain} for family in ("dcg", "ndcg")]
    losses += [{"family": "precision_at", "r": r, "q": q} for q in range(1, r)]
    losses += [{"family": "mean_average_precision", "r": r}]
    losses += [
        {"family": "pairwise_disagreement", "r": r, "graphs": kind}
        for kind in ("all DAGs", "single edges", "tournaments", "total orders")
    ]
    for loss in losses:
        dimension = affine_rank(list(table(loss)[0].values()))
        assert check(text(claim(dimension, loss, AT_MOST))).accepted
        assert not check(text(claim(dimension - 1, loss, AT_MOST))).accepted


def test_explained():
    """The first line is the verdict; then the claim with its value, and why."""
    for make in BELOW:
        for certificate in (make(), at_most(make, 4)):
            lines = explain(text(certificate)).splitlines()
            assert lines[0] == str(check(text(certificate)))
            assert re.search(rf"\b{certificate['value']}\b", lines[2]), make
            assert len(lines) > 4


# Forgeries.


def forgeries(certificate: dict[str, Any], one_of: int = 1) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Each number changed, or a sample of the changes."""
    for at, value in places(certificate):
        if at[0] in ("value", "evidence", "loss") and at[1:] != ("name",):
            for other in other_numbers(value):
                if sampled(f"{certificate['claim']} {certificate['loss']} {at} {other}", one_of):
                    yield at, replaced(certificate, at, other)


def assert_harmless(certificate: dict[str, Any], of: Any = None) -> bool:
    """Rejected, or the claim still follows, as the whole matrix shows; return whether it is accepted."""
    accepted = check(text(certificate)).accepted
    assert not accepted or true(certificate), of or certificate
    return accepted


def test_a_sample_of_numbers_changed():
    accepted = [assert_harmless(forged, at) for make in BELOW for at, forged in forgeries(make(), one_of=8)]
    assert accepted.count(False) > accepted.count(True) / 2 > 0
    for make, value in ABOVE:
        for at, forged in forgeries(at_most(make, value), one_of=8):
            assert_harmless(forged, at)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", BELOW)
def test_each_number_changed(make):
    accepted = [assert_harmless(forged, at) for at, forged in forgeries(make())]
    assert accepted.count(False) > accepted.count(True) / 2 > 0


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "value"), ABOVE)
def test_each_number_changed_from_above(make, value):
    for at, forged in forgeries(at_most(make, value)):
        assert_harmless(forged, at)


def assert_sizes_matter(make: Any, one_of: int = 1) -> None:
    """An entry left out, or twice: rejected, or the claim still follows."""
    lists = {at[:stop] for at, _ in places(make()) for stop in range(2, len(at))}
    for at in lists:
        holder: Any = make()
        for key in at:
            holder = holder[key]
        if isinstance(holder, list):
            for other in (holder[:-1], holder[1:], [*holder, holder[0]], [*holder, holder[-1]], holder * 2):
                if sampled(f"{make.__name__} {at} {other}", one_of):
                    assert_harmless(replaced(make(), at, other), at)
            assert_rejected(replaced(make(), at, []))


def test_a_sample_of_lists_of_other_sizes():
    for make in BELOW:
        assert_sizes_matter(make, one_of=8)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", BELOW)
def test_lists_of_other_sizes(make):
    assert_sizes_matter(make)


def test_families_exchanged():
    """Evidence for one loss says nothing about another, unless it does."""
    for make in BELOW:
        for other in BELOW:
            assert_harmless({**make(), "loss": other()["loss"]}, (make, other))


def test_unbalanced_weights():
    assert_rejected(changed(gains(), weights=["1", "1", "2"]), "evidence.weights")
    assert_rejected(changed(edges(), weights=["1", "2", "1", "1", "1", "1"]), "evidence.weights")
    assert_rejected(changed(average_of_three(), weights=["1"] * 5 + ["2"]), "evidence.weights")
    assert check(text(changed(average_of_three(), weights=["5"] * 3 + ["1/7"] * 3))).accepted


@pytest.mark.parametrize("w", ["0", "-1"])
def test_a_weight_that_is_not_positive(w):
    """With weights 0 all risks would be the same, but then no label is possible."""
    for make in BELOW:
        n = len(make()["evidence"]["weights"])
        assert_rejected(changed(make(), weights=[w] * n), "evidence.weights")


def test_opposite_edges_cancel():
    """A graph that prefers both says nothing: as one label it is balanced, but all rankings cost the same."""
    loss = {"family": "pairwise_disagreement", "r": 2, "graphs": [[[0, 1], [1, 0]], [[1, 0], [0, 1], [1, 1]]]}
    evidence = {"labels": [[0], [1]], "weights": ["1", "1"], "base": [0, 1], "columns": [[1, 0]], "modulus": 3}
    for y in (0, 1):
        assert_rejected(claim(1, loss, **evidence, rows=[[[y, "1"]]]), "evidence.columns", "3")
    repeated = {**loss, "graphs": [[[0, 1], [0, 1], [0, 1]], [[1, 0]]]}
    assert check(text(claim(1, repeated, **evidence, rows=[[[0, "1"]]]))).accepted


@pytest.mark.parametrize("modulus", [0, 1, -2, "5", 5.0, True, None, 10**17])
def test_no_modulus(modulus):
    for make in BELOW:
        assert_rejected(changed(make(), modulus=modulus), "evidence.modulus")


def test_no_labels():
    none = "evidence.labels"
    for make, labels in (
        (gains, [[0, 0, 0], [3, 0, 0], [2, 0], [2, 0, 0, 0]]),
        (average, [[0, 0], [2, 0], [1]]),
        (precision, [[0, 0, 0], [2, 0, 0]]),
        (edges, [[0, 0], [0, 3], [0], [0, 1, 2]]),
        (orders, [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2, 3]]),
        (listed, [[3], [0, 0], [0, 1]]),
    ):
        for y in labels:
            assert_rejected(changed(make(), labels=[y, *make()["evidence"]["labels"][1:]]), none)


def test_no_predictions():
    for make, predictions in (
        (gains, [[0, 0, 1], [0, 1], [0, 1, 3], [0, 1, 2, 2]]),
        (precision, [[0, 1], [3]]),
        (average, [[0, 0], [0], [1, 2]]),
        (edges, [[0, 0, 1], [0, 1]]),
    ):
        for t in predictions:
            assert_rejected(changed(make(), base=t), "evidence")
            assert_rejected(changed(make(), columns=[*make()["evidence"]["columns"][:-1], t]), "evidence")


def test_no_losses():
    for make, parameters in (
        (gains, {"discount": ["1", "1", "1"]}),
        (gains, {"discount": ["1", "1/2", "-1"]}),
        (gains, {"discount": ["1", "1/2"]}),
        (gains, {"gain": ["1"]}),
        (gains, {"gain": ["-1", "0", "1"]}),
        (gains, {"gain": ["2", "2", "2"]}),
        (precision, {"q": 0}),
        (precision, {"q": 3}),
        (edges, {"graphs": "graphs"}),
        (listed, {"graphs": [[[0, 1]]]}),
        (listed, {"graphs": [[[0, 1]], [[0, 3]]]}),
        (listed, {"graphs": [[[0, 1]], [[0, 1, 2]]]}),
    ):
        for certificate in (make(), at_most(make, 3)):
            assert_rejected({**certificate, "loss": {**certificate["loss"], **parameters}}, "loss")


def test_sizes_that_are_none_or_too_large():
    for make in BELOW:
        for r in (0, 1, -1, 2.0, "3", True, None, [3], 10**9, 67_000_000):
            assert_rejected({**make(), "loss": {**make()["loss"], "r": r}})
            assert_rejected({**at_most(make, 1), "loss": {**make()["loss"], "r": r}})


JUNK = [
    None,
    True,
    0,
    -1,
    1.5,
    10**15,
    "x",
    "",
    "1/0",
    [],
    [[]],
    [[[]]],
    {},
    {"a": 1},
    [None],
    [["1"]],
    ["1", 2],
    "\ud800",
]


def with_junk(certificate: dict[str, Any], one_of: int = 1) -> Iterator[dict[str, Any]]:
    """Junk at every place, or a sample."""
    inner = {at[:stop] for at, _ in places(certificate) for stop in range(1, len(at) + 1)} | {("evidence",)}
    for i, at in enumerate(sorted(inner - {("loss", "name")}, key=str)):
        for junk in JUNK[i % 3 :: 3]:
            if sampled(f"{certificate['claim']} {certificate['loss']} {at} {junk}", one_of):
                yield replaced(certificate, at, junk)


def test_a_sample_of_junk():
    """Whatever stands anywhere, the checker answers; what it accepts is true."""
    for make in BELOW:
        for certificate in (make(), at_most(make, 4)):
            for forged in with_junk(certificate, one_of=12):
                assert_harmless(forged)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", BELOW)
def test_junk_at_every_place(make):
    for certificate in (make(), at_most(make, 4)):
        for forged in with_junk(certificate):
            assert_harmless(forged)


@pytest.mark.parametrize("make", BELOW)
def test_missing_and_unknown_keys(make):
    for certificate in (make(), at_most(make, 4)):
        for part in ("loss", "evidence"):
            for key in set(certificate[part]) - {"name"}:
                without = {other: each for other, each in certificate[part].items() if other != key}
                assert_rejected({**certificate, part: without})
            assert_rejected({**certificate, part: {**certificate[part], "more": 1}}, part, '"more"')
            assert_rejected({**certificate, part: {**certificate[part], "entries": [["0"], ["1"]]}}, part)
        for key in certificate:
            assert_rejected({other: each for other, each in certificate.items() if other != key})
        for key in ("surrogate", "pred", "within"):
            assert_rejected({**certificate, key: {}}, "file", f'"{key}"')


def test_the_parameters_of_another_family():
    """With graphs, ndcg would be taken for a loss of two labels."""
    for make in BELOW:
        for other in BELOW:
            for certificate in (make(), at_most(make, 1)):
                loss = {**other()["loss"], **certificate["loss"]}
                if loss.keys() - {"name"} != certificate["loss"].keys() - {"name"}:
                    assert_rejected({**certificate, "loss": loss}, "loss")


@pytest.mark.parametrize("family", ["NDCG", "", None, 1, [], ["ndcg"], {}, {"ndcg": 1}, "kendall_tau"])
def test_unknown_families(family):
    for certificate in (gains(), at_most(gains, 2)):
        assert_rejected({**certificate, "loss": {**certificate["loss"], "family": family}}, "loss.family")


def test_a_matrix_has_no_such_upper_bound():
    entries = {"entries": [["0", "1"], ["1", "0"]]}
    assert_rejected(claim(1, entries, AT_MOST), "claim")
    for what in (AT_LEAST, AT_MOST):
        for loss in (None, [], "ndcg", 3, {}):
            assert_rejected(claim(1, loss, what), "loss" if what == AT_LEAST else "claim")


# No file takes forever.


def test_small_files_with_much_work_are_cut_off(monkeypatch):
    r = 100
    everything, base = [1] * r, list(range(r))
    evidence = {"weights": ["1"], "base": base, "columns": [base], "rows": [[[0, "1"]] * 400], "modulus": 2}
    pairs = claim(1, {"family": "mean_average_precision", "r": r}, labels=[everything], **evidence)
    graphs = {"family": "pairwise_disagreement", "r": r, "graphs": "total orders"}
    balanced = {**evidence, "labels": [base, base[::-1]], "weights": ["1", "1"]}
    every = [[i, j] for i in base for j in base[:i]]  # one graph, as often as one likes
    opposite = {**graphs, "graphs": [every, [[j, i] for i, j in every]]}
    gain = {"family": "dcg", "r": r, "discount": ["1"] + ["0"] * (r - 1), "gain": ["0", "1"]}
    many = [[[0, "1"]] * 3000]
    long = changed(gains(), labels=[[2, 0, 0], [0, 2, 0], [0, 0, 2]] * 500, weights=["1"] * 1500)
    square = changed(precision(), columns=[[0], [1]] * 100, rows=precision()["evidence"]["rows"] * 100)
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 10**5)
    for certificate in (
        pairs,
        claim(1, graphs, **balanced),
        claim(1, opposite, **{**balanced, "labels": [[0], [1]]}),
        claim(1, gain, labels=[everything], **{**evidence, "rows": many}),
    ):
        assert_beyond("MAX_STEPS", certificate)
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 10**4)
    for certificate in (changed(edges(), rows=[[[0, "1"]] * 2000] * 3), long, square):
        assert_beyond("MAX_STEPS", certificate)


def test_long_numbers_are_cut_off():
    long = [f"1/{10**639 + i}" for i in range(40)]
    assert_beyond("MAX_BITS", changed(gains(), labels=[[2, 0, 0]] * 40, weights=long))
    gain = {**gains()["loss"], "gain": ["0", *long]}
    assert_beyond("MAX_BITS", {**gains(), "loss": gain})
    assert_beyond("MAX_BITS", changed(gains(), rows=[[[0, x] for x in long]] * 2))


# What lossmith makes.

MADE = {
    "ndcg": {},
    "ndcg, three levels": {"levels": 3},
    "ndcg of the first two": {"discount": lambda j: int(j < 2)},
    "dcg": {},
    "precision_at": {"q": 1},
    "mean_average_precision": {},
    **{f"pairwise_disagreement, {kind}": {"graphs": kind} for kind in ("all DAGs", "single edges", "tournaments")},
    "pairwise_disagreement, total orders": {"graphs": "total orders"},
    "pairwise_disagreement, listed": {"graphs": [[(0, 1)], [(1, 0)]]},
}


def assert_proved_by_lossmith(name: str, r: int) -> None:
    family = getattr(lm.losses, re.match(r"\w+?(?=,| |$)", name)[0])
    bounds = lm.ccdim(family(r=r, **MADE[name]))
    assert bounds.lower.value == bounds.upper.value
    for bound, more in ((bounds.lower, 1), (bounds.upper, -1)):
        made = json.loads(bound.certificate.text)
        assert check(text(made)).accepted
        assert_rejected({**made, "value": made["value"] + more}, "value")


@pytest.mark.parametrize("name", MADE)
def test_made_by_lossmith(name):
    assert_proved_by_lossmith(name, 3)


@pytest.mark.exhaustive
@pytest.mark.parametrize("r", [2, 4, 5, 6])
@pytest.mark.parametrize("name", MADE)
def test_made_by_lossmith_in_other_sizes(name, r):
    assert_proved_by_lossmith(name, r)
