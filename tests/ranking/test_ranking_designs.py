"""Surrogates for losses known by factors: mean targets decode to optimal predictions, with the promised regret."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest
from ranking_definitions import refused

import lossmith as lm
from lossmith.constructions.squares_of_factors import squares_of_factors
from lossmith.errors import Impossible, NotFound
from lossmith.losses import dcg, mean_average_precision, ndcg, pairwise_disagreement, precision_at
from surrogates.quotation import quotes

F = Fraction
KINDS = ("all DAGs", "single edges", "tournaments", "total orders")


def losses():
    yield from (ndcg(r, discount=lambda j: F(1, 2**j)) for r in (2, 3, 4))
    yield ndcg(3, levels=3, discount=[0, 1, 3], gain=[1, 2, 5])
    yield ndcg(4, discount=[1, 1, 0, 0])
    yield dcg(3, levels=3, discount=[1, F(1, 2), F(1, 3)])
    yield from (precision_at(q, 4) for q in (1, 2, 3))
    yield from (mean_average_precision(r) for r in (2, 3, 4))
    yield from (pairwise_disagreement(3, kind) for kind in KINDS)
    yield pairwise_disagreement(4, "total orders")
    yield pairwise_disagreement(3, [[(0, 1)], [(1, 0), (1, 2)], [(2, 0)]])


LOSSES = [pytest.param(loss, id=f"{i} {loss.name}") for i, loss in enumerate(losses())]


def designs(loss):
    """In the fewest dimensions, and with every score."""
    fewest, every = squares_of_factors(loss), squares_of_factors(loss, dim=loss.m)
    assert fewest.dim == loss.m - len(loss.constants)
    assert every.dim == loss.m
    return [fewest, every] if fewest.dim < loss.m else [fewest]


def random_distribution(random: Random, loss) -> list[Fraction]:
    weights = [random.choice([0, 0, 1, 2, 3, 7]) for _ in range(loss.n)]
    weights[random.randrange(loss.n)] += 1
    return [F(weight, sum(weights)) for weight in weights]


def mean_target(made, p) -> list[Fraction]:
    mean = [F(0)] * made.dim
    for y, p_y in zip(made.loss.each_label(), p, strict=True):
        if p_y:
            mean = [x + p_y * a for x, a in zip(mean, made.target(y), strict=True)]
    return mean


def at(loss, prediction) -> int:
    return list(loss.each_prediction()).index(loss.prediction(prediction))


@pytest.mark.parametrize("loss", LOSSES)
def test_the_mean_target_decodes_to_an_optimal_prediction(loss):
    """Risks are rationals with small denominators: rounding cannot turn a worse prediction into the best one."""
    random, matrix = Random(0), loss.matrix()
    for made in designs(loss):
        for _ in range(15):
            p = random_distribution(random, loss)
            risks = matrix.risk(p)
            found = made.pred([float(x) for x in mean_target(made, p)])
            assert risks[at(loss, found.predictions)] == min(risks)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_certain_label_is_decoded_to_a_prediction_that_suits_it_best(loss):
    matrix, labels = loss.matrix(), list(loss.each_label())
    for made in designs(loss):
        found = made.pred(made.targets(labels))
        assert len(found.predictions) == loss.n
        for row, prediction in zip(matrix.entries, found.predictions, strict=True):
            assert row[at(loss, prediction)] == min(row)


@pytest.mark.parametrize("loss", LOSSES)
def test_regret_of_the_loss_is_at_most_the_root_of_the_regret_of_the_squares(loss):
    """regret_L² ≤ spread · ‖u − mean target‖², for u that are floats exactly."""
    random, matrix = Random(1), loss.matrix()
    for made in designs(loss):
        for _ in range(10):
            p = random_distribution(random, loss)
            risks, mean = matrix.risk(p), mean_target(made, p)
            u = [F(round(float(x) * 64) + random.randint(-40, 40), 64) for x in mean]
            regret = risks[at(loss, made.pred([float(x) for x in u]).predictions)] - min(risks)
            assert regret**2 <= loss.spread * sum((a - b) ** 2 for a, b in zip(u, mean, strict=True))


@pytest.mark.parametrize(
    "loss", [*LOSSES, precision_at(2, 5), mean_average_precision(5), pairwise_disagreement(5, "single edges"), ndcg(5)]
)
def test_spread_bounds_all_distances(loss):
    columns = np.array([[float(x) for x in loss.factors(t)] for t in loss.each_prediction()])
    squared = ((columns[:, None] - columns[None]) ** 2).sum(axis=2)
    worst = np.unravel_index(squared.argmax(), squared.shape)
    first, second = (loss.factors(list(loss.each_prediction())[i]) for i in worst)
    assert sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) <= loss.spread
    assert squared.max() <= float(loss.spread) + 1e-9
    if loss.family == "pairwise_disagreement":
        assert squared.max() == loss.spread, "a ranking and its reverse"


@pytest.mark.parametrize("loss", LOSSES)
def test_targets_differ_from_the_factors_by_a_constant_functional(loss):
    for made in designs(loss):
        kept = [i for i in range(loss.m) if i not in made.dropped]
        for y in loss.each_label():
            _, scale, a = loss.row(y)
            full = [F(0)] * loss.m
            for i, x in zip(kept, made.target(y), strict=True):
                full[i] = F(x)
            difference = [scale * x - z for x, z in zip(a, full, strict=True)]
            products = {
                sum(d * b for d, b in zip(difference, loss.factors(t), strict=True)) for t in loss.each_prediction()
            }
            assert len(products) == 1


@pytest.mark.parametrize("loss", LOSSES)
def test_too_few_dimensions_are_impossible_and_others_are_not_found(loss):
    bounds, made = lm.ccdim(loss), squares_of_factors(loss)
    for dim in range(1, loss.m + 3):
        if dim in (made.dim, loss.m):
            assert squares_of_factors(loss, dim=dim).dim == dim
        elif dim < bounds.lower.value and bounds.lower.theorem.startswith("equaliser of factors"):
            with pytest.raises(Impossible, match=rf"\b{bounds.lower.value}\b") as caught:
                squares_of_factors(loss, dim=dim)
            assert caught.value.bound.value == bounds.lower.value
            assert lm.verify(caught.value.bound.certificate).accepted
        else:
            with pytest.raises((Impossible, NotFound), match=str(dim)):
                squares_of_factors(loss, dim=dim)


def test_no_dimension_between_the_fewest_and_all_scores():
    with pytest.raises(NotFound, match=r"\b13\b.*\b15\b.*\b14\b"):
        squares_of_factors(mean_average_precision(5), dim=14)
    with pytest.raises(NotFound, match=r"\b4\b.*\b5\b.*\b6\b"):
        squares_of_factors(ndcg(5), dim=6)
    with pytest.raises(NotFound, match=r"\b10\b.*\b11\b"):
        squares_of_factors(pairwise_disagreement(5), dim=11)


@pytest.mark.parametrize(
    ("loss", "fewest", "every"),
    [
        (ndcg(60), 59, 60),
        (precision_at(10, 50), 49, 50),
        (mean_average_precision(12), 76, 78),
        (pairwise_disagreement(12), 66, 66),
    ],
    ids=["ndcg", "precision", "map", "pd"],
)
def test_designs_at_sizes_where_there_is_no_matrix(loss, fewest, every):
    made, scores = squares_of_factors(loss), squares_of_factors(loss, dim=every)
    assert (made.dim, scores.dim) == (fewest, every)
    assert made.status == "calibrated"
    assert lm.verify(made.certificate).accepted
    assert made.certificate.content["value"] == fewest
    assert f"{fewest} dimensions" in made.made_by
    labels = list(loss.equalizer)[:3]
    assert made.targets(labels).shape == (3, fewest)
    assert scores.targets(labels).shape == (3, every)
    # At the equaliser every prediction is optimal; a little more of one label and it is decoded to suit that label.
    for y in labels:
        for each in (made, scores):
            found = each.pred([float(x) for x in each.target(y)])
            least = loss.decode([float(loss.row(y)[1] * x) for x in loss.row(y)[2]])
            assert loss.loss(y, found.predictions) == loss.loss(y, least.predictions)


def test_ndcg_with_every_score_is_learned_by_normalised_gains_and_decoded_by_sorting():
    discount = (F(1), F(1, 2), F(1, 4))
    made = squares_of_factors(ndcg(3, levels=3, discount=discount), dim=3)
    assert made.target((2, 0, 1)) == tuple(F(gain) / (3 + F(1, 2)) for gain in (3, 0, 1))
    assert made.pred([0.1, 0.7, 0.3]).predictions.tolist() == [2, 0, 1]
    assert made.pred([0.1, 0.7, 0.3]).method == "sorting"


def test_pairwise_disagreement_is_learned_by_one_function_per_pair():
    made = squares_of_factors(pairwise_disagreement(4))
    assert made.dim == 6
    assert made.target([(0, 1), (3, 2)]) == tuple(
        {(0, 1): -1, (2, 3): 1}.get(pair, 0) for pair in combinations(range(4), 2)
    )


def test_bad_scores_and_bad_parameters_are_refused():
    made = squares_of_factors(mean_average_precision(3))
    assert quotes(refused(made.pred, [[1.0, 2.0]]), "4")
    for scores in ([float("nan")] * 4, ["a"] * 4, [[1.0] * 4, [1.0]]):
        refused(made.pred, scores)
    refused(made.target, (0, 0, 0))
    assert quotes(refused(made.targets, [(1, 0)]), "(1, 0)", "2")
    assert quotes(refused(lm.design, mean_average_precision(3), dim=0), "dim", "0")
    assert quotes(refused(lm.design, mean_average_precision(3), dim=2.5), "dim", "2.5")
    assert "'hinge'" in refused(lm.design, mean_average_precision(3), method="hinge")
    assert squares_of_factors(mean_average_precision(3), method="square").dim == 4
    assert made.targets([]).shape == (0, 4)


def test_design_takes_the_factors_or_for_a_short_list_of_graphs_the_matrix():
    """The preferences 0 ≻ 1 and 1 ≻ 2, and their reverses, come together or not: two dimensions, of three pairs."""
    listed = pairwise_disagreement(3, [[(0, 1)], [(1, 0)], [(0, 1), (1, 2)], [(1, 0), (2, 1)]])
    made = lm.design(listed)
    assert made.surrogate.dim == lm.ccdim(listed).exact == lm.affdim(listed) == 2
    assert lm.verify(made.certificate).accepted
    assert lm.design(ndcg(4)) == squares_of_factors(ndcg(4))
