"""SurrogateLoss as a citizen of torch: types, devices, compilation, decisions; and what it refuses."""

from __future__ import annotations

import copy
import io
import sys

import numpy as np
import pytest

import lossmith as lm
from lossmith.errors import BadInput, LossmithError
from lossmith.losses import zero_one
from nn.exact import dyadic


def scores(torch, rows, dim, dtype=None):
    return torch.randn(rows, dim, generator=torch.manual_seed(0)).to(dtype or torch.float32)


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("name", ["crammer_singer", "lee_lin_wahba", "softmax", "one_vs_all_logistic"])
def test_the_loss_has_the_type_of_the_scores(torch, kind, name):
    criterion = lm.nn.SurrogateLoss(getattr(lm.surrogates, name)(5))
    dtype = getattr(torch, kind)
    u, y = scores(torch, 200, 5, dtype).requires_grad_(), torch.arange(200) % 5
    value = criterion(u, y)
    value.backward()

    assert (value.dtype, u.grad.dtype) == (dtype, dtype)
    torch.testing.assert_close(value.double(), criterion(u.double(), y), rtol=4 * torch.finfo(dtype).eps, atol=0)


@pytest.mark.parametrize("name", ["crammer_singer", "weston_watkins", "lee_lin_wahba", "one_vs_all_hinge", "softmax"])
def test_the_loss_lives_where_the_scores_live(torch, name):
    criterion = lm.nn.SurrogateLoss(getattr(lm.surrogates, name)(4), weight=[1, 2, 3, 4], reduction="none")
    u = torch.empty(6, 4, device="meta", requires_grad=True)
    values = criterion(u, torch.zeros(6, dtype=torch.int32, device="meta"))
    values.sum().backward()

    assert (values.device.type, values.shape, u.grad.device.type) == ("meta", (6,), "meta")


@pytest.mark.parametrize("kind", ["uint8", "int8", "int16", "int32", "int64"])
def test_labels_may_have_any_integer_type(torch, kind):
    criterion = lm.nn.SurrogateLoss(lm.surrogates.crammer_singer(3))
    u, y = scores(torch, 6, 3), torch.arange(6) % 3

    assert criterion(u, y.to(getattr(torch, kind))) == criterion(u, y)


def test_class_weights_are_those_of_cross_entropy(torch):
    u, y, w = scores(torch, 6, 3), torch.arange(6) % 3, torch.tensor([1.0, 2.0, 4.0])
    each = lm.nn.SurrogateLoss(lm.surrogates.crammer_singer(3), reduction="none")(u, y)
    weighted = lm.nn.SurrogateLoss(lm.surrogates.crammer_singer(3), weight=["1", "2", 4])(u, y)

    torch.testing.assert_close(weighted, (w[y] * each).sum() / w[y].sum())


def test_class_weights_lead_to_the_decision_for_the_weighted_loss(torch):
    """Minimising Σ p_y w_y ψ_y and deciding by the pred for L minimises the expected w_y L(y, t)."""
    loss, w, p = lm.losses.abstain(3), [1, 5, 2], ["1/2", "3/10", "1/5"]
    best = lm.design(loss, method="square")
    criterion = lm.nn.SurrogateLoss(best, weight=w, reduction="none")
    u = torch.zeros(3, criterion.dim, dtype=torch.float64)
    point = torch.zeros(1, criterion.dim, dtype=torch.float64, requires_grad=True)
    shares = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
    for _ in range(200):
        risk = (shares * criterion(u + point, torch.arange(3))).sum()
        [slope] = torch.autograd.grad(risk, point)
        point = (point - 0.1 * slope).detach().requires_grad_()
    [decision] = criterion.pred(point).tolist()

    assert loss.scale_rows(w).optimal_predictions(p) == (decision,)
    assert loss.optimal_predictions(p) != (decision,)


MAXIMA = ("crammer_singer", "lee_lin_wahba", "one_vs_all_hinge")  # written as the maxima that they are


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name", ["binary_encoded", "softmax", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in MAXIMA)]
)
def test_the_loss_compiles_into_one_graph(torch, name):
    criterion = lm.nn.SurrogateLoss(getattr(lm.surrogates, name)(4), weight=[1, 2, 3, 4])
    compiled = torch.compile(criterion, fullgraph=True, backend="aot_eager")
    u, y = scores(torch, 8, criterion.dim).requires_grad_(), torch.arange(8) % 4
    values = compiled(u, y), criterion(u, y)
    torch.testing.assert_close(*values)
    torch.testing.assert_close(*(torch.autograd.grad(value, u)[0] for value in values))


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore:The .grad attribute")  # torch looks at it where the graph is interrupted
def test_a_surrogate_of_ones_own_interrupts_the_graph_but_works(torch):
    own = lm.SmoothSurrogate.from_margin(lambda m: np.exp(-m), lambda m: -np.exp(-m), "exponential")
    criterion = lm.nn.SurrogateLoss(own)
    u, y = scores(torch, 8, 1).requires_grad_(), torch.arange(8) % 2
    values = torch.compile(criterion, backend="aot_eager")(u, y), criterion(u, y)
    torch.testing.assert_close(*values)
    torch.testing.assert_close(*(torch.autograd.grad(value, u)[0] for value in values))


def test_a_loss_is_copied_saved_and_shown_and_has_nothing_to_learn(torch):
    criterion = lm.nn.SurrogateLoss(lm.design(lm.losses.ordinal(4)))
    file = io.BytesIO()
    torch.save(criterion, file)
    file.seek(0)
    u, y = scores(torch, 8, 1), torch.arange(8) % 4
    for other in (copy.deepcopy(criterion), torch.load(file, weights_only=False)):
        assert other(u, y) == criterion(u, y)
    assert list(criterion.parameters()) == []
    assert criterion.state_dict() == {}
    assert "loss=ordinal(n=4)" in repr(criterion)


@pytest.mark.parametrize(
    "verdict",
    [
        pytest.param(lambda: lm.design(lm.losses.abstain(4)), id="design"),
        pytest.param(lambda: lm.design(lm.losses.ordinal(4)), id="orderable"),
        pytest.param(lambda: lm.design(lm.losses.abstain(3), method="square"), id="square"),
        pytest.param(lambda: lm.check(lm.surrogates.softmax(3), lm.losses.abstain(3)), id="softmax"),
        pytest.param(lambda: lm.check(lm.surrogates.lee_lin_wahba(3), lm.losses.zero_one(3)), id="decomposition"),
        pytest.param(
            lambda: lm.check(lm.surrogates.crammer_singer(3), lm.losses.abstain(3), "argmax-gap:tau=1/2"), id="gap"
        ),
    ],
)
def test_decisions_are_those_of_the_verdict(torch, verdict):
    verdict = verdict()
    criterion = lm.nn.SurrogateLoss(verdict)
    points = dyadic(np.random.default_rng(5), 25, criterion.dim, 61)
    if getattr(verdict.surrogate, "equations", ()):
        points = [tuple(x - sum(point) / len(point) for x in point) for point in points]
    u = torch.tensor([[float(x) for x in point] for point in points], dtype=torch.float64, requires_grad=True)
    exact = [verdict.pred(point) for point in points]

    assert criterion.pred(u).tolist() == exact
    assert criterion.pred(u).dtype == torch.int64
    assert criterion.decide(u) == [verdict.loss.predictions[t] for t in exact]
    assert criterion.pred(u[:0]).tolist() == []


def test_decisions_are_made_after_projecting_on_the_equations(torch):
    criterion = lm.nn.SurrogateLoss(lm.check(lm.surrogates.cost_weighted_hinge("ordinal:n=3"), lm.losses.ordinal(3)))
    u = scores(torch, 10, 3)

    assert criterion.pred(u).tolist() == criterion.pred(u + 100).tolist()


def test_a_surrogate_with_a_loss_is_checked(torch):
    criterion = lm.nn.SurrogateLoss(lm.surrogates.crammer_singer(3), lm.losses.abstain(3), "argmax-gap:tau=1/2")

    assert criterion.verdict.status == "calibrated"
    assert criterion.decide(torch.tensor([[2.0, 0, 0], [0.1, 0, 0]])) == [0, "abstain"]
    assert criterion.loss == lm.losses.abstain(3)


def hinge():
    return lm.surrogates.crammer_singer(3)


def on_a_half_plane():
    return lm.PolyhedralSurrogate.from_function(
        lambda y, u: lm.pos(1 - (1, -1)[y] * u[0]) + lm.pos(u[1]), n=2, dim=2, domain=lambda u: [u[0] <= u[1]]
    )


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        pytest.param(
            lambda: [hinge(), zero_one(3)], {}, r"crammer_singer\(n=3\).*zero_one\(n=3\)", id="not calibrated"
        ),
        pytest.param(
            lambda: [lm.check(hinge(), zero_one(3))], {}, r"crammer_singer\(n=3\).*zero_one\(n=3\)", id="such a verdict"
        ),
        pytest.param(lambda: [lm.design(zero_one(3)), zero_one(3)], {}, "loss=", id="two losses"),
        pytest.param(lambda: [hinge()], {"pred": "argmax"}, "loss=", id="a pred without a loss"),
        pytest.param(lambda: ["crammer-singer"], {}, "'crammer-singer'", id="a name"),
        pytest.param(lambda: [lm.design(lm.losses.ndcg(3))], {}, "MSELoss", id="squares of factors"),
        pytest.param(lambda: [on_a_half_plane()], {}, r"\b1\b", id="inequalities"),
        pytest.param(lambda: [hinge()], {"reduction": "max"}, "'max'", id="reduction"),
        pytest.param(lambda: [hinge()], {"weight": [1, 2]}, r"weight.*\b3\b", id="two weights"),
        pytest.param(lambda: [hinge()], {"weight": [1, 2, 0]}, r"weight.*\b3\b", id="a weight of 0"),
    ],
)
def test_what_cannot_be_trained_is_refused_at_once(torch, arguments, options, message):
    given = arguments()
    with pytest.raises(BadInput, match=message) as refused:
        lm.nn.SurrogateLoss(*given, **options)
    assert "\n" not in str(refused.value)


def test_a_tensor_of_weights_with_an_infinite_one_is_refused(torch):
    with pytest.raises(BadInput, match=r"inf.*\b3\b"):
        lm.nn.SurrogateLoss(hinge(), weight=torch.tensor([1.0, 2.0, float("inf")]))


@pytest.mark.parametrize(
    ("u", "y", "message"),
    [
        (lambda t: t.zeros(4, 2), lambda t: t.zeros(4, dtype=t.int64), r"u .*\(4, 2\).*\b3\b"),
        (lambda t: t.zeros(3), lambda t: t.zeros(1, dtype=t.int64), r"u .*\(3,\)"),
        (lambda t: t.zeros(4, 3, dtype=t.int64), lambda t: t.zeros(4, dtype=t.int64), r"torch.int64; .* u.float\(\)"),
        (lambda t: [[0.0, 0, 0]], lambda t: t.zeros(1, dtype=t.int64), r"\bu\b.*list"),
        (lambda t: t.zeros(4, 3), lambda t: [0, 1, 2, 0], r"\by\b.*list"),
        (lambda t: t.zeros(4, 3), lambda t: t.zeros(4), r"torch.float32; .* y.long\(\)"),
        (lambda t: t.zeros(4, 3), lambda t: t.zeros(4, dtype=t.bool), "torch.bool"),
        (lambda t: t.zeros(4, 3), lambda t: t.zeros(5, dtype=t.int64), r"y .*\(5,\).*\b4\b"),
        (lambda t: t.zeros(4, 3), lambda t: t.zeros(4, 1, dtype=t.int64), r"y .*\(4, 1\)"),
        (lambda t: t.zeros(4, 3), lambda t: t.tensor([0, 1, 2, 3]), r"y .*\b3\b.*\b0\b.*\b2\b"),
        (lambda t: t.zeros(4, 3), lambda t: t.tensor([0, 1, 2, -1]), r"y .*-1"),
        (lambda t: t.zeros(0, 3), lambda t: t.zeros(0, dtype=t.int64), None),
    ],
)
@pytest.mark.parametrize("name", ["crammer_singer", "softmax"])
def test_bad_batches_are_refused(torch, name, u, y, message):
    with pytest.raises(BadInput, match=message):  # nothing of an empty batch can be quoted
        lm.nn.SurrogateLoss(getattr(lm.surrogates, name)(3))(u(torch), y(torch))


def test_an_empty_batch_has_a_sum(torch):
    for name in ("crammer_singer", "weston_watkins", "one_vs_one_hinge", "softmax", "one_vs_all_logistic"):
        surrogate = getattr(lm.surrogates, name)(3)
        u, y = torch.zeros(0, surrogate.dim), torch.zeros(0, dtype=torch.int64)
        assert lm.nn.SurrogateLoss(surrogate, reduction="sum")(u, y) == 0
        assert lm.nn.SurrogateLoss(surrogate, reduction="none")(u, y).shape == (0,)


def test_without_a_loss_there_is_nothing_to_decide(torch):
    with pytest.raises(BadInput, match=r"softmax\(n=3\).*loss="):
        lm.nn.SurrogateLoss(lm.surrogates.softmax(3)).pred(torch.zeros(1, 3))


def test_without_torch_the_extra_is_named(monkeypatch):
    for name in [each for each in sys.modules if each.startswith("lossmith.nn")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(vars(lm), "nn", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(LossmithError, match=r"'lossmith\[torch\]'") as refused:
        lm.nn  # noqa: B018
    assert isinstance(refused.value, ImportError)
    assert "\n" not in str(refused.value)
