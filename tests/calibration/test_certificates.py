"""Certificates: every verdict has one that the separate checker accepts, and a changed number does not go unnoticed."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction
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

SURROGATES = [
    *(crammer_singer(n) for n in (2, 3, 4, 5)),
    *(weston_watkins(n) for n in (2, 3, 4)),
    *(lee_lin_wahba(n) for n in (2, 3, 4, 5)),
    *(one_vs_all_hinge(n) for n in (2, 3, 4)),
    *(absolute(n) for n in (2, 3, 5)),
    *(epsilon_insensitive(n, eps) for n in (2, 3, 4) for eps in ("0", "1/4", "2/5", "3/4")),
    *(binary_encoded(n, c) for n in (2, 3, 4) for c in ("1/2", "1/3")),
    *(abstain_crammer_singer(n, "2/5") for n in (2, 3)),
    *(abstain_one_vs_all(n, "2/5") for n in (2, 3)),
    *(all_threshold_hinge(n) for n in (2, 3, 4)),
    *(adversarial_zero_one(n) for n in (2, 3, 4)),
    binary_relevance_hinge(2),
]
CASES = [
    *((surrogate, loss(surrogate.n)) for surrogate in SURROGATES for loss in (zero_one, abstain, ordinal)),
    *((surrogate, abstain(surrogate.n, "2/5")) for surrogate in SURROGATES if "2/5" in surrogate.name),
    *((binary_relevance_hinge(r), hamming(r)) for r in (1, 2, 3)),
    *((cost_weighted_hinge(loss), loss) for loss in (zero_one(4), ordinal(4), abstain(3, "1/3"), hamming(2))),
]


def accepted(verdict) -> None:
    answer = lossmith_verify.check(verdict.certificate.text)
    assert answer.accepted, answer.why


@pytest.mark.parametrize(
    ("surrogate", "loss"), [pytest.param(s, loss, id=f"{s.name}-{loss.name}") for s, loss in CASES]
)
def test_the_certificate_of_every_verdict_is_accepted(surrogate, loss):
    accepted(check(surrogate, loss))


@given(pairs())
def test_the_certificates_of_random_verdicts_are_accepted(pair):
    accepted(check(*pair))


def test_the_certificate_for_the_loss_that_weston_watkins_embeds_is_accepted():
    verdict = check(weston_watkins(4), embedded_loss(positive_normal_sets(weston_watkins(4))))
    assert verdict.status == "calibrated"
    assert len(verdict.certificate.content["evidence"]["vertices"]) == 99
    accepted(verdict)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("surrogate", "loss"),
    [
        (weston_watkins(5), None),
        (crammer_singer(12), abstain(12)),
        (lee_lin_wahba(8), zero_one(8)),
    ],
    ids=["weston_watkins(5)", "crammer_singer(12)", "lee_lin_wahba(8)"],
)
def test_large_certificates_are_accepted(surrogate, loss):
    accepted(check(surrogate, loss or embedded_loss(positive_normal_sets(surrogate))))


@pytest.mark.parametrize(
    ("loss", "status"),
    [(LossMatrix([[0, 1], [4, 0]]), "calibrated"), (zero_one(2), "not calibrated")],
    ids=["threshold at 1/5", "threshold at 1/2"],
)
def test_maxima_that_occur_twice_have_weights_each(loss, status):
    # ψ = (|u − 1|, u₊ + u₊ + (2u)₊), where the first two hinges together equal the third; the cells meet at p₁ = 1/5.
    surrogate = PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - 1) if y == 0 else pos(u[0]) + pos(u[0]) + pos(2 * u[0]), n=2, dim=1
    )
    verdict = check(surrogate, loss)
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


BAD, GOOD = check(crammer_singer(3), zero_one(3)), check(lee_lin_wahba(3), zero_one(3))
BOTH = pytest.mark.parametrize("verdict", [GOOD, BAD], ids=["calibrated", "not calibrated"])


@BOTH
def test_a_certificate_has_the_keys_of_the_format_and_claims_the_verdict(verdict):
    content = verdict.certificate.content
    assert set(content) == {"format", "version", "claim", "loss", "surrogate", "evidence"}
    assert content["format"] == "lossmith-certificate"
    assert content["version"] == 2
    assert content["claim"] == verdict.certificate.claim == verdict.status


@BOTH
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
    evidence = BAD.certificate.content["evidence"]
    assert tuple(map(Fraction, evidence["u"])) == BAD.u
    z = second_opinion.psi(BAD.surrogate, BAD.u)
    for point in evidence["points"]:
        assert bound_of(BAD.surrogate, point) == dot(list(map(Fraction, point["p"])), z)
    assert [t for t, _, _ in evidence["better"]] == list(range(3))
    for t, i, s in evidence["better"]:
        p = list(map(Fraction, evidence["points"][i]["p"]))
        assert 1 - p[s] < 1 - p[t]


@pytest.mark.parametrize(
    "verdict",
    [GOOD, check(weston_watkins(3), embedded_loss(positive_normal_sets(weston_watkins(3))))],
    ids=lambda verdict: verdict.surrogate.name,
)
def test_a_certificate_of_calibration_proves_the_risk_at_every_vertex(verdict):
    evidence = verdict.certificate.content["evidence"]
    vertices = {p for points in second_opinion.cells(verdict.surrogate).values() for p in points}
    assert {tuple(map(Fraction, each["p"])) for each in evidence["vertices"]} == vertices
    assert len(evidence["vertices"]) == len(vertices)
    for each in evidence["vertices"]:
        p = list(map(Fraction, each["p"]))
        assert bound_of(verdict.surrogate, each) == second_opinion.bayes_risk(verdict.surrogate, p)
    points = {second_opinion.psi(verdict.surrogate, list(map(Fraction, cell["u"]))) for cell in evidence["cells"]}
    assert points == set(second_opinion.cells(verdict.surrogate))


@BOTH
def test_a_certificate_is_written_to_a_file_and_read_again(verdict, tmp_path):
    path = tmp_path / "certificate.json"
    text = verdict.certificate.to_json(path)
    assert path.read_text(encoding="utf-8") == text == verdict.certificate.text == verdict.certificate.to_json()
    assert json.loads(text) == verdict.certificate.content
    assert verify(path.read_text(encoding="utf-8")).accepted
    assert verify(verdict.certificate).accepted
    assert Certificate(text) == verdict.certificate


def test_a_file_that_cannot_be_written_is_refused_in_one_line(tmp_path):
    with pytest.raises(NotWritten, match="cannot write") as caught:
        BAD.certificate.to_json(tmp_path / "no" / "such" / "folder.json")
    assert len(str(caught.value).splitlines()) == 1


@BOTH
def test_a_certificate_prints_on_one_line(verdict):
    shown = repr(verdict.certificate)
    assert repr(verdict.status) in shown
    assert f"{len(verdict.certificate.text.encode()):,} bytes" in shown


@BOTH
def test_equal_verdicts_have_equal_certificates(verdict):
    assert check(verdict.surrogate, verdict.loss).certificate == verdict.certificate


@BOTH
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
    except BadInput as error:
        if "empty" in str(error):
            return False
        if "unbounded" in str(error):
            return content["claim"] == "not calibrated" and proves_no_calibration(content)
    return second_opinion.is_calibrated(surrogate, entries) == (content["claim"] == "calibrated")


def changed(value, rng):
    if isinstance(value, int):
        return value + rng.choice([-1, 1, 2])
    number = Fraction(value)
    others = [number + 1, number - 1, -number, number / 2, number + Fraction(1, 7), 2 * number + Fraction(1, 3)]
    return str(rng.choice([x for x in others if x != number]))


FORGED_FROM = [
    (crammer_singer(3), zero_one(3)),
    (crammer_singer(3), abstain(3)),
    (lee_lin_wahba(3), zero_one(3)),
    (lee_lin_wahba(3), abstain(3)),
    (absolute(3), ordinal(3)),
    (absolute(3), zero_one(3)),
    (binary_encoded(3, "1/3"), abstain(3, "1/3")),
    (one_vs_all_hinge(3), abstain(3)),
    (
        PolyhedralSurrogate.from_function(
            lambda y, u: abs(u[0] - y) + abs(u[1]), n=3, dim=2, domain=lambda u: [2 * u[0] >= 1, u[0] + u[1] <= 2]
        ),
        ordinal(3),
    ),
]


@pytest.mark.parametrize(
    ("surrogate", "loss"), [pytest.param(s, loss, id=f"{s.name}-{loss.name}") for s, loss in FORGED_FROM]
)
def test_a_certificate_with_one_number_changed_is_rejected_unless_its_claim_is_still_true(surrogate, loss):
    genuine = check(surrogate, loss).certificate.content
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


@pytest.mark.parametrize(
    ("surrogate", "loss"), [pytest.param(s, loss, id=f"{s.name}-{loss.name}") for s, loss in FORGED_FROM]
)
def test_a_certificate_with_the_contrary_claim_is_rejected(surrogate, loss):
    forged = check(surrogate, loss).certificate.content
    forged["claim"] = "calibrated" if forged["claim"] == "not calibrated" else "not calibrated"
    assert not lossmith_verify.check(json.dumps(forged)).accepted


def test_evidence_of_another_verdict_proves_nothing():
    forged = check(crammer_singer(3), abstain(3)).certificate.content
    forged["loss"] = check(crammer_singer(3), zero_one(3)).certificate.content["loss"]
    assert not lossmith_verify.check(json.dumps(forged)).accepted


@pytest.mark.parametrize("part", ["cells", "vertices"])
def test_a_certificate_of_calibration_with_a_part_left_out_is_rejected(part):
    for i in range(len(GOOD.certificate.content["evidence"][part])):
        forged = GOOD.certificate.content
        del forged["evidence"][part][i]
        assert not lossmith_verify.check(json.dumps(forged)).accepted


@pytest.mark.parametrize("part", ["points", "better"])
def test_a_certificate_of_no_calibration_with_a_part_left_out_is_rejected(part):
    for i in range(len(BAD.certificate.content["evidence"][part])):
        forged = BAD.certificate.content
        del forged["evidence"][part][i]
        assert not lossmith_verify.check(json.dumps(forged)).accepted


@examples(13)
@given(pairs())
def test_the_certificates_of_random_verdicts_prove_nothing_with_the_contrary_claim(pair):
    forged = check(*pair).certificate.content
    forged["claim"] = "calibrated" if forged["claim"] == "not calibrated" else "not calibrated"
    assert not lossmith_verify.check(json.dumps(forged)).accepted


# With a pred, and within sets of distributions.

OFTEN = [lambda p, y=y: [p[y] >= "3/5"] for y in range(3)]
SIGN = [lambda u: [u[0] >= 0], lambda u: [u[0] <= 0]]
HINGE = PolyhedralSurrogate.from_function(lambda y, u: pos(1 - u[0] if y == 0 else 1 + u[0]), n=2, dim=1, name="hinge")
SKEW = LossMatrix([[0, 1], [4, 0]])
FAR = ["p[0] >= 4/5", "p[0] <= 1/3"]
ASKED = {
    "argmax-gap": (crammer_singer(3), abstain(3), "argmax-gap:tau=1/2", None, "calibrated"),
    "argmax-gap, too large": (crammer_singer(3), abstain(3), "argmax-gap:tau=3/2", None, "not calibrated"),
    "argmax": (lee_lin_wahba(3), zero_one(3), "argmax", None, "calibrated"),
    "argmax, not": (crammer_singer(3), zero_one(3), "argmax", None, "not calibrated"),
    "often": (crammer_singer(3), zero_one(3), None, OFTEN, "calibrated"),
    "seldom": (crammer_singer(3), zero_one(3), None, "p[0] <= 1/2, p[1] <= 1/2, p[2] <= 1/2", "not calibrated"),
    "argmax, often": (crammer_singer(3), zero_one(3), "argmax", OFTEN, "calibrated"),
    "sign": (HINGE, zero_one(2), SIGN, None, "calibrated"),
    "sign, skew": (HINGE, SKEW, SIGN, None, "not calibrated"),
    "sign, far": (HINGE, SKEW, SIGN, FAR, "calibrated"),
    "far": (HINGE, SKEW, None, FAR, "calibrated"),
    "near": (HINGE, SKEW, None, "p[0] >= 1/2", "not calibrated"),
    "a segment": (HINGE, SKEW, SIGN, "p[0] == 3/4", "not calibrated"),
}


@pytest.mark.parametrize("name", ASKED)
def test_certificates_with_a_pred_and_within_sets(name):
    surrogate, loss, pred, within, status = ASKED[name]
    verdict = check(surrogate, loss, pred, within)
    assert verdict.status == status
    accepted(verdict)
    content = verdict.certificate.content
    assert naive.holds(content)
    assert ("pred" in content, "within" in content) == (pred is not None, within is not None)
    explained = explain(verdict.certificate.text)
    assert explained.startswith(f"accepted: {status}: ")
    assert (" says " in explained) == (pred is not None)
    assert ("distributions with " in explained) == (within is not None)


@pytest.mark.parametrize("name", ASKED)
def test_a_changed_number_is_rejected_or_immaterial_with_a_pred_and_within_sets(name):
    """Immaterial is what a plain reading of the specification accepts as well."""
    genuine = check(*ASKED[name][:4]).certificate.content
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


@pytest.mark.parametrize("name", [name for name, asked in ASKED.items() if asked[4] == "calibrated"])
def test_nothing_that_the_certificate_lists_can_be_left_out(name):
    genuine = check(*ASKED[name][:4]).certificate.content
    for part in ("vertices", *(["apart"] if "pred" in genuine else [])):
        for i in range(len(genuine["evidence"][part])):
            forged = copy.deepcopy(genuine)
            del forged["evidence"][part][i]
            assert not lossmith_verify.check(json.dumps(forged)).accepted, (part, i)
