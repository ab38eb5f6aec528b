"""The checker with one of its checks removed accepts some forgery, or breaks down on it: no check is superfluous.

A check is a call of `require`. Each forgery is rejected by one of them; without this one, and with all others, the
same forgery, or another that it rejects, is to be accepted or to end in an error. Limits of the work are made small.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import test_dimension_claims
import test_line_claims
import test_ranking_claims
import test_set_claims
import test_tree_and_guess_claims as of_trees
from attacks import ATTACKS
from handmade import ALL, crammer_singer_for_abstain, text
from test_forged import forged_values, places, replaced
from test_forged_kinds import FORGERIES, forged

import lossmith_verify
from lossmith_verify import arithmetic, reading
from mutation import Mutation, imported, mutations, planted, removed_checks

FOLDER = Path(lossmith_verify.__file__).parent
Site = tuple[str, int]  # the module, and the number of the call of `require` in it
Forgery = tuple[str | bytes, dict[str, int]]  # the text, and limits that are made small


TREES = {path.stem: ast.parse(path.read_text()) for path in sorted(FOLDER.glob("*.py")) if path.stem != "__main__"}


@cache
def calls(module: str) -> list[Mutation]:
    """Every call of `require` in the module, in the order of lines."""
    return sorted(mutations(TREES[module], [removed_checks]), key=lambda each: each.line)


@cache
def sites() -> list[Site]:
    return [(module, i) for module in TREES for i in range(len(calls(module)))]


def without(site: Site) -> AbstractContextManager[Any]:
    """The package without this check."""
    module, i = site
    return imported(FOLDER, {module: planted(TREES[module], calls(module)[i], [removed_checks])})


@cache
def lines_of_calls(module: str) -> list[tuple[int, int]]:
    nodes = [node for node in ast.walk(TREES[module]) if [*removed_checks(node)]]
    return sorted((node.lineno, node.end_lineno) for node in nodes)


def site_of(certificate: str | bytes) -> Site | None:
    """Return the check that rejects the certificate."""
    try:
        arithmetic.start()
        lossmith_verify.prove(reading.parse(certificate))
    except reading.Rejected as flaw:
        trace, frames = flaw.__traceback__, []
        while trace is not None:
            frames.append(
                (Path(trace.tb_frame.f_code.co_filename).stem, trace.tb_lineno, trace.tb_frame.f_code.co_name)
            )
            trace = trace.tb_next
        if frames[-1][2] != "require":
            return None
        module, line, _ = frames[-2]
        return module, next(i for i, (first, last) in enumerate(lines_of_calls(module)) if first <= line <= last)
    return None


def purposeful() -> list[Forgery]:
    """Forgeries made with a purpose, and files that are too large in one way or another."""
    texts = [text(each) for each in ATTACKS.values()]
    texts += [text(forged(name, *changes)) for name, changes, _ in FORGERIES.values()]
    claims = [
        make()
        for make in (
            *test_dimension_claims.GENUINE,
            *test_line_claims.GENUINE,
            *test_ranking_claims.BELOW,
            *test_set_claims.BELOW,
        )
    ]
    claims += [test_ranking_claims.at_most(make, value) for make, value in test_ranking_claims.ABOVE]
    claims += [test_set_claims.at_most(make, value) for make, value in test_set_claims.ABOVE]
    claims += [make() for make in of_trees.BELOW] + [of_trees.at_most(make, value) for make, value in of_trees.ABOVE]
    for claim in claims:
        for at, old in places(claim):
            texts += [text(replaced(claim, at, new)) for new in forged_values(old)]
    good = text(ALL["hinge for zero_one"])
    texts += [good.replace('"version": 1', '"version": 1, "version": 1'), good.replace('": 0', '": ' + "0" * 19, 1)]
    texts += [good.replace('"prediction": 0', f'"prediction": {value}') for value in ("1" * 19, "1.0", "true")]
    texts += [good.replace('"1/2"', f'"{value}"', 1) for value in ("2/4", "0/1", "1/1", "x", "1" * 641)]
    for name in ("hinge for zero_one", "interval not for reject", "signed multiplier"):
        for at, old in places(ALL[name]):
            texts += [text(replaced(ALL[name], at, new)) for new in (*forged_values(old), None)]
    entries = {"alone": [["1/2", "1/2"]], "modulus": 1, "points": [[["1/2", "1/2"]]], "columns": [0]}
    texts.append(text(test_dimension_claims.claim(0, ALL["hinge for zero_one"]["loss"], **entries)))
    texts += [good.replace('"prediction": 0', f'"prediction": {"1" * 5000}')]
    texts += [text(each) for each in forged_dimensions()]
    found: list[Forgery] = [(each, {}) for each in texts]
    bent = text(crammer_singer_for_abstain(4))
    for limit, value in (("MAX_BYTES", 99), ("MAX_PARTS", 99), ("MAX_DEPTH", 5)):
        found.append((bent, {f"reading.{limit}": value}))
    found.append((bent, {"calibrated.MAX_VERTICES": -10_000}))
    for limit, value in (("MAX_STEPS", 999), ("MAX_HELD", 999), ("MAX_BITS", 1)):
        found.append((bent, {f"arithmetic.{limit}": value}))
    return found


def forged_dimensions() -> Iterator[dict[str, Any]]:
    """Claims about dimensions, each false or about nothing, that one check alone rejects."""
    of_dimension, of_rankings = test_dimension_claims, test_ranking_claims
    yield {**of_rankings.at_most(of_rankings.gains, 2), "claim": "ccdim"}
    yield {**of_dimension.at_the_middle(), "claim": "ccdim at most", "value": 5}
    half, first, second = ["1/2", "1/2"], ["1", "0"], ["0", "1"]
    alone = {"columns": [0, 1, 2, 3], "alone": [first, *[second] * 3], "modulus": 7}
    loss = {"entries": [["0", "1", "1", "1"], ["1", "0", "0", "0"]]}
    yield of_dimension.claim(2, loss, points=[[half]] * 3, **alone)
    yield test_line_claims.tied()
    bound = of_rankings.at_most(of_rankings.gains, 2)
    yield {**bound, "loss": {**bound["loss"], "family": "kendall"}}
    yield {**bound, "loss": {**bound["loss"], "discount": ["1", "1", "1"]}}
    bound = of_rankings.at_most(of_rankings.edges, 3)
    yield {**bound, "loss": {**bound["loss"], "graphs": "graphs"}}
    evidence = {"labels": [[0, 1, 1], [1, 1, 0]], "weights": ["1", "1"], "base": [0, 1, 2], "columns": [[1, 0, 2]]}
    yield of_rankings.claim(1, of_rankings.orders()["loss"], **evidence, rows=[[[0, "1"]]], modulus=3)
    labels = of_rankings.gains()["evidence"]["labels"]
    yield of_rankings.changed(of_rankings.gains(), labels=[*labels, [0, 0, 0]], weights=["1"] * 4)
    yield of_rankings.changed(of_rankings.gains(), weights=["0"] * 3)
    partial = {"labels": [[1, 1, 0], [0, 0, 1]], "weights": ["1", "1"], "rows": [[[0, "1"]]], "modulus": 7}
    average = {"family": "mean_average_precision", "r": 3}
    yield of_rankings.claim(1, average, **partial, base=[0, 1, 2], columns=[[2, 1, 0]])  # only one pair of documents
    yield of_dimension.claim(
        1, {"entries": [["0", "0"], ["0", "1"]]}, points=[[first]], columns=[0, 1], alone=[], modulus=7
    )
    yield {**of_dimension.at_the_middle(), "within": [{"inequalities": [], "equations": []}]}
    for value, penalties, weights in ((1, ["0", "0"], ["0", "0"]), (2, ["0", "1/2"], ["1/2", "1/2"])):
        guesses = {"family": "top_k_costs", "costs": ["1", "1"], "penalties": penalties, "skipped": 0}
        yield {**bound, "claim": "ccdim at least", "value": value, "loss": guesses, "evidence": {"weights": weights}}
    of_sets = test_set_claims
    yield {**bound, "value": 5, "loss": {"family": "f_measure", "r": 3, "beta": "1"}}
    bound = of_sets.at_most(of_sets.f_of_two, 0)
    yield {**bound, "loss": {**bound["loss"], "r": 1}}  # the 0-1 loss of two labels has dimension 1
    yield {**bound, "value": 2, "loss": {**bound["loss"], "beta": "0"}}
    yield of_rankings.changed(of_sets.weighted(), weights=["0"] * 4)
    columns = {"predictions": ["00", "10", "11", "01"], "columns": [[0, 1], [1, 3]]}
    yield of_rankings.changed(of_sets.f_of_two(), **columns)
    rows = of_sets.weighted()["evidence"]["rows"]
    yield of_rankings.changed(of_sets.weighted(), labels=["00", "22", "10", "01"], rows=rows)


@contextmanager
def small(package: Any, limits: dict[str, int]) -> Iterator[None]:
    """Make limits small for a moment."""
    before = {}
    for name, value in limits.items():
        module, constant = name.split(".")
        holder = sys.modules[f"{package.__name__}.{module}"]
        before[holder, constant] = getattr(holder, constant)
        setattr(holder, constant, value)
    try:
        yield
    finally:
        for (holder, constant), value in before.items():
            setattr(holder, constant, value)


def by_site(forgeries: Any) -> dict[Site, list[Forgery]]:
    found: dict[Site, list[Forgery]] = {site: [] for site in sites()}
    for certificate, limits in forgeries:
        with small(lossmith_verify, limits):
            site = site_of(certificate)
        if site is not None:
            found[site].append((certificate, limits))
    return found


def is_needed(site: Site, forgeries: list[Forgery]) -> bool:
    """Tell whether, without the check, some forgery that it rejects is accepted, or ends in an error."""
    with without(site) as package:
        for certificate, limits in forgeries:
            try:
                with small(package, limits):
                    if package.check(certificate).accepted:
                        return True
            except Exception:
                return True
    return False


def test_the_mutant_without_a_mutation_is_the_checker():
    with imported(FOLDER, {}) as package:
        for name in list(ALL)[::5]:
            assert tuple(package.check(text(ALL[name]))) == tuple(lossmith_verify.check(text(ALL[name])))
        for each in list(ATTACKS.values())[::5]:
            assert tuple(package.check(text(each))) == tuple(lossmith_verify.check(text(each)))


def test_every_check_is_needed():
    forgeries = by_site(purposeful())
    assert [site for site in sites() if not is_needed(site, forgeries[site])] == []
