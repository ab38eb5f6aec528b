"""Sums of maxima in torch: the exact values, and the exact gradients wherever those exist."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
from nn.exact import dyadic, value_and_gradient
from surrogates.members import ONE_OF_EACH, case, each_part, polyhedral
from surrogates.random_surrogates import terms


def on_all_scores(part):
    """The surrogates without a domain."""
    return [each for each in polyhedral(part) if not each.inequalities and not each.equations]


def on_scores_of_an_equation(part):
    return [each for each in polyhedral(part) if each.equations and not each.inequalities]


def batch(torch, surrogate, points):
    """Every point with every label."""
    rows = [[float(x) for x in u] for u in points for _ in range(surrogate.n)]
    u = torch.tensor(rows, dtype=torch.float64, requires_grad=True)
    return u, torch.arange(surrogate.n).repeat(len(points))


def compare(torch, surrogate, points):
    """How many pairs of a point and a label have a gradient; values and gradients are compared."""
    u, y = batch(torch, surrogate, points)
    values = lm.nn.SurrogateLoss(surrogate, reduction="none")(u, y)
    values.sum().backward()
    expected = [value_and_gradient(surrogate, point, label) for point in points for label in range(surrogate.n)]
    np.testing.assert_allclose(values.detach().numpy(), [float(value) for value, _ in expected], rtol=1e-13, atol=1e-13)
    kept = [(row, gradient) for row, (_, gradient) in zip(u.grad.numpy(), expected, strict=True) if gradient]
    for row, gradient in kept:
        np.testing.assert_allclose(row, [float(x) for x in gradient], rtol=1e-13, atol=1e-13)
    return len(kept)


@each_part
def test_values_and_gradients_are_the_exact_ones(torch, part):
    for surrogate in on_all_scores(part):
        points = dyadic(np.random.default_rng(1), 6 if part == ONE_OF_EACH else 20, surrogate.dim, 61)
        # 61 is no power of two, and roots are irrational: such points are near no kink of a surrogate with small
        # coefficients, but floats round them.
        rounded = [
            tuple(Fraction(float(x) + 2 ** (1 / (i + 2)) / 100) for i, x in enumerate(point)) for point in points
        ]
        with case(surrogate.name):
            assert compare(torch, surrogate, rounded) >= 0.8 * len(points) * surrogate.n


def test_a_maximum_of_two_slopes_is_bent_from_one_maximum(torch):
    """Abstaining at 1/3: max_j of 2/3 (v_j + 1) and of 4/3 v_j + 2/3, v_j = u_j − u_y, are functions of max_j v_j."""
    from lossmith.nn.tables import Bent, tables_of

    surrogate = lm.surrogates.abstain_crammer_singer(6, "1/3")
    assert isinstance(tables_of(surrogate), Bent)
    points = dyadic(np.random.default_rng(3), 20, 6, 61)
    assert compare(torch, surrogate, [tuple(Fraction(float(x)) for x in point) for point in points]) >= 18 * 6


@given(random=terms(n=3, dim=2, max_maxima=3), seed=st.integers(0, 10**6))
def test_random_surrogates_have_their_exact_values_and_gradients(torch, random, seed):
    surrogate = lm.PolyhedralSurrogate(random, 2)
    compare(torch, surrogate, dyadic(np.random.default_rng(seed), 6, 2, 16))


@each_part
def test_at_a_kink_the_gradient_is_a_subgradient(torch, part):
    for surrogate in on_all_scores(part):
        home = [(Fraction(0),) * surrogate.dim]
        others = dyadic(np.random.default_rng(2), 20, surrogate.dim, 16)
        criterion = lm.nn.SurrogateLoss(surrogate, reduction="none")
        u, y = batch(torch, surrogate, home)
        values = criterion(u, y)
        values.sum().backward()
        for other in others:
            v = torch.tensor([float(x) for x in other], dtype=torch.float64)
            below = values + (u.grad * (v - u)).sum(1)
            assert (criterion(v.repeat(surrogate.n, 1), y) >= below - 1e-12).all(), surrogate.name


@each_part
def test_scores_are_projected_on_the_equations(torch, part):
    for surrogate in on_scores_of_an_equation(part):
        criterion = lm.nn.SurrogateLoss(surrogate, reduction="none")
        points = dyadic(np.random.default_rng(3), 8, surrogate.dim, 16)
        u, y = batch(torch, surrogate, points)
        values = criterion(u, y)
        values.sum().backward()
        expected = []
        for point in points:  # Σ u = 0 is the equation of all of them
            centred = [x - sum(point) / len(point) for x in point]
            expected += [float(value) for value in surrogate(centred)]
        with case(surrogate.name):
            np.testing.assert_allclose(values.detach().numpy(), expected, atol=1e-13)
            np.testing.assert_allclose(u.grad.sum(1).numpy(), 0, atol=1e-13)


def test_weston_watkins_is_the_multi_margin_loss_of_torch(torch):
    u = torch.randn(50, 7, dtype=torch.float64, generator=torch.manual_seed(0))
    y = torch.arange(50) % 7
    ours = lm.nn.SurrogateLoss(lm.surrogates.weston_watkins(7))(u, y)

    torch.testing.assert_close(ours, 7 * torch.nn.functional.multi_margin_loss(u, y))


def test_crammer_singer_needs_one_number_per_label_and_score(torch):
    from lossmith.nn.tables import Slots, tables_of

    tables = tables_of(lm.surrogates.crammer_singer(12))

    assert isinstance(tables, Slots)
    assert tables.peak.shape == (12, 1, 12)
    np.testing.assert_array_equal(tables.peak_forms, np.eye(12))
    assert tables.hinge.size == 0


def test_several_kinks_of_one_slope_keep_their_places(torch):
    steps = lm.PolyhedralSurrogate.from_function(
        lambda y, u: sum(lm.pos((1, -1)[y] * u[0] + k) for k in (0, 1, 3)) + 2 * lm.pos((1, -1)[y] * u[0] + 1),
        n=2,
        dim=1,
    )

    assert compare(torch, steps, dyadic(np.random.default_rng(4), 30, 1, 16)) > 0


def test_coefficients_beyond_floats_are_refused(torch):
    huge = lm.PolyhedralSurrogate.from_function(lambda y, u: lm.pos(10**400 + u[0]), n=2, dim=1)
    with pytest.raises(lm.errors.BadInput, match=r"^surrogate "):
        lm.nn.SurrogateLoss(huge)
