"""What is too large to prove and known from the literature is given; what can be proved is proved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

import lossmith as lm
from lossmith.analysis.facts import Facts
from lossmith.calibration.by_catalogue import Given, by_catalogue
from lossmith.calibration.proofs import Cover
from lossmith.calibration.question import Declined, Question
from lossmith.certificates.explaining import explain
from lossmith.surrogates.preds import as_named, as_pred
from lossmith.surrogates.tracing import pos


def random_loss(n, k, seed=0):
    random = Random(seed)
    return lm.LossMatrix([[random.randint(0, 5) for _ in range(k)] for _ in range(n)])


def cost_weighted(loss):
    return lm.surrogates.cost_weighted_hinge(loss), loss, "argmax"


def bits(r):
    return lm.surrogates.binary_relevance_hinge(r), lm.losses.hamming(r), "sign"


LARGE = {
    "cost-weighted hinge": lambda: cost_weighted(random_loss(8, 7)),
    "binary relevance hinge": lambda: bits(4),
}
SMALL = {
    "abstain": lambda: cost_weighted(lm.losses.abstain(3)),
    "random": lambda: cost_weighted(random_loss(4, 3)),
    "a label without costs": lambda: cost_weighted(lm.LossMatrix([[0, 0], [1, "1/2"]])),
    "1 bit": lambda: bits(1),
    "2 bits": lambda: bits(2),
}


@cache
def large(name):
    return LARGE[name]()


def asked(surrogate, loss, pred=None):
    return by_catalogue(Question(surrogate, Facts(loss), None if pred is None else as_named(pred)))


@pytest.mark.parametrize("with_pred", [False, True])
@pytest.mark.parametrize("name", LARGE)
def test_beyond_the_budget_the_theorem_is_named(name, with_pred):
    surrogate, loss, pred = large(name)
    verdict = lm.check(surrogate, loss, pred=pred if with_pred else None, max_vertices=20)
    assert verdict.status == "calibrated"
    assert verdict.cells == ()
    assert isinstance(verdict.proof, Given)
    why = verdict.to_dict()["why"]
    assert name in why
    assert f" {pred} " in why
    assert why in " ".join(str(verdict).split())
    checked = lm.verify(verdict.certificate)
    assert checked.accepted
    assert (len(checked.given), len(checked.theorems)) == (0, 1)
    assert name in " ".join(explain(verdict.certificate.text).split())


@pytest.mark.parametrize("with_pred", [False, True])
@pytest.mark.parametrize("name", SMALL)
def test_what_fits_the_budget_is_proved_and_agrees(name, with_pred):
    surrogate, loss, pred = SMALL[name]()
    chosen = pred if with_pred else None
    proved, given = lm.check(surrogate, loss, pred=chosen), asked(surrogate, loss, chosen)
    assert isinstance(proved.proof, Cover)
    assert lm.verify(proved.certificate).given == ()
    assert isinstance(given.proof, Given)
    assert lm.check(surrogate, loss, pred=pred).status == "calibrated"  # the pred that is given is proved, too
    assert lm.verify(given.certificate).accepted


def test_the_pred_decides_by_the_largest_score_and_by_the_signs():
    verdict = lm.check(*large("cost-weighted hinge")[:2], max_vertices=20)
    assert verdict.pred([-1, -1, 6, -1, -1, -1, -1]) == 2
    assert list(verdict.decide([[-1, -1, 6, -1, -1, -1, -1]])) == [verdict.loss.predictions[2]]
    verdict = lm.check(*large("binary relevance hinge")[:2], max_vertices=20)
    assert list(verdict.decide([[1, -1, 1, 1], [-1, -1, -1, 1]])) == ["1011", "0001"]


def test_where_the_risk_is_least_the_pred_is_optimal():
    """By linear programming at random distributions, some without the last labels."""
    random = Random(3)
    for surrogate, loss, _ in map(large, LARGE):
        pred = lm.check(surrogate, loss, max_vertices=20).pred
        for present in (loss.n, 3, 2):
            p = [random.randint(1, 9) if y < present else 0 for y in range(loss.n)]
            q = [Fraction(x, sum(p)) for x in p]
            assert pred(surrogate.minimum(q).point) in loss.optimal_predictions(q)


def test_nothing_else_is_given():
    surrogate, loss, _ = large("cost-weighted hinge")
    bits, hamming, _ = large("binary relevance hinge")
    rows = [list(row) for row in loss.entries]
    rows[2][3] += 1
    changed = list(surrogate.terms)
    changed[0] = changed[0][:-1]
    weighted = lm.PolyhedralSurrogate.from_function(
        lambda y, u: sum(pos(1 + x) * int(cost) for cost, x in zip(loss.entries[y], u, strict=True)),
        n=loss.n,
        dim=loss.k,
    )
    others = [
        (surrogate, lm.LossMatrix(rows), None),  # another cost
        (replace_terms(surrogate, tuple(changed)), loss, None),  # a hinge less
        (weighted, loss, None),  # no domain
        (bits, lm.losses.zero_one(16), None),  # another loss
        (bits, lm.LossMatrix([row[::-1] for row in hamming.entries]), None),  # decisions in another order
        (lm.surrogates.crammer_singer(8), loss, None),
        (lm.surrogates.softmax(8), loss, None),
    ]
    assert [isinstance(asked(*each), Declined) for each in others] == [True] * len(others)
    question = Question(surrogate, Facts(loss), as_pred("argmax", surrogate, loss))
    assert not isinstance(by_catalogue(question), Declined)
    smallest = lm.Pred("argmin", 7, tuple(reversed(question.pred.regions)))
    assert isinstance(by_catalogue(replace(question, pred=smallest)), Declined)


def replace_terms(surrogate, terms):
    return lm.PolyhedralSurrogate(terms, surrogate.dim, surrogate.inequalities, surrogate.equations)


def test_a_pair_is_known_by_its_numbers_not_by_its_name():
    """The hinge of Lee, Lin and Wahba is the cost-weighted one for 0-1 loss."""
    verdict = lm.check(lm.surrogates.lee_lin_wahba(5), lm.losses.zero_one(5), max_vertices=10)
    assert isinstance(verdict.proof, Given)
    assert lm.verify(verdict.certificate).accepted


def test_on_some_distributions_nothing_is_given():
    surrogate, loss, _ = large("cost-weighted hinge")
    verdict = lm.check(surrogate, loss, within=lambda p: [p[0] >= "1/2"], max_vertices=20)
    assert verdict.status == "undecided"


@pytest.mark.exhaustive
@pytest.mark.parametrize("n", [30, 60])
def test_a_large_random_loss_is_settled_and_checked(n):
    loss = random_loss(n, n)
    verdict = lm.check(lm.surrogates.cost_weighted_hinge(loss), loss)
    assert isinstance(verdict.proof, Given)
    assert lm.verify(verdict.certificate).accepted
