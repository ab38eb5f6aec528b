"""Every family of the catalogue keeps what `lossmith.testing` checks, and its citations are those of the paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lossmith as lm
from lossmith.losses import FAMILIES as LOSSES
from lossmith.surrogates import CATALOGUE as SURROGATES

LABELS = (Path(__file__).parent.parent / "architecture" / "paper_labels.txt").read_text().split()


@pytest.mark.parametrize("family", LOSSES, ids=lambda family: family.name)
def test_a_family_of_losses_conforms(family):
    lm.testing.check_loss(family)
    assert repr(family).startswith(f"<family {family.name.replace('_', '-')}:")


@pytest.mark.parametrize("family", SURROGATES, ids=lambda family: family.name)
def test_a_family_of_surrogates_conforms(family):
    lm.testing.check_surrogate(family)
    assert all(member.made_by is family for member in (family(**small) for small in family.small))


def test_labels_that_are_cited_are_those_of_the_paper():
    sources = [family.cite for family in (*LOSSES, *SURROGATES)]
    sources += [claim.source for family in SURROGATES for claim in family.verdicts]
    assert {source for source in sources if ":" in source.split(" ")[0]} <= set(LABELS)


def test_most_verdicts_of_the_literature_are_declared():
    claims = [claim for family in SURROGATES for claim in family.verdicts]
    assert sum(mark in "CN" for claim in claims for mark in claim.marks) > 60


@pytest.mark.parametrize("package", [lm.losses, lm.surrogates], ids=lambda package: package.__name__)
def test_every_file_has_its_line_and_every_line_is_a_public_name(package):
    families = getattr(package, "FAMILIES", package.CATALOGUE)
    folder = Path(package.__file__).parent / "families"
    assert sorted(family.name for family in families) == sorted({f.stem for f in folder.rglob("*.py")} - {"__init__"})
    for family in families:
        assert getattr(package, family.name) is family
        assert family.name in package.__all__
    named = re.findall(r"(\w+) as \1", Path(package.__file__).read_text())
    assert [family.name for family in families] == [name for name in named if name in {f.name for f in families}]
