"""Certificates: every verdict has one that the separate checker accepts, and a changed number does not go unnoticed."""

from __future__ import annotations

import copy
import json
import random
import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given

import lossmith_verify
from calibration.evidence import bound_of
from lossmith import LossMatrix
from lossmith.analysis.positive_normals import embedded_loss, positive_normal_sets
from lossmith.calibration.checking import check
from lossmith.certificates.certificate import Certificate, verify
from lossmith.certificates.explaining import explain
from lossmith.errors import BadInput, NotWritten
from lossmith.losses import abstain, hamming, ordinal, zero_one
from lossmith.surrogates import (
    absolute,
    abstain_crammer_singer,
    abstain_one_vs_all,
    adversarial_zero_one,
    all_threshold_hinge,
    binary_encoded,
    binary_relevance_hinge,
    cost_weighted_hinge,
    crammer_singer,
    epsilon_insensitive,
    lee_lin_wahba,
    one_vs_all_hinge,
    weston_watkins,
)
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import pos
from reference import dot
from strategies import examples
from surrogates import second_opinion
from surrogates.random_surrogates import pairs
from surrogates.second_opinion import common_predictions
from verify import naive

exhaustive = pytest.mark.exhaustive


def surrogates_of(n):
    """Surrogates for n labels."""
    yield from (crammer_singer(n), weston_watkins(n), lee_lin_wahba(n), one_vs_all_hinge(n), absolute(n))
    yield from (epsilon_insensitive(n, eps) for eps in ("0", "1/4", "2/5", "3/4"))
    yield from (binary_encoded(n, c) for c in ("1/2", "1/3"))
    yield from (abstain_crammer_singer(n, "2/5"), abstain_one_vs_all(n, "2/5"))
    yield from (all_threshold_hinge(n), adversarial_zero_one(n))
    if n == 4:
        yield binary_relevance_hinge(2)


def accepted(verdict) -> None:
    answer = lossmith_verify.check(verdict.certificate.text)
    assert answer.accepted, answer.why


@pytest.mark.parametrize("n", [2, 3, pytest.param(4, marks=exhaustive)])
def test_the_certificate_of_every_verdict_is_accepted(n):
    for surrogate in surrogates_of(n):
        losses = [zero_one(n), abstain(n), ordinal(n)] + [abstain(n, "2/5")] * ("2/5" in surrogate.name)
        for loss in losses:
            accepted(check(surrogate, loss))


@exhaustive
@pytest.mark.parametrize("family", [crammer_singer, lee_lin_wahba, absolute])
def test_the_certificates_for_five_labels_are_accepted(family):
    for loss in (zero_one, abstain, ordinal):
        accepted(check(family(5), loss(5)))


@pytest.mark.parametrize("r", [1, 2, pytest.param(3, marks=exhaustive)])
def test_the_certificates_of_bits_are_accepted(r):
    accepted(check(binary_relevance_hinge(r), hamming(r)))


@pytest.mark.parametrize(
    "loss",
    [
        lambda: abstain(3, "1/3"),
        lambda: hamming(2),
        pytest.param(lambda: zero_one(4), marks=exhaustive),
        pytest.param(lambda: ordinal(4), marks=exhaustive),
    ],
    ids=["abstain(3)", "hamming(2)", "zero_one(4)", "ordinal(4)"],
)
def test_the_certificates_of_cost_weighted_hinges_are_accepted(loss):
    accepted(check(cost_weighted_hinge(loss()), loss()))


@examples(8)
@given(pairs())
def test_the_certificates_of_random_verdicts_are_accepted(pair):
    accepted(check(*pair))


def test_the_certificate_for_the_loss_that_weston_watkins_embeds_is_accepted():
    verdict = check(weston_watkins(4), embedded_loss(positive_normal_sets(weston_watkins(4))))
    assert verdict.status == "calibrated"
    assert len(verdict.certificate.content["evidence"]["vertices"]) == 99
    accepted(verdict)


@exhaustive
@pytest.mark.parametrize(
    "pair",
    [
        lambda: (weston_watkins(5), embedded_loss(positive_normal_sets(weston_watkins(5)))),
        lambda: (crammer_singer(12), abstain(12)),
        lambda: (lee_lin_wahba(8), zero_one(8)),
    ],
    ids=["weston_watkins(5)", "crammer_singer(12)", "lee_lin_wahba(8)"],
)
def test_large_certificates_are_accepted(pair):
    accepted(check(*pair()))


@pytest.mark.parametrize(
    ("cost", "status"), [(4, "calibrated"), (1, "not calibrated")], ids=["threshold at 1/5", "threshold at 1/2"]
)
def test_maxima_that_occur_twice_have_weights_each(cost, status):
    # ψ = (|u − 1|, u₊ + u₊ + (2u)₊), where the first two hinges together equal the third; the cells meet at p₁ = 1/5.
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - 1) if y == 0 else pos(u[0]) + pos(u[0]) + pos(2 * u[0]), n=2, dim=1
    )
    verdict = check(surrogate, LossMatrix([[0, 1], [cost, 0]]))
    assert verdict.status == status
    accepted(verdict)


def test_names_of_any_kind_do_not_trouble_the_certificate():
    loss = LossMatrix(zero_one(3).entries, labels=['"', "é\n", 3], predictions=["\\", "ß", "日本"], name="név")
    for surrogate in (crammer_singer(3), lee_lin_wahba(3)):
        verdict = check(surrogate, loss)
        accepted(verdict)
        assert verdict.certificate.content["loss"]["predictions"] == ["\\", "ß", "日本"]
        assert verdict.certificate.content["loss"]["labels"] == ['"', "é\n", 3]


# The format.


@cache
def good():
    return check(lee_lin_wahba(3), zero_one(3))


@cache
def bad():
    return check(crammer_singer(3), zero_one(3))


@pytest.fixture(params=[good, bad], ids=["calibrated", "not calibrated"])
def verdict(request):
    return request.param()


def test_a_certificate_has_the_keys_of_the_format_and_claims_the_verdict(verdict):
    content = verdict.certificate.content
    assert set(content) == {"format", "version", "claim", "loss", "surrogate", "evidence"}
    assert content["format"] == "lossmith-certificate"
    assert content["version"] == 2
    assert content["claim"] == verdict.certificate.claim == verdict.status


def test_a_certificate_carries_the_inputs_whole(verdict):
    content = verdict.certificate.content
    assert [tuple(map(Fraction, row)) for row in content["loss"]["entries"]] == list(verdict.loss.entries)
    assert PolyhedralSurrogate(*read_surrogate(content)) == verdict.surrogate


def test_numbers_are_text_in_lowest_terms():
    verdict = check(binary_encoded(3, "2/6"), abstain(3, "0.4"))
    for number in numbers_of(verdict.certificate.content):
        value = container(verdict.certificate.content, number[:-1])[number[-1]]
        if isinstance(value, str):
            assert str(Fraction(value)) == value


def test_a_certificate_of_no_calibration_proves_each_of_its_points():
    verdict = bad()
    evidence = verdict.certificate.content["evidence"]
    assert tuple(map(Fraction, evidence["u"])) == verdict.u
    z = second_opinion.psi(verdict.surrogate, verdict.u)
    for point in evidence["points"]:
        assert bound_of(verdict.surrogate, point) == dot(list(map(Fraction, point["p"])), z)
    assert [t for t, _, _ in evidence["better"]] == list(range(3))
    for t, i, s in evidence["better"]:
        p = list(map(Fraction, evidence["points"][i]["p"]))
        assert 1 - p[s] < 1 - p[t]


@pytest.mark.parametrize("surrogate", [lee_lin_wahba, weston_watkins])
def test_a_certificate_of_calibration_proves_the_risk_at_every_vertex(surrogate):
    psi = surrogate(3)
    verdict = check(psi, embedded_loss(positive_normal_sets(psi)))
    evidence = verdict.certificate.content["evidence"]
    vertices = {p for points in second_opinion.cells(verdict.surrogate).values() for p in points}
    assert {tuple(map(Fraction, each["p"])) for each in evidence["vertices"]} == vertices
    assert len(evidence["vertices"]) == len(vertices)
    for each in evidence["vertices"]:
        p = list(map(Fraction, each["p"]))
        assert bound_of(verdict.surrogate, each) == second_opinion.bayes_risk(verdict.surrogate, p)
    points = {second_opinion.psi(verdict.surrogate, list(map(Fraction, cell["u"]))) for cell in evidence["cells"]}
    assert points == set(second_opinion.cells(verdict.surrogate))


def test_a_certificate_is_written_to_a_file_and_read_again(verdict, tmp_path):
    path = tmp_path / "certificate.json"
    text = verdict.certificate.to_json(path)
    assert path.read_text(encoding="utf-8") == text == verdict.certificate.text == verdict.certificate.to_json()
    assert json.loads(text) == verdict.certificate.content
    assert verify(path.read_text(encoding="utf-8")).accepted
    assert verify(verdict.certificate).accepted
    assert Certificate(text) == verdict.certificate


def test_a_file_that_cannot_be_written_is_refused_in_one_line(tmp_path):
    with pytest.raises(NotWritten, match=r"folder\.json") as caught:
        bad().certificate.to_json(tmp_path / "no" / "such" / "folder.json")
    assert len(str(caught.value).splitlines()) == 1


def test_a_certificate_prints_on_one_line(verdict):
    shown = repr(verdict.certificate)
    assert repr(verdict.status) in shown
    assert f"{len(verdict.certificate.text.encode()):,} bytes" in shown


def test_equal_verdicts_have_equal_certificates(verdict):
    assert check(verdict.surrogate, verdict.loss).certificate == verdict.certificate


def test_what_is_no_certificate_is_rejected_not_raised(verdict):
    for text in (
        "",
        "{",
        "[]",
        "null",
        verdict.certificate.text[:-20],
        verdict.certificate.text.replace('"version":2', '"version":3'),
    ):
        answer = verify(text)
        assert not answer.accepted
        assert len(answer.why.splitlines()) == 1


# One number changed. A claim that is then false must be rejected; a proof whose weights are wrong must be rejected.


def numbers_of(content, path=()):
    """The paths of all numbers: text such as "5/6", and integers; not those in names."""
    for key, value in content.items() if isinstance(content, dict) else enumerate(content):
        if key in ("labels", "predictions", "name", "format", "version", "claim"):
            continue
        if isinstance(value, (dict, list)):
            yield from numbers_of(value, (*path, key))
        elif isinstance(value, (str, int)):
            yield (*path, key)


def container(content, path):
    for key in path:
        content = content[key]
    return content


class Read(NamedTuple):
    """The surrogate of a certificate as it stands there; it need not be one that lossmith would take."""

    terms: tuple
    dim: int
    inequalities: tuple
    equations: tuple


def read_surrogate(content) -> Read:
    surrogate = content["surrogate"]

    def rows(each):
        return tuple(tuple(map(Fraction, row)) for row in each)

    terms = tuple(tuple(rows(maximum) for maximum in terms) for terms in surrogate["terms"])
    return Read(terms, surrogate["dim"], rows(surrogate["inequalities"]), rows(surrogate["equations"]))


def read_entries(content):
    return tuple(tuple(map(Fraction, row)) for row in content["loss"]["entries"])


def proves_no_calibration(content) -> bool:
    """By hand: every point is in N(ψ(u)) by its weights, and every prediction is beaten at one of them."""
    surrogate, evidence = read_surrogate(content), content["evidence"]
    u = tuple(map(Fraction, evidence["u"]))
    points = [tuple(map(Fraction, each["p"])) for each in evidence["points"]]
    z = second_opinion.psi(surrogate, u)
    normal = all(bound_of(surrogate, each) == dot(p, z) for each, p in zip(evidence["points"], points))
    return second_opinion.contains(surrogate, u) and normal and not common_predictions(read_entries(content), points)


def is_true(content) -> bool:
    """Whether the claim holds for the inputs, decided from the definitions.

    A changed surrogate may be negative somewhere. A sign does not matter for calibration, as long as every label's
    component has a lower bound; without one only some distributions have an optimum, and these can still refute.
    """
    surrogate, entries = read_surrogate(content), read_entries(content)
    assert min(map(min, entries)) >= 0
    try:
        PolyhedralSurrogate(*surrogate)
    except BadInput:
        if not second_opinion.corners(surrogate):  # the domain is empty
            return False
        return content["claim"] == "not calibrated" and proves_no_calibration(content)
    return second_opinion.is_calibrated(surrogate, entries) == (content["claim"] == "calibrated")


def changed(value, rng):
    if isinstance(value, int):
        return value + rng.choice([-1, 1, 2])
    number = Fraction(value)
    others = [number + 1, number - 1, -number, number / 2, number + Fraction(1, 7), 2 * number + Fraction(1, 3)]
    return str(rng.choice([x for x in others if x != number]))


FORGED_FROM = {
    "crammer_singer, zero_one": lambda: (crammer_singer(3), zero_one(3)),
    "crammer_singer, abstain": lambda: (crammer_singer(3), abstain(3)),
    "lee_lin_wahba, zero_one": lambda: (lee_lin_wahba(3), zero_one(3)),
    "lee_lin_wahba, abstain": lambda: (lee_lin_wahba(3), abstain(3)),
    "absolute, ordinal": lambda: (absolute(3), ordinal(3)),
    "absolute, zero_one": lambda: (absolute(3), zero_one(3)),
    "binary_encoded, abstain": lambda: (binary_encoded(3, "1/3"), abstain(3, "1/3")),
    "one_vs_all, abstain": lambda: (one_vs_all_hinge(3), abstain(3)),
    "on a domain, ordinal": lambda: (
        PolyhedralSurrogate.from_function(
            lambda y, u: abs(u[0] - y) + abs(u[1]), n=3, dim=2, domain=lambda u: [2 * u[0] >= 1, u[0] + u[1] <= 2]
        ),
        ordinal(3),
    ),
}


def some(cases, fast):
    """The names of the cases, of which those that are not listed as fast are exhaustive."""
    return [name if name in fast else pytest.param(name, marks=exhaustive) for name in cases]


@pytest.mark.parametrize(
    "name", some(FORGED_FROM, ["crammer_singer, zero_one", "lee_lin_wahba, zero_one", "on a domain, ordinal"])
)
def test_a_certificate_with_one_number_changed_is_rejected_unless_its_claim_is_still_true(name):
    genuine = check(*FORGED_FROM[name]()).certificate.content
    rng = random.Random(0)
    paths = list(numbers_of(genuine))
    rejected = 0
    for path in rng.sample(paths, min(len(paths), 60)):
        forged = copy.deepcopy(genuine)
        place = container(forged, path[:-1])
        place[path[-1]] = changed(place[path[-1]], rng)
        answer = lossmith_verify.check(json.dumps(forged))
        rejected += not answer.accepted
        assert not answer.accepted or is_true(forged), path
        if path[0] == "evidence" and {"p", "pieces", "inequalities", "equations"} & set(path):
            assert not answer.accepted, path
    assert rejected > 20  # what remains true is mostly a loss or a surrogate that still has the same verdict


@pytest.mark.parametrize("name", FORGED_FROM)
def test_a_certificate_with_the_contrary_claim_is_rejected(name):
    forged = check(*FORGED_FROM[name]()).certificate.content
    forged["claim"] = "calibrated" if forged["claim"] == "not calibrated" else "not calibrated"
    assert not lossmith_verify.check(json.dumps(forged)).accepted


def test_evidence_of_another_verdict_proves_nothing():
    forged = check(crammer_singer(3), abstain(3)).certificate.content
    forged["loss"] = check(crammer_singer(3), zero_one(3)).certificate.content["loss"]
    assert not lossmith_verify.check(json.dumps(forged)).accepted


@pytest.mark.parametrize("part", ["cells", "vertices"])
def test_a_certificate_of_calibration_with_a_part_left_out_is_rejected(part):
    for i in range(len(good().certificate.content["evidence"][part])):
        forged = good().certificate.content
        del forged["evidence"][part][i]
        assert not lossmith_verify.check(json.dumps(forged)).accepted


@pytest.mark.parametrize("part", ["points", "better"])
def test_a_certificate_of_no_calibration_with_a_part_left_out_is_rejected(part):
    for i in range(len(bad().certificate.content["evidence"][part])):
        forged = bad().certificate.content
        del forged["evidence"][part][i]
        assert not lossmith_verify.check(json.dumps(forged)).accepted


@examples(5)
@given(pairs())
def test_the_certificates_of_random_verdicts_prove_nothing_with_the_contrary_claim(pair):
    forged = check(*pair).certificate.content
    forged["claim"] = "calibrated" if forged["claim"] == "not calibrated" else "not calibrated"
    assert not lossmith_verify.check(json.dumps(forged)).accepted


# With a pred, and within sets of distributions.

OFTEN = [lambda p, y=y: [p[y] >= "3/5"] for y in range(3)]
SELDOM = "p[0] <= 1/2, p[1] <= 1/2, p[2] <= 1/2"
SIGN = [lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]]
FAR = ["p[0] >= 4/5", "p[0] <= 1/3"]


def hinge():
    return PolyhedralSurrogate.from_function(lambda y, u: pos(1 + (-1, 1)[y] * u[0]), n=2, dim=1, name="hinge")


def skew():
    return LossMatrix([[0, 1], [4, 0]])


ASKED = {
    "argmax-gap": lambda: (crammer_singer(3), abstain(3), "argmax-gap:tau=1/2", None),
    "argmax-gap, too large": lambda: (crammer_singer(3), abstain(3), "argmax-gap:tau=3/2", None),
    "argmax": lambda: (lee_lin_wahba(3), zero_one(3), "argmax", None),
    "argmax, not": lambda: (crammer_singer(3), zero_one(3), "argmax", None),
    "often": lambda: (crammer_singer(3), zero_one(3), None, OFTEN),
    "seldom": lambda: (crammer_singer(3), zero_one(3), None, SELDOM),
    "argmax, often": lambda: (crammer_singer(3), zero_one(3), "argmax", OFTEN),
    "sign": lambda: (hinge(), zero_one(2), SIGN, None),
    "sign, skew": lambda: (hinge(), skew(), SIGN, None),
    "sign, far": lambda: (hinge(), skew(), SIGN, FAR),
    "far": lambda: (hinge(), skew(), None, FAR),
    "near": lambda: (hinge(), skew(), None, "p[0] >= 1/2"),
    "a segment": lambda: (hinge(), skew(), SIGN, "p[0] == 3/4"),
}
REFUTED = {"argmax-gap, too large", "argmax, not", "seldom", "sign, skew", "near", "a segment"}


@pytest.mark.parametrize("name", ASKED)
def test_certificates_with_a_pred_and_within_sets(name):
    surrogate, loss, pred, within = ASKED[name]()
    verdict = check(surrogate, loss, pred, within)
    assert verdict.status == ("not calibrated" if name in REFUTED else "calibrated")
    accepted(verdict)
    content = verdict.certificate.content
    assert naive.holds(content)
    assert ("pred" in content, "within" in content) == (pred is not None, within is not None)
    explained = explain(verdict.certificate.text)
    assert explained.startswith(f"accepted: {verdict.status}: ")
    # A pred is shown as a region of u for each prediction, a set of distributions as comparisons of p with 0.
    regions = [line for line in explained.splitlines() if line.startswith(f'"{verdict.pred.name}"')] if pred else []
    assert len(regions) == (loss.k if pred else 0)
    assert bool(re.search(r"p\[\d\].* [≥=] 0", explained)) == (within is not None)


@pytest.mark.parametrize("name", some(ASKED, ["argmax", "seldom", "sign", "sign, skew", "sign, far", "a segment"]))
def test_a_changed_number_is_rejected_or_immaterial_with_a_pred_and_within_sets(name):
    """Immaterial is what a plain reading of the specification accepts as well."""
    genuine = check(*ASKED[name]()).certificate.content
    rng = random.Random(0)
    paths = list(numbers_of(genuine))
    rejected = 0
    for path in rng.sample(paths, min(len(paths), 30)):
        forged = copy.deepcopy(genuine)
        place = container(forged, path[:-1])
        place[path[-1]] = changed(place[path[-1]], rng)
        answer = lossmith_verify.check(json.dumps(forged))
        rejected += not answer.accepted
        assert answer.accepted == naive.holds(forged), path
        if path[0] == "evidence" and {"p", "pieces", "inequalities", "equations"} & set(path):
            assert not answer.accepted, path
    assert rejected > 3


@pytest.mark.parametrize("name", some([name for name in ASKED if name not in REFUTED], ["argmax", "sign, far", "far"]))
def test_nothing_that_the_certificate_lists_can_be_left_out(name):
    genuine = check(*ASKED[name]()).certificate.content
    for part in ("vertices", *(["apart"] if "pred" in genuine else [])):
        for i in range(len(genuine["evidence"][part])):
            forged = copy.deepcopy(genuine)
            del forged["evidence"][part][i]
            assert not lossmith_verify.check(json.dumps(forged)).accepted, (part, i)
