"""lem:normal-computation: N(ψ(u)) = {Bq : q ∈ Null(A) ∩ Δ_s}, carried out literally on every vertex q.

On a domain the normals of the active rows join A with no label attached.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossmith.analysis.positive_normals import positive_normal_set
from lossmith.surrogates import absolute, all_threshold_hinge, crammer_singer, epsilon_insensitive, lee_lin_wahba
from strategies import examples
from surrogates import second_opinion
from surrogates.random_surrogates import points_of, surrogates

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("surrogate", "u"),
    [
        (crammer_singer(3), (0, 0, 0)),
        (crammer_singer(3), (1, 0, 0)),
        (crammer_singer(3), (HALF, 0, 0)),
        (crammer_singer(3), (1, 1, 0)),
        (crammer_singer(3), (5, 0, 0)),
        (absolute(3), (1,)),
        (absolute(3), (2,)),
        (absolute(3), (Fraction(5, 2),)),
        (absolute(3), (0,)),
        (epsilon_insensitive(3), (Fraction(5, 4),)),
        (epsilon_insensitive(3), (Fraction(7, 4),)),
        (all_threshold_hinge(3), (1, 1)),
        (all_threshold_hinge(3), (-1, 1)),
        (all_threshold_hinge(3), (1, -1)),
        (lee_lin_wahba(3), (2, -1, -1)),
        (lee_lin_wahba(3), (0, 0, 0)),
        (lee_lin_wahba(3), (HALF, HALF, -1)),
    ],
    ids=lambda x: getattr(x, "name", None),
)
def test_the_lemma_the_definition_and_lossmith_agree_on_the_families(surrogate, u):
    expected = second_opinion.normal_vertices_by_lemma(surrogate, u)
    assert second_opinion.normal_vertices(surrogate, u) == expected
    assert positive_normal_set(surrogate, u).polytope.vertices == expected


@examples(10)
@given(surrogates(with_domain=False), st.data())
def test_the_lemma_gives_the_positive_normal_set_of_random_surrogates(surrogate, data):
    u = data.draw(points_of(surrogate))
    assert positive_normal_set(surrogate, u).polytope.vertices == second_opinion.normal_vertices_by_lemma(surrogate, u)


@examples(10)
@given(surrogates(with_domain=True), st.data())
def test_with_a_domain_the_normals_of_its_active_rows_join_the_lemma(surrogate, data):
    u = data.draw(points_of(surrogate))
    assert positive_normal_set(surrogate, u).polytope.vertices == second_opinion.normal_vertices_by_lemma(surrogate, u)
