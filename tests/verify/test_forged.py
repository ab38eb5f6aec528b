"""Certificates with one thing changed: the checker and the naive reading of the specification agree on all of them."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import naive
import pytest
from handmade import ALL, crammer_singer_for_abstain, crammer_singer_not_for_zero_one, hinge_for_zero_one, text
from hypothesis import given
from hypothesis import strategies as st
from rejections import assert_rejected, rejection
from samples import sampled

from lossmith.certificates.explaining import explain
from lossmith_verify import check
from strategies import examples

Place = tuple[str | int, ...]
OTHER_TYPES = (None, True, False, 0, 1, -1, 0.5, "", "x", "1", [], {}, [[]], ["0"])


def places(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Everything in a certificate, with the keys and indices that lead there."""
    yield at, value
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*at, key))


def replaced(certificate: Any, at: Place, value: Any) -> Any:
    """A copy with another value at one place; what the change does not touch is shared."""
    if not at:
        return value
    result = copy.copy(certificate)
    result[at[0]] = replaced(certificate[at[0]], at[1:], value)
    return result


def forged_values(value: Any) -> Iterator[Any]:
    """One number changed, one entry removed, repeated, or exchanged with its neighbour."""
    if isinstance(value, str) and re.fullmatch("-?[0-9]+(/[0-9]+)?", value):
        x = Fraction(value)
        yield from (str(y) for y in (x + 1, x - 1, 2 * x))
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield value[:i] + value[i + 1 :]
            yield [*value[: i + 1], item, *value[i + 1 :]]
            if i:
                yield [*value[: i - 1], item, value[i - 1], *value[i + 1 :]]
    elif isinstance(value, dict):
        for key in value:
            yield {other: item for other, item in value.items() if other != key}
        yield {**value, "comment": "1"}


def mistyped_values(value: Any) -> Iterator[Any]:
    yield from OTHER_TYPES
    if isinstance(value, str) and re.fullmatch("-?[0-9]+(/[0-9]+)?", value):
        x = Fraction(value)
        yield from (float(x), f"{2 * x.numerator}/{2 * x.denominator}", f"+{x}", f" {x}", f"{x}\n", f"0{x}", f"{x}/1")
        yield int(x)
    elif isinstance(value, int):
        yield from (float(value), str(value), [value])


def disagreements(
    name: str, values: Callable[[Any], Iterator[Any]], one_of: int = 1
) -> tuple[list[str], list[tuple[Place, Any]]]:
    """Compare the checker with the specification on all changes, or on a sample of them.

    Return where they differ, and what is still proved.
    """
    wrong, proved = [], []
    for at, old in places(ALL[name]):
        if at[:2] == ("evidence", "vertices") and at[2:3] in ((1,), (2,), (4,), (5,)) and len(at) > 3:
            continue  # such as the others, by symmetry of the labels, in all certificates with so many vertices
        for new in values(old):
            if (type(new) is type(old) and new == old) or not sampled(f"{name} {at} {new!r}", one_of):
                continue
            forged = replaced(ALL[name], at, new)
            verdict = check(text(forged))
            assert "\n" not in verdict.why
            if verdict.accepted != naive.holds(forged):
                wrong.append(f"{name}, {at}: {old!r} → {new!r}: {verdict}")
            if verdict.accepted:
                proved.append((at, new))
    return wrong, proved


def assert_numbers_matter(name: str, one_of: int = 1) -> int:
    wrong, proved = disagreements(name, forged_values, one_of)
    assert wrong == []
    for at, new in proved:
        # What may change, by the specification: names; the loss, as long as the same predictions stay best; parts of
        # the surrogate that carry no weight; u, and who is better, as long as what is proved of them stays true; the
        # order of lists that are sets; points of a refutation that are not needed, and cells repeated.
        # With a pred or sets also these, as long as what is proved of them stays true; a refutation without its sets;
        # a theorem without its pred.
        # Without a pred both versions are the same.
        if at == ():
            named = "theorem" in ALL[name]["evidence"]
            assert named or ALL[name]["claim"] == "not calibrated", name
            assert ALL[name].keys() - new.keys() == {"pred" if named else "within"}, name
            continue
        if at == ("version",):
            assert "pred" not in ALL[name], name
            continue
        assert at[0] in ("loss", "surrogate", "pred", "within", "evidence"), (name, at, new)
        assert "prediction" not in at, (name, at, new)
        assert not is_in_weights(at) or isinstance(new, list), (name, at, new)
    return len(proved)


def test_one_number_changed_in_a_sample():
    assert sum(assert_numbers_matter(name, one_of=64) for name in ALL) > 10


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ALL)
def test_one_number_changed(name):
    assert_numbers_matter(name)


def is_in_weights(at: Place) -> bool:
    return at[0] == "evidence" and not {"vertices", "points", "apart"}.isdisjoint(at)


def assert_types_matter(name: str, one_of: int = 1) -> None:
    small = len(text(ALL[name])) < 900
    wrong, proved = disagreements(name, mistyped_values if small else lambda _: iter([None]), one_of)
    assert wrong == []
    for at, new in proved:  # 1 for a label that is text; another number for one of those above
        assert not is_in_weights(at), (name, at, new)
        assert type(new) in (str, int, list), (name, at, new)


def test_another_type_in_a_sample():
    for name in ALL:
        assert_types_matter(name, one_of=128)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ALL)
def test_another_type(name):
    assert_types_matter(name)


@cache
def json_values() -> st.SearchStrategy[Any]:
    keys = {key for certificate in ALL.values() for at, _ in places(certificate) for key in at if isinstance(key, str)}
    texts = st.sampled_from(["0", "1", "1/2", "-1", "p", "u"])
    return st.recursive(
        st.none() | st.booleans() | st.integers(-3, 4) | st.floats() | texts,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(sorted(keys)), inner, max_size=4),
        max_leaves=8,
    )


@given(st.data())
def test_anything_anywhere(data):
    certificate = data.draw(st.sampled_from(sorted(ALL)).map(ALL.__getitem__))
    at, _ = data.draw(st.sampled_from(list(places(certificate))))
    forged = replaced(certificate, at, data.draw(json_values()))
    assert check(text(forged)).accepted == naive.holds(forged)


@examples(25)
@given(st.data())
def test_several_changes(data):
    """Nodes exchanged for others, of the same or another certificate, for something else or for nothing."""
    forged = data.draw(st.sampled_from(sorted(ALL)).map(ALL.__getitem__))
    for _ in range(data.draw(st.integers(1, 4))):
        at, old = data.draw(st.sampled_from(list(places(forged))))
        other = ALL[data.draw(st.sampled_from(sorted(ALL)))]
        nodes = [node for there, node in places(other) if there[-1:] == at[-1:]] or [other]
        similar = list(forged_values(old)) or [old]
        new = data.draw(st.sampled_from(nodes) | st.sampled_from(similar) | json_values())
        forged = replaced(forged, at, new)
    assert check(text(forged)).accepted == naive.holds(forged)


@given(st.lists(st.fractions(0, 1, max_denominator=4), min_size=6, max_size=6), st.integers(0, 2), st.integers(0, 2))
def test_another_loss(entries, first, second):
    """Accepted exactly for the losses for which the predictions are optimal at (1, 0), (1/2, 1/2) and (0, 1)."""
    certificate = hinge_for_zero_one()
    losses = [entries[:3], entries[3:]]
    certificate["loss"] = {"entries": [[str(x) for x in row] for row in losses]}
    for cell, t in zip(certificate["evidence"]["cells"], (first, second)):
        cell["prediction"] = t
    sums = [losses[0][t] + losses[1][t] for t in range(3)]
    expected = (
        losses[0][first] == min(losses[0])
        and losses[1][second] == min(losses[1])
        and sums[first] == sums[second] == min(sums)
    )
    assert check(text(certificate)).accepted == expected == naive.holds(certificate)


@pytest.mark.parametrize("kind", ["pieces", "inequalities", "equations"])
def test_multipliers_are_not_zero(kind):
    certificate = copy.deepcopy(hinge_for_zero_one())
    certificate["surrogate"]["inequalities"] = certificate["surrogate"]["equations"] = [["0", "0"]]
    listed = certificate["evidence"]["vertices"][0]
    listed[kind].append([0, 0, 1, "0"] if kind == "pieces" else [0, "0"])
    place, values = rejection(certificate)
    assert place == f"evidence.vertices[0].{kind}[{len(listed[kind]) - 1}]"
    assert values == ["0"]
    assert not naive.holds(certificate)
    listed[kind].pop()
    assert check(text(certificate)).accepted
    listed["equations"].append([0, "-2/3"])
    assert check(text(certificate)).accepted


def test_a_point_that_is_no_vertex_is_rejected_though_its_weights_are_right():
    certificate = copy.deepcopy(hinge_for_zero_one())
    point = {"p": ["3/4", "1/4"], "inequalities": [], "equations": []}
    point["pieces"] = [[0, 0, 0, "1/2"], [0, 0, 1, "1/4"], [1, 0, 1, "1/4"]]  # β = 1/2 = min(2 · 1/4, 2 · 3/4)
    certificate["evidence"]["vertices"].append(point)
    assert rejection(certificate) == ("evidence.vertices", ["(3/4, 1/4)"])
    assert not naive.holds(certificate)
    certificate["evidence"]["cells"].append({"u": ["1/3"], "prediction": 0})  # (2/3, 4/3), tight at (1/2, 1/2) only
    certificate["evidence"]["vertices"].pop()
    assert check(text(certificate)).accepted


def changed(certificate: Any, path: str, value: Any) -> Any:
    """A copy with another value at a path as the checker prints it."""
    at = tuple(int(part) if part.isdigit() else part for part in re.findall(r"\w+", path))
    return replaced(certificate, at, value)


def test_the_reason_names_the_place_and_the_values():
    cover, refutation = crammer_singer_for_abstain(3), crammer_singer_not_for_zero_one()
    half, both = "evidence.vertices[3]", "(1/2, 1/2, 0)"
    first = "evidence.vertices[0]"
    for certificate, path, value, place, *values in (
        (cover, f"{half}.pieces[1]", [1, 0, 0, "1/3"], f"{half}.pieces", both, "1"),  # the weights of label 1
        (cover, f"{half}.pieces[1]", [1, 0, 2, "1/2"], half, both, "(-1/2, 0, 1/2)"),
        (cover, f"{first}.pieces[0][2]", 3, f"{first}.pieces[0]", "3", "3"),
        (cover, f"{first}.pieces[0]", [0, 0, "1"], f"{first}.pieces[0]", "4", "3"),
        (cover, f"{first}.pieces", [[0, 0, 0, "1/2"]] * 2, f"{first}.pieces[1]"),
        (cover, f"{first}.pieces[0][3]", "-1", f"{first}.pieces[0]", "-1"),
        (cover, f"{first}.p[0]", "1/2", f"{first}.p", "(1/2, 0, 0)"),
        (cover, f"{first}.p", ["2", "-1", "0"], f"{first}.p", "(2, -1, 0)"),
        (cover, "evidence.vertices", cover["evidence"]["vertices"][1:], "evidence.vertices", "(1, 0, 0)"),
        (cover, "evidence.cells[0].prediction", 4, "evidence.cells[0].prediction", "4", "4"),
        (cover, "loss.entries[2][1]", "-1", "loss.entries"),
        (cover, "surrogate.equations", [["1", "1", "0", "0"]], "evidence.cells[0].u", "(0, 0, 0)"),
        (cover, "surrogate.inequalities", [["0", *"111"], ["0", "0", "-1", "0"]], "evidence.cells[2].u", "(0, 1, 0)"),
        (refutation, "evidence.u", ["1", "0", "0"], "evidence.points[2]", "1"),  # where ψ = (0, 2, 2)
        (refutation, "evidence.better[2]", [2, 2, 0], "evidence.better[2]", "0", "2", "(0, 1/2, 1/2)"),
        (refutation, "evidence.better[1][0]", 0, "evidence.better[1]", "1"),
        (refutation, "version", True, "version", "1", "2"),
        (refutation, "claim", "calibrated", "evidence", '"u"'),
    ):
        forged = changed(certificate, path, value)
        found = rejection(forged)
        assert found.place == place
        assert found.quotes(*values), found
        assert explain(text(forged)).splitlines()[0] == str(check(text(forged)))
    assert_rejected(changed(cover, "evidence.cells", cover["evidence"]["cells"][:3]), "evidence")
