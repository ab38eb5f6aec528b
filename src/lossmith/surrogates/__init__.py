"""The catalogue of surrogates: one file and one line per family."""

from __future__ import annotations

from typing import Any

from lossmith.families import Family
from lossmith.surrogates.absolute import absolute
from lossmith.surrogates.abstain_crammer_singer import abstain_crammer_singer
from lossmith.surrogates.abstain_one_vs_all import abstain_one_vs_all
from lossmith.surrogates.adversarial_zero_one import adversarial_zero_one
from lossmith.surrogates.all_threshold_hinge import all_threshold_hinge
from lossmith.surrogates.all_threshold_logistic import all_threshold_logistic
from lossmith.surrogates.binary_encoded import binary_encoded
from lossmith.surrogates.binary_relevance_hinge import binary_relevance_hinge
from lossmith.surrogates.binary_relevance_logistic import binary_relevance_logistic
from lossmith.surrogates.class_probability import class_probability
from lossmith.surrogates.cost_weighted_hinge import cost_weighted_hinge
from lossmith.surrogates.crammer_singer import crammer_singer
from lossmith.surrogates.epsilon_insensitive import epsilon_insensitive
from lossmith.surrogates.gain_regression import gain_regression
from lossmith.surrogates.lee_lin_wahba import lee_lin_wahba
from lossmith.surrogates.one_vs_all_hinge import one_vs_all_hinge
from lossmith.surrogates.one_vs_all_logistic import one_vs_all_logistic
from lossmith.surrogates.one_vs_all_squared_hinge import one_vs_all_squared_hinge
from lossmith.surrogates.one_vs_one_hinge import one_vs_one_hinge
from lossmith.surrogates.pairwise_hinge import pairwise_hinge
from lossmith.surrogates.softmax import softmax
from lossmith.surrogates.square import square
from lossmith.surrogates.weston_watkins import weston_watkins

CATALOGUE: tuple[Family[..., Any], ...] = (
    crammer_singer,
    weston_watkins,
    lee_lin_wahba,
    one_vs_all_hinge,
    one_vs_one_hinge,
    absolute,
    epsilon_insensitive,
    binary_encoded,
    abstain_crammer_singer,
    abstain_one_vs_all,
    all_threshold_hinge,
    binary_relevance_hinge,
    cost_weighted_hinge,
    adversarial_zero_one,
    class_probability,
    softmax,
    one_vs_all_logistic,
    one_vs_all_squared_hinge,
    all_threshold_logistic,
    binary_relevance_logistic,
    square,
    pairwise_hinge,
    gain_regression,
)

__all__ = [
    "CATALOGUE",
    "absolute",
    "abstain_crammer_singer",
    "abstain_one_vs_all",
    "adversarial_zero_one",
    "all_threshold_hinge",
    "all_threshold_logistic",
    "binary_encoded",
    "binary_relevance_hinge",
    "binary_relevance_logistic",
    "class_probability",
    "cost_weighted_hinge",
    "crammer_singer",
    "epsilon_insensitive",
    "gain_regression",
    "lee_lin_wahba",
    "one_vs_all_hinge",
    "one_vs_all_logistic",
    "one_vs_all_squared_hinge",
    "one_vs_one_hinge",
    "pairwise_hinge",
    "softmax",
    "square",
    "weston_watkins",
]
