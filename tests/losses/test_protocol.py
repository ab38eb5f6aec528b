"""What both kinds of losses answer: the same words, of the same kind, with the same answers."""

from __future__ import annotations

import inspect
import pickle
from fractions import Fraction
from inspect import ismethod
from itertools import combinations, permutations

import pytest

import lossmith as lm
from losses.refusal import assert_quotes, refusal
from lossmith import LossMatrix
from lossmith.calibration.checking import check
from lossmith.losses import (
    FAMILIES,
    FactoredLoss,
    dcg,
    f_measure,
    kendall_tau,
    mean_average_precision,
    ndcg,
    pairwise_disagreement,
    precision_at,
    recall_at,
    tree_distance,
    weighted_hamming,
    zero_one,
)
from lossmith.losses.protocol import Loss
from lossmith.surrogates import absolute, crammer_singer, gain_regression
from lossmith.surrogates.preds import sort
from reference import dot

MEMBERS = [family(**small) for family in FAMILIES for small in family.small]
FACTORED = [
    ndcg(2, levels=3),
    dcg(3, discount=[1, "1/2", "1/4"]),
    precision_at(2, 3),
    mean_average_precision(3),
    pairwise_disagreement(3, "single edges"),
    pairwise_disagreement(3, [[(0, 1)], [(1, 0), (1, 2)], [], [(2, 0)]]),
    weighted_hamming([1, 2, "1/2"]),
    f_measure(2, beta=2),
    recall_at(3, 2),
    tree_distance([None, 0, 0, 1, 1]),
]
WORDS = sorted(name for name in vars(Loss) if not name.startswith("_"))


def called(loss) -> str:
    return loss.name


# Words.


def test_the_words_of_the_protocol_are_these():
    assert WORDS == ["affdim", "factored", "k", "made_by", "matrix", "n", "name", "risk"]


@pytest.mark.parametrize("loss", MEMBERS, ids=called)
def test_a_member_of_any_family_is_a_loss_that_knows_its_family(loss):
    assert isinstance(loss, Loss)
    assert loss.made_by(**next(p for p in loss.made_by.small if loss.made_by(**p) == loss)) == loss
    assert (loss.n, loss.k) == loss.made_by.size(**next(p for p in loss.made_by.small if loss.made_by(**p) == loss))


@pytest.mark.parametrize("kind", [LossMatrix, *sorted({type(loss) for loss in FACTORED}, key=lambda t: t.__name__)])
@pytest.mark.parametrize("word", ["matrix", "risk"])
def test_a_question_of_the_protocol_is_taken_as_the_protocol_says(kind, word):
    told = list(inspect.signature(getattr(Loss, word)).parameters.values())
    taken = list(inspect.signature(getattr(kind, word)).parameters.values())
    assert [each.name for each in taken[: len(told)]] == [each.name for each in told]
    assert [each.default for each in taken[: len(told)]] == [each.default for each in told]
    assert all(each.default is not each.empty for each in taken[len(told) :])


@pytest.mark.parametrize("factored", FACTORED, ids=called)
def test_a_word_that_both_kinds_know_is_data_in_both_or_a_method_in_both(factored):
    matrix = factored.matrix()
    common = {word for word in dir(factored) if not word.startswith("_")} & set(dir(matrix))
    assert {word for word in common if ismethod(getattr(matrix, word)) != ismethod(getattr(factored, word))} == set()
    assert {"affdim", "k", "matrix", "n", "name", "risk"} <= common
    assert common.isdisjoint({"labels", "predictions", "column"})  # those of a matrix are names and ℓ_t


# Answers.


@pytest.mark.parametrize("factored", FACTORED, ids=called)
def test_a_loss_by_factors_and_its_matrix_answer_alike(factored):
    matrix = factored.matrix()
    assert (matrix.name, matrix.n, matrix.k, matrix.affdim) == (factored.name, factored.n, factored.k, factored.affdim)
    assert lm.affdim(matrix) == lm.affdim(factored) == factored.affdim
    for p in ([Fraction(1, factored.n)] * factored.n, [Fraction(int(y == 1)) for y in range(factored.n)]):
        assert factored.risk(p) == matrix.risk(p) == tuple(dot(p, column) for column in zip(*matrix.entries))
    assert lm.ccdim(matrix).exact == lm.ccdim(factored).exact
    assert lm.trigger_sets(matrix) == lm.trigger_sets(factored)


@pytest.mark.parametrize("loss", [*MEMBERS, *FACTORED], ids=called)
def test_a_loss_is_known_by_factors_or_is_its_own_matrix(loss):
    if isinstance(loss, FactoredLoss):
        assert loss.factored is loss
        assert loss.matrix().matrix() == loss.matrix()
    else:
        assert loss.factored is None
        assert loss.matrix() is loss
        assert loss.matrix(limit=1) is loss  # it is written down already


# What a matrix was written from.


@pytest.mark.parametrize("factored", FACTORED, ids=called)
def test_a_matrix_knows_the_loss_by_factors_whose_labels_and_predictions_it_has(factored):
    matrix = factored.matrix()
    others = [
        matrix,
        matrix.restrict(labels=matrix.labels[:2], predictions=matrix.predictions[::-1]),
        matrix.scale_rows([2] * matrix.n),
        matrix.shift_rows([1] * matrix.n),
        pickle.loads(pickle.dumps(matrix)),
    ]
    assert all(each.written_from == factored for each in others)
    own = LossMatrix(matrix.entries, matrix.labels, matrix.predictions)
    assert own.written_from is None
    assert own == matrix  # it is no part of the loss
    assert hash(own) == hash(matrix)


def by_name(scores, shown=None) -> str:
    """The name of the prediction that puts the largest scores first, by the definition."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    if shown is None:
        return ">".join(map(str, order))
    return "{" + ",".join(map(str, sorted(order[:shown]))) + "}"


@pytest.mark.parametrize(
    ("loss", "shown"),
    [
        (mean_average_precision(3), None),
        (pairwise_disagreement(3, "single edges"), None),
        (precision_at(1, 2), 1),
        (precision_at(1, 4), 1),
        (precision_at(2, 4), 2),
        (precision_at(3, 4), 3),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
@pytest.mark.parametrize("order", [1, -1])
def test_sorting_decides_for_the_prediction_of_that_name_wherever_it_stands(loss, shown, order):
    matrix = loss.matrix().restrict(predictions=loss.matrix().predictions[::order])
    pred = sort(gain_regression(loss), matrix)
    for scores in permutations(range(loss.r)):
        assert matrix.predictions[pred(scores)] == by_name(scores, shown)


def test_sorting_takes_the_rankings_of_a_matrix_by_their_places():
    pred = sort(gain_regression(mean_average_precision(3)), kendall_tau(3))
    assert all(kendall_tau(3).predictions[pred(scores)] == by_name(scores) for scores in permutations(range(3)))


@pytest.mark.parametrize(
    ("surrogate", "loss"),
    [
        (absolute(3), zero_one(3)),
        (crammer_singer(3), zero_one(3)),  # three scores, three predictions, but no documents
        (gain_regression(precision_at(2, 3)), mean_average_precision(3).matrix().restrict(predictions=["0>1>2"])),
        (gain_regression(ndcg(3)), precision_at(1, 6).matrix()),  # 6 = 3! predictions that are no rankings of 3
    ],
)
def test_sorting_needs_the_documents_of_the_loss(surrogate, loss):
    refusal(sort, surrogate, loss)


def test_names_like_those_of_documents_are_only_names():
    names = ["{" + ",".join(map(str, t)) + "}" for t in combinations(range(3), 2)]
    written = precision_at(2, 3).matrix()
    assert written.predictions == tuple(names)
    own = LossMatrix(written.entries, written.labels, names)
    regression = gain_regression(precision_at(2, 3))  # on the relevance: the likeliest are shown
    assert check(regression, written, "sort").status == "calibrated"
    assert_quotes(refusal(check, regression, own, "sort"), "precision_at", "recall_at")
