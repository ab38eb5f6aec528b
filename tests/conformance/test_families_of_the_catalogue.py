"""Every family of the catalogue keeps what `lossmith.testing` checks, and its citations are those of the paper."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import lossmith as lm
from lossmith.families import Family
from lossmith.losses import FAMILIES as LOSSES
from lossmith.surrogates import CATALOGUE as SURROGATES
from lossmith.testing import losses as of_losses
from lossmith.testing import surrogates as of_surrogates
from lossmith.testing.promises import COMMON, documented, named, pickled, run, sized

LABELS = (Path(__file__).parent.parent / "architecture" / "paper_labels.txt").read_text().split()


FAST_CHECKS_OF_LOSSES = (*COMMON, of_losses.of_size, of_losses.factored, of_losses.dimension)
FAST_CHECKS_OF_SURROGATES = (documented, sized, pickled, of_surrogates.formula)
EXHAUSTIVE = pytest.mark.exhaustive
EXPENSIVE_TO_MAKE = ("top_k_hinge_smooth", "smooth_crammer_singer")  # their slopes are searched for


def changed(family, **attributes):
    """A copy of the family with other attributes; `copy.copy` gives the family itself back."""
    made = object.__new__(Family)
    vars(made).update(vars(family), **attributes)
    return made


def smallest(family):
    return changed(family, small=family.small[:1])


def test_families_of_losses_keep_the_promises_that_are_fast_to_check():
    for family in LOSSES:
        run(family, "losses", FAST_CHECKS_OF_LOSSES)
        assert repr(family).startswith(f"<family {family.name.replace('_', '-')}:")


@pytest.mark.parametrize("check", [of_losses.filed, of_losses.invariant], ids=lambda check: check.__name__)
def test_the_smallest_members_of_losses_keep_the_others(check):
    for family in LOSSES:
        run(smallest(family), "losses", [check])


def test_families_of_surrogates_keep_the_promises_that_are_fast_to_check():
    for family in SURROGATES:
        if family.name not in EXPENSIVE_TO_MAKE:
            run(family, "surrogates", FAST_CHECKS_OF_SURROGATES)
            assert family(**family.small[0]).made_by is family, family.name


@pytest.mark.parametrize(
    "check",
    [named, of_surrogates.values, of_surrogates.verdicts],
    ids=lambda check: check.__name__,
)
def test_the_smallest_members_of_surrogates_keep_the_others(check):
    for family in SURROGATES:
        if family.name not in EXPENSIVE_TO_MAKE:
            run(smallest(family), "surrogates", [check])


def test_the_preds_of_the_first_family_of_each_kind_decide():
    asked = set()
    for family in SURROGATES:
        new = tuple(name for name in family.preds if (name, family.kind, family.makes) not in asked)
        if new and family.name not in EXPENSIVE_TO_MAKE:
            asked.update((name, family.kind, family.makes) for name in new)
            run(changed(smallest(family), preds=new), "surrogates", [of_surrogates.preds])
    assert len(asked) > 20


def test_published_verdicts_on_preds_come_out_for_two_labels():
    """Those on losses of the catalogue without a pred are held by the table of every pair."""
    for family in SURROGATES:
        claims = [each for each in family.verdicts if each.pred and family.name not in EXPENSIVE_TO_MAKE]
        for_two_labels = tuple(replace(each, marks=f"{each.marks[0]}··") for each in claims)
        run(changed(family, verdicts=for_two_labels), "surrogates", [of_surrogates.published])


@EXHAUSTIVE
@pytest.mark.parametrize("family", LOSSES, ids=lambda family: family.name)
def test_a_family_of_losses_conforms(family):
    lm.testing.check_loss(family)


@EXHAUSTIVE
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
