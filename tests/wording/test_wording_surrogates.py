"""Messages about surrogates, preds and families, in torch and in boosting; and how surrogates are printed."""

from __future__ import annotations

import re
import sys
from fractions import Fraction

import numpy as np
import pytest
from printed import message, messages

import lossmith as lm
from lossmith import losses, surrogates
from lossmith.boosting import lightgbm_objective, xgboost_objective
from lossmith.calibration.checking import check
from lossmith.families import Published, family
from lossmith.geometry.polyhedron import Polyhedron
from lossmith.losses import abstain, ordinal, zero_one
from lossmith.surrogates import crammer_singer, softmax, square
from lossmith.surrogates.forms import Form
from lossmith.surrogates.named import surrogate_named
from lossmith.surrogates.pred import Pred
from lossmith.surrogates.preds import as_pred, rule_named
from lossmith.surrogates.smooth import BinaryMargin, ProperComposite, SmoothSurrogate, Traits
from lossmith.surrogates.tracing import maximum, pos, sum_largest
from lossmith.testing import check_loss, check_surrogate
from lossmith.testing.promises import run
from lossmith.testing.surrogates import form

TREE = {"all": {"animal": ["cat", "dog"], "car": []}}


# Surrogates as expressions.


def traced(psi, n=2, dim=2, domain=None):
    return lm.PolyhedralSurrogate.from_function(psi, n=n, dim=dim, domain=domain)


def bowl(y, u):
    return abs(u[0]) + abs(u[1])


def on(domain):
    return traced(bowl, domain=domain)


TERMS = {
    "a product": lambda: traced(lambda y, u: u[0] * u[1]),
    "a division by u": lambda: traced(lambda y, u: u[0] / u[1]),
    "a division by zero": lambda: traced(lambda y, u: u[0] / 0),
    "a power": lambda: traced(lambda y, u: u[0] ** 2),
    "a negative multiple": lambda: traced(lambda y, u: 3 - maximum(u[0], u[1])),
    "the absolute value of a maximum": lambda: traced(lambda y, u: abs(pos(u[0]) - 1)),
    "max instead of maximum": lambda: traced(lambda y, u: max(u[0], 0)),
    "a condition": lambda: traced(lambda y, u: u[0] if u[0] >= 0 else -u[0]),
    "a truth value": lambda: traced(lambda y, u: bool(u[0])),
    "a maximum of nothing": lambda: traced(lambda y, u: maximum()),
    "a maximum with a string": lambda: traced(lambda y, u: maximum(u[0], "2")),
    "the largest of too few": lambda: traced(lambda y, u: sum_largest(u, 3)),
    "a sum over a number": lambda: traced(lambda y, u: sum(u[0])),
    "no expression": lambda: traced(lambda y, u: [1, 2]),
    "negative": lambda: traced(lambda y, u: abs(u[0] - 3) + abs(u[1]) - (2 if y == 1 else 0)),
    "unbounded below": lambda: traced(lambda y, u: u[0]),
    "a long sum of maxima": lambda: traced(lambda y, u: pos(sum(abs(x) for x in u) - 1), dim=20),
    "the largest of many": lambda: traced(lambda y, u: pos(sum_largest(u, 10)), dim=20),
    "one label": lambda: traced(bowl, n=1),
    "labels that are no whole number": lambda: traced(bowl, n=2.0),
    "no dimension": lambda: traced(bowl, dim=0),
    "one label in pieces": lambda: lm.PolyhedralSurrogate((((((Fraction(0), Fraction(0))),),),), 1),
    "a float": lambda: traced(lambda y, u: abs(u[0] + 0.25)),
}
DOMAINS = {
    "a constant": lambda: on(lambda u: [True]),
    "no list": lambda: on(lambda u: 3),
    "strict": lambda: on(lambda u: [u[0] < 1]),
    "a chain": lambda: on(lambda u: [0 <= u[0] <= 1]),
    "not linear": lambda: on(lambda u: [abs(u[0]) <= 1]),
    "compared with a string": lambda: on(lambda u: [u[0] <= "one"]),
    "empty": lambda: on(lambda u: [u[0] >= 1, u[0] <= 0]),
    "a point outside": lambda: traced(lambda y, u: u[0], dim=1, domain=lambda u: [u[0] >= 0])([-1]),
}
POINTS = {
    "too few coordinates": lambda: traced(bowl)([1]),
    "a string": lambda: traced(bowl)("12"),
    "an entry that is no number": lambda: traced(bowl)([1, "x"]),
    "a batch with too few columns": lambda: traced(bowl).evaluate([[1.0]]),
    "too large for floats": lambda: softmax(2)([10**400, 0]),
    "probabilities of what is not proper": lambda: square([[0], [1]]).probabilities([[0]]),
    "weights": lambda: softmax(3).weighted([1, 2]),
}

# Smooth surrogates.


def squares(U):
    return (U - np.array([0.0, 1.0])) ** 2


def squares_slope(U):
    return 2 * (U - np.array([0.0, 1.0]))[:, :, None]


def smooth(value=squares, slope=squares_slope, *rest):
    return SmoothSurrogate("mine", 2, 1, value, slope, *rest)


def with_traits(surrogate, **declared):
    parts = (surrogate.name, surrogate.n, surrogate.dim, surrogate.value, surrogate.slope)
    return SmoothSurrogate(*parts, Traits(**declared))


def proper(probabilities, *rest, **options):
    return {"proper": ProperComposite(probabilities, *rest, **options)}


def margin(value, slope, **options):
    return SmoothSurrogate.from_margin(value, slope, "mine", **options)


def waves(U):
    return 1 + np.hstack([np.sin(U), np.cos(U)])


def wave_slopes(U):
    return np.hstack([np.cos(U), -np.sin(U)])[:, :, None]


SMOOTH = {
    "a wrong slope": lambda: smooth(slope=lambda U: squares_slope(U) + 0.5),
    "another exact slope": lambda: smooth(squares, squares_slope, Traits(), lambda u: [[2 * u[0]], [2 * u[0]]]),
    "an exact slope of another size": lambda: smooth(squares, squares_slope, Traits(), lambda u: [[u[0]]]),
    "values of a wrong shape": lambda: smooth(lambda U: squares(U).T),
    "slopes of a wrong shape": lambda: smooth(squares, lambda U: squares_slope(U)[:, :, 0]),
    "a string": lambda: smooth(lambda U: "much"),
    "negative": lambda: smooth(lambda U: squares(U) - 100),
    "not finite": lambda: smooth(lambda U: squares(U) + np.array([0, np.nan])),
    "not convex": lambda: smooth(waves, wave_slopes),
    "another form": lambda: form_of("logistic", 2),
    "a form of another size": lambda: form_of("square", 1),
    "a mean that is no minimum": lambda: with_traits(square([[0], [1]]), mean=[[0], [2]]),
    "a mean of another size": lambda: with_traits(square([[0], [1]]), mean=[[0], [2], [3]]),
    "not proper": lambda: with_traits(softmax(3), **proper(lambda U: softmax(3).probabilities(U / 2))),
    "another link": lambda: with_traits(
        softmax(3), **proper(softmax(3).traits.proper.probabilities, lambda p: np.log(p) / 2)
    ),
    "probabilities of another size": lambda: with_traits(surrogates.class_probability(3), **proper(lambda U: U)),
    "monotone with fewer scores": lambda: with_traits(
        surrogates.class_probability(3),
        **proper(surrogates.class_probability(3).traits.proper.probabilities, None, monotone=True),
    ),
    "not a margin": lambda: smooth(squares, squares_slope, Traits(margin=BinaryMargin(0.0, True))),
    "a margin of three labels": lambda: with_traits(softmax(3), margin=BinaryMargin(-1.0, True)),
    "a margin with a kink at 0": lambda: margin(np.abs, np.sign),
    "a margin without a slope at 0": lambda: margin(
        lambda m: np.maximum(1 - m, 0), lambda m: np.where(m < 1, -1.0, 0.0), differentiable=False
    ),
    "rows of two lengths": lambda: square([[1, 2], [3]]),
    "no rows": lambda: square(7),
    "targets beyond floats": lambda: square([[0], [10**400]]),
}


def form_of(kind, rows):
    declared = Form.of(kind, ((Fraction(0),), (Fraction(1),))[:rows])
    return SmoothSurrogate("mine", 2, 1, squares, squares_slope, form=declared)


# Members of families.

ODD = [[0, 2, 1], [1, 0, 1], [1, 1, 0]]  # costs that are less for a grade that is farther
MEMBERS = {
    "out of an interval": lambda: surrogates.reinforced_hinge(3, "3/2"),
    "not positive": lambda: surrogates.uneven_margin_hinge("1/2", 0),
    "not negative": lambda: surrogates.epsilon_insensitive(3, "-1/4"),
    "below the least": lambda: surrogates.cost_sensitive_svm("1/2", 1),
    "a cost above 1/2": lambda: surrogates.bartlett_wegkamp("3/5"),
    "missing": lambda: surrogates.binary_encoded(3, None),
    "one of two words": lambda: surrogates.weighted_weston_watkins("ordinal:n=3", form="both"),
    "another base": lambda: surrogates.gain_weighted("ordinal:n=3", base="softmax"),
    "another function of margins": lambda: surrogates.cost_all_threshold("ordinal:n=3", "hinge"),
    "a loss that is not square": lambda: surrogates.margin_rescaling("abstain:n=3"),
    "a loss that is not in order": lambda: surrogates.cost_all_threshold_hinge(ODD),
    "a loss without abstaining": lambda: surrogates.asymmetric_reject_hinge("zero-one:n=2"),
    "a loss without tags": lambda: surrogates.structured_tag_hinge("zero-one:n=3"),
    "a loss that ranks some documents": lambda: surrogates.svm_map("precision-at:q=1,r=3"),
    "a loss of rankings": lambda: surrogates.tag_hypersimplex("mean-average-precision:r=3"),
    "a loss that is no ranking": lambda: surrogates.gain_regression(losses.f_measure(3)),
    "a loss without gains": lambda: surrogates.gain_cross_entropy("precision-at:q=1,r=3"),
    "a loss without grades": lambda: surrogates.listnet("pairwise-disagreement:r=3"),
    "one margin": lambda: surrogates.margin_lee_lin_wahba("1"),
    "a margin of 0": lambda: surrogates.margin_lee_lin_wahba("1 0"),
    "rising weights": lambda: surrogates.owa_hinge("1 2"),
    "values that rise too fast": lambda: surrogates.lovasz_hinge("0 1 3"),
    "thresholds that fall": lambda: surrogates.fixed_threshold_hinge(4, thresholds="0 2 1"),
    "thresholds for other grades": lambda: surrogates.fixed_threshold_hinge(4, thresholds=[0, 1]),
    "thresholds and a spacing": lambda: surrogates.fixed_threshold_hinge(3, thresholds="0 1", spacing=2),
    "k of all labels": lambda: surrogates.top_k_max_min(3, 3),
    "too large": lambda: surrogates.binary_relevance_hinge(10**4),
    "one label": lambda: softmax(1),
    "the hinge twice": lambda: surrogates.cost_sensitive_reject(3, "1/4", "hinge"),
    "a margin that is not bounded": lambda: surrogates.sum_loss(3, "square"),
    "a base that is not right for abstaining": lambda: surrogates.cascade_hinge(TREE, "lee-lin-wahba"),
    "a tree of one leaf": lambda: surrogates.cascade_hinge({"all": ["one"]}),
    "a tree whose root is not first": lambda: surrogates.cascade_hinge([1, None, 1]),
    "no tree": lambda: surrogates.cascade_hinge(7),
}


def in_a_file(folder, text, name):
    path = folder / "mine.py"
    path.write_text(text)
    return surrogate_named(f"{path}:{name}", zero_one(3))


NAMES = {
    "unknown": lambda: surrogate_named("cramer-singer:n=3"),
    "without its size": lambda: surrogate_named("crammer-singer"),
    "of another parameter": lambda: surrogate_named("crammer-singer:m=3"),
    "not a whole number": lambda: surrogate_named("crammer-singer:n=three"),
    "a file without a name": lambda: surrogate_named("mine.py"),
    "no such file": lambda: surrogate_named("no-such-file.py:mine"),
    "a member of another family": lambda: surrogate_named("ranknet"),
    "another name of a member": lambda: surrogate_named("net-preference-regression"),
    "not convex": lambda: surrogate_named("focal:n=3"),
    "not convex, as an attribute": lambda: surrogates.focal,
    "unknown as an attribute": lambda: surrogates.nonsense,
}


def test_names_in_a_file(snapshot, tmp_path):
    text = "def breaks(n):\n    return 1 / 0\n\nnumber = 3\n"
    calls = {
        "no surrogate": lambda: in_a_file(tmp_path, text, "number"),
        "missing": lambda: in_a_file(tmp_path, text, "missing"),
        "an error": lambda: in_a_file(tmp_path, text, "breaks"),
    }
    assert messages(calls).replace(str(tmp_path), "FOLDER") == snapshot


# Preds.


def hinge():
    return lm.PolyhedralSurrogate.from_function(lambda y, u: pos(1 - (1, -1)[y] * u[0]), n=2, dim=1, name="hinge")


def clinic():
    return lm.LossMatrix([[0, 1], [5, 0]], labels=["well", "ill"], predictions=["wait", "treat"], name="clinic")


def regions(*given):
    return as_pred(list(given), hinge(), clinic())


def below(u):
    return [u[0] <= 0]


def half(surrogate, loss):
    return "argmax"


def plane():
    return Pred.from_regions([lambda u: [u[0] >= u[1]], lambda u: [u[0] <= u[1]]], dim=2, name="diagonal")


PREDS = {
    "unknown": lambda: rule_named("argmx"),
    "unknown, near none": lambda: rule_named("zzz"),
    "written wrong": lambda: rule_named("argmax-gap:1/2"),
    "a parameter that is no number": lambda: rule_named("argmax-gap:tau=x"),
    "a parameter that is negative": lambda: rule_named("sign-code:tau=-1/2"),
    "cuts without thresholds": lambda: rule_named("cuts"),
    "cuts at nothing": lambda: rule_named("cuts:at="),
    "cuts that fall": lambda: rule_named("cuts:at=1 0"),
    "argmax": lambda: check(hinge(), clinic(), pred="argmax"),
    "argmax-gap": lambda: check(crammer_singer(3), zero_one(3), pred="argmax-gap:tau=1/2"),
    "nearest": lambda: check(crammer_singer(3), zero_one(3), pred="nearest"),
    "sign": lambda: check(crammer_singer(3), zero_one(3), pred="sign"),
    "sign-code": lambda: check(crammer_singer(3), abstain(3), pred="sign-code:tau=1/2"),
    "decide": lambda: check(crammer_singer(3), zero_one(3), pred="decide"),
    "deepest": lambda: check(surrogates.cascade_hinge(TREE), zero_one(3), "deepest"),
    "top-k": lambda: as_pred("top-k", crammer_singer(3), abstain(3)),
    "reject": lambda: as_pred("reject", crammer_singer(3), abstain(3)),
    "open-tags": lambda: as_pred("open-tags:tau=1/2", crammer_singer(3), zero_one(3)),
    "cuts": lambda: as_pred("cuts:at=0 1", crammer_singer(3), ordinal(3)),
    "too few regions": lambda: regions(below),
    "regions that do not cover": lambda: regions(lambda u: [u[0] >= 1], below),
    "a region that is no function": lambda: regions("u[0] >= 0", below),
    "a region that raises": lambda: regions(lambda u: 1 / 0, below),
    "a region that is not linear": lambda: regions(lambda u: [abs(u[0]) >= 1], below),
    "a region of another dimension": lambda: regions(Polyhedron(2, ((Fraction(0), Fraction(1), Fraction(0)),)), below),
    "an unknown prediction": lambda: as_pred({"treet": below}, hinge(), clinic()),
    "no pred": lambda: check(hinge(), clinic(), pred=3),
    "a rule that makes no pred": lambda: check(hinge(), clinic(), pred=half),
    "one function of u": lambda: check(hinge(), clinic(), pred=below),
    "a pred of another dimension": lambda: check(hinge(), clinic(), pred=plane()),
    "a point of another dimension": lambda: as_pred("sign", hinge(), clinic())([1, 2]),
    "a batch of another dimension": lambda: as_pred("sign", hinge(), clinic()).decide(np.zeros((3, 2))),
    "a point of no region": lambda: Pred.from_regions([lambda u: [u[0] >= 1], below], dim=1, name="gap")(["1/2"]),
}

# Promises of families, with functions of this module.

LOSS = {
    "cite": "A. Author, 2026",
    "small": ({"n": 2}, {"n": 3}),
    "size": lambda n: (n, n),
    "of_size": lambda n: [{"n": n}],
}
SURROGATE = {
    "cite": "A. Author, 2026",
    "small": ({"n": 2}, {"n": 3}),
    "size": lambda n: (n, 1),
    "latex": r"\psi_y(u) = |u - y - 1|",
    "preds": ("nearest",),
    "fits": lambda loss: {"n": loss.n},
}


def plain_loss(n: int) -> lm.LossMatrix:
    """1 if it is wrong.

    >>> plain_loss(2).n
    2
    """
    return lm.LossMatrix.from_function(lambda y, t: int(y != t), range(n), name=f"plain_loss(n={n})")


def undocumented(n: int) -> lm.LossMatrix:
    return plain_loss(n)


def misnamed(n: int) -> lm.LossMatrix:
    """Another name.

    >>> misnamed(2).n
    2
    """
    return zero_one.build(n)


def plain_surrogate(n: int) -> lm.PolyhedralSurrogate:
    """The distance to the grade.

    >>> plain_surrogate(2).n
    2
    """
    return lm.PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - y - 1), n=n, dim=1, name=f"plain_surrogate({n})"
    )


def formless(n: int) -> lm.SmoothSurrogate:
    """Fourth powers.

    >>> formless(2).n
    2
    """
    return SmoothSurrogate("formless(n=2)", 2, 1, fourth_powers, fourth_powers_slope)


def fourth_powers(U):
    return (U - np.array([0.0, 1.0])) ** 4


def fourth_powers_slope(U):
    return (4 * (U - np.array([0.0, 1.0])) ** 3)[:, :, None]


BUILT = {each.__name__: each for each in (plain_loss, undocumented, misnamed, plain_surrogate)}


def loss_promises(name="plain_loss", **changes):
    kept = family(**{**LOSS, **changes})(BUILT[name])
    setattr(sys.modules[__name__], name, kept)  # where pickles look for it
    check_loss(kept)


def surrogate_promises(name="plain_surrogate", **changes):
    kept = family(**{**SURROGATE, **changes})(BUILT[name])
    setattr(sys.modules[__name__], name, kept)
    check_surrogate(kept)


def published(marks, source="A. Author, 2026"):
    return {"verdicts": (Published(zero_one, marks, source),)}


PROMISES = {
    "no family": lambda: check_loss(len),
    "cite": lambda: loss_promises(cite="folklore"),
    "small": lambda: loss_promises(small=({"n": 2},)),
    "size": lambda: loss_promises(size=lambda n: (n, n + 1)),
    "of_size that is missing": lambda: loss_promises(of_size=None),
    "of_size": lambda: loss_promises(of_size=lambda n: [{"n": 3}]),
    "an example": lambda: loss_promises("undocumented"),
    "a name": lambda: loss_promises("misnamed"),
    "latex": lambda: surrogate_promises(latex="|u - y|"),
    "braces": lambda: surrogate_promises(latex=r"\psi_y(u) = {"),
    "fits that is missing": lambda: surrogate_promises(fits=None),
    "fits": lambda: surrogate_promises(fits=lambda loss: {"n": 2}),
    "no preds": lambda: surrogate_promises(preds=()),
    "a pred that suits no loss": lambda: surrogate_promises(preds=("sort",)),
    "a pred that is unknown": lambda: surrogate_promises(preds=("nearst",)),
    "a verdict": lambda: surrogate_promises(**published("CCC")),
    "a source": lambda: surrogate_promises(**published("CNN", "folklore")),
    "marks": lambda: surrogate_promises(**published("C")),
    "a form": lambda: run(family(**SURROGATE)(formless), "surrogates", [form]),
}

# Boosting and torch.

BOOSTING = {
    "no curvature": lambda: xgboost_objective(crammer_singer(3)),
    "scores of another size": lambda: xgboost_objective(softmax(3))([0, 1], np.zeros((2, 2))),
    "several scores for one": lambda: lightgbm_objective(square([[0], [1]]))([0, 1], np.zeros((2, 2))),
    "an unknown label": lambda: xgboost_objective(softmax(3))([0, 3], np.zeros((2, 3))),
    "too few labels": lambda: xgboost_objective(softmax(3))([0], np.zeros((2, 3))),
}
TABLES = {
    "terms": TERMS,
    "domains": DOMAINS,
    "points": POINTS,
    "members": MEMBERS,
    "names": NAMES,
    "preds": PREDS,
    "promises": PROMISES,
    "boosting": BOOSTING,
}


@pytest.mark.parametrize("table", TABLES)
def test_messages(snapshot, table):
    assert messages(TABLES[table]) == snapshot


def test_messages_of_smooth_surrogates(snapshot):
    """Decimals are left out: they stand for points that are drawn, and for what is measured there."""
    assert re.sub(r"-?\d+\.\d+(?:e[+-]?\d+)?", "#", messages(SMOOTH)) == snapshot


def test_messages_in_torch(snapshot, torch):
    def loss(*arguments, **options):
        return lambda: lm.nn.SurrogateLoss(*arguments, **options)

    def batch(u, y):
        return lambda: lm.nn.SurrogateLoss(softmax(3))(u, y)

    whole = torch.zeros(4, dtype=torch.int64)
    on_a_half_plane = lm.PolyhedralSurrogate.from_function(
        lambda y, u: pos(1 - (1, -1)[y] * u[0]) + pos(u[1]), n=2, dim=2, domain=lambda u: [u[0] <= u[1]]
    )
    huge = lm.PolyhedralSurrogate.from_function(lambda y, u: pos(10**400 + u[0]), n=2, dim=1)
    calls = {
        "not calibrated": loss(crammer_singer(3), zero_one(3)),
        "a verdict that is not calibrated": loss(lm.check(crammer_singer(3), zero_one(3))),
        "two losses": loss(lm.design(zero_one(3)), zero_one(3)),
        "a pred without a loss": loss(crammer_singer(3), pred="argmax"),
        "a name": loss("crammer-singer"),
        "squares of factors": loss(lm.design(losses.ndcg(3))),
        "inequalities": loss(on_a_half_plane),
        "beyond floats": loss(huge),
        "reduction": loss(crammer_singer(3), reduction="max"),
        "weights": loss(crammer_singer(3), weight=[1, 2]),
        "scores of another shape": batch(torch.zeros(4, 2), whole),
        "scores that are integers": batch(torch.zeros(4, 3, dtype=torch.int64), whole),
        "scores that are a list": batch([[0.0, 0, 0]], whole),
        "labels that are a list": batch(torch.zeros(4, 3), [0, 1, 2, 0]),
        "labels that are floats": batch(torch.zeros(4, 3), torch.zeros(4)),
        "labels of another shape": batch(torch.zeros(4, 3), torch.zeros(5, dtype=torch.int64)),
        "an unknown label": batch(torch.zeros(4, 3), torch.tensor([0, 1, 2, 3])),
        "an empty batch": batch(torch.zeros(0, 3), whole[:0]),
        "nothing to decide": lambda: lm.nn.SurrogateLoss(softmax(3)).pred(torch.zeros(1, 3)),
    }
    assert messages(calls) == snapshot


def test_message_without_torch(snapshot, monkeypatch):
    for name in [each for each in sys.modules if each.startswith("lossmith.nn")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(vars(lm), "nn", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert message(lambda: lm.nn) == snapshot


def test_surrogates_in_print(snapshot):
    made = (crammer_singer(3), hinge(), surrogates.lee_lin_wahba(3), softmax(3), surrogates.class_probability(2))
    rules = (as_pred("argmax-gap:tau=1/2", crammer_singer(3), abstain(3)),)
    assert "\n".join(map(repr, (*made, *rules, crammer_singer))) == snapshot
