"""Surrogates that are made of another one for 0-1 loss: sums of its components, with weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lossmith.errors import UnknownName, nearest
from lossmith.families import Family
from lossmith.surrogates.families.adversarial_zero_one import adversarial_zero_one
from lossmith.surrogates.families.crammer_singer import crammer_singer
from lossmith.surrogates.families.lee_lin_wahba import lee_lin_wahba
from lossmith.surrogates.families.one_vs_all_hinge import one_vs_all_hinge
from lossmith.surrogates.families.weston_watkins import weston_watkins
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.tracing import Maximum

_BASES: dict[str, Family[[int], PolyhedralSurrogate]] = {
    each.name.replace("_", "-"): each
    for each in (lee_lin_wahba, adversarial_zero_one, crammer_singer, weston_watkins, one_vs_all_hinge)
}


def base_named(text: str) -> Family[[int], PolyhedralSurrogate]:
    """A hinge with a score for each label, by its name.

    >>> base_named("crammer_singer").name
    'crammer_singer'
    """
    name = str(text).strip().replace("_", "-")
    if name not in _BASES:
        raise UnknownName(f"base is {text!r}, which is none of these hinges; {nearest(name, _BASES)}")
    return _BASES[name]


def weighted_sum(
    base: PolyhedralSurrogate, weights: Sequence[Sequence[Fraction | int]], name: str
) -> PolyhedralSurrogate:
    """ψ_y = Σ_t w_yt ℓ_t, on the domain of ℓ, with weights that are not negative.

    >>> [str(x) for x in weighted_sum(crammer_singer(2), [[1, 0], [0, 3]], "mine")([0, 0])]
    ['1', '3']
    """
    zero: Maximum = ((Fraction(0),) * (base.dim + 1),)
    terms = []
    for row in weights:
        total: dict[Maximum, Fraction | int] = {}  # labels share maxima: in sums of hinges most of them
        for weight, maxima in zip(row, base.terms, strict=True):
            for maximum in maxima if weight else ():
                total[maximum] = total.get(maximum, 0) + weight
        scaled = [tuple(tuple(weight * x for x in piece) for piece in maximum) for maximum, weight in total.items()]
        terms.append(tuple(scaled) or (zero,))
    return PolyhedralSurrogate(tuple(terms), base.dim, base.inequalities, base.equations, name)
