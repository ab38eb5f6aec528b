"""What the commands print with --json is what docs/schemas promises, and the schemas promise something."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import lossmith as lm
from lossmith import paper
from lossmith.cli import COMMANDS, commands
from lossmith.reporting import report

FOLDER = Path(__file__).parent.parent / "docs" / "schemas"
SCHEMAS = {path.name.removesuffix(".schema.json"): json.loads(path.read_text()) for path in FOLDER.iterdir()}
REGISTRY = Registry().with_resources((each["$id"], Resource.from_contents(each)) for each in SCHEMAS.values())
TRIAGE = str(FOLDER.parent.parent / "examples" / "triage.csv")
CASES_OF_TRIAGE = str(FOLDER.parent.parent / "examples" / "triage-probabilities.csv")

CASES = [
    ("analyze", TRIAGE),
    ("analyze", "abstain:n=3"),
    ("analyze", "ordinal:n=17,power=2"),  # reduced coordinates
    ("analyze", "zero-one:n=30", "--no-cells"),
    ("decide", TRIAGE, CASES_OF_TRIAGE),
    ("decide", TRIAGE, CASES_OF_TRIAGE, "--full"),
    ("check", "crammer-singer:n=3", "zero-one:n=3"),
    ("check", "crammer-singer:n=3", "abstain:n=3", "--pred", "argmax-gap:tau=1/2"),
    ("check", "softmax:n=3", "ordinal:n=3", "--pred", "argmax"),
    ("check", "softmax:n=3", "zero-one:n=3", "--within", "p[0] >= 3/5"),
    ("regret", "crammer-singer:n=3", "abstain:n=3"),
    ("regret", "lee-lin-wahba", "zero-one:n=3", "--against", "softmax", "--against", "crammer-singer"),
    ("regret", "comp-sum:n=3,tau=1/2", "zero-one:n=3"),  # an irrational constant
    ("ccdim", "abstain:n=3"),
    ("ccdim", "abstain:n=6", "--no-designs"),
    ("design", "abstain:n=4"),
    ("design", TRIAGE, "--method", "square"),
    ("scan", "epsilon-insensitive:n=3,eps=?", "ordinal:n=3", "--from", "0", "--to", "1"),
    ("which", TRIAGE),
    ("which", "zero-one:n=3", "--class-weight", "1,1,5"),
    ("sensitivity", TRIAGE, "--uncertainty", "10"),
    ("sensitivity", "zero-one:n=2", "--practice", "SVC"),  # not told
    ("sensitivity", "cost-sensitive-binary:c=1/5", "--uncertainty", "5,100"),
    ("catalogue", "--losses", "hamming", "--losses", "abstain", "--surrogates", "absolute"),
    ("census", "--labels", "2", "--decisions", "3"),
    ("census", "--labels", "3", "--decisions", "2", "--entries", "0..2", "--no-certificates"),
    ("report", TRIAGE),
    ("report", "ordinal:n=5"),
    ("report", "zero-one:n=20", "--no-cells"),
    ("ccdim", "mean-average-precision:r=9"),
    ("design", "ndcg:r=9"),
    ("ranking-table", "--to", "3"),
    ("reproduce",),
    ("demonstrate", "softmax:n=3", "ordinal:n=3", "--pred", "argmax"),
    ("demonstrate", "softmax:n=3", "ordinal:n=3"),  # calibrated
    ("verify", str(FOLDER / "verify.schema.json")),  # rejected
]


LARGER = [
    ("analyze", "hamming:r=5"),
    ("which", "zero-one:n=5", "--class-weight", "1,1,1,1,5"),
    ("sensitivity", TRIAGE),
    ("catalogue", "--losses", "zero-one", "--losses", "hamming", "--losses", "abstain"),
]


def validator(name):
    return Draft202012Validator(SCHEMAS[name], registry=REGISTRY)


def answer(*arguments):
    run = CliRunner().invoke(commands, [*arguments, "--json"], standalone_mode=False, catch_exceptions=False)
    return json.loads(run.stdout)


@pytest.mark.parametrize(
    "case",
    [
        *(pytest.param(case, id=" ".join(case)) for case in CASES),
        *(pytest.param(case, id=" ".join(case), marks=pytest.mark.exhaustive) for case in LARGER),
    ],
)
def test_what_is_printed_fits_its_schema(case, monkeypatch):
    monkeypatch.setattr(paper, "ITEMS", paper.ITEMS[:12])  # which `reproduce` goes through
    errors = [f"{error.json_path}: {error.message[:200]}" for error in validator(case[0]).iter_errors(answer(*case))]
    assert errors == []


def test_an_undecided_verdict_fits_its_schema():
    squares = lm.SmoothSurrogate("squares", 2, 1, lambda U: (U - [0, 1]) ** 2, lambda U: 2 * (U - [0, 1])[:, :, None])
    verdict = lm.check(squares, lm.losses.zero_one(2))  # nothing is declared of it, so no rule applies
    assert verdict.status == "undecided"
    validator("check").validate(json.loads(json.dumps(verdict.to_dict())))


def test_a_report_where_nothing_is_learned_fits_its_schema():
    found = report(lm.analyze(lm.LossMatrix([[0, 1], [0, 1]])))
    assert found.fewest is None
    validator("report").validate(json.loads(found.to_json()))


def test_every_command_that_prints_json_has_a_schema_and_a_case():
    with_json = {each.name for each in COMMANDS if any("--json" in option.opts for option in each.params)}
    assert with_json <= set(SCHEMAS)
    assert {case[0] for case in CASES} == set(SCHEMAS) - {"common"}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_the_schemas_are_schemas(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert re.fullmatch(rf"urn:lossmith:{name}:[1-9]", SCHEMAS[name]["$id"])


def test_the_page_lists_every_schema():
    page = (FOLDER.parent / "json.md").read_text()
    assert [name for name in SCHEMAS if f"(schemas/{name}.schema.json)" not in page] == []


def spoiled(content):
    """The verdict with one thing wrong, in several ways."""
    for change in (
        lambda x: x.pop("status"),
        lambda x: x.update(status="maybe"),
        lambda x: x.update(extra=1),
        lambda x: x.pop("distributions"),
        lambda x: x["distributions"][0].update(p=["0.5", "0.5", "0"]),
        lambda x: x["distributions"][0].update(p=[0.5, 0.5, 0]),
        lambda x: x.update(price=0.125),
    ):
        wrong = copy.deepcopy(content)
        change(wrong)
        yield wrong


def test_the_schemas_refuse_what_is_wrong():
    right = answer("check", "crammer-singer:n=3", "zero-one:n=3")
    assert validator("check").is_valid(right)
    assert [wrong for wrong in spoiled(right) if validator("check").is_valid(wrong)] == []
