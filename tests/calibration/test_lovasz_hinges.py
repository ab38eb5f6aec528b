"""The Lovász hinge of any submodular function: its definition by orders, what is refused, and verdicts in print."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random

import pytest

import lossmith as lm
from lossmith.errors import BadInput, TooLarge
from lossmith.losses import set_function, structured_abstain
from lossmith.losses.sets.submodular import why_not
from lossmith.surrogates import lovasz_hinge
from lossmith.surrogates.members import fitting_surrogate

exhaustive = pytest.mark.exhaustive


def subsets(r):
    """The sets of tags 0 … r − 1 in binary order: tag 0 is the first bit."""
    return [frozenset(i for i, bit in enumerate(bits) if bit) for bits in product((0, 1), repeat=r)]


def values(f, r):
    return [Fraction(f(s)) for s in subsets(r)]


def coverage(r, seed):
    """What the chosen tags cover of weighted things, each covered by some of the tags."""
    random = Random(f"coverage {r} {seed}")
    things = [(random.randint(1, 4), {i for i in range(r) if random.random() < 0.6}) for _ in range(r + 1)]
    things += [(Fraction(1, 2), {i}) for i in range(r)]
    return values(lambda s: sum(weight for weight, by in things if by & s), r)


def cut(r, seed):
    """The weight of the edges that leave a set, in a weighted graph, and enough for each tag that it does not fall."""
    random = Random(f"cut {r} {seed}")
    edges = {pair: random.randint(0, 3) for pair in combinations(range(r), 2)}
    degree = [sum(weight for pair, weight in edges.items() if i in pair) for i in range(r)]
    alone = [each + random.randint(0, 2) or 1 for each in degree]
    return values(lambda s: sum(w for (i, j), w in edges.items() if (i in s) != (j in s)) + sum(alone[i] for i in s), r)


def rank(bases):
    """The rank of a matroid: how much of the set some basis has."""
    return lambda s: max(len(s & basis) for basis in bases)


def weighted(weights):
    return values(lambda s: sum(weights[i] for i in s), len(weights))


RANKS = [
    values(rank([{0}, {1}]), 2),
    values(rank([{0, 1}, {0, 2}, {1, 2}]), 3),  # uniform
    values(rank([{0, 1}, {0, 2}]), 3),  # one of 1 and 2, and 0
    values(rank([{0}, {1}, {2}]), 3),
    values(rank([{0, 1, 2}]), 3),  # free
    values(rank([{0}, {1}]), 3),  # 2 costs nothing
]
OF_TWO_OR_THREE = [
    *RANKS,
    *(made(r, seed) for made in (coverage, cut) for r in (2, 3) for seed in range(4)),
    weighted([2, 3]),
    weighted([1, Fraction(5, 2), 4]),
]
OF_FOUR = [coverage(4, 0), cut(4, 0), weighted([1, 2, 3, 4]), values(lambda s: min(len(s), 2), 4)]


def shown(f):
    return " ".join(map(str, f))


def modular(f):
    r = len(f).bit_length() - 1
    return all(value == sum(f[1 << r - 1 - i] for i in s) for s, value in zip(subsets(r), f, strict=True))


def largest_over_orders(f, u):
    """ψ by its definition: for each label the maximum over all orders of the tags."""
    r = len(u)
    cost = dict(zip(subsets(r), f, strict=True))

    def along(order, m):
        firsts = [frozenset(order[:j]) for j in range(r + 1)]
        return sum(m[i] * (cost[firsts[j + 1]] - cost[firsts[j]]) for j, i in enumerate(order))

    margins = [[max(0, 1 - (1 if i in y else -1) * x) for i, x in enumerate(u)] for y in subsets(r)]
    return tuple(max(along(order, m) for order in permutations(range(r))) for m in margins)


FEW = [*RANKS[:2], RANKS[4], coverage(2, 0), cut(2, 0), cut(3, 0), weighted([2, 3])]  # one of each kind


def some(functions):
    """The functions, of which all but a few are exhaustive."""
    return [pytest.param(f, id=shown(f), marks=() if f in FEW else exhaustive) for f in functions]


@pytest.mark.parametrize("f", some([*OF_TWO_OR_THREE, *OF_FOUR]))
def test_it_is_the_largest_sum_over_orders_of_the_tags(f):
    made, random = lovasz_hinge(f, of="set"), Random(str(f))
    for size in (1, 2, 5):
        for _ in range(4):
            u = [Fraction(random.randint(-12, 12), 8) * size for _ in range(made.dim)]
            assert made(u) == largest_over_orders(f, u)


def test_parts_that_add_up_have_a_maximum_each():
    pieces = {tuple(map(len, terms)) for terms in lovasz_hinge(weighted([1, 2, 3]), of="set").terms}
    assert pieces == {(2, 2, 2)}
    pair_and_one = values(lambda s: bool(s & {0, 2}) + 5 * (1 in s), 3)
    assert {tuple(sorted(map(len, terms))) for terms in lovasz_hinge(pair_and_one, of="set").terms} == {(2, 3)}


@pytest.mark.parametrize("counted", ["0 1", "0 2 3", "0 1 1 1", pytest.param("0 1 3/2 7/4", marks=exhaustive)])
def test_a_function_of_the_number_may_be_given_for_all_sets(counted):
    by_number = lovasz_hinge(counted)
    by_set = lovasz_hinge(values(lambda s: counted.split()[len(s)], by_number.dim), of="set")
    for u in product((-2, Fraction(-1, 3), 0, 1, Fraction(5, 2)), repeat=by_number.dim):
        assert by_number(u) == by_set(u)


def assert_verdict(surrogate, loss, calibrated):
    verdict = lm.check(surrogate, loss)
    assert verdict.status == ("calibrated" if calibrated else "not calibrated"), (surrogate.name, loss.name)
    answer = lm.verify(verdict.certificate)
    assert answer.accepted, answer


def assert_what_is_published(f):
    """Finocchiaro, Frongillo, Nueve, COLT 2022; the member is the one that the family names for the loss."""
    for loss, calibrated in ((set_function(f), modular(f)), (structured_abstain(f), True)):
        found = fitting_surrogate(lovasz_hinge, loss)
        assert_verdict(found, loss, calibrated)
        u = [Fraction(3, 2), Fraction(-1, 4), Fraction(1, 3), Fraction(-2)][: found.dim]
        assert found(u) == largest_over_orders(f, u)


@pytest.mark.parametrize("f", some(OF_TWO_OR_THREE))
def test_it_is_calibrated_for_sums_over_tags_and_always_where_tags_may_be_left_open(f):
    assert_what_is_published(f)


def test_some_of_these_functions_are_sums_over_the_tags():
    assert {modular(f) for f in FEW} == {True, False}
    assert sum(map(modular, OF_TWO_OR_THREE)) >= 3
    assert sum(not modular(f) for f in OF_TWO_OR_THREE) >= 15


@exhaustive
@pytest.mark.parametrize("r", [2, 3])
def test_more_functions(r):
    for made, seed in product((coverage, cut), range(4, 40)):
        assert_what_is_published(made(r, seed))


@exhaustive
def test_four_tags():
    for f in OF_FOUR:
        assert_verdict(lovasz_hinge(f, of="set"), set_function(f), modular(f))
    assert_verdict(lovasz_hinge(OF_FOUR[-1], of="set"), structured_abstain(OF_FOUR[-1]), True)


def test_other_losses_have_no_member():
    assert lovasz_hinge.fits(set_function("0 1 2 4")) is None  # not submodular
    assert lovasz_hinge.fits(set_function("0 2 1 1")) is None  # falls
    assert lovasz_hinge.fits(lm.losses.ordinal(4)) is None  # no function of the wrong tags
    assert lovasz_hinge.fits(set_function("0 0 0 0")) is None
    assert lovasz_hinge.fits(set_function(weighted([1, 2, 3, 4, 5]))) is None  # too many
    assert lovasz_hinge.fits(lm.losses.hamming(5).matrix()) == {"values": "0 1 2 3 4 5"}


@pytest.mark.parametrize("r", [2, 3])
def test_a_function_is_refused_exactly_if_two_sets_show_it(r):
    random, refused = Random(r), 0
    for _ in range(100):
        f = [Fraction(0), *(Fraction(random.randint(2, 4 if r == 3 else 5)) for _ in range(2**r - 1))]
        cost = dict(zip(subsets(r), f, strict=True))
        pairs = list(product(cost, repeat=2))
        right = all(cost[a] <= cost[b] for a, b in pairs if a <= b)
        right = right and all(cost[a] + cost[b] >= cost[a | b] + cost[a & b] for a, b in pairs)
        assert (not why_not(f)) == right
        refused += not right
    assert 30 < refused < 99


@pytest.mark.parametrize(
    ("given", "error", "quoted"),
    [
        ("0 1 2 4", BadInput, ["0 1 2 4", "f(01) + f(10) = 3", "f(11) + f(00) = 4"]),
        ("0 1 2 3 0 1 2 4", BadInput, ["0 1 2 3 0 1 2 4", "f(011) + f(101) = 4", "f(111) + f(001) = 5"]),
        ("0 2 3 1", BadInput, ["0 2 3 1", "f(11) = 1", "f(01) = 2"]),
        ("0 0 0 0", BadInput, ["0 0 0 0"]),
        ("0 1 2", BadInput, ["3", "2, 4, 8, …"]),
        (" ".join(map(str, range(32))), TooLarge, ["of=set", "5", "4", "326", "32", "of=number"]),
    ],
)
def test_refusals_name_the_sets(given, error, quoted):
    with pytest.raises(error) as caught:
        lovasz_hinge(given, of="set")
    assert len(str(caught.value).splitlines()) == 1
    for each in quoted:
        assert each in str(caught.value)


def test_what_the_values_are_of_is_not_guessed():
    assert lovasz_hinge("0 1 2 5/2").dim == 3
    assert lovasz_hinge("0 1 2 5/2", of="set").dim == 2
    with pytest.raises(BadInput, match=r"0 2 1 2.* of=set"):
        lovasz_hinge("0 2 1 2")
    with pytest.raises(BadInput, match=r"'tags'.*'number'.*'set'"):
        lovasz_hinge("0 1 2 5/2", of="tags")
