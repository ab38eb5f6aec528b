"""Every family against its formula, written out once more in plain Python."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith import LossMatrix, losses
from lossmith import surrogates as families
from strategies import examples, loss_rows, rationals


def hinge(x):
    return x if x > 0 else Fraction(0)


def others(n, y):
    return [j for j in range(n) if j != y]


def crammer_singer(n):
    return n, lambda y, u: hinge(1 + max(u[j] for j in others(n, y)) - u[y])


def weston_watkins(n):
    return n, lambda y, u: sum(hinge(1 + u[j] - u[y]) for j in others(n, y))


def lee_lin_wahba(n):
    return n, lambda y, u: sum(hinge(1 + u[j]) for j in others(n, y))


def one_vs_all_hinge(n):
    return n, lambda y, u: hinge(1 - u[y]) + sum(hinge(1 + u[j]) for j in others(n, y))


def absolute(n):
    return 1, lambda y, u: abs(u[0] - (y + 1))  # centres 1 … n


def epsilon_insensitive(n, eps="1/4"):
    return 1, lambda y, u: hinge(abs(u[0] - (y + 1)) - Fraction(eps))


def all_threshold_hinge(n):
    # Labels y = 1 … n and thresholds i = 1 … n−1 in the formula.
    def psi(y, a):
        grade = y + 1
        below = sum(hinge(1 + a[i - 1]) for i in range(1, n) if i < grade)
        return below + sum(hinge(1 - a[i - 1]) for i in range(1, n) if i >= grade)

    return n - 1, psi


def adversarial_zero_one(n):
    def psi(y, u):
        ordered = sorted(u, reverse=True)
        return 1 - u[y] + max((sum(ordered[:m]) - 1) / Fraction(m) for m in range(1, n + 1))

    return n, psi


def abstain_crammer_singer(n, cost):
    c = Fraction(cost)

    def psi(y, u):
        gaps = [u[j] - u[y] for j in others(n, y)]
        return max([Fraction(0), *(2 * c * (gap + 1) for gap in gaps), *(2 * (1 - c) * gap + 2 * c for gap in gaps)])

    return n, psi


def abstain_one_vs_all(n, cost):
    c = Fraction(cost)
    return n, lambda y, u: 2 * (c * hinge(1 - u[y]) + (1 - c) * sum(hinge(1 + u[j]) for j in others(n, y)))


FORMULAS = [
    *((f, (n,)) for f in (crammer_singer, weston_watkins, lee_lin_wahba, one_vs_all_hinge) for n in (2, 3, 4)),
    *((f, (n,)) for f in (absolute, all_threshold_hinge, adversarial_zero_one) for n in (2, 3, 4)),
    *((epsilon_insensitive, arguments) for arguments in [(3,), (2, "0"), (4, "2/5"), (3, "3/2")]),
    *(
        (f, (n, c))
        for f in (abstain_crammer_singer, abstain_one_vs_all)
        for n in (2, 3)
        for c in ("1/2", "1/3", "1/10")
    ),
]


def draw_point(data, dim, zero_sum):
    u = data.draw(st.lists(rationals(-3, 3, 4), min_size=dim, max_size=dim))
    mean = sum(u) / len(u)
    return [x - mean for x in u] if zero_sum else u


def fast(arguments):
    """Three labels, and a cost that is none of the limits."""
    return arguments[0] == 3 and arguments[1:] in ((), ("1/3",))


@pytest.mark.parametrize(
    ("formula", "arguments"),
    [
        pytest.param(
            formula,
            arguments,
            id=f"{formula.__name__}({', '.join(map(str, arguments))})",
            marks=[] if fast(arguments) else pytest.mark.exhaustive,
        )
        for formula, arguments in FORMULAS
    ],
)
@examples(5)
@given(data=st.data())
def test_the_surrogate_has_the_values_of_its_formula(formula, arguments, data):
    surrogate = getattr(families, formula.__name__)(*arguments)
    dim, psi = formula(*arguments)
    u = draw_point(data, dim, formula is lee_lin_wahba)
    assert surrogate(u) == tuple(psi(y, u) for y in range(arguments[0]))


# ψ_y = max{0, 2c(B_j u_j + 1), 2(1−c) B_j u_j + 2c : j}, for codes B(y) ∈ {±1}^d that differ from label to label.


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("cost", ["1/2", "1/3"])
def test_the_codes_of_the_binary_encoded_surrogate_differ_and_give_its_values(n, cost):
    surrogate, c, dim = families.binary_encoded(n, cost), Fraction(cost), ceil(log2(n))
    assert surrogate.dim == dim
    unit = [tuple(int(i == j) for j in range(dim)) for i in range(dim)]
    # At u = e_j label y has ψ_y ≥ 2(1−c) + 2c = 2 where B_j = 1, and ψ_y ≤ max{0, 4c − 2, 2c} = 2c where B_j = −1.
    codes = [[1 if surrogate(u)[y] > 2 * c else -1 for u in unit] for y in range(n)]
    assert len(set(map(tuple, codes))) == n
    for u in [[Fraction(i - 2 * j, 3) for j in range(dim)] for i in range(-4, 8)]:
        for y, code in enumerate(codes):
            signed = [b * x for b, x in zip(code, u)]
            terms = [value for x in signed for value in (2 * c * (x + 1), 2 * (1 - c) * x + 2 * c)]
            assert surrogate(u)[y] == max(0, *terms)


@pytest.mark.parametrize("r", [1, 2, 3])
def test_the_binary_relevance_hinge_has_one_hinge_per_bit_of_the_label(r):
    surrogate, labels = families.binary_relevance_hinge(r), losses.hamming(r).labels
    assert surrogate.n == len(labels)
    for u in [[Fraction(i - 2 * j, 3) for j in range(r)] for i in range(-6, 9)]:
        for y, label in enumerate(labels):
            signs = [1 if bit == "1" else -1 for bit in label]
            assert surrogate(u)[y] == sum(hinge(1 - s * x) for s, x in zip(signs, u))


@given(loss_rows(), st.data())
def test_the_cost_weighted_hinge_weighs_each_hinge_by_what_the_decision_costs(rows, data):
    surrogate = families.cost_weighted_hinge(LossMatrix(rows))
    u = draw_point(data, len(rows[0]), True)
    assert surrogate(u) == tuple(sum(cost * hinge(1 + x) for cost, x in zip(row, u)) for row in rows)


def test_the_cost_weighted_hinge_takes_the_name_of_a_loss():
    assert families.cost_weighted_hinge("zero-one:n=3") == families.cost_weighted_hinge(losses.zero_one(3))


def test_the_cost_weighted_hinge_of_zero_one_loss_is_lee_lin_wahba():
    for n in (2, 3, 4):
        assert families.cost_weighted_hinge(losses.zero_one(n)) == families.lee_lin_wahba(n)


def test_without_tolerance_the_insensitive_surrogate_is_the_absolute_one():
    surrogate = families.epsilon_insensitive(3, 0)
    for x in (-1, 0, Fraction(5, 3), 7):
        assert surrogate([x]) == families.absolute(3)([x])


@pytest.mark.parametrize("n", [2, 3, 4])
def test_abstaining_at_one_half_gives_the_plain_hinges(n):
    assert families.abstain_crammer_singer(n, "1/2") == families.crammer_singer(n)
    assert families.abstain_one_vs_all(n, "1/2") == families.one_vs_all_hinge(n)
