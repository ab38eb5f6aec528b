"""Certificates about the dimension of losses on sets of tags, written by hand, and forgeries of them."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from handmade import text
from rejections import assert_beyond, assert_rejected
from samples import sampled
from test_dimension_claims import places, replaced
from test_ranking_claims import AT_MOST, affine_rank, assert_names, changed, claim, forgeries, with_junk

import lossmith as lm
from lossmith.certificates.explaining import explain
from lossmith_verify import arithmetic, check


def weighted() -> dict[str, Any]:
    """Sets and their complements. The a(y) are (±2, ±1), in integers; a(∅) − a({i}) is one factor alone."""
    return claim(
        2,
        {"family": "weighted_hamming", "r": 2, "weights": ["1", "1/2"], "name": "weighted"},
        labels=["00", "11", "10", "01"],
        weights=["1", "1", "1/2", "1/2"],
        predictions=["00", "10", "01"],
        columns=[[1, 0], [2, 0]],
        rows=[[[0, "1"], [2, "-1"]], [[0, "1"], [3, "-1"]]],
        modulus=5,
    )


def f_of_two() -> dict[str, Any]:
    """∅, {0} and {0, 1} gain 2: with p = (2, 2, 1)/5 the means are 2 for tag 0 and 1 for tag 1, 2/2 = (2 + 1)/3.

    {1} gains less. Six times the b are 3, 2, 2 at tag 0, tag 0 and tag 1, and 3 at the empty set.
    """
    return claim(
        2,
        {"family": "f_measure", "r": 2, "beta": "1"},
        labels=["00", "10", "01"],
        weights=["2", "2", "1"],
        predictions=["00", "10", "11"],
        columns=[[1, 2], [0, 1]],
        rows=[[[0, "1"]], [[1, "1"]], [[2, "1"]]],
        modulus=5,
    )


def f_two_of_two() -> dict[str, Any]:
    """The same for β = 2, where labels of size 1 gain 5/(4 + s): 5 : 1 makes {0} and {0, 1} tie, as 5/5 = 6/6."""
    certificate = changed(f_of_two(), weights=["5", "5", "1"], modulus=7)
    return {**certificate, "loss": {"family": "f_measure", "r": 2, "beta": "2"}}


def one_class() -> dict[str, Any]:
    """Tags 1 and 2 are in the same predictions: as one they have one factor, and the labels span two."""
    return claim(
        1,
        {"family": "weighted_hamming", "r": 3, "weights": ["1", "1", "1"]},
        labels=["011", "100", "111", "000"],
        weights=["1", "1", "1", "1"],
        predictions=["000", "011"],
        columns=[[1, 0]],
        rows=[[[0, "1"]], [[2, "1"]]],
        modulus=7,
    )


def recall() -> dict[str, Any]:
    """One tag, and one prediction of one tag, as for `precision_at`."""
    return claim(
        1,
        {"family": "recall_at", "r": 2, "q": 1},
        labels=[[1, 0], [0, 1]],
        weights=["1", "1"],
        base=[0],
        columns=[[1]],
        rows=[[[0, "1"]]],
        modulus=3,
    )


def at_most(make: Any, value: int) -> dict[str, Any]:
    return claim(value, make()["loss"], AT_MOST)


BELOW = [weighted, f_of_two, f_two_of_two, one_class]
ABOVE = [(weighted, 2), (f_of_two, 2), (f_two_of_two, 2), (one_class, 3), (recall, 1)]


# The whole matrix.


def loss_of(loss: dict[str, Any], y: str, t: str) -> Fraction:
    """As the families are defined."""
    both = sum(a == b == "1" for a, b in zip(y, t, strict=True))
    if loss["family"] == "weighted_hamming":
        return sum((Fraction(w) for w, a, b in zip(loss["weights"], y, t, strict=True) if a != b), Fraction(0))
    square = Fraction(loss["beta"]) ** 2
    sizes = square * y.count("1") + t.count("1")
    return 1 - (1 + square) * both / sizes if sizes else Fraction(0)


def true(certificate: dict[str, Any]) -> bool:
    """Whether the claim follows from what is listed: all is optimal, and spans so many dimensions."""
    loss, value = certificate["loss"], certificate["value"]
    sets = ["".join(each) for each in product("01", repeat=loss["r"])]
    if certificate["claim"] == AT_MOST:
        less = loss["family"] == "f_measure"  # no distribution makes all tie, as another test shows
        return value >= affine_rank([[loss_of(loss, y, t) for t in sets] for y in sets]) - less
    labels, predictions = (certificate["evidence"][key] for key in ("labels", "predictions"))
    weights = [Fraction(w) for w in certificate["evidence"]["weights"]]
    risks = {t: sum(w * loss_of(loss, y, t) for w, y in zip(weights, labels, strict=True)) for t in sets}
    optimal = all(risks[t] == min(risks.values()) for t in predictions)
    span = affine_rank([[loss_of(loss, y, t) for t in predictions] for y in labels])
    return min(weights) > 0 and optimal and value <= span


def follows(certificate: dict[str, Any]) -> bool:
    """Accepted certificates are true; certificates for what is no loss are never accepted."""
    return not check(text(certificate)).accepted or true(certificate)


# What is genuine is accepted.


@pytest.mark.parametrize("make", BELOW)
def test_genuine(make):
    certificate = make()
    verification = check(text(certificate))
    assert verification.accepted, verification.why
    assert_names(verification.why, certificate)
    assert true(certificate)
    assert check(text({**certificate, "value": certificate["value"] - 1})).accepted
    assert_rejected({**certificate, "value": certificate["value"] + 1}, "value")
    lines = explain(text(certificate)).splitlines()
    assert lines[0] == str(verification)
    assert len(lines) > 4


@pytest.mark.parametrize(("make", "value"), ABOVE)
def test_genuine_from_above(make, value):
    certificate = at_most(make, value)
    assert check(text(certificate)).accepted
    assert make is recall or true(certificate)
    assert_rejected({**certificate, "value": value - 1}, "value")
    assert_rejected({**certificate, "evidence": {"labels": []}}, "evidence")


def test_recall_has_the_certificates_of_precision():
    assert check(text(recall())).accepted
    twin = {**recall(), "loss": {"family": "precision_at", "r": 2, "q": 1}}
    assert check(text(twin)).accepted
    assert_rejected({**recall(), "loss": {"family": "recall_at", "r": 2, "q": 2}}, "loss")


# Forgeries.


def test_a_sample_of_numbers_changed():
    """Rejected, or harmless: the claim still follows, as the whole matrix shows."""
    changes = [forged for make in BELOW for _, forged in forgeries(make(), one_of=6)]
    assert [forged for forged in changes if not follows(forged)] == []
    assert sum(not check(text(forged)).accepted for forged in changes) > 10


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", BELOW)
def test_each_number_changed(make):
    rejected = 0
    for at, forged in forgeries(make()):
        assert follows(forged), (at, forged)
        rejected += not check(text(forged)).accepted
    assert rejected > 10


@pytest.mark.parametrize("make", BELOW)
def test_each_bit_changed(make):
    for at, value in places(make()):
        if at[:2] in (("evidence", "labels"), ("evidence", "predictions")):
            for i, bit in enumerate(value):
                forged = replaced(make(), at, value[:i] + "10"[int(bit)] + value[i + 1 :])
                assert follows(forged), forged
            for other in (value[:-1], value + "0", value[:-1] + "2", "", list(value), 10):
                assert_rejected(replaced(make(), at, other), "evidence")


def assert_sizes_matter(make: Any, one_of: int = 1) -> None:
    for at in {place[:stop] for place, _ in places(make()) for stop in range(2, len(place))}:
        holder: Any = make()
        for key in at:
            holder = holder[key]
        if isinstance(holder, list):
            for other in (holder[:-1], holder[1:], [*holder, holder[0]], [*holder, holder[-1]], holder * 2, []):
                if sampled(f"{make.__name__} {at} {other}", one_of):
                    assert follows(replaced(make(), at, other)), (at, other)


def test_a_sample_of_lists_of_other_sizes():
    for make in BELOW:
        assert_sizes_matter(make, one_of=6)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", BELOW)
def test_lists_of_other_sizes(make):
    assert_sizes_matter(make)


def test_a_sample_of_junk():
    for make in BELOW:
        for certificate in (make(), at_most(make, 9)):
            assert all(map(follows, with_junk(certificate, one_of=8)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", BELOW)
def test_junk_at_every_place(make):
    for certificate in (make(), at_most(make, 9)):
        for forged in with_junk(certificate):
            assert follows(forged), forged


@pytest.mark.parametrize("make", BELOW)
def test_missing_and_unknown_keys(make):
    for certificate in (make(), at_most(make, 9)):
        for part in ("loss", "evidence"):
            for key in set(certificate[part]) - {"name"}:
                without = {other: each for other, each in certificate[part].items() if other != key}
                assert_rejected({**certificate, part: without})
            assert_rejected({**certificate, part: {**certificate[part], "more": 1}}, part, '"more"')


def test_evidence_for_one_loss_says_nothing_of_another():
    for make in BELOW:
        for other in BELOW:
            forged = {**make(), "loss": other()["loss"]}
            if forged["loss"]["r"] == make()["loss"]["r"]:
                assert follows(forged)
            else:
                assert_rejected(forged, "evidence.labels")


def test_predictions_that_are_not_optimal():
    """{1} costs more than the others, and is independent of them."""
    listed = ["00", "10", "11", "01"]
    assert_rejected(changed(f_of_two(), predictions=listed, columns=[[0, 1], [1, 3]]), "evidence.predictions")
    assert_rejected(changed(f_of_two(), weights=["3", "2", "1"]), "evidence.predictions")  # now ∅ alone is
    assert_rejected(changed(weighted(), weights=["1", "1", "1", "2"]), "evidence.predictions")


def test_rows_and_columns_that_are_dependent():
    rows = f_of_two()["evidence"]["rows"]
    assert_rejected(changed(f_of_two(), rows=[rows[0], rows[1], rows[1]]), "evidence.rows")
    assert_rejected(changed(f_of_two(), rows=[*rows, [[0, "1"], [1, "1"]]]), "evidence.rows")
    assert_rejected(changed(f_of_two(), columns=[[1, 2], [2, 1]]), "evidence.columns")
    assert_rejected(changed(f_of_two(), columns=[[1, 2], [0, 1], [0, 2]]), "evidence.columns")
    assert_rejected(changed(f_of_two(), modulus=3), "evidence")
    assert_rejected(changed(one_class(), rows=[[[0, "1"]]]), "value", "0")


def test_no_losses():
    for make, parameters in (
        (weighted, {"weights": ["1", "0"]}),
        (weighted, {"weights": ["1", "-1"]}),
        (weighted, {"weights": ["1"]}),
        (weighted, {"r": 0, "weights": []}),
        (f_of_two, {"beta": "0"}),
        (f_of_two, {"beta": "-1"}),
        (f_of_two, {"r": 1}),
        (f_of_two, {"r": 0}),
        (f_of_two, {"r": 2001}),
    ):
        for certificate in (make(), at_most(make, 9)):
            assert_rejected({**certificate, "loss": {**certificate["loss"], **parameters}}, "loss")


def test_small_files_with_much_work_are_cut_off(monkeypatch):
    monkeypatch.setattr(arithmetic, "MAX_STEPS", 10**4)
    r = 60
    loss = {"family": "f_measure", "r": r, "beta": "1"}
    labels = ["1" * m + "0" * (r - m) for m in range(1, r)]
    evidence = {"weights": ["1"] * (r - 1), "predictions": ["0" * r], "columns": [], "rows": [], "modulus": 2}
    assert_beyond("MAX_STEPS", claim(0, loss, labels=labels, **evidence))
    few = {**evidence, "weights": ["1"], "predictions": ["000"], "rows": [[[0, "1"]] * 2000]}
    assert_rejected(claim(0, {**loss, "r": 3, "beta": "9" * 600}, labels=["100"], **few))
    assert_beyond("MAX_STEPS", claim(0, {**loss, "r": 3}, labels=["000"], **few))
    monkeypatch.setattr(arithmetic, "MAX_HELD", 10**4)
    full = ["1" * r] * 10
    evidence = {**evidence, "weights": ["1"] * 10}
    assert_beyond("MAX_HELD", claim(0, loss, labels=full, **evidence))
    assert_beyond("MAX_HELD", claim(0, loss, labels=full[:1], **{**evidence, "predictions": full}))


# What lossmith makes.

MADE = {
    f"f_measure, {r} tags, beta = {beta}": lambda r=r, beta=beta: lm.losses.f_measure(r, beta)
    for r in (2, 3, 4, 5, 6)
    for beta in (1, 2, "1/3", "3/2")
}
MADE |= {f"weighted_hamming, {r} tags": lambda r=r: lm.losses.weighted_hamming(range(1, r + 1)) for r in (1, 2, 3, 7)}
MADE |= {
    f"recall_at {q} of {r}": lambda r=r, q=q: lm.losses.recall_at(r, q) for r, q in ((2, 1), (4, 1), (4, 2), (4, 3))
}
SMALL = ["f_measure, 3 tags, beta = 1", "f_measure, 2 tags, beta = 1/3", "weighted_hamming, 3 tags", "recall_at 2 of 4"]


@pytest.mark.parametrize(
    "name", [name if name in SMALL else pytest.param(name, marks=pytest.mark.exhaustive) for name in MADE]
)
def test_made_by_lossmith(name):
    loss = MADE[name]()
    bounds = lm.ccdim(loss)
    for bound, more in ((bounds.lower, 1), (bounds.upper, -1)):
        made = json.loads(bound.certificate.text)
        assert check(text(made)).accepted
        assert_rejected({**made, "value": made["value"] + more}, "value")
        assert loss.r > 4 or loss.family == "recall_at" or true(made)


@pytest.mark.parametrize(
    ("r", "value"),
    [
        (12, 54),
        pytest.param(40, 601, marks=pytest.mark.exhaustive),
        pytest.param(100, 3840, marks=pytest.mark.exhaustive),
    ],
)
def test_many_tags(r, value):
    bound = lm.ccdim(lm.losses.f_measure(r)).lower
    assert bound.value == value
    assert lm.verify(bound.certificate).accepted
