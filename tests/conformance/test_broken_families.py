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
from lossmith.testing.promises import Broken
from surrogates.quotation import quotes

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
    ("check", "changes", "quoted"),
    [
        ("documented", {"cite": "folklore"}, ("cite", "'folklore'")),
        ("documented", {"small": ({"n": 2},)}, ("small", "1")),
        ("sized", {"size": lambda n: (n, n + 1)}, ("(2, 3)", "{'n': 2}", "(2, 2)")),
        ("sized", {"size": lambda n: (n, n - 1)}, ("(2, 1)", "{'n': 2}", "(2, 2)")),
        ("of_size", {"of_size": None}, ("plain_loss", "of_size=")),
        ("of_size", {"of_size": lambda n: [{"n": 3}]}, ("of_size(2)", "{'n': 3}", "3")),
    ],
)
def test_a_broken_family_of_losses_is_told_which_check_it_fails(monkeypatch, check, changes, quoted):
    broken = described(monkeypatch, PLAIN_LOSS, {**LOSS, **changes})
    with pytest.raises(BadFamily) as caught:
        check_loss(broken)
    assert quotes(str(caught.value), "plain_loss", repr(check), *quoted), str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("build", "check", "quoted"),
    [
        (undocumented, "documented", (">>>",)),
        (misnamed, "named", ("'zero_one(n=2)'", "'misnamed('")),
        (untyped, "sized", ("(2, 3)", "{'n': 2}", "(2, 2)")),
    ],
)
def test_a_broken_function_is_told_which_check_it_fails(monkeypatch, build, check, quoted):
    changes = {"size": lambda n: (n, n + (check == "sized"))}
    with pytest.raises(BadFamily) as caught:
        check_loss(described(monkeypatch, build, {**LOSS, **changes}))
    assert quotes(str(caught.value), build.__name__, repr(check), *quoted), str(caught.value)


def test_a_family_that_no_module_holds_cannot_be_pickled():
    made = family(**LOSS)(PLAIN_LOSS)
    with pytest.raises(BadFamily, match=r"plain_loss.*'pickled'.*PicklingError"):
        check_loss(made)


@pytest.mark.parametrize(
    ("check", "changes", "quoted"),
    [
        ("formula", {"latex": "|u - y|"}, ("latex", "psi_y(u)")),
        ("formula", {"latex": r"\psi_y(u) = {"}, ("latex",)),
        ("fits", {"fits": None}, ("plain_surrogate", "fits=")),
        ("fits", {"fits": lambda loss: {"n": 2}}, ("{'n': 2}", "3")),
        ("preds", {"preds": ()}, ("preds", '("argmax",)')),
        ("preds", {"preds": ("sort",)}, ("'sort'",)),
        ("preds", {"preds": ("nearst",)}, ("'nearst'", "'nearest'")),
        ("published", {"verdicts": (Published(zero_one, "CCC", "A. Author, 2026"),)}, ("C", "zero_one", "3", "N")),
        ("published", {"verdicts": (Published(zero_one, "CNN", "folklore"),)}, ("'folklore'",)),
        ("published", {"verdicts": (Published(zero_one, "C", "A. Author, 2026"),)}, ("'C'", "2", "3", "4")),
    ],
)
def test_a_broken_family_of_surrogates_is_told_which_check_it_fails(monkeypatch, check, changes, quoted):
    broken = described(monkeypatch, PLAIN_SURROGATE, {**SURROGATE, **changes})
    with pytest.raises(BadFamily) as caught:
        check_surrogate(broken)
    assert quotes(str(caught.value), "plain_surrogate", repr(check), *quoted), str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_smooth_surrogate_without_a_form_says_why(monkeypatch):
    card = {**SURROGATE, "preds": ("nearest",), "verdicts": ()}
    with pytest.raises(BadFamily, match=r"formless.*'named'.*formless\(n=2\)"):
        check_surrogate(described(monkeypatch, formless, card))
    made = described(monkeypatch, formless, card)
    with pytest.raises(Broken, match=r"formless\(n=2\).*form=.*formless="):
        lm.testing.surrogates.form(made)
    stated = described(monkeypatch, made.build, {**card, "formless": "no package has an arithmetic for fourth powers"})
    assert lm.testing.surrogates.form(stated) is None


def test_a_form_that_is_not_that_of_the_values_is_refused_at_once():
    from fractions import Fraction

    rows = ((Fraction(0),), (Fraction(1),))
    value, slope = lambda U: (U - [0, 1]) ** 2, lambda U: 2 * (U - [0, 1])[:, :, None]
    lm.SmoothSurrogate("squares", 2, 1, value, slope, form=Form.of("square", rows))
    with pytest.raises(lm.errors.BadSurrogate, match=r"squares.*'logistic'.*y = 0"):
        lm.SmoothSurrogate("squares", 2, 1, value, slope, form=Form.of("logistic", rows))
    with pytest.raises(lm.errors.BadSurrogate, match=r"\b2\b.*\b1\b"):
        lm.SmoothSurrogate("squares", 2, 1, value, slope, form=Form.of("square", rows[:1]))


def test_what_is_no_family_is_refused():
    with pytest.raises(BadFamily, match=r"len.*@family"):
        check_loss(len)
