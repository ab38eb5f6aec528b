"""The census of small losses: complete, certified, the same with any workers, and open where it says so."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction
from functools import cache

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import lossmith as lm
import lossmith_verify
import reference
from lossmith.answers.census_text import as_csv, open_cases
from lossmith.cli import commands
from lossmith.errors import BadInput, TooLarge
from lossmith.losses.classes import number_of_classes
from lossmith.sweeping.store import Store
from strategies import examples

SMALL = (3, 3, (0, 2))


@cache
def found(*size, certificates: bool = False):
    return lm.census(*size, certificates=certificates)


def by_hand(rows) -> int:
    """CCdim of a loss with three labels and up to three decisions.

    0 if one decision is enough, 1 if two are needed. Three that span a plane tie at one p with Σ p = 1, of any signs;
    CCdim is 2 if p > 0, else 1. Three on a line can be ordered.
    """
    kept = reference.kept_predictions(rows)
    columns = [[Fraction(row[t]) for row in rows] for t in kept]
    if len(kept) < 3:
        return len(kept) - 1
    differences = [[a - b for a, b in zip(column, columns[0])] for column in columns[1:]]
    if reference.rank(differences) < 2:
        return 1
    p = reference.only_solution([*differences, [1, 1, 1]], [0, 0, 1])
    return 2 if p is not None and min(p) > 0 else 1


def test_every_loss_with_three_labels_and_three_decisions_is_known():
    census = found(*SMALL)
    assert census.total == len(census.classes) == number_of_classes(3, 3, 2)
    assert [each.number for each in census.classes] == [*range(1, census.total + 1)]
    assert not census.interrupted
    for each in census.classes:
        assert each.exact == by_hand(each.rows), each.rows
        assert each.kept == reference.kept_predictions(each.rows)
        assert each.affdim == reference.affine_dimension([[row[t] for row in each.rows] for t in each.kept])
    assert census.open == ()
    assert [each.exact < each.affdim for each in census.classes].count(True) == len(census.fewer) > 0


@pytest.mark.parametrize(
    "size",
    [(2, 2, (0, 3)), *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ((2, 3, (0, 2)), (3, 3, (1, 2))))],
    ids=str,
)
def test_all_certificates_of_a_census_are_accepted(size, tmp_path):
    labels, decisions, (least, largest) = size
    arguments = ["--labels", labels, "--decisions", decisions, "--entries", f"{least}..{largest}"]
    run = CliRunner().invoke(commands, ["census", *map(str, arguments), "--certificates", str(tmp_path / "proofs")])
    assert run.exit_code == 0, run.output
    total = number_of_classes(labels, decisions, largest - least)
    files = sorted((tmp_path / "proofs").iterdir())
    assert len(files) == 2 * total
    for path in files:
        assert lossmith_verify.check(path.read_bytes()).accepted, path


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(3, 3, (0, 3)), (3, 4, (0, 1)), (4, 4, (0, 1))], ids=str)
def test_all_certificates_of_a_larger_census_are_accepted(size):
    with Store() as store:
        census = lm.census(*size, store=store)
        for each in census.classes:
            assert len(each.certificates) == 2
            assert all(lossmith_verify.check(store.certificate(sha256)).accepted for sha256 in each.certificates)


@examples(12)
@given(st.data())
def test_every_member_of_a_class_has_its_bounds(data):
    each = data.draw(st.sampled_from(found(3, 4, (0, 1)).classes))
    order, labels = data.draw(st.permutations(range(4))), data.draw(st.permutations(range(3)))
    scales = [data.draw(st.fractions("1/3", 4, max_denominator=5)) for _ in range(3)]
    shifts = [data.draw(st.integers(0, 3)) for _ in range(3)]
    member = [[scales[y] * each.rows[y][j] + shifts[y] for j in order] for y in labels]
    bounds = lm.ccdim(member)
    assert (bounds.lower.value, bounds.upper.value) == (each.lower, each.upper)


def test_a_class_reduces_to_that_of_its_needed_decisions():
    census = found(3, 4, (0, 1))
    for each in census.classes:
        assert (each.reduces_to is None) == (len(each.kept) == 4)
        if each.reduces_to is not None:
            decisions, number = each.reduces_to
            smaller = found(3, decisions, (0, 1)).classes[number - 1]
            assert len(smaller.kept) == decisions == len(each.kept)
            assert (smaller.affdim, smaller.lower, smaller.upper) == (each.affdim, each.lower, each.upper)


def test_only_differences_of_entries_matter():
    assert found(2, 3, (3, 5)).classes == found(2, 3, (0, 2)).classes


def written(census) -> str:
    return json.dumps(census.to_dict())


@pytest.mark.exhaustive
def test_any_workers_and_a_cluster_find_the_same_bit_for_bit():
    from distributed import Client, LocalCluster
    from joblib import parallel_config

    wanted = written(lm.census(3, 3, (0, 2)))
    assert [written(lm.census(3, 3, (0, 2), n_jobs=n)) == wanted for n in (2, 4)] == [True, True]
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
        parallel_config(backend="dask", client=client),
    ):
        assert written(lm.census(3, 3, (0, 2), n_jobs=None)) == wanted


def test_an_interrupted_census_tells_what_it_found_and_goes_on_there(tmp_path):
    seen = []

    def impatient(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 40:
            raise KeyboardInterrupt

    with Store(tmp_path / "census.sqlite") as store:
        part = lm.census(*SMALL, certificates=False, store=store, progress=impatient)
    assert part.interrupted
    assert len(part.classes) == 40
    assert re.search(rf"\b{part.total}\b.*\b40\b", str(part))
    assert {*part.classes} <= {*found(*SMALL).classes}
    seen.clear()
    with Store(tmp_path / "census.sqlite") as store:
        whole = lm.census(*SMALL, certificates=False, store=store, progress=lambda *each: seen.append(each))
    assert seen[0] == (40, whole.total)
    assert len(seen) == whole.total - 40 + 1
    assert written(whole) == written(found(*SMALL))


# In print.


def census_of(*arguments):
    return CliRunner().invoke(commands, ["census", *arguments], standalone_mode=False)


def test_the_table_has_every_class():
    census = found(3, 3, (0, 2))
    rows = [*csv.DictReader(io.StringIO(as_csv(census)))]
    assert [row["matrix"] for row in rows] == [
        " | ".join(" ".join(map(str, each)) for each in one.rows) for one in census.classes
    ]
    assert [row["exact"] for row in rows] == [str(each.exact) for each in census.classes]
    assert {row["reduces_to"][:5] for row in rows} == {"", "3 × 1", "3 × 2"}


def test_the_text_counts_classes_by_dimension():
    run = census_of("--labels", "3", "--decisions", "3", "--entries", "0..2", "--no-certificates")
    census = found(*SMALL)
    assert f"{census.total} " in run.output
    numbers = [int(line.split()[-1]) for line in run.output.splitlines() if line[:1].isdigit()]
    assert sum(numbers) == census.total
    assert re.search(rf"CCdim .* affdim .* {len(census.fewer)}\b", run.output)


def test_open_cases_are_lines_that_analyze_reads():
    """With the search cut short some are open that it would close."""
    classes = found(3, 3, (0, 1)).classes[-2:]
    for line, each in zip(open_cases(classes).splitlines(), classes, strict=True):
        run = CliRunner().invoke(commands, ["ccdim", "-", "--json"], input=line, standalone_mode=False)
        assert json.loads(run.output)["exact"] == each.exact
        assert json.loads(run.output)["loss"] == each.name


# What is refused, in one line.


@pytest.mark.parametrize("entries", ["2..0", "0..1.5", "0", "", "a..b", "-1..1", "0..1..2", "0.." + "9" * 30])
def test_entries_that_are_no_range(entries):
    with pytest.raises(BadInput, match=re.escape(repr(entries)[:20])):
        raise census_of("--labels", "3", "--decisions", "3", f"--entries={entries}").exception


def test_too_many_are_counted_before_anything_is_built():
    with pytest.raises(TooLarge, match=r"10\^26 .*--most"):
        lm.census(3, 4, (0, 1000))
    with pytest.raises(TooLarge, match=r"\b1,171 .* 3 .* 4 "):
        lm.census(3, 4, (0, 2), most=1000)


@pytest.mark.parametrize(
    ("size", "quoted"),
    [
        ((1, 3, (0, 1)), ["labels", " 1;"]),
        ((3, 0, (0, 1)), ["decisions", " 0;"]),
        ((2.5, 3, (0, 1)), ["labels", " 2.5;"]),
        ((3, 3, (2, 0)), [" 2..0;"]),
        ((3, 3, (0, 1.5)), [" 0..1.5;"]),
        ((3, 3, "0..2"), [" '0..2';"]),
        ((3, 3, 2), [" 2;"]),
        ((3, 3, (0, 10**9)), ["100,000"]),
        ((2, 2, (0, 50_000)), [" 0..50000 "]),
        ((3, 9, (0, 1)), ["9 ", " 362,880 "]),
        ((99, 3, (0, 1)), ["99 "]),
    ],
    ids=str,
)
def test_sizes_that_mean_nothing_or_are_too_large(size, quoted):
    with pytest.raises((BadInput, TooLarge)) as caught:
        lm.census(*size)
    for each in quoted:
        assert each in str(caught.value)


def test_a_picture_has_a_bar_for_each_affdim():
    census = found(*SMALL)
    figure = lm.plot.census(census)
    heights = [int(text.get_text().replace(",", "")) for text in figure.axes[0].texts[:3]]
    assert heights == [sum(each.affdim == d for each in census.classes) for d in range(3)]
    with pytest.raises(BadInput, match=r"lm\.plot\.census\(lm\.census"):
        lm.plot.census(lm.losses.zero_one(3))
