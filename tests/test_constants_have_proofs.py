"""Every family whose regret has a printed constant is named, with its proof, where docs/regret.md links to."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

import lossmith as lm
from lossmith import losses, surrogates
from lossmith.constructions.roots.distances import KAPPA
from lossmith.errors import BadInput, Impossible, NotFound, TooLarge
from lossmith.losses.named import as_loss
from lossmith.surrogates.families.comp_sum import tau_of
from lossmith.surrogates.families.entmax import alpha_of

DOCS = Path(__file__).parent.parent / "docs"
ROW = re.compile(r"^\| (?P<families>.*?) \| .* \| \[[^\]]*\]\((?P<page>[\w-]+\.md)#(?P<anchor>[\w-]+)\) \|$", re.M)


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@cache
def sections(page: str) -> dict[str, str]:
    """The text under each heading, up to the next one, by the anchor of the heading."""
    parts = re.split(r"^#{2,3} (.*)$", (DOCS / page).read_text(), flags=re.M)
    return {slug(title): text for title, text in zip(parts[1::2], parts[2::2], strict=True)}


@cache
def proved() -> dict[str, set[str]]:
    """For each family that a row of the table names the anchors of its proofs."""
    found: dict[str, set[str]] = {}
    for row in ROW.finditer((DOCS / "regret.md").read_text()):
        for family in re.findall(r"`(\w+)`", row["families"]):
            found.setdefault(family, set()).add(f"{row['page']}#{row['anchor']}")
    return found


def may_have_a_constant(psi) -> bool:
    """Whether a smooth surrogate declares what the rules for roots read: a form, a divergence, a curvature, a power."""
    traits, kinds = psi.traits, {"softmax", *KAPPA}
    declared = (psi.form and psi.form.kind in kinds) or traits.divergence or traits.curved or traits.two_scores
    return bool(declared) or tau_of(psi) is not None or alpha_of(psi) is not None


def smooth_members():
    for family in surrogates.CATALOGUE:
        for given in family.small:
            psi = family(**given)
            if isinstance(psi, lm.SmoothSurrogate):
                yield family, given, psi


def test_every_row_links_to_a_proof_that_names_its_families():
    assert len(proved()) > 30
    for family, places in proved().items():
        for place in places:
            page, anchor = place.split("#")
            assert anchor in sections(page), place
            assert "*Proof" in sections(page)[anchor], place
            named = [part for part in sections(page)[anchor].split("\n\n") if part.strip().startswith("Famil")]
            assert any(f"`{family}`" in part for part in named), (family, place)


def test_other_links_of_the_page_lead_to_headings():
    for page, anchor in re.findall(r"\(([\w-]+\.md)#([\w-]+)\)", (DOCS / "regret.md").read_text()):
        assert anchor in sections(page), anchor


def test_every_family_that_declares_something_about_regrets_has_a_row():
    families = {family.name for family, _, psi in smooth_members() if may_have_a_constant(psi)}
    assert len(families) > 35
    assert families <= {*proved()}


@pytest.mark.exhaustive
def test_every_family_with_a_printed_constant_has_a_row():
    """Its small members, with losses of as many labels and the loss that it is made for."""
    found = set()
    for family, given, psi in smooth_members():
        asked = [losses.zero_one(psi.n), losses.ordinal(psi.n)]
        with suppress(BadInput):
            asked.append(losses.abstain(psi.n, "1/3"))
        for value in given.values():
            with suppress(BadInput, TypeError):
                asked.append(as_loss(value).matrix())
        for loss in asked:
            for pred in (None, *family.preds):
                with suppress(BadInput, Impossible, NotFound, TooLarge, StopIteration):
                    study = lm.regret(psi, loss, pred)
                    assert study.upper is None or study.upper.root
                    found |= {family.name} if study.upper is not None else set()
    assert len(found) > 35
    assert found <= {*proved()}
