"""The atlas with its pictures; in the exhaustive tests of a large part of the catalogue, and by several processes."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from lossmith.atlas.building import build
from lossmith.atlas.members import dashed
from lossmith.atlas.published import compared
from lossmith.atlas.verifying import verify_atlas
from lossmith.losses import FAMILIES, abstain, zero_one
from lossmith.surrogates import CATALOGUE, crammer_singer, softmax


def test_pictures_of_surrogates_and_losses_name_labels_and_decisions(tmp_path):
    atlas = build(tmp_path, [crammer_singer, softmax], [abstain], [2])
    for name in ("pictures/crammer-singer/n=2.svg", "pictures/softmax/n=2.svg", "pictures/abstain/n=2.svg"):
        drawn = ElementTree.parse(tmp_path / name)
        texts = {"".join(each.itertext()).strip() for each in drawn.iter() if each.tag.endswith("text")}
        assert {"0", "1"} <= texts
        assert ("P(1)" in texts) == ("softmax" not in name)  # curves, not cells
    assert {path for path, portrait in atlas.portraits.items() if portrait.picture} == {
        f"pictures/{name}/n=2.svg" for name in ("crammer-singer", "softmax", "abstain")
    }


@pytest.mark.exhaustive
def test_everything_is_decided_where_it_is_complete_and_proved_wherever_it_is_decided(tmp_path):
    """A third of the surrogates and half of the losses, by two processes."""
    atlas = build(tmp_path, CATALOGUE[1::3], FAMILIES[::2], [2, 3, 4, 5], n_jobs=2)
    found = verify_atlas(tmp_path, n_jobs=2)

    assert found.wrong == ()
    assert found.accepted + found.conditional == len(atlas.held) > 1500
    complete = [each for each in atlas.findings if each.statement.member.loss.n <= 4 and each.statement.polyhedral]
    assert {each.status for each in complete if not each.statement.too_large} == {"calibrated", "not calibrated"}
    for family in CATALOGUE[1::3]:
        published = compared(family, atlas.of_surrogate[dashed(family.name)])
        for each, claim in zip(published, family.verdicts, strict=True):
            assert each.mark in (("✗" if claim.printed else "✓"), "")  # of other losses nothing is found


@pytest.mark.exhaustive
def test_processes_change_nothing(tmp_path):
    for name, jobs in (("one", 1), ("two", 2)):
        build(tmp_path / name, CATALOGUE[::20], [zero_one, abstain], [2, 3, 5], n_jobs=jobs)
    one, two = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("one", "two")
    )
    assert one == two
