"""Whatever the order of the rows, estimators of scikit-learn get the same from the same data."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import sklearn
from refused import refused
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import lossmith as lm
from lossmith.learn import SurrogateClassifier, make_loss_scorer

RANDOM = np.random.default_rng(0)
X = RANDOM.standard_normal((90, 2))
NAMES = ("legit", "fraud", "dispute")
Y = np.array(NAMES)[np.digitize(X[:, 0] + RANDOM.standard_normal(90), [-0.5, 0.6])]
TWO = np.where(Y == "fraud", "fraud", "legit")
COSTS = {"legit": (0, 1, 4), "fraud": (9, 0, 3), "dispute": (2, 1, 0)}
SORTED = tuple(sorted(NAMES))
ORDERS = list(permutations(NAMES))
UNSORTED = ("fraud", "legit", "dispute")  # sorting them twice over is not the same as not sorting them


def loss_in(order, same=True):
    """The costs with their rows in this order; the decisions are the labels, in another one, or actions."""
    if not same:
        return lm.LossMatrix([COSTS[y] for y in order], order, ["pay", "block", "ask"], "costs")
    decisions = order[1:] + order[:1]
    return lm.LossMatrix([[COSTS[y][NAMES.index(t)] for t in decisions] for y in order], order, decisions, "costs")


def model_in(order, same=True, surrogate="plug-in", **options):
    return SurrogateClassifier(loss_in(order, same), surrogate, **options)


def outcome(question, model):
    """What comes out, or the kind of the error: one that speaks of us, or scikit-learn's own."""
    try:
        return np.asarray(question(model))
    except (ValueError, AttributeError) as error:
        return type(error)


USES = {
    "predict": lambda m: m.fit(X, Y).predict(X),
    "predict_proba": lambda m: m.fit(X, Y).predict_proba(X),
    "expected_loss": lambda m: m.fit(X, Y).expected_loss(X).min(axis=1),
    "bagging": lambda m: BaggingClassifier(m, n_estimators=3, random_state=0).fit(X, Y).predict(X),
    "voting, hard": lambda m: VotingClassifier([("a", m), ("b", LogisticRegression())]).fit(X, Y).predict(X),
    "voting, soft": lambda m: (
        VotingClassifier([("a", m), ("b", LogisticRegression())], voting="soft").fit(X, Y).predict_proba(X)
    ),
    "stacking": lambda m: StackingClassifier([("a", m), ("b", LogisticRegression())], cv=3).fit(X, Y).predict_proba(X),
    "stacking, at the end": lambda m: StackingClassifier([("a", LogisticRegression())], m, cv=3).fit(X, Y).predict(X),
    "boosting": lambda m: AdaBoostClassifier(m, n_estimators=3, random_state=0).fit(X, Y).predict(X),
    "one against the rest": lambda m: OneVsRestClassifier(m).fit(X, Y).predict(X),
    "calibration": lambda m: CalibratedClassifierCV(m, cv=3).fit(X, Y).predict_proba(X),
    "cross_val_predict": lambda m: cross_val_predict(m, X, Y, cv=3),
    "cross_val_predict, probabilities": lambda m: cross_val_predict(m, X, Y, cv=3, method="predict_proba"),
    "cross_val_predict, scores": lambda m: cross_val_predict(m, X, Y, cv=3, method="decision_function"),
    "permutation_importance": lambda m: (
        permutation_importance(m.fit(X, Y), X, Y, n_repeats=2, random_state=0).importances
    ),
    "halving search": lambda m: (
        HalvingGridSearchCV(m, {"C": [0.1, 1]}, cv=2, min_resources=45, random_state=0).fit(X, Y).predict(X)
    ),
    "log loss": lambda m: cross_val_score(m, X, Y, cv=3, scoring="neg_log_loss", error_score="raise"),
    "area under curves": lambda m: cross_val_score(m, X, Y, cv=3, scoring="roc_auc_ovr", error_score="raise"),
    "mean loss": lambda m: cross_val_score(m, X, Y, cv=3, scoring=make_loss_scorer(m.loss), error_score="raise"),
}
# What has no meaning is refused, in every order: decisions without codes, three labels in problems of two, …
REFUSED = {
    True: {"one against the rest"},
    False: {
        "voting, hard",
        "stacking, at the end",
        "boosting",
        "one against the rest",
        "cross_val_predict, scores",
    },
}


def agrees(use, same, orders, surrogate="plug-in"):
    expected = outcome(USES[use], model_in(SORTED, same, surrogate))
    for order in orders:
        found = outcome(USES[use], model_in(order, same, surrogate))
        if isinstance(expected, type):
            assert found is expected, order
        elif expected.dtype.kind == "f":
            assert found == pytest.approx(expected, abs=1e-6), order
        else:
            assert found.tolist() == expected.tolist(), order
    return expected


# What takes long, and hands on codes, probabilities or scores as something faster does.
LONG = {"permutation_importance", "halving search", "log loss", "area under curves", "cross_val_predict, scores"}
LONG_FOR_OTHERS = {"voting, soft", "stacking", "calibration", "cross_val_predict", "cross_val_predict, probabilities"}


@pytest.mark.parametrize(
    ("use", "same"),
    [
        pytest.param(
            use,
            same,
            marks=[pytest.mark.exhaustive] if use in LONG or (not same and use in LONG_FOR_OTHERS) else [],
            id=f"{use}-decisions are {'labels' if same else 'others'}",
        )
        for use in USES
        for same in (True, False)
    ],
)
def test_no_order_of_the_rows_changes_anything(use, same):
    expected = agrees(use, same, ORDERS if use.startswith("predict") else [UNSORTED])
    assert isinstance(expected, type) == (use in REFUSED[same])


@pytest.mark.exhaustive
@pytest.mark.parametrize("same", [True, False], ids=["decisions are labels", "decisions are others"])
@pytest.mark.parametrize("use", USES)
def test_nor_for_least_squares(use, same):
    expected = agrees(use, same, ORDERS, "square")
    assert not isinstance(expected, type) or use not in ("predict", "cross_val_predict", "mean loss")


@pytest.mark.parametrize(
    "use",
    [
        "bagging",
        "voting, hard",
        "boosting",
        *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ("stacking", "calibration")),
    ],
)
def test_least_squares_in_ensembles(use):
    assert not isinstance(agrees(use, True, [UNSORTED], "square"), type)


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
def test_classes_are_sorted_and_decisions_are_as_they_are(order):
    model = model_in(order).fit(X, Y)
    plain = LogisticRegression(max_iter=1000).fit(X, Y)
    assert model.classes_.tolist() == plain.classes_.tolist() == list(SORTED)
    assert tuple(model.decisions_) == order[1:] + order[:1]
    assert model.predict_proba(X) == pytest.approx(plain.predict_proba(X))
    assert (
        model.predict(X).tolist()
        == loss_in(order).decide(plain, X).tolist()
        == loss_in(order).decide(model, X).tolist()
    )


@pytest.mark.parametrize("surrogate", ["plug-in", "square"])
def test_scores_of_classes_are_largest_where_they_are_decided(surrogate):
    model = model_in(UNSORTED, surrogate=surrogate).fit(X, Y)
    assert model.classes_[model.decision_function(X).argmax(axis=1)].tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("surrogate", ["plug-in", "square"])
@pytest.mark.parametrize("order", [("legit", "fraud"), ("fraud", "legit")], ids=" ".join)
def test_of_two_classes_the_second_has_the_positive_score(order, surrogate):
    costs = {"legit": {"legit": 0, "fraud": 1}, "fraud": {"legit": 4, "fraud": 0}}
    loss = lm.LossMatrix([[costs[y][t] for t in order] for y in order], order, order)
    model = SurrogateClassifier(loss, surrogate).fit(X, TWO)
    assert np.where(model.decision_function(X) > 0, "legit", "fraud").tolist() == model.predict(X).tolist()
    plain = LogisticRegression().fit(X, TWO)
    ours, theirs = (cross_val_score(m, X, TWO, cv=3, scoring="roc_auc").mean() for m in (model, plain))
    assert ours == pytest.approx(theirs, abs=0.02)
    assert ours > 0.6


@pytest.mark.parametrize(
    "order",
    [("legit", "fraud"), pytest.param(("fraud", "legit"), marks=pytest.mark.exhaustive)],
    ids=["legit fraud", "fraud legit"],
)
def test_scorers_of_scikit_learn_see_what_they_see_of_a_plain_model(order):
    loss = lm.LossMatrix([{"legit": (0, 5), "fraud": (90, 0)}[y] for y in order], order, ["pay", "block"])
    model, plain = SurrogateClassifier(loss, "plug-in").fit(X, TWO), LogisticRegression(max_iter=1000).fit(X, TWO)
    for scoring in ("roc_auc", "neg_log_loss", "neg_brier_score", "average_precision"):
        options = {} if scoring in ("roc_auc", "neg_log_loss") else {"pos_label": "fraud"}
        name = sklearn.metrics.get_scorer(scoring)._score_func
        scorer = sklearn.metrics.make_scorer(
            name, response_method="predict_proba", greater_is_better=not scoring.startswith("neg"), **options
        )
        assert scorer(model, X, TWO) == pytest.approx(scorer(plain, X, TWO))
    assert sklearn.metrics.get_scorer("roc_auc")(model, X, TWO) == pytest.approx(
        roc_auc_score(TWO == "legit", plain.predict_proba(X)[:, 1])
    )
    assert log_loss(TWO, model.predict_proba(X)) == pytest.approx(log_loss(TWO, plain.predict_proba(X)))
    tuned = TunedThresholdClassifierCV(SurrogateClassifier(loss, "plug-in"), cv=2, thresholds=20, random_state=0).fit(
        X, TWO
    )
    same = TunedThresholdClassifierCV(LogisticRegression(max_iter=1000), cv=2, thresholds=20, random_state=0)
    assert tuned.predict(X).tolist() == same.fit(X, TWO).predict(X).tolist()


def test_one_against_the_rest_makes_sense_of_two_labels():
    for order in (("legit", "fraud"), ("fraud", "legit")):
        loss = lm.LossMatrix([[int(y != t) for t in order] for y in order], order, order)
        wrapped = OneVsRestClassifier(SurrogateClassifier(loss, "plug-in")).fit(X, TWO)
        assert wrapped.predict(X).tolist() == LogisticRegression(max_iter=1000).fit(X, TWO).predict(X).tolist()


def test_frames_through_pipelines_and_weights_by_routing():
    frame = pd.DataFrame(X, columns=["a", "b"])
    weights = np.where(Y == "fraud", 3.0, 1.0)
    expected = model_in(SORTED).fit(StandardScaler().fit_transform(X), Y, sample_weight=weights)
    with sklearn.config_context(enable_metadata_routing=True):
        model = model_in(UNSORTED).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        scaled = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaled, model).set_output(transform="pandas")
        pipeline.fit(frame, Y, sample_weight=weights)
        search = GridSearchCV(pipeline, {"surrogateclassifier__C": [1.0]}, cv=3).fit(frame, Y, sample_weight=weights)
        inner = make_pipeline(scaled, LogisticRegression(max_iter=1000).set_fit_request(sample_weight=True))
        plugged = model_in(UNSORTED, estimator=inner).fit(frame, Y, sample_weight=weights)
        scores = cross_validate(model, X, Y, cv=3, params={"sample_weight": weights})["test_score"]
    assert pipeline[-1].feature_names_in_.tolist() == ["a", "b"]
    for each in (pipeline, search, plugged):
        assert each.predict(frame).tolist() == expected.predict(StandardScaler().fit_transform(X)).tolist()
    assert np.isfinite(scores).all()


def test_without_routing_weights_reach_the_last_step_too():
    weights = np.where(Y == "fraud", 3.0, 1.0)
    by_hand = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    by_hand.fit(X, Y, logisticregression__sample_weight=weights)
    model = model_in(UNSORTED, estimator=make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)))
    assert model.fit(X, Y, sample_weight=weights).predict_proba(X) == pytest.approx(by_hand.predict_proba(X))


def test_decisions_without_codes_are_refused_with_what_to_do_instead():
    votes = VotingClassifier([("a", model_in(UNSORTED, same=False))]).fit(X, Y)
    with refused("'pay'"):
        votes.predict(X)
    soft = VotingClassifier([("a", model_in(UNSORTED, same=False))], voting="soft").fit(X, Y)
    alone = model_in(UNSORTED, same=False).fit(X, Y)
    assert loss_in(UNSORTED, same=False).decide(soft, X).tolist() == alone.predict(X).tolist()


def test_least_squares_of_any_regressor_whatever_the_order():
    first, second = (model_in(order, False, "square", estimator=Ridge()).fit(X, Y) for order in (SORTED, UNSORTED))
    assert first.predict(X).tolist() == second.predict(X).tolist()
    assert first.score(X, Y) == second.score(X, Y)
