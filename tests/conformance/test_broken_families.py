"""A family that breaks a promise fails the check that is named after it, in one line."""

from __future__ import annotations

import numpy as np
import pytest

import lossmith as lm
from lossmith.errors import BadFamily
from lossmith.families import Published, family
from lossmith.losses import zero_one
from lossmith.surrogates.forms import Form
from lossmith.testing import check_loss, check_surrogate

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
    "verdicts": (Published(lm.losses.ordinal, "CCC", "Pedregosa, Bach, Gramfort, JMLR 2017"),),
}


def plain_loss(n: int) -> lm.LossMatrix:
    """1 if it is wrong.

    >>> plain_loss(2).n
    2
    """
    return lm.LossMatrix.from_function(lambda y, t: int(y != t), range(n), name=f"plain_loss(n={n})")


def plain_surrogate(n: int) -> lm.PolyhedralSurrogate:
    """The distance to the grade.

    >>> plain_surrogate(2).n
    2
    """
    return lm.PolyhedralSurrogate.from_function(
        lambda y, u: abs(u[0] - y - 1), n=n, dim=1, name=f"plain_surrogate({n})"
    )


def undocumented(n: int) -> lm.LossMatrix:
    return plain_loss(n)


def misnamed(n: int) -> lm.LossMatrix:
    """Another name.

    >>> misnamed(2).n
    2
    """
    return zero_one.build(n)


def untyped(n) -> lm.LossMatrix:
    """Without the type of its parameter.

    >>> untyped(2).n
    2
    """
    return lm.LossMatrix.from_function(lambda y, t: int(y != t), range(int(n)), name=f"untyped(n={n})")


def formless(n: int) -> lm.SmoothSurrogate:
    """Fourth powers.

    >>> formless(2).n
    2
    """
    centres = np.arange(n)
    return lm.SmoothSurrogate(
        f"formless(n={n})",
        n,
        1,
        lambda U: (U - centres) ** 4,
        lambda U: (4 * (U - centres) ** 3)[:, :, None],
    )


PLAIN_LOSS, PLAIN_SURROGATE = plain_loss, plain_surrogate


def described(monkeypatch, build, card):
    """The family in the place of its function, so that pickles find it."""
    made = family(**card)(build)
    monkeypatch.setitem(globals(), build.__name__, made)
    return made


def test_families_that_keep_all_promises_pass(monkeypatch):
    check_loss(described(monkeypatch, PLAIN_LOSS, LOSS))
    check_surrogate(described(monkeypatch, PLAIN_SURROGATE, SURROGATE))


@pytest.mark.parametrize(
    ("check", "changes", "words"),
    [
        ("documented", {"cite": "folklore"}, "cite is 'folklore'; give a label of the paper"),
        ("documented", {"small": ({"n": 2},)}, "small has 1 instances"),
        ("sized", {"size": lambda n: (n, n + 1)}, r"size says (2, 3) for {'n': 2}, but the member has (2, 2)"),
        ("of_size", {"of_size": None}, "plain_loss does not say which members have n labels; declare it in its file"),
        ("of_size", {"of_size": lambda n: [{"n": 3}]}, "of_size(2) names {'n': 3}, which has 3 labels"),
    ],
)
def test_a_broken_family_of_losses_is_told_which_check_it_fails(monkeypatch, check, changes, words):
    broken = described(monkeypatch, PLAIN_LOSS, {**LOSS, **changes})
    with pytest.raises(BadFamily) as caught:
        check_loss(broken)
    assert f"plain_loss fails the check {check!r} of losses: " in str(caught.value)
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("build", "check", "words"),
    [
        (undocumented, "documented", "its docstring has no example"),
        (misnamed, "named", "is called 'zero_one(n=2)'; begin its name with 'misnamed('"),
        (untyped, "sized", "size says"),
    ],
)
def test_a_broken_function_is_told_which_check_it_fails(monkeypatch, build, check, words):
    changes = {"size": lambda n: (n, n + (check == "sized"))}
    with pytest.raises(BadFamily, match=f"fails the check '{check}'") as caught:
        check_loss(described(monkeypatch, build, {**LOSS, **changes}))
    assert words in str(caught.value)


def test_a_family_that_no_module_holds_cannot_be_pickled():
    made = family(**LOSS)(PLAIN_LOSS)
    with pytest.raises(BadFamily, match="fails the check 'pickled' of losses: PicklingError"):
        check_loss(made)


@pytest.mark.parametrize(
    ("check", "changes", "words"),
    [
        ("formula", {"latex": "|u - y|"}, "latex has no formula"),
        ("formula", {"latex": r"\psi_y(u) = {"}, "braces that do not close"),
        ("fits", {"fits": None}, "plain_surrogate does not say which member fits a loss; declare it in its file"),
        ("fits", {"fits": lambda loss: {"n": 2}}, "which has 3 labels"),
        ("preds", {"preds": ()}, "preds is empty"),
        ("preds", {"preds": ("sort",)}, "the pred 'sort' suits no loss"),
        ("preds", {"preds": ("nearst",)}, "no pred is called"),
        ("published", {"verdicts": (Published(zero_one, "CCC", "A. Author, 2026"),)}, "says C for zero_one with 3"),
        ("published", {"verdicts": (Published(zero_one, "CNN", "folklore"),)}, "the source is 'folklore'"),
        ("published", {"verdicts": (Published(zero_one, "C", "A. Author, 2026"),)}, "the marks are 'C'"),
    ],
)
def test_a_broken_family_of_surrogates_is_told_which_check_it_fails(monkeypatch, check, changes, words):
    broken = described(monkeypatch, PLAIN_SURROGATE, {**SURROGATE, **changes})
    with pytest.raises(BadFamily) as caught:
        check_surrogate(broken)
    assert f"plain_surrogate fails the check {check!r} of surrogates: " in str(caught.value)
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_smooth_surrogate_without_a_form_says_why(monkeypatch):
    card = {**SURROGATE, "preds": ("nearest",), "verdicts": ()}
    with pytest.raises(
        BadFamily, match=r"'named' of surrogates: .* made twice, is not equal; make it of functions of a module"
    ):
        check_surrogate(described(monkeypatch, formless, card))
    made = described(monkeypatch, formless, card)
    with pytest.raises(Exception, match="has no form, so torch is slow and boosting refuses it"):
        lm.testing.surrogates.form(made)
    stated = described(monkeypatch, made.build, {**card, "formless": "no package has an arithmetic for fourth powers"})
    assert lm.testing.surrogates.form(stated) is None


def test_a_form_that_is_not_that_of_the_values_is_refused_at_once():
    from fractions import Fraction

    rows = ((Fraction(0),), (Fraction(1),))
    value, slope = lambda U: (U - [0, 1]) ** 2, lambda U: 2 * (U - [0, 1])[:, :, None]
    lm.SmoothSurrogate("squares", 2, 1, value, slope, form=Form.of("square", rows))
    with pytest.raises(
        lm.errors.BadSurrogate, match="squares is not of the form 'logistic' that it declares: at y = 0"
    ):
        lm.SmoothSurrogate("squares", 2, 1, value, slope, form=Form.of("logistic", rows))
    with pytest.raises(lm.errors.BadSurrogate, match="its form must have 2 rows of 1 numbers"):
        lm.SmoothSurrogate("squares", 2, 1, value, slope, form=Form.of("square", rows[:1]))


def test_what_is_no_family_is_refused():
    with pytest.raises(BadFamily, match="is no family; write @family"):
        check_loss(len)
