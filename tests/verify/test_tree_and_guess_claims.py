"""Certificates about distances in trees and sets of guesses, written by hand, and forgeries of them."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from attacks import ATTACKS
from handmade import text
from rejections import assert_beyond, assert_rejected
from samples import sampled
from test_dimension_claims import places, replaced
from test_ranking_claims import AT_MOST, JUNK, affine_rank, assert_names, changed, claim, forgeries

import lossmith as lm
from lossmith.certificates.explaining import explain
from lossmith_verify import arithmetic, check

# By hand.


def three_leaves() -> dict[str, Any]:
    """A star with legs 1, 1, 2: no leaf lies between the others, so the root is a decision with three neighbours."""
    tree = {
        "family": "tree_distance",
        "parents": [0, 0, 0],
        "lengths": ["1", "1", "2"],
        "inner": [0, 1],
        "name": "star",
    }
    return claim(2, tree, weights=["1", "1", "1"])


def two_leaves() -> dict[str, Any]:
    """Half of the probability at each end: all between them tie."""
    tree = {"family": "tree_distance", "parents": [0, 0, 1], "lengths": ["1", "1/2", "1"], "inner": [0, 1]}
    return claim(1, tree, weights=["3", "3"])


def only_leaves() -> dict[str, Any]:
    """Legs 1, 1, 2 and only leaves as decisions: K = 1/(1 + 1 + 1/2) = 2/5, and the weights are 1 − K/h."""
    tree = {"family": "tree_distance", "parents": [0, 0, 0], "lengths": ["1", "1", "2"], "inner": [0, 0]}
    return claim(2, tree, weights=["3", "3", "4"])


def nodes_and_leaves() -> dict[str, Any]:
    """Inner nodes may be true, too, but have no weight here."""
    tree = {"family": "tree_distance", "parents": [0, 1, 1], "lengths": ["1", "1", "1"], "inner": [1, 0]}
    return claim(1, tree, weights=["0", "0", "1", "1"])


def exactly_two() -> dict[str, Any]:
    """Two guesses of three labels: with p ∝ 1/c all pairs miss as much."""
    loss = {
        "family": "top_k_costs",
        "costs": ["1", "2", "1/2"],
        "penalties": ["0"],
        "skipped": 1,
        "name": "two of three",
    }
    return claim(2, loss, weights=["2", "1", "4"])


def one_or_two() -> dict[str, Any]:
    """Costs 1, and 1/4 for a second guess: at p = 1/3 a second one is worth it, and all pairs tie."""
    loss = {"family": "top_k_costs", "costs": ["1", "1", "1"], "penalties": ["0", "1/4"], "skipped": 0}
    return claim(2, loss, weights=["1", "1", "1"])


def any_number() -> dict[str, Any]:
    """Each guess costs 1/6, and all are worth it at p = 1/3. At (2/3, 1/6, 1/6) all sets with the first label tie."""
    loss = {"family": "top_k_costs", "costs": ["1", "1", "1"], "penalties": ["0", "1/6", "1/3"], "skipped": 0}
    return claim(2, loss, weights=["4", "1", "1"])


def some_labels() -> dict[str, Any]:
    """Only two of three labels have a weight."""
    loss = {"family": "top_k_costs", "costs": ["1", "1", "3"], "penalties": ["0"], "skipped": 0}
    return claim(1, loss, weights=["1", "1", "0"])


def at_most(make: Any, value: int) -> dict[str, Any]:
    return claim(value, make()["loss"], AT_MOST)


BELOW = [three_leaves, two_leaves, only_leaves, nodes_and_leaves, exactly_two, one_or_two, any_number, some_labels]
ABOVE = [
    (three_leaves, 2),
    (two_leaves, 1),
    (only_leaves, 2),
    (nodes_and_leaves, 1),
    (exactly_two, 2),
    (one_or_two, 2),
    (any_number, 2),
    (some_labels, 2),
]


# By the definition.


def columns(loss: dict[str, Any]) -> list[list[Fraction]]:
    """The whole matrix, a row for each label."""
    if loss["family"] == "top_k_costs":
        costs, n = [Fraction(c) for c in loss["costs"]], len(loss["costs"])
        sizes = enumerate(map(Fraction, loss["penalties"]), loss["skipped"] + 1)
        sets = [(chosen, x) for s, x in sizes for chosen in combinations(range(n), s)]
        return [[x + (0 if y in chosen else costs[y]) for chosen, x in sets] for y in range(n)]
    up, lengths = [None, *loss["parents"]], [Fraction(0), *map(Fraction, loss["lengths"])]

    def above(v: int | None) -> set[int]:
        return set() if v is None else {v} | above(up[v])

    leaves = [v for v in range(len(up)) if v not in up]
    labels, predictions = (list(range(len(up))) if inner else leaves for inner in loss["inner"])
    return [[sum((lengths[v] for v in above(y) ^ above(t)), Fraction(0)) for t in predictions] for y in labels]


@cache
def least(entries: tuple[tuple[Fraction, ...], ...]) -> int:
    shift = min(*map(min, entries), 0)  # a penalty below 0 changes no claim
    return lm.ccdim(lm.LossMatrix([[x - shift for x in row] for row in entries]), designs=False).lower.value


def true(certificate: dict[str, Any]) -> bool:
    """Whether the claim follows from what is tied, or is what the matrix shows by other theorems."""
    value, entries = certificate["value"], columns(certificate["loss"])
    if certificate["claim"] == AT_MOST:
        return len(entries) < 2 or value >= least(tuple(map(tuple, entries)))
    weights = [Fraction(w) for w in certificate["evidence"]["weights"]]
    risks = [sum(w * x for w, x in zip(weights, column, strict=True)) for column in zip(*entries, strict=True)]
    rows = [row for w, row in zip(weights, entries, strict=True) if w]
    span = affine_rank([[x for x, risk in zip(row, risks, strict=True) if risk == min(risks)] for row in rows])
    return min(weights) >= 0 and (value <= span or value <= least(tuple(map(tuple, rows))))


def follows(certificate: dict[str, Any]) -> bool:
    return not check(text(certificate)).accepted or true(certificate)


@pytest.mark.parametrize("make", BELOW)
def test_genuine(make):
    certificate = make()
    verification = check(text(certificate))
    assert verification.accepted, verification.why
    assert_names(verification.why, certificate)
    assert true(certificate)
    assert check(text({**certificate, "value": certificate["value"] - 1})).accepted
    assert_rejected({**certificate, "value": certificate["value"] + 1}, "value")
    assert explain(text(certificate)).splitlines()[0] == str(verification)


@pytest.mark.parametrize(("make", "value"), ABOVE)
def test_genuine_from_above(make, value):
    certificate = at_most(make, value)
    assert check(text(certificate)).accepted
    assert true(certificate)
    assert_rejected({**certificate, "value": value - 1}, "value")
    assert_rejected({**certificate, "evidence": {"weights": []}}, "evidence")
    assert len(explain(text(certificate)).splitlines()) > 3


def assert_numbers_matter(make: Any, one_of: int = 1) -> int:
    """Rejected, or harmless: the claim still follows, as the whole matrix shows."""
    rejected = 0
    for certificate in (make(), at_most(make, make()["value"])):
        for at, forged in forgeries(certificate, one_of):
            accepted = check(text(forged)).accepted
            assert not accepted or true(forged), (at, forged)
            rejected += not accepted
    return rejected


def test_a_sample_of_numbers_changed():
    assert sum(assert_numbers_matter(make, one_of=6) for make in BELOW) > 20


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", BELOW)
def test_each_number_changed(make):
    assert assert_numbers_matter(make) > 3


def assert_sizes_and_types_matter(make: Any, one_of: int = 1) -> None:
    certificate = make()
    inner = {at[:stop] for at, _ in places(certificate) for stop in range(1, len(at) + 1)} | {("evidence",)}
    for at in sorted(inner - {("loss", "name")}, key=str):
        holder: Any = certificate
        for key in at:
            holder = holder[key]
        others = list(JUNK)
        if isinstance(holder, list):
            others += [holder[:-1], holder[1:], [*holder, holder[0]], holder * 2, []]
        for other in others:
            if sampled(f"{make.__name__} {at} {other}", one_of):
                assert follows(replaced(certificate, at, other)), (at, other)


def test_a_sample_of_lists_of_other_sizes_and_junk():
    for make in BELOW:
        assert_sizes_and_types_matter(make, one_of=6)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", BELOW)
def test_lists_of_other_sizes_and_junk(make):
    assert_sizes_and_types_matter(make)


@pytest.mark.parametrize("make", BELOW)
def test_missing_and_unknown_keys(make):
    for certificate in (make(), at_most(make, 9)):
        for part in ("loss", "evidence"):
            for key in set(certificate[part]) - {"name"}:
                without = {other: each for other, each in certificate[part].items() if other != key}
                assert_rejected({**certificate, part: without})
            assert_rejected({**certificate, part: {**certificate[part], "more": 1}}, part, '"more"')


def test_what_is_no_tree_and_what_does_not_tie():
    def tree(**parameters: Any) -> dict[str, Any]:
        return {**three_leaves(), "loss": {**three_leaves()["loss"], **parameters}}

    assert_rejected(tree(parents=[0, 2, 0]), "loss.parents[1]")  # a circle
    assert_rejected(tree(parents=[0, 3, 0]), "loss.parents[1]")
    assert_rejected(tree(parents=[], lengths=[]), "loss.parents")
    assert_rejected(tree(lengths=["1", "0", "2"]), "loss.lengths")
    assert_rejected(tree(lengths=["1", "-1", "2"]), "loss.lengths")
    assert_rejected(tree(inner=[0, 2]), "loss.inner")
    assert_rejected(tree(parents=[0, 1, 2], inner=[1, 1]), "evidence.weights")  # four labels
    path = {**three_leaves(), "loss": {**three_leaves()["loss"], "parents": [0, 1, 0], "inner": [1, 1]}}
    assert_rejected(changed(path, weights=["0", "1", "1", "1"]), "value", "0")
    assert_rejected(changed(three_leaves(), weights=["1", "1", "2"]), "value")  # the path from either to the third
    assert_rejected(changed(three_leaves(), weights=["1", "1", "-1"]), "evidence.weights")
    assert_rejected(changed(only_leaves(), weights=["1", "1", "1"]), "value", "1")


def test_what_is_no_loss_of_guesses_and_what_does_not_tie():
    def guesses(**parameters: Any) -> dict[str, Any]:
        return {**exactly_two(), "loss": {**exactly_two()["loss"], **parameters}}

    assert_rejected(guesses(costs=["1", "0", "1"]), "loss")
    assert_rejected(guesses(costs=["1", "-2", "1"]), "loss")
    assert_rejected(guesses(penalties=[]), "loss")
    assert_rejected(guesses(costs=[], penalties=[], skipped=0), "loss")
    assert_rejected(guesses(skipped=3), "loss.skipped")
    assert_rejected(guesses(skipped=-1), "loss.skipped")
    assert_rejected(guesses(skipped=2), "value")  # all three are guessed
    assert_rejected(guesses(penalties=["0", "0", "0"]), "loss.skipped")
    assert_rejected(changed(exactly_two(), weights=["2", "1", "3"]), "value")
    assert_rejected(changed(some_labels(), weights=["0", "0", "0"]), "value")
    assert_rejected(changed(some_labels(), weights=["1", "0", "0"]), "value")
    assert_rejected(changed(any_number(), weights=["5", "1", "1"]), "value")  # 1/7 < 1/6: one guess


def test_sets_of_two_sizes_that_have_no_label_in_common():
    """One and two guesses tie at p = 1/3, and so do all labels: what is optimal there spans 2 dimensions."""
    forged = ATTACKS["guesses of two sizes without a label in common"]
    assert_rejected(forged, "value", "2")
    assert not true(forged)
    assert check(text({**forged, "value": 2})).accepted
    assert true({**forged, "value": 2})


def test_small_files_with_much_work_are_cut_off(monkeypatch):
    n = 300
    loss = {"family": "top_k_costs", "costs": ["1"] * n, "penalties": ["0"] * n, "skipped": 0}
    tree = {"family": "tree_distance", "parents": [0] * n, "lengths": ["1"] * n, "inner": [0, 0]}
    for each in (loss, tree):
        certificate = claim(0, each, weights=["1"] * n)
        assert check(text(certificate)).accepted
        for limit, value in (("MAX_STEPS", 10**3), ("MAX_HELD", 10**4)):
            with monkeypatch.context() as patch:
                patch.setattr(arithmetic, limit, value)
                assert_beyond(limit, certificate)


# What lossmith makes.


def made(seed: int) -> Any:
    draw = random.Random(seed)
    if seed % 2:
        size = draw.randint(3, 7)
        lengths = [Fraction(draw.randint(1, 4), draw.randint(1, 2)) for _ in range(size)]
        tree = [None, *(draw.randrange(v) for v in range(1, size))]
        sides = [side for side in product(("leaves", "nodes"), repeat=2) if side[0] == "nodes" or len({*tree}) < size]
        return lm.losses.tree_distance(tree, lengths, *draw.choice(sides))
    n = draw.randint(2, 4)
    costs = [Fraction(draw.randint(1, 4), draw.randint(1, 2)) for _ in range(n)]
    if draw.random() < 0.4:
        return lm.losses.top_k_costs(costs, k=draw.randint(1, n - 1))
    steps = sorted(Fraction(draw.randint(1, 9), 9) for _ in range(draw.randint(1, n)))
    return lm.losses.top_k_costs(costs, penalties=[0, *steps][:n])


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(6, 40))]
)
def test_made_by_lossmith(seed):
    from lossmith.dimension.of_factors import of_factors

    for bound in of_factors(made(seed)):
        certificate = json.loads(bound.certificate.text)
        assert check(text(certificate)).accepted
        assert true(certificate)
        more = 1 if bound.side == "lower" else -1
        if certificate["value"] + more >= 0:
            assert_rejected({**certificate, "value": certificate["value"] + more}, "value")


@pytest.mark.parametrize(
    ("n", "nodes", "children"), [(100, 111, 10), pytest.param(1000, 1111, 10, marks=pytest.mark.exhaustive)]
)
def test_many_nodes_and_labels(n, nodes, children):
    draw = random.Random(0)
    tree = [None, *(draw.randrange(max(1, i // 3)) for i in range(1, 3 * n))]
    losses = [lm.losses.tree_distance(tree, None, *sides) for sides in product(("leaves", "nodes"), repeat=2)]
    full = [None, *((i - 1) // children for i in range(1, nodes))]  # with n leaves
    losses.append(lm.losses.tree_distance(full, predictions="leaves"))
    losses.append(lm.losses.top_k_costs(range(1, n + 1), k=5))
    losses.append(lm.losses.top_k_costs(range(1, n + 1), penalties=[Fraction(s, 100) for s in range(20)]))
    found = [lm.ccdim(loss) for loss in losses]
    for bounds in found:
        assert lm.verify(bounds.lower.certificate).accepted
        assert lm.verify(bounds.upper.certificate).accepted
    assert [bounds.exact for bounds in found[-3:]] == [n - 1] * 3
