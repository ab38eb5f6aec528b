"""What verdicts of calibration say, why a rule does not apply, and how sets, preds and surrogates are refused."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from printed import messages

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.calibration.by_logarithms import by_logarithms
from lossmith.calibration.by_proper_composite import by_proper_composite
from lossmith.calibration.by_single_decision import by_single_decision
from lossmith.calibration.by_thresholds import by_thresholds
from lossmith.calibration.checking import question_of
from lossmith.certificates.certificate import verify
from lossmith.surrogates.pred import Pred

S, L = lm.surrogates, lm.losses
CENTRES = np.array([0.0, 1.0, 2.0])


def wards():
    return lm.LossMatrix(
        L.zero_one(3).entries,
        labels=["mild", "moderate", "severe"],
        predictions=["home", "ward", "icu"],
        name="wards",
    )


def squares(**known):
    """(u − y)², of which nothing else is declared."""
    return lm.SmoothSurrogate(
        "squares", 3, 1, lambda U: (U - CENTRES) ** 2, lambda U: 2 * (U - CENTRES)[:, :, None], **known
    )


def with_tangents():
    return squares(exact_slope=lambda u: [[2 * (u[0] - y)] for y in range(3)])


def plain():
    """The same for each label."""
    return lm.SmoothSurrogate(
        "plain",
        3,
        2,
        lambda U: np.repeat((U**2).sum(axis=1)[:, None], 3, axis=1),
        lambda U: np.repeat(2 * U[:, None, :], 3, axis=1),
    )


def squared(psi, n=2, dim=2):
    return lm.SmoothSurrogate.from_squares(psi, n=n, dim=dim)


def within(given):
    return lambda: lm.check(S.crammer_singer(3), wards(), within=given)


SETS = {
    "empty": within("p[0] >= 2"),
    "empty in a union": within(["p[0] >= 1/2", "p[1] >= 2"]),
    "no set": within([]),
    "product": within("p[0] * p[1] >= 0"),
    "absolute value": within(lambda p: [abs(p[0]) <= "1/2"]),
    "power": within("p[0] ** 2 >= 0"),
    "open": within("p[0] > 1/2"),
    "open in a function": within(lambda p: [p[0] > 0]),
    "unknown label": within("sevre <= 1"),
    "label out of range": within("p[3] >= 0"),
    "no probability": within("1 >= 0"),
    "a number from a function": within(lambda p: 3),
    "a number among comparisons": within(lambda p: [3]),
    "a function that fails": within(lambda p: 1 / 0),
    "a number": within(3),
    "a list of lists": within([["p[0] >= 1/2"]]),
    "division by zero": within("p[0] >= 1/0"),
    "no number": within("p[0] >= 1_0"),
    "a float": within(lambda p: [p[0] <= 0.3]),
}
PREDS = {
    "argmax with few predictions": lambda: lm.check(S.softmax(3), [[0, 1], [1, 0], [1, 1]], "argmax"),
    "argmax with one score": lambda: lm.check(squares(), L.zero_one(3), "argmax"),
    "unknown": lambda: lm.check(S.softmax(3), L.zero_one(3), "argmx"),
    "no parameter": lambda: lm.check(S.softmax(3), L.zero_one(3), "argmax:tau=1"),
    "negative gap": lambda: lm.check(S.softmax(3), L.abstain(3), "argmax-gap:tau=-1"),
    "other labels": lambda: lm.check(S.softmax(3), L.zero_one(4)),
    "too few regions": lambda: lm.check(squares(), L.zero_one(3), [lambda u: [u[0] <= 1], None]),
    "other scores": lambda: lm.check(
        squares(), L.zero_one(3), Pred.from_regions([lambda u: [u[0] >= 0], lambda u: [u[0] <= 0], None], dim=2)
    ),
    "decide without probabilities": lambda: lm.check(squares(), L.zero_one(3), "decide"),
    "scan from 1 to 1": lambda: lm.scan(lambda x: None, 1, 1),
}
SURROGATES = {
    "sum of squares": lambda: squared(lambda y, u: lm.pos(u[0]) + lm.pos(u[1])),
    "square of what may be negative": lambda: squared(lambda y, u: [lm.maximum(u[0], u[1])]),
    "square of a word": lambda: squared(lambda y, u: ["score"]),
    "separate": lambda: replace(
        S.squared_crammer_singer(3), traits=replace(S.squared_crammer_singer(3).traits, separate=True)
    ),
    "along": lambda: replace(S.sum_loss(3), along=S.squared_crammer_singer(3).along),
    "at_logs": lambda: replace(S.margin_vector(3), at_logs=S.constrained_loss(3).at_logs),
    "slope": lambda: lm.SmoothSurrogate(
        "squares", 3, 1, lambda U: (U - CENTRES) ** 2, lambda U: 3 * (U - CENTRES)[:, :, None]
    ),
    "exact_slope": lambda: squares(exact_slope=lambda u: [[3 * (u[0] - y)] for y in range(3)]),
    "not convex": lambda: lm.SmoothSurrogate(
        "wave",
        3,
        1,
        lambda U: 2 - np.sin(U * [1, -1, 2]),
        lambda U: -(np.cos(U * [1, -1, 2]) * [1, -1, 2])[:, :, None],
    ),
}


def test_sets_of_distributions_that_are_refused(snapshot):
    assert messages(SETS) == snapshot


def test_preds_and_questions_that_are_refused(snapshot):
    assert messages(PREDS) == snapshot


def test_surrogates_that_are_refused(snapshot):
    assert messages(SURROGATES) == snapshot


REASONS = {
    "a threshold without a rational meaning": lambda: (
        by_proper_composite,
        (S.softmax(3), L.abstain(3), "argmax-threshold:tau=1/2"),
    ),
    "regions of scores": lambda: (
        by_proper_composite,
        (S.softmax(3), L.zero_one(3), [lambda u: [u[0] >= 5], lambda u: [u[0] <= 5], None]),
    ),
    "a threshold at a kink": lambda: (
        by_thresholds,
        (
            replace(squared(lambda y, u: lm.pos(1 + abs(u[0] - y)), dim=1), subgradients=None),
            L.zero_one(2),
            [lambda u: [u[0] <= 0], lambda u: [u[0] >= 0]],
        ),
    ),
    "another decision": lambda: (
        by_single_decision,
        (
            plain(),
            lm.LossMatrix([[0, 0, 1], [0, 0, 2], [1, 1, 2]]),
            [lambda u: [u[0] >= 0], None, lambda u: [u[0] <= 0]],
        ),
    ),
    "no cone": lambda: (
        by_logarithms,
        (
            S.guess_averse(L.hamming(2)),
            L.hamming(2),
            [lambda u: [u[0] >= 1], lambda u: [u[0] <= 1], None, None],
        ),
    ),
}


def test_why_a_rule_does_not_apply(snapshot):
    said = []
    for name, made in REASONS.items():
        rule, (surrogate, loss, pred) = made()
        said.append(f"{name}\n    {rule.__name__}: {rule(question_of(surrogate, Facts(loss), pred)).reason}")
    assert "\n".join(said) == snapshot


def random_looking_loss(n):
    return lm.LossMatrix([[(3 * t * t + 5 * y * y + 7 * t * y) % 101 for t in range(n)] for y in range(n)])


def overlapping():
    hinge = lm.PolyhedralSurrogate.from_function(lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, name="hinge")
    return lm.check(hinge, L.zero_one(2), [lambda u: [], lambda u: [u[0] <= 0]])


OFTEN = "mild >= 1/4"
TIED = ((0, 1, 1), (1, 0, 1))
VERDICTS = {
    "calibrated": lambda: lm.check(S.lee_lin_wahba(3), wards()),
    "calibrated with a pred": lambda: lm.check(S.lee_lin_wahba(3), wards(), "argmax"),
    "calibrated on a union": lambda: lm.check(S.crammer_singer(3), wards(), within=["mild >= 3/5", "severe >= 3/5"]),
    "calibrated as ties are broken": lambda: lm.check(S.crammer_singer(2), lm.LossMatrix(TIED), "argmax-gap:tau=0"),
    "calibrated, with cells of one kind": lambda: lm.check(S.crammer_singer(7), L.abstain(7)),
    "not calibrated": lambda: lm.check(S.crammer_singer(3), wards()),
    "not calibrated with a pred": lambda: lm.check(S.crammer_singer(3), wards(), "argmax"),
    "not calibrated on a set": lambda: lm.check(S.crammer_singer(3), wards(), "argmax", OFTEN),
    "not calibrated as regions are ordered": overlapping,
    "not calibrated in the limit": lambda: lm.check(S.softmax(20), random_looking_loss(20), "argmax"),
    "not calibrated on the way": lambda: lm.check(S.squared_crammer_singer(3), L.abstain(3)),
    "probabilities, any pred": lambda: lm.check(S.softmax(3), L.ordinal(3)),
    "probabilities, argmax": lambda: lm.check(S.softmax(3), L.zero_one(3), "argmax"),
    "probabilities, argmax as ties are broken": lambda: lm.check(S.softmax(2), lm.LossMatrix(TIED), "argmax-gap:tau=0"),
    "probabilities, argmax, not calibrated": lambda: lm.check(S.softmax(3), L.ordinal(3), "argmax"),
    "probabilities one way": lambda: lm.check(S.constrained_loss(3, "squared-hinge"), L.ordinal(3, 2)),
    "order of weighted probabilities": lambda: lm.check(
        S.softmax(3).weighted([1, 2, 3]), L.top_k(3, 2).scale_rows([1, 2, 3]), "top-k"
    ),
}


def test_verdicts(snapshot):
    assert "\n\n".join(f"[{name}]\n{made()}" for name, made in VERDICTS.items()) == snapshot


def test_a_counterexample_with_labels_that_are_impossible(snapshot):
    """Its numbers are found by a search, and are left out."""
    verdict = lm.check(S.crammer_singer(20), random_looking_loss(20))
    assert not all(map(all, verdict.distributions))
    title, *_ = " ".join(str(verdict).split()).split(":")
    assert re.sub(r"(?<=[(\s])-?[\d.]+(?=[,)])", "#", title) == snapshot


def test_a_verdict_with_many_cells(snapshot):
    values = [cell.z for cell in lm.check(S.weston_watkins(4), lm.LossMatrix([[0]] * 4)).cells]
    lines = str(lm.check(S.weston_watkins(4), lm.LossMatrix(list(zip(*values))))).splitlines()
    assert "\n".join([*lines[:3], "…", lines[-1]]) == snapshot


IN_PAPERS = (
    "calibrated",
    "calibrated on a union",
    "not calibrated",
    "not calibrated with a pred",
    "not calibrated on a set",
    "probabilities, argmax",
    "probabilities, argmax, not calibrated",
)


def test_verdicts_as_latex(snapshot):
    shown = [f"[{name}]\n{VERDICTS[name]().to_latex()}" for name in IN_PAPERS]
    undecided = lm.check(squares(), L.zero_one(3), "nearest").to_latex()
    assert "\n".join([*shown, f"[undecided]\n{undecided}"]) == snapshot


def test_undecided_verdicts(snapshot):
    """The numbers of the search come from floats, and are left out."""
    seen, nothing, part = (
        lm.check(squares(), L.zero_one(3), "nearest"),
        lm.check(squares(), L.ordinal(3, 2)),
        lm.check(squares(), L.zero_one(3), within="p[1] <= 1/2, p[0] >= 1/10"),
    )
    first, *_ = str(part).splitlines()
    evidence = [re.sub(r"\d+(\.\d+)?", "#", str(each.evidence)) for each in (seen, nothing)]
    declined = [line for line in str(seen).splitlines() if line.startswith(("Whether", "  by_"))]
    assert "\n".join([*declined, *evidence, first]) == snapshot


GIVEN = (
    "probabilities, argmax",
    "probabilities, any pred",
    "probabilities one way",
    "not calibrated on the way",
)


def test_what_certificates_are_accepted_given(snapshot):
    verdicts = {name: VERDICTS[name]() for name in GIVEN}
    verdicts["mean"] = lm.check(S.one_vs_all_logistic(3), L.zero_one(3), "argmax")
    verdicts["first two scores"] = lm.check(S.top_k_entropy(4, 2), L.top_k(4, 2), "top-k")
    verdicts["not calibrated by tangents"] = lm.check(with_tangents(), L.zero_one(3), "nearest")
    given = {name: verify(verdict.certificate).given for name, verdict in verdicts.items()}
    assert "\n".join(f"{name}\n    {'; '.join(each)}" for name, each in given.items()) == snapshot


def test_an_accepted_certificate(snapshot):
    assert str(verify(VERDICTS["probabilities, argmax"]().certificate)) == snapshot


def test_tangents_as_a_proof_of_calibration(snapshot):
    text = lm.check(with_tangents(), L.zero_one(3)).certificate.text
    assert str(verify(text.replace('"not calibrated"', '"calibrated"'))) == snapshot


def test_a_scan(snapshot):
    found = lm.scan(lambda eps: lm.check(S.epsilon_insensitive(3, eps), L.ordinal(3)), 0, 1)
    assert f"{found}\n{found.to_latex()}" == snapshot
