"""Smooth surrogates in torch: the same values and gradients as in numpy, and as torch's own losses."""

from __future__ import annotations

import numpy as np
import pytest

import lossmith as lm
from surrogates.members import case, each_part, smooth


def exponential():
    return lm.SmoothSurrogate.from_margin(lambda m: np.exp(-m), lambda m: -np.exp(-m), "exponential")


@each_part
def test_every_smooth_surrogate_of_the_catalogue_has_a_form_or_its_family_says_why_not(part):
    assert smooth(part)
    for surrogate in smooth(part):
        if surrogate.form is None:
            assert surrogate.made_by.formless
            continue
        weights = tuple(range(1, surrogate.n + 1))
        own = surrogate.form.weights
        assert surrogate.weighted(weights).form.weights == tuple(a * b for a, b in zip(own, weights, strict=True))
        assert surrogate.weighted([2] * surrogate.n).form.weights == tuple(2 * a for a in own)


def test_a_surrogate_of_ones_own_has_none_even_with_the_traits_of_a_square():
    quartic = lm.SmoothSurrogate(
        "quartic", 2, 1, lambda U: (U - [0, 1]) ** 4, lambda U: (4 * (U - [0, 1]) ** 3)[:, :, None]
    )
    assert quartic.form is None
    assert exponential().form is None


@each_part
def test_values_and_gradients_are_those_of_numpy(torch, part):
    for plain in (*smooth(part), exponential()):
        for surrogate in (plain, plain.weighted(range(1, plain.n + 1))):
            u = torch.randn(40, surrogate.dim, dtype=torch.float64, generator=torch.manual_seed(1), requires_grad=True)
            y = torch.arange(40) % surrogate.n
            values = lm.nn.SurrogateLoss(surrogate, reduction="none")(u, y)
            values.sum().backward()
            points, rows = u.detach().numpy(), np.arange(40)
            with case(surrogate.name):
                expected = surrogate.evaluate(points)[rows, y]
                np.testing.assert_allclose(values.detach().numpy(), expected, rtol=1e-12)
                np.testing.assert_allclose(u.grad.numpy(), surrogate.gradient(points)[rows, y], rtol=1e-10, atol=1e-13)


def test_a_surrogate_of_ones_own_passes_the_gradient_check_of_torch(torch):
    criterion = lm.nn.SurrogateLoss(exponential(), reduction="none")
    u = torch.linspace(-2, 2, 7, dtype=torch.float64)[:, None].requires_grad_()

    assert torch.autograd.gradcheck(lambda u: criterion(u, torch.arange(7) % 2), u)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("weight", [None, [1.0, 2.0, 0.5, 4.0]])
def test_softmax_is_the_cross_entropy_of_torch(torch, reduction, weight):
    u = torch.randn(30, 4, generator=torch.manual_seed(2))
    y = torch.arange(30) % 4
    theirs = torch.nn.CrossEntropyLoss(None if weight is None else torch.tensor(weight), reduction=reduction)
    ours = lm.nn.SurrogateLoss(lm.surrogates.softmax(4), weight=weight, reduction=reduction)

    torch.testing.assert_close(ours(u, y), theirs(u, y))


def test_one_vs_all_logistic_is_binary_cross_entropy_on_indicators(torch):
    u = 30 * torch.randn(30, 4, generator=torch.manual_seed(3))
    y = torch.arange(30) % 4
    indicators = torch.nn.functional.one_hot(y, 4).float()
    theirs = torch.nn.functional.binary_cross_entropy_with_logits(u, indicators, reduction="none").sum(1)

    torch.testing.assert_close(
        lm.nn.SurrogateLoss(lm.surrogates.one_vs_all_logistic(4), reduction="none")(u, y), theirs
    )
