"""Why the checker rejects a certificate, what it says of those that it accepts, and how they are explained."""

from __future__ import annotations

import copy
import errno
import importlib
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lossmith.certificates.explaining import explain
from lossmith_verify import check
from lossmith_verify.__main__ import main
from verify.handmade import ALL, abstain, crammer_singer_for_abstain, interval_not_for_reject, rows, text, zero_one

KEPT = Path(__file__).parents[1] / "verify" / "kept"
HEAD = {"format": "lossmith-certificate", "version": 1, "claim": "ccdim at least"}
SIZES = {"parents": [0, 0, 0], "lengths": ["1", "1", "2"], "inner": [0, 1]}
CENTRE = ["1/3", "1/3", "1/3"]


@cache
def bases() -> dict[str, dict[str, Any]]:
    """Certificates that are accepted: those made by hand, and one about the dimension of each kind of loss."""
    kept = [json.loads(line) for file in sorted(KEPT.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    below = [each for each in kept if each["claim"] == "ccdim at least"]
    star = {"value": 2, "loss": {"family": "tree_distance", **SIZES}, "evidence": {"weights": ["1", "1", "1"]}}
    line = {"point": ["2/3", "1/3", "0"], "prediction": 0, "multipliers": [["0", "-1", "0"]]}
    points = [[["1/2", "1/2", "0"], ["1/2", "0", "1/2"]], [["1/2", "1/2", "0"], ["0", "1/2", "1/2"]]]
    points.append([["1/2", "0", "1/2"], ["0", "1/2", "1/2"]])
    alone = [["1/3", "1/3", "1/3"], ["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
    branch = {"points": points, "columns": [3, 0, 1, 2], "alone": alone, "modulus": 5}
    return {
        **ALL,
        **{each["loss"].get("family", "matrix"): each for each in below},
        "tree_distance": HEAD | star,
        "line": HEAD | {"value": 1, "loss": zero_one(3), "evidence": line},
        "branch": HEAD | {"value": 2, "loss": abstain(3), "evidence": branch},
        "at most": HEAD | {"claim": "ccdim at most", "value": 2, "loss": star["loss"], "evidence": {}},
    }


def changed(name: str, path: str, value: Any) -> str:
    """A certificate with another value at a path as the checker prints it, or with its entry made from the old one."""
    certificate = copy.deepcopy(bases()[name])
    *places, last = [int(part) if part.isdigit() else part for part in re.findall(r"\w+", path)]
    holder: Any = certificate
    for place in places:
        holder = holder[place]
    holder[last] = value(holder[last]) if callable(value) else value
    return text(certificate)


# One change for each reason for which the checker rejects a certificate.
CHANGES: list[tuple[str, str, Any]] = [
    ("crammer_singer not for zero_one", "format", 0),
    ("crammer_singer not for zero_one", "version", 0),
    ("crammer_singer not for zero_one", "claim", 0),
    ("matrix", "claim", 0),
    ("matrix", "evidence.modulus", 0),
    ("f_measure", "evidence.rows[0][0][0]", 1),
    ("symmetry: crammer_singer", "version", 1),
    ("symmetry: two blocks", "evidence.blocks[1].labels[0]", 1),
    ("symmetry: crammer_singer", "loss.entries[0][0]", "1"),
    ("symmetry: crammer_singer", "evidence.blocks[0].labels[0]", 1),
    ("hinge for zero_one", "evidence.vertices", []),
    ("function: jump", "evidence.pieces[0][0].vertices[1].inequalities[0][0]", 1),
    ("symmetry: two blocks", "surrogate.terms[0][0][0][0]", "1"),
    ("hinge for zero_one", "evidence.cells[0].prediction", 1),
    ("function: hinge", "delta[0][0]", "0"),
    ("function: hinge", "loss.entries[0][1]", "2"),
    ("function: hinge", "loss.entries[1][0]", "0"),
    ("function: hinge", "evidence.attained[0].instead", 1),
    ("theorem: cost-weighted", "evidence.theorem", 0),
    ("theorem: cost-weighted", "version", 1),
    ("theorem: cost-weighted", "surrogate.equations", []),
    ("theorem: cost-weighted", "loss.entries[0][0]", "1"),
    ("theorem: cost-weighted, argmax", "pred.regions[0]", []),
    ("theorem: binary relevance", "loss.entries[0][0]", "1"),
    ("first two", "evidence.cover.point[0]", "1"),
    ("v2: sign, thin", "evidence.cover.tree.parts[1].thin.path", []),
    ("v2: interval", "evidence.cover.tree.parts[0].thin.inequalities[0][0]", 0),
    ("v2: sign, thin", "evidence.cover.tree.by[2][0]", "-1"),
    ("symmetry, pred: sign", "evidence.cover.tree.prediction", 1),
    ("v2: interval", "evidence.cover.tree.parts[1].parts[1].rows[0].path[0][0]", 0),
    ("matrix", "evidence.columns[0]", 1),
    ("matrix", "evidence.alone", [[]]),
    ("matrix", "loss.entries[0][0]", "1"),
    ("mean: calibrated", "loss.entries[0][0]", "1"),
    ("binary margin: calibrated", "pred.regions[0][0].inequalities", []),
    ("mean_average_precision", "loss.family", 0),
    ("precision_at", "loss.q", 0),
    ("ndcg", "loss.gain[0]", "-1"),
    ("ndcg", "loss.gain", []),
    ("pairwise_disagreement", "loss.graphs", 0),
    ("pairwise_disagreement", "evidence.labels[0][0]", 1),
    ("mean_average_precision", "evidence.labels[0][0]", 0),
    ("mean_average_precision", "evidence.base[0]", 1),
    ("pred: calibrated, with a domain", "evidence.apart[0].inequalities[0][0]", 1),
    ("pred: calibrated", "loss.entries[0][0]", "1"),
    ("pred, within: calibrated", "within[1].inequalities[0][1]", "0"),
    ("pred: calibrated", "pred.regions[0]", []),
    ("pred, within: not calibrated", "evidence.prediction", 1),
    ("v2: earlier region", "evidence.prediction", 0),
    ("v2: bounded mean, not calibrated", "surrogate.inequalities[0][1]", "0"),
    ("v2: earlier region", "pred.regions[0][0].inequalities", []),
    ("top_k_costs", "loss.penalties", []),
    ("top_k_costs", "evidence.weights[1]", "-1/2"),
    ("votes", "pred.votes", 2),
    ("crammer_singer not for zero_one", "loss.entries[0][0]", "-1"),
    ("binary margin: calibrated", "pred.regions[0][0].inequalities[0][0]", "0"),
    ("pred: calibrated", "evidence.apart[0].p[1]", "-1"),
    ("pred: calibrated", "evidence.apart[0].p[0]", "2"),
    ("crammer_singer not for zero_one", "evidence.better[0][0]", 1),
    ("pred: not calibrated", "evidence.better", 2),
    ("mean: not calibrated", "surrogate.estimates[1][0]", "2"),
    ("crammer_singer not for zero_one", "surrogate.terms[0][0][1][0]", "2"),
    ("within: not calibrated", "within[1].inequalities[0][0]", "0"),
    ("far out", "surrogate.estimates[2][0]", "2"),
    ("first two", "pred.regions[0][0].inequalities", []),
    ("far out", "evidence.u[0]", "1"),
    ("order, not calibrated", "evidence.u[1]", "2/3"),
    ("mean_average_precision", "evidence.weights[0]", "-5/6"),
    ("mean_average_precision", "evidence.labels[0][1]", 1),
    ("votes", "version", 1),
    ("first two", "version", 1),
    ("regret: hinge", "hull", 0),
    ("weighted_hamming", "loss.r", 4),
    ("within: calibrated", "within", []),
    ("mean_average_precision", "loss.r", 0),
    ("f_measure", "loss.beta", 0),
    ("crammer_singer not for zero_one", "loss.name", []),
    ("regret: hinge", "version", 1),
    ("regret: hinge", "hull[0][0]", "0"),
    ("regret: hinge", "loss.entries[0][0]", "1"),
    ("on the way", "evidence.along[0].weights[0][2]", "-3/4"),
    ("on the way", "evidence.along[0].weights[0][0]", 1),
    ("on the way", "evidence.along[0].weights[0][1]", 1),
    ("f_measure", "loss.r", 0),
    ("f_measure", "loss.beta", "0"),
    ("f_measure", "evidence.weights[1]", "0"),
    ("f_measure", "evidence.labels[0]", 0),
    ("f_measure", "loss.beta", "2"),
    ("interval not for reject", "surrogate.inequalities[1][0]", "0"),
    ("tangents", "surrogate.tangents", 2),
    ("tangents", "surrogate.terms[1]", [[["0", "0"]], [["0", "0"]]]),
    ("mean: calibrated", "surrogate.theorem", 0),
    ("a free label", "version", 1),
    ("v2: bounded mean", "surrogate.estimates[2][0]", "3"),
    ("proper composite: calibrated", "surrogate.estimates[0][0]", "2"),
    ("symmetry, pred: sign", "pred.regions[0]", []),
    ("symmetry, pred: sign", "evidence.scores[0][0]", "1"),
    ("votes", "loss.entries[0][0]", "1"),
    ("votes", "surrogate.terms[0][0][0][2]", "1"),
    ("votes", "surrogate.terms[1][0][0][1]", "1"),
    ("votes", "surrogate.terms[0][0][0][0]", "1"),
    ("pred: calibrated", "evidence.apart[0].pieces[0][2]", 0),
    ("pred, within: calibrated", "evidence.apart[2].pieces[0][0]", 1),
    ("pred: calibrated", "evidence.apart[0].pieces[0][3]", "0"),
    ("pred: calibrated", "evidence.apart[0].pieces[0][0]", 1),
    ("symmetry, pred: argmax", "evidence.apart[0].inequalities[0][0]", 1),
    ("pred: calibrated, with a domain", "evidence.apart[1].equations[0][1]", "0"),
    ("hinge for zero_one", "surrogate.tangents", True),
    ("tree_distance", "loss", {"entries": [["0", "1"], ["1", "0"]]}),
    ("at most", "loss", {"entries": [["0", "1"], ["1", "0"]]}),
    ("at most", "value", 1),
    ("hinge for zero_one", "evidence.vertices", lambda old: old[:1] * 2),
    ("pred: calibrated", "evidence.apart", lambda old: old[:1] * 2),
    ("within: calibrated", "within[0]", rows([-1, -1])),
    ("branch", "evidence.alone[1]", CENTRE),
    ("line", "evidence.point", ["1/2", "1/2", "0"]),
    ("line", "evidence.multipliers", [["0", "0", "0"]]),
    ("votes", "within", [rows()]),
    ("votes: signs", "surrogate.theorem", "order"),
    ("votes: signs, not calibrated", "evidence.u", ["1/3", "0", "-1/3"]),
    ("votes", "surrogate.equations", [["0", "1", "0", "0"]]),
    ("proper composite: calibrated", "surrogate.theorem", "binary margin"),
    ("far out", "claim", "calibrated"),
    ("told", "claim", "not calibrated"),
    ("on the way", "within", [rows()]),
    ("symmetry: crammer_singer", "evidence.cells[1].u", ["0", "1", "0"]),
    ("tree_distance", "loss.lengths[0]", "0"),
    ("tree_distance", "evidence.weights[0]", "-1"),
]
FILES = {
    "no JSON": "[1, 2",
    "no object": "0",
    "no UTF-8": b"\xff",
    "a key twice": '{"version": 1, "version": 1}',
    "a long integer": "1" * 19,
    "nested deeply": "[" * 300 + "]" * 300,
    "a long name": json.dumps({"x" * 100: 1}),
}
LIMITS = {"reading.MAX_BYTES": 99, "reading.MAX_PARTS": 99, "calibrated.MAX_VERTICES": -10_000}
LIMITS |= {"arithmetic.MAX_STEPS": 999, "arithmetic.MAX_HELD": 999, "arithmetic.MAX_BITS": 1}


def lines(said: dict[str, object]) -> str:
    return "\n".join(f"{name}\n    {each}" for name, each in said.items())


def test_rejections(snapshot):
    said = {}
    for name, path, value in CHANGES:
        shown = "changed" if callable(value) else json.dumps(value)
        said[f"{name}: {path}: {shown}"] = check(changed(name, path, value))
    assert len(said) == len(CHANGES)
    assert not any(verdict.accepted for verdict in said.values())
    assert lines(said) == snapshot


def test_files_that_cannot_be_read(snapshot):
    """Without what Python says of them, which depends on its version."""
    said = {name: re.sub(r"(UTF-8): .*", r"\1: …", str(check(content))) for name, content in FILES.items()}
    assert lines(said) == snapshot


def test_limits(snapshot, monkeypatch):
    said = {}
    for limit, value in LIMITS.items():
        module, name = limit.split(".")
        with monkeypatch.context() as patch:
            patch.setattr(importlib.import_module(f"lossmith_verify.{module}"), name, value)
            said[f"{limit} = {value}"] = check(text(crammer_singer_for_abstain(4)))
    assert lines(said) == snapshot


ACCEPTED = [
    "crammer_singer for abstain",
    "crammer_singer not for zero_one",
    "within: calibrated",
    "pred: calibrated",
    "mean: calibrated",
    "v2: mean",
    "v2: argmax",
    "v2: margin",
    "v2: tangents",
    "on the way",
    "votes",
    "votes: not calibrated",
    "first two",
    "told",
    "order",
    "largest",
    "smallest",
    "signs",
    "far out",
    "symmetry: crammer_singer",
    "regret: hinge",
    "function: jump",
    "theorem: cost-weighted",
    "theorem: binary relevance",
    "matrix",
    "tree_distance",
    "at most",
]


def test_verdicts(snapshot):
    """What is proved, and all that may be taken on trust."""
    accepted = {name: check(text(bases()[name])) for name in ACCEPTED}
    assert all(verdict.accepted for verdict in accepted.values())
    assert lines(accepted) == snapshot


EXPLAINED = [
    "crammer_singer for abstain",
    "interval not for reject",
    "pred: calibrated",
    "pred: not calibrated",
    "within: calibrated",
    "mean: calibrated",
    "mean, pred: not calibrated",
    "a free label",
    "on the way",
    "tangents",
    "regret: hinge",
    "regret: not calibrated",
    "function: jump",
    "function: nothing lost",
    "votes",
    "votes: not calibrated",
    "symmetry, pred: sign",
    "theorem: binary relevance, sign",
    "matrix",
    "line",
    "branch",
    "at most",
    "tree_distance",
    "top_k_costs",
    "f_measure",
    "ndcg",
]


@pytest.mark.parametrize("name", EXPLAINED)
def test_explained(name, snapshot):
    assert explain(text(bases()[name])) == snapshot


def test_a_rejection_is_not_explained(snapshot):
    assert explain("{}") == snapshot


def test_very_long_numbers_are_counted(snapshot):
    certificate = copy.deepcopy(interval_not_for_reject())
    row = [f"1/{10**639 + i}" for i in range(3)]
    certificate["loss"]["entries"] = [["0", "1", row[0]], ["1", "0", row[1]]]
    assert explain(text(certificate)).splitlines()[-1] == snapshot


def test_command_line(snapshot, tmp_path, monkeypatch, capsys):
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    def failing(_: object) -> None:
        raise KeyError("lost\nin here")

    def without_memory(_: object) -> None:
        raise MemoryError

    monkeypatch.chdir(tmp_path)
    (tmp_path / "proof.json").write_text(text(ALL["hinge for zero_one"]))
    said = {}
    for name, arguments, each in (
        ("accepted", ["proof.json"], None),
        ("missing", ["missing.json"], None),
        ("interrupted", ["proof.json"], interrupted),
        ("an error", ["proof.json"], failing),
        ("no memory", ["proof.json"], without_memory),
    ):
        with monkeypatch.context() as patch:
            if each is not None:
                patch.setattr("lossmith_verify.__main__.check", each)
            code = main(arguments)
        out, err = capsys.readouterr()
        said[name] = f"{out}{err}exit code {code}".replace(os.strerror(errno.ENOENT), "…")
    assert lines(said) == snapshot
