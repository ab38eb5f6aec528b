"""Attacks fail, for the checker and for the naive reading of the specification; and cover trees mean what they say."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

import naive
import pytest
from attacks import ATTACKS
from handmade import ALL, branch, combination, cover, leaf, numbers, rounded_mean_with_cover, rows, text
from hypothesis import assume, given
from hypothesis import strategies as st
from rejections import assert_rejected, rejection

from lossmith_verify import check

GAPS_IN_VERSION_1 = (
    "absolute without regions, v1",
    "Crammer–Singer with a gap, v1",
    "proper composite without regions, v1",
    "binary margin without regions, v1",
)


def test_every_attack_fails():
    for name, attack in ATTACKS.items():
        assert_rejected(attack)
        assert not naive.holds(attack), name


def test_in_version_1_what_lies_in_no_piece_is_seen():
    assert {rejection(ATTACKS[name]).place for name in GAPS_IN_VERSION_1} == {"pred.regions"}


def test_with_their_gap_closed_the_attack_is_only_refuted_by_its_weights():
    """The evidence is right but for the cover: Crammer–Singer with a gap is rejected for the gap and nothing else."""
    found = rejection(ATTACKS["Crammer–Singer with a gap, v2"])
    assert found == ("evidence.cover.tree.parts[0].rows[0]", ["(0, 1, -1, 0)", "(-1/100, 1, -1, 0)"])


def test_what_is_given():
    """That regions cover is seen in both versions; what a theorem says of ψ is taken on trust, unless ψ is squares."""
    given = {
        name: len(check(text(ALL[name])).given) for name in ("pred: calibrated", "v2: sign", "v2: argmax", "v2: mean")
    }
    assert given == {"pred: calibrated": 0, "v2: sign": 0, "v2: argmax": 1, "v2: mean": 1}
    assert check(text(ALL["mean, pred: calibrated"])).given == check(text(ALL["v2: mean"])).given


COVERED = [name for name in ALL if "cover" in ALL[name]["evidence"]]


def assert_covered(name: str, parts: int) -> None:
    """Every point of a grid of the domain that a tree covers lies in a piece, found by looking."""
    certificate = ALL[name]
    regions = certificate["pred"]["regions"]
    d = len(certificate["evidence"]["cover"]["point"])
    domain = {kind: certificate["surrogate"].get(kind, []) for kind in ("inequalities", "equations")}
    simplex = certificate["surrogate"].get("theorem") in ("proper composite", "binary margin")
    low, high = (-2, 3) if d < 3 else (0, 1)
    count = 0
    for u in product([Fraction(i, parts) for i in range(low * parts, high * parts + 1)], repeat=d):
        if (not simplex or (min(u) >= 0 and sum(u) == 1)) and lies_in(domain, u):
            count += 1
            assert any(lies_in(piece, u) for region in regions for piece in region), (name, u)
    assert count


def test_a_cover_tree_means_what_it_says():
    for name in COVERED:
        assert_covered(name, parts=4 if name == "first two" else 6)  # it has four dimensions


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", COVERED)
def test_a_cover_tree_means_what_it_says_on_a_finer_grid(name):
    assert_covered(name, parts=12)


@cache
def sparse(row: tuple[str, ...]) -> tuple[Fraction, list[tuple[int, Fraction]]]:
    """The constant, and the coefficients that are not 0 with their places."""
    b, *a = map(Fraction, row)
    return b, [(i, x) for i, x in enumerate(a) if x]


def lies_in(piece: dict[str, Any], u: tuple[Fraction, ...]) -> bool:
    def value(row: list[str]) -> Fraction:
        b, a = sparse(tuple(row))
        return b + sum(x * u[i] for i, x in a)

    return all(value(row) >= 0 for row in piece["inequalities"]) and not any(map(value, piece["equations"]))


@given(st.data())
def test_random_regions_of_the_line_are_accepted_only_if_they_cover(data):
    """In one dimension the union of intervals is looked at directly; the tree is one of nearest points."""
    centres = sorted(data.draw(st.sets(st.integers(-4, 4), min_size=2, max_size=4)))
    k = len(centres)
    ends = st.sampled_from([Fraction(i, 2) for i in range(-8, 9)])
    low = [None, *(data.draw(ends) for _ in range(k - 1))]
    high = [*(data.draw(ends) for _ in range(k - 1)), None]
    middle = [Fraction(a + b, 2) for a, b in pairwise(centres)]
    if data.draw(st.booleans()):
        low, high = [None, *middle], [*middle, None]
    regions, leaves = [], []
    for i in range(k):
        piece, combinations = [], []
        if low[i] is not None:  # u − low ≥ 0, from f_i − f_{i−1} = 2(c_i − c_{i−1})(u − middle)
            piece.append([-low[i], 1])
            combinations.append(combination(path=[(i - 1, Fraction(1, 2 * (centres[i] - centres[i - 1])))]))
        if high[i] is not None:
            piece.append([high[i], -1])
            combinations.append(combination(path=[(i, Fraction(1, 2 * (centres[i + 1] - centres[i])))]))
        regions.append([rows(*piece)])
        leaves.append(leaf(i, 0, *combinations))
    point = Fraction(1, 3) + centres[0]
    by = [[-c * c, 2 * c] for c in centres]
    assume(len({-c * c + 2 * c * point for c in centres}) == k)
    certificate = rounded_mean_with_cover()
    certificate["loss"] = {"entries": [["0"] * k] * 3}
    certificate["pred"] = {"regions": regions}
    certificate["evidence"] = cover([point], branch(by, *leaves))
    proved = all(a is None or a <= m for a, m in zip(low[1:], middle)) and all(
        b is None or b >= m for b, m in zip(high, middle)
    )
    covers, reach = True, high[0]  # from −∞ to high[0]; then the others, by their lower ends
    for a, b in sorted((low[i], high[i]) for i in range(1, k - 1)):
        reach = max(reach, b) if a <= reach else reach
    covers = low[-1] <= reach
    assert check(text(certificate)).accepted == proved == naive.holds(certificate)
    assert covers or not proved


def test_numbers_are_written_as_they_are_read():
    assert numbers([Fraction(1, 2), -3]) == ["1/2", "-3"]
