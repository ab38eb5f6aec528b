"""Claims that are false, in the words of a certificate that once was accepted for them: rejected in both versions."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise, permutations

import pytest

import lossmith as lm
from lossmith_verify import check

NOTHING = {"path": [], "inequalities": [], "equations": []}
OF_TIES_ONLY = {"thin": NOTHING}


def content(verdict) -> dict:
    return json.loads(verdict.certificate.text)


def with_regions(certificate, regions, version, point, **evidence) -> str:
    """The claim "calibrated" with a pred of these regions, and in version 2 a tree that has nothing to say."""
    certificate |= {"version": version, "claim": "calibrated", "pred": {"regions": regions}}
    certificate["evidence"] = evidence
    if version == 2:
        certificate["evidence"]["cover"] = {"point": point, "tree": OF_TIES_ONLY}
    return json.dumps(certificate)


def piece(*rows) -> dict:
    return {"inequalities": [[str(x) for x in row] for row in rows], "equations": []}


@pytest.mark.parametrize("version", [1, 2])
def test_regions_that_are_empty_prove_nothing(version):
    certificate = content(lm.check(lm.surrogates.absolute(3), lm.losses.ordinal(3)))
    certificate["loss"] = content(lm.check(lm.surrogates.absolute(3), lm.losses.zero_one(3)))["loss"]
    cells = [{"u": cell["u"]} for cell in certificate["evidence"]["cells"]]
    vertices = certificate["evidence"]["vertices"]
    text = with_regions(certificate, [[], [], []], version, ["2"], cells=cells, vertices=vertices, apart=[])
    assert not check(text).accepted


@pytest.mark.parametrize("version", [1, 2])
def test_regions_with_a_gap_around_ties_prove_nothing(version):
    # Crammer–Singer ends at u = 0 for every p without a majority; regions u_t − u_j ≥ 1/100 say nothing there.
    certificate = content(lm.check(lm.surrogates.crammer_singer(3), lm.losses.abstain(3)))
    certificate["loss"] = content(lm.check(lm.surrogates.crammer_singer(3), lm.losses.zero_one(3)))["loss"]
    ahead = [[0, *(int(i == t) - int(i == j) for i in range(3))] for t, j in permutations(range(3), 2)]
    regions = [[piece(*([Fraction(-1, 100), *row[1:]] for row in ahead[2 * t : 2 * t + 2]))] for t in range(3)]
    cells = [{"u": cell["u"]} for cell in certificate["evidence"]["cells"]]
    verdict = lm.check(lm.surrogates.crammer_singer(3), lm.losses.abstain(3), pred="argmax-gap:tau=1/100")
    apart = [each for each in content(verdict)["evidence"]["apart"] if each["prediction"] < 3]
    vertices = certificate["evidence"]["vertices"]
    text = with_regions(certificate, regions, version, ["3", "2", "0"], cells=cells, vertices=vertices, apart=apart)
    assert not check(text).accepted


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("theorem", ["proper composite", "binary margin"])
def test_empty_regions_of_estimates_prove_nothing(theorem, version):
    certificate = content(lm.check(lm.surrogates.softmax(2), lm.losses.zero_one(2), pred="argmax"))
    certificate["surrogate"]["theorem"] = theorem
    assert not check(with_regions(certificate, [[], []], version, ["2/3", "1/3"])).accepted


@pytest.mark.parametrize("version", [1, 2])
def test_a_claim_about_no_distribution_at_all_is_refused(version):
    hinge = lm.PolyhedralSurrogate.from_function(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1)
    certificate = content(lm.check(hinge, lm.LossMatrix([[0, 3], [1, 0]]), within=lambda p: [p[0] >= "1/2"]))
    certificate["version"] = version
    assert check(json.dumps(certificate)).accepted
    certificate["within"] = [{"inequalities": [["-1", "-1"]], "equations": []}]  # −p_0 − p_1 ≥ 0
    assert not check(json.dumps(certificate)).accepted


def test_version_one_with_a_pred_is_accepted_if_its_regions_cover_as_the_checker_sees():
    verdict = lm.check(lm.surrogates.crammer_singer(3), lm.losses.abstain(3), pred="argmax-gap:tau=1/2")
    certificate = content(verdict) | {"version": 1}
    del certificate["evidence"]["cover"]
    answer = check(json.dumps(certificate))
    assert answer == lm.verify(verdict.certificate)
    assert answer.accepted
    certificate["pred"]["regions"][-1] = []
    certificate["evidence"]["apart"] = [
        each
        for each in certificate["evidence"]["apart"]
        if each["prediction"] < len(certificate["pred"]["regions"]) - 1
    ]
    assert check(json.dumps(certificate)).why.startswith("pred.regions: ")


def test_what_is_given_is_one_theorem_and_nothing_of_squares():
    """Its words, of both directions, are compared in `tests/wording`."""
    surrogates = lm.surrogates.softmax(3), lm.surrogates.square([[0], [1], [2]])
    loss = lm.losses.ordinal(3, 2)
    assert [len(lm.verify(lm.check(each, loss).certificate).given) for each in surrogates] == [1, 0]


@pytest.mark.parametrize("n", [2, 3, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_estimates_that_need_not_sum_to_one_come_near_the_middle_from_below(n):
    # Abstaining is dearer than a guess everywhere, but below the threshold 1/n the pred abstains, next to p = (1/n, …).
    dear = Fraction(n - 1, n) + Fraction(1, 8)
    loss = lm.LossMatrix([[int(y != t) for t in range(n)] + [dear] for y in range(n)])
    hinges = lm.surrogates.one_vs_all_squared_hinge(n)
    verdict = lm.check(hinges, loss, pred=f"argmax-threshold:tau={Fraction(2, n) - 1}")
    assert verdict.status == "not calibrated"
    assert verdict.prediction == n
    assert lm.verify(verdict.certificate).accepted
    if n == 2:
        assert lm.check(lm.surrogates.one_vs_all_logistic(2), loss, pred="argmax-threshold").status == "not calibrated"


def test_proofs_too_deep_for_the_checker_are_not_written(monkeypatch):
    hinge = lm.PolyhedralSurrogate.from_function(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1)
    ends = [Fraction(1, 2**i) for i in range(12)]
    steps = [lambda u, a=low, b=high: [u[0] >= a, u[0] <= b] for low, high in pairwise([0, *ends[::-1]])]
    regions = [[*steps, lambda u: [u[0] >= 1]], lambda u: [u[0] <= 0]]
    assert lm.verify(lm.check(hinge, lm.losses.zero_one(2), pred=regions).certificate).accepted
    monkeypatch.setattr("lossmith.calibration.proofs.DEEPEST", 2)
    with pytest.raises(lm.errors.TooLarge):
        assert lm.check(hinge, lm.losses.zero_one(2), pred=regions).certificate
