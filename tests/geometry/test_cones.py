"""The double description engine: against PPL, in all its representations, within its budgets, and when interrupted."""

from __future__ import annotations

import _thread
import contextlib
import random
import subprocess
import sys
import threading
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import reference
from losses.refusal import assert_quotes
from lossmith import losses
from lossmith.errors import TooLarge
from lossmith.geometry import adjacency, double_description, few_rays, many_rays
from lossmith.geometry.double_description import (
    GrowingCone,
    described,
    described_envelope,
    extreme_rays,
    facets,
    lines,
    lower_envelope,
)
from strategies import examples, loss_rows

ENGINES = ("as it chooses", "arrays", "arrays in small blocks", "arrays of Python integers", "without bitwise_count")
MOST_DIFFERENT = (
    *("as it chooses", "arrays in small blocks"),
    *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("arrays", *ENGINES[3:])),
)


@contextlib.contextmanager
def engine(name: str):
    """Force one representation of the rays, whatever their number."""
    with pytest.MonkeyPatch.context() as patch:
        if name != "as it chooses":
            patch.setattr(few_rays, "FEW", 0)
        if name in ("arrays in small blocks", "without bitwise_count"):
            patch.setattr(adjacency, "FEW", 0)
            patch.setattr(adjacency, "BLOCK", 64)
            patch.setattr(adjacency, "HIGH", 3)
            patch.setattr(many_rays, "BLOCK", 2)
        if name == "arrays of Python integers":
            patch.setattr(many_rays, "LIMIT", 1)
        if name == "without bitwise_count" and hasattr(np, "bitwise_count"):
            patch.delattr(np, "bitwise_count")
        yield


def corner_rows(n: int) -> list[tuple[int, ...]]:
    return [tuple(int(i == j) for j in range(n)) for i in range(n)]


def bayes_rows(columns) -> list[tuple[int, ...]]:
    """{(p, v) : p ≥ 0, v ≤ p·ℓ_t for all t}."""
    n = len(columns[0])
    return [*((*row, 0) for row in corner_rows(n)), *((*column, -1) for column in columns)]


def cube(d: int) -> list[tuple[int, ...]]:
    """The cone over the cube [−1, 1]^d."""
    return [(1, *(sign * x for x in row)) for row in corner_rows(d) for sign in (1, -1)]


SMALL = st.integers(-2, 2)


@st.composite
def row_lists(draw, entries=SMALL):
    """Rows of any cone: with lines, flat or {0}; with zero rows, rows that repeat and rows that others imply."""
    size = draw(st.integers(1, 5))
    rows = draw(st.lists(st.tuples(*[entries] * size), min_size=1, max_size=9))
    if draw(st.booleans()):
        rows += corner_rows(size)
    for row in draw(st.lists(st.sampled_from(rows), max_size=2)):
        rows.append(tuple(draw(st.sampled_from([1, 1, 3, -1])) * x for x in row))
    if draw(st.booleans()):
        rows.append(tuple(map(sum, zip(*rows, strict=True))))
    return draw(st.permutations(rows))


def assert_describes(rows, rays, tight=None) -> None:
    """The rays are those of PPL; with lines, as many, and they span the same cone together with the lines."""
    cone = oracle.cone(rows)
    expected, count = oracle.rays_and_lines(cone)
    assert len(rays) == len(set(rays)) == len(expected)
    assert all(reference.primitive(ray) == ray and all(type(x) is int for x in ray) for ray in rays)
    if count == 0:
        assert set(rays) == expected
    through = lines(rows)
    assert len(through) == count
    assert oracle.spanned(rays, through, len(rows[0])) == cone
    if tight is not None:
        naive = [sum(1 << i for i, ray in enumerate(rays) if reference.dot(row, ray) == 0) for row in rows]
        assert tight == naive


@examples(25)
@given(row_lists(), st.sampled_from(ENGINES))
def test_every_cone_has_the_rays_of_another_engine_and_the_incidences_of_its_products(rows, name):
    with engine(name):
        found = described(rows)
    assert_describes(rows, found.rays, found.tight)


@given(row_lists(st.sampled_from([0, 1, -1, 10**9, 3 - 10**9, 7 * 10**18, 2**63, -(2**63), 10**40])))
def test_entries_beyond_64_bits_are_handled_exactly(rows):
    for name in ENGINES:
        with engine(name):
            found = described(rows)
        assert_describes(rows, found.rays, found.tight)


@given(row_lists(), st.data(), st.sampled_from(ENGINES))
def test_a_cone_that_grows_ends_as_the_whole(rows, data, name):
    cuts = sorted(data.draw(st.lists(st.integers(1, len(rows)), min_size=1, max_size=3)))
    with engine(name):
        cone = GrowingCone(rows[: cuts[0]])
        for start, end in zip(cuts, [*cuts[1:], len(rows)], strict=True):
            cone.add(rows[start:end])
            assert_describes(rows[:end], cone.rays(), cone.tight_sets())
    assert_describes(rows, cone.rays(), cone.tight_sets())
    assert len(cone) == len(cone.rays())


@given(row_lists(), st.sampled_from(ENGINES))
def test_facets_define_the_cone_that_the_rays_span(rays, name):
    with engine(name):
        found = facets(rays)
    size, through = len(rays[0]), lines(rays)
    inequalities = found[: len(found) - len(through)]
    cone = oracle.spanned([ray for ray in rays if any(ray)], [], size)
    rows = [*inequalities, *through, *([-x for x in row] for row in through)]
    assert oracle.cone(rows or [(0,) * size]) == cone
    constraints = list(cone.minimized_constraints())
    assert len(inequalities) == sum(each.is_inequality() for each in constraints)
    assert len(through) == sum(each.is_equality() for each in constraints)


LARGER = [pytest.param(*each, marks=pytest.mark.exhaustive) for each in ((7, 2, 1), (6, 6, 2), (7, 6, 3))]


@pytest.mark.parametrize("name", MOST_DIFFERENT)
@pytest.mark.parametrize(("n", "digits", "seed"), [(6, 2, 0), (5, 19, 4), *LARGER])
def test_random_bayes_polyhedra_have_the_rays_of_another_engine(n, digits, seed, name):
    rng = random.Random(seed)
    rows = bayes_rows([[rng.randrange(10**digits) for _ in range(n)] for _ in range(2 * n)])
    with engine(name):
        found = described(rows)
    assert_describes(rows, found.rays, found.tight)


@pytest.mark.parametrize("name", MOST_DIFFERENT)
def test_rows_in_more_than_one_word_are_told_apart(name):
    # Tangents of a circle at 90 rational points, twice, bound a polygon of 90 edges.
    points = [(t * t - 900, 60 * t, t * t + 900) for t in range(-45, 45)]
    rows = [(z, -x, -y) for x, y, z in points] * 2
    with engine(name):
        found = described(rows)
    assert len(found.rays) == 90
    assert_describes(rows, found.rays, found.tight)
    assert all(mask.bit_count() == 2 for mask in found.tight)


def test_a_cone_without_rows_that_cut_is_described_by_its_lines():
    assert extreme_rays([]) == []
    assert extreme_rays([(0, 0)]) == []
    assert lines([(0, 0)]) in ([(1, 0), (0, 1)], [(0, 1), (1, 0)])
    assert extreme_rays([(0, 1)]) == [(0, 1)]


def test_a_cone_that_becomes_a_plane_a_ray_and_nothing():
    cone = GrowingCone(corner_rows(3))
    cone.add([(1, -1, 0), (-1, 1, 0)])
    assert sorted(cone.rays()) == [(0, 0, 1), (1, 1, 0)]
    cone.add([(0, 0, -1)])
    assert cone.rays() == [(1, 1, 0)]
    cone.add([(-1, 0, 0)])
    assert cone.rays() == []
    cone.add([(1, 2, 3)])
    assert cone.rays() == []
    assert cone.tight_sets() == [0] * 8


@pytest.mark.parametrize("n", [1, 2, 3, 8, 11])
def test_zero_one_loss_has_a_vertex_for_every_set_of_labels(n):
    columns = [tuple(int(i != j) for i in range(n)) for j in range(n)]
    assert len(lower_envelope(corner_rows(n), columns, corners=corner_rows(n), max_vertices=3000)) == 2**n - 1


@pytest.mark.parametrize("loss", [losses.ordinal(2), losses.ordinal(12), losses.abstain(3), losses.abstain(12)])
def test_ordinal_and_abstaining_losses_have_a_vertex_for_every_label_and_pair(loss):
    columns, corners = list(map(tuple, loss.rational.integer_columns())), corner_rows(loss.n)
    found = lower_envelope(corners, columns, corners=corners, max_vertices=1000)
    assert len(found) == loss.n * (loss.n + 1) // 2


def test_the_cone_over_a_cube_has_a_ray_for_every_choice_of_signs():
    assert set(extreme_rays(cube(8))) == {(1, *signs) for signs in product((1, -1), repeat=8)}


def clear(rows) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """The columns in integers: 60 clears every denominator that the strategies use."""
    return [tuple(int(60 * entry) for entry in column) for column in zip(*rows)], corner_rows(len(rows))


@given(loss_rows(max_k=7), st.sampled_from(ENGINES))
def test_the_envelope_has_the_rays_of_its_polyhedron_but_the_one_downwards(rows, name):
    functionals, corners = clear(rows)
    with engine(name):
        found = described_envelope(corners, functionals, corners=corners, max_vertices=1000)
    expected, _ = oracle.rays_and_lines(oracle.cone(bayes_rows(functionals)))
    assert {*found.rays, (*[0] * len(corners), -1)} == expected
    naive = [
        sum(1 << i for i, ray in enumerate(found.rays) if reference.dot(row, ray) == 0)
        for row in bayes_rows(functionals)
    ]
    assert found.tight == naive


@given(loss_rows(max_k=7))
def test_progress_of_an_envelope_goes_forward_to_the_number_of_functionals(rows):
    functionals, corners = clear(rows)
    told: list[tuple[int, int]] = []
    lower_envelope(corners, functionals, corners=corners, max_vertices=1000, progress=lambda *step: told.append(step))
    assert told == sorted(set(told))
    assert all(0 < done <= total == len(functionals) for done, total in told)


@given(loss_rows(max_k=7))
def test_an_envelope_beyond_the_budget_is_refused(rows):
    functionals, corners = clear(rows)
    size = len(lower_envelope(corners, functionals, corners=corners, max_vertices=1000))
    assert len(lower_envelope(corners, functionals, corners=corners, max_vertices=size)) == size
    with pytest.raises(TooLarge, match=rf"\b{size - 1}\b.*--max-vertices"):
        lower_envelope(corners, functionals, corners=corners, max_vertices=size - 1)


@given(row_lists(), st.integers(0, 12), st.sampled_from(ENGINES))
def test_no_more_rays_are_returned_than_the_budget_allows(rows, budget, name):
    with engine(name):
        try:
            found = extreme_rays(rows, max_rays=budget)
        except TooLarge:
            return
    assert len(found) <= budget
    assert set(found) == set(extreme_rays(rows))


def test_the_refusal_counts_rays_and_rows_and_names_the_option():
    with pytest.raises(TooLarge, match=r"^\d+ .* 40 .* 100; .* max_vertices=…"):
        extreme_rays(bayes_rows([tuple(-x for x in row) for row in corner_rows(20)]), max_rays=100)


def test_the_refusal_of_an_envelope_expects_the_vertices_that_a_closed_form_counts():
    # 0-1 loss doubles its vertices with every prediction: 2^30 − 1 = 1.07 · 10^9. With ten of them there are 2^10 − 1
    # and the twenty other corners, and (0, −1): 1044, of which a budget of 1000 is the end, as there is no hope.
    functionals = [tuple(int(i != j) for i in range(30)) for j in range(30)]
    with pytest.raises(TooLarge, match=r"1,044 .* 10 .* 30 .* 10\^9 .* 1,000; "):
        lower_envelope(corner_rows(30), functionals, corners=corner_rows(30), max_vertices=1000)


def test_progress_ends_with_all_rows():
    told: list[tuple[int, int]] = []
    extreme_rays(cube(3), progress=lambda *step: told.append(step))
    assert told == [(5, 6), (6, 6)]


def hard_step(d: int) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
    """The cube of dimension d, and a row with 2^(d − 1) corners on either side: d = 15 has 2^28 pairs, and seconds."""
    return cube(d), (0, *(3**i for i in range(d)))


def test_work_ends_when_its_seconds_are_over():
    rows, row = hard_step(15)
    with pytest.raises(TooLarge, match=r" 31 .* 0\.05 .* seconds=…$"):
        GrowingCone([*rows, row], seconds=0.05)


def test_an_interrupt_between_two_blocks_of_pairs_leaves_the_cone_as_it_was(monkeypatch):
    def interrupted(*arguments):
        yield next(pairs(*arguments))
        raise KeyboardInterrupt

    pairs = many_rays.adjacent_pairs
    rows, row = hard_step(8)
    with engine("arrays in small blocks"):
        cone = GrowingCone(rows)
        before = cone.rays(), cone.tight_sets()
        monkeypatch.setattr(many_rays, "adjacent_pairs", interrupted)
        with pytest.raises(KeyboardInterrupt):
            cone.add([row])
        assert (cone.rays(), cone.tight_sets()) == before
        monkeypatch.setattr(many_rays, "adjacent_pairs", pairs)
        cone.add([row])
    assert set(cone.rays()) == set(extreme_rays([*rows, row]))


@pytest.mark.exhaustive
def test_an_interrupt_is_answered_before_the_work_is_done_and_leaves_the_cone_as_it_was():
    rows, row = hard_step(15)
    cone = GrowingCone(rows)
    before = cone.rays(), cone.tight_sets()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 (it may come before the work has begun)
        timer.start()
        cone.add([row])
    assert (cone.rays(), cone.tight_sets()) == before
    cone.add([rows[0]])  # holds already
    assert len(cone) == 2**15


def test_work_is_counted_and_refused_before_it_is_done(monkeypatch):
    rows, row = hard_step(12)
    monkeypatch.setattr(double_description, "LEAST_WORK", 3 * 10**6)  # of the 2^22 pairs of corners
    monkeypatch.setattr(double_description, "WORK", 100)
    cone = GrowingCone(rows, max_rays=5_000)
    with pytest.raises(TooLarge) as caught:
        cone.add([row])
    assert_quotes(str(caught.value), "4,096", "25", "5,000", "max_vertices=…", "(--max-vertices)")
    assert len(cone) == 2**12


def test_rays_that_are_long_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr(double_description, "LEAST_ROOM", 10**5)
    monkeypatch.setattr(double_description, "ROOM", 10)
    with pytest.raises(TooLarge, match=r" [\d,]+ .* \d+ .* 10,000 .*max_vertices"):
        extreme_rays(cube(13), max_rays=10_000)


def test_without_a_budget_there_is_an_end_to_work_nevertheless(monkeypatch):
    rows, row = hard_step(12)
    monkeypatch.setattr(double_description, "LEAST_WORK", 10**6)
    monkeypatch.setattr(double_description, "WORK", 1)
    with pytest.raises(TooLarge, match=r" \d+ .* 25 "):
        extreme_rays([*rows, row])


MEMORY = """
import resource, sys
from lossmith.errors import TooLarge
from lossmith.geometry.double_description import GrowingCone, extreme_rays
import lossmith.geometry.many_rays

unit = lambda n: [tuple(int(i == j) for j in range(n)) for i in range(n)]
cube = lambda d: [(1, *(sign * x for x in row)) for row in unit(d) for sign in (1, -1)]
cone = GrowingCone(cube(13), max_rays=9_000)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 60 * 2**20,) * 2)
try:  # 2^39 rays at the end
    extreme_rays([*((*row, 0) for row in unit(40)), *((*(-x for x in row), -1) for row in unit(40))], max_rays=20_000)
except TooLarge as error:
    print(error)
try:  # 2^24 pairs of corners, of which 12 012 differ in one sign
    cone.add([(0, *[1] * 13)])
except TooLarge as error:
    print(error)
"""


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is that of Linux")
def test_a_refusal_comes_before_the_memory_is_taken():
    run = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    first, second = run.stdout.splitlines()
    assert_quotes(first, "20,000")
    assert_quotes(second, "9,000")


@pytest.mark.exhaustive
def test_small_cones_load_no_numpy():
    program = (
        "import sys; from lossmith.geometry.double_description import extreme_rays, facets;"
        "assert len(extreme_rays([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, -1)])) == 4;"
        "assert len(facets([(1, 0), (1, 1), (1, 2)])) == 2; print('numpy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


@pytest.mark.parametrize("name", MOST_DIFFERENT)
def test_no_array_of_the_engine_holds_floating_point_numbers(name):
    kinds: set[str] = set()

    def look(frame, event, _):
        if frame.f_code.co_filename in (adjacency.__file__, many_rays.__file__):
            arrays = [each for each in frame.f_locals.values() if isinstance(each, np.ndarray)]
            kinds.update(each.dtype.kind for each in arrays)
            assert all(type(x) is int for each in arrays if each.dtype == object for x in each.flat if x is not None)
            return look
        return None

    rng = random.Random(0)
    rows = bayes_rows([[rng.randrange(10**6) for _ in range(6)] for _ in range(12)])
    with engine(name):
        before = sys.gettrace()
        sys.settrace(look)
        try:
            found = extreme_rays(rows)
        finally:
            sys.settrace(before)
    assert set(found) == oracle.rays_and_lines(oracle.cone(rows))[0]
    assert kinds <= {"i", "u", "b", "O"}
    assert "u" in kinds


@given(st.lists(st.tuples(*[st.integers(0, 2**64 - 1)] * 3), min_size=1, max_size=70))
def test_sets_are_counted_and_transposed_as_python_does(masks):
    words = np.array(masks, dtype=adjacency.WORD)
    whole = [a | b << 64 | c << 128 for a, b, c in masks]
    assert adjacency.sizes(words).tolist() == [mask.bit_count() for mask in whole]
    with engine("without bitwise_count"):
        assert adjacency.sizes(words).tolist() == [mask.bit_count() for mask in whole]
    owners = adjacency.transposed(words)
    expected = [sum((mask >> j & 1) << i for i, mask in enumerate(whole)) for j in range(192)]
    assert [int.from_bytes(row.tobytes(), "little") for row in owners] == expected


@given(st.integers(2, 14), st.integers(0, 3), st.randoms(use_true_random=False), st.sampled_from(ENGINES))
def test_adjacency_is_read_off_the_sets_as_it_is_defined(count, need, rng, name):
    # Sets over three words, with members near either end of each.
    places = [word * 64 + bit for word in range(3) for bit in (0, 1, 62, 63)]
    masks = [sum(1 << place for place in places if rng.random() < 0.6) for _ in range(count)]
    words = np.array([[mask >> 64 * w & 2**64 - 1 for w in range(3)] for mask in masks], dtype=adjacency.WORD)
    half = count // 2
    expected = {
        (i, j)
        for i in range(half)
        for j in range(count - half)
        if (common := masks[i] & masks[half + j]).bit_count() >= need
        and sum(common & mask == common for mask in masks) == 2
    }
    with engine(name):
        blocks = list(adjacency.adjacent_pairs(words[:half], words[half:], words, need, lambda _: None))
    found = [pair for i, j in blocks for pair in zip(i.tolist(), j.tolist(), strict=True)]
    assert len(found) == len(set(found))
    assert set(found) == expected
