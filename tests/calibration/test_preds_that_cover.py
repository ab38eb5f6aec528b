"""Every named pred decides at all scores of the domain, or is refused; no verdict without a cover."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import lossmith as lm
from lossmith.errors import BadInput
from lossmith.geometry.covering import Covering, covering
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.surrogates import preds

PAIRS_OF_LABELS = lm.LossMatrix([[0, 1], [0, 1], [1, 0], [1, 0]], labels=["a", "b", "c", "d"])
S = lm.surrogates


def covers(pred, domain):
    return isinstance(covering(domain, [piece for region in pred.regions for piece in region]), Covering)


class Scores:
    """As much as a rule needs to know of a surrogate."""

    name, made_by = "scores", None

    def __init__(self, n, dim, domain=None):
        self.n, self.dim, self.domain = n, dim, domain or Polyhedron(dim)


@pytest.mark.parametrize(
    "surrogate",
    [
        S.softmax(4),
        S.one_vs_all_logistic(4),
        S.sparsemax(4),
        S.comp_sum(4, "1/2"),
        S.sum_loss(4),
        S.crammer_singer(4),
        S.top_k_entropy(4, 2),
        S.lee_lin_wahba(4),
    ],
    ids=lambda psi: psi.name,
)
def test_top_k_without_a_decision_for_some_labels_is_refused(surrogate):
    for ask in (lm.check, lm.regret):
        with pytest.raises(BadInput) as refused:
            ask(surrogate, PAIRS_OF_LABELS, pred="top-k")
        assert "4 of 6" in str(refused.value)
        if not surrogate.domain.rows:
            assert "a, c" in str(refused.value)
            assert "(1, 0, 1, 0)" in str(refused.value)


def test_the_commands_refuse_it_too(tmp_path):
    from command import lossmith

    (tmp_path / "pairs.csv").write_text("label,ab,cd\na,0,1\nb,0,1\nc,1,0\nd,1,0\n")
    for command in ("check", "regret"):
        run = lossmith(command, "softmax:n=4", "pairs.csv", "--pred", "top-k", cwd=tmp_path)
        assert run.returncode == 2
        assert "a, c" in run.stderr


def test_sets_that_no_scores_of_the_domain_ask_for_may_lack():
    """Where u_0 and u_1 are at least as large as u_2 and u_3, the two largest are those of labels 0 and 1."""
    rows = [
        tuple(Fraction(x) for x in (0, *(int(j == i) - int(j == k) for j in range(4)))) for i in (0, 1) for k in (2, 3)
    ]
    psi = Scores(4, 4, Polyhedron(4, tuple(rows)))
    assert covers(preds.top_k(psi, PAIRS_OF_LABELS), psi.domain)
    with pytest.raises(BadInput):
        preds.top_k(Scores(4, 4, Polyhedron(4, (rows[0],))), PAIRS_OF_LABELS)


def test_regions_with_a_gap_are_refused_with_a_point_and_the_predictions_that_are_never_made():
    with pytest.raises(BadInput) as refused:
        lm.check("softmax", lm.losses.abstain(2), pred=[lambda u: [u[0] >= u[1] + 1], None, None])
    assert "1, abstain" in str(refused.value)
    assert "u = (" in str(refused.value)


RULES = [
    "argmax",
    "argmax-gap:tau=1/3",
    "argmax-threshold:tau=-1/2",
    "sign",
    "votes",
    "sort",
    "top-k",
    "reject",
    "sign-code:tau=1/2",
    "open-tags:tau=1/4",
    "nearest",
    "cuts:at=-1/2 1/3",
]


def random_loss(draw):
    n, k = draw.randint(2, 4), draw.randint(2, 6)
    if draw.random() < 0.5:
        return lm.LossMatrix([[draw.randint(0, 2) for _ in range(k)] for _ in range(n)])
    size = draw.randint(1, n - 1)
    sets = [each for each in combinations(range(n), size) if draw.random() < 0.8] or [(*range(size),)]
    return lm.LossMatrix([[int(y not in each) for each in sets] for y in range(n)])


def preds_that_cover(seed, count):
    """Return how often each rule made a pred, after each has covered."""
    draw, made = random.Random(seed), dict.fromkeys(RULES, 0)
    for _ in range(count):
        loss = random_loss(draw)
        psi = Scores(loss.n, draw.choice((1, 2, 3, loss.n, max(1, loss.k - 1), loss.k)))
        for rule in RULES:
            try:
                pred = preds.rule_named(rule)(psi, loss)
            except BadInput:
                continue
            assert covers(pred, psi.domain), (rule, loss.entries, psi.dim)
            made[rule] += 1
    return made


def test_each_named_pred_covers_or_is_refused():
    made = preds_that_cover(1, 12)
    assert all(made[rule] for rule in ("argmax", "sign", "top-k", "reject", "nearest"))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(2, 12))
def test_each_named_pred_covers_or_is_refused_on_many(seed):
    assert all(preds_that_cover(seed, 300).values())


def test_the_rules_of_structured_losses_cover():
    for loss, rule, dim in (
        (lm.losses.hierarchical([None, 0, 0, 1, 1], predictions="nodes"), "deepest", 5),
        (lm.losses.precision_at(2, 3).matrix(), "sort", 3),
        (lm.losses.pairwise_disagreement(3).matrix(), "sort", 3),
        (lm.losses.top_k(4, 2), "top-k", 4),
        (lm.losses.zero_one(4), "votes", 6),
    ):
        pred = preds.rule_named(rule)(Scores(loss.n, dim), loss)
        assert covers(pred, Polyhedron(dim))


def test_regions_beside_argmax_are_decided_by_a_softmax_with_fewer_predictions():
    loss = lm.LossMatrix([[0, 1], [0, 1], [1, 0]])
    regions = [lambda u: [u[0] >= u[2]], lambda u: [u[2] >= u[0]]]
    verdict = lm.check("softmax", loss, regions)
    assert verdict.status == "not calibrated"
    (p,) = verdict.distributions
    assert p[0] + p[1] != p[2]
    assert np.argmin([p[2], p[0] + p[1]]) != verdict.prediction
    assert lm.verify(verdict.certificate).accepted
