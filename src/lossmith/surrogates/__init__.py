"""The catalogue of surrogates: one line for each family, in the order of the tables."""

# ruff: noqa: I001
from __future__ import annotations

from typing import TYPE_CHECKING

from lossmith.families import families_in

from lossmith.surrogates.families.crammer_singer import crammer_singer as crammer_singer
from lossmith.surrogates.families.weston_watkins import weston_watkins as weston_watkins
from lossmith.surrogates.families.lee_lin_wahba import lee_lin_wahba as lee_lin_wahba
from lossmith.surrogates.families.one_vs_all_hinge import one_vs_all_hinge as one_vs_all_hinge
from lossmith.surrogates.families.one_vs_one_hinge import one_vs_one_hinge as one_vs_one_hinge
from lossmith.surrogates.families.absolute import absolute as absolute
from lossmith.surrogates.families.epsilon_insensitive import epsilon_insensitive as epsilon_insensitive
from lossmith.surrogates.families.binary_encoded import binary_encoded as binary_encoded
from lossmith.surrogates.families.abstain_crammer_singer import abstain_crammer_singer as abstain_crammer_singer
from lossmith.surrogates.families.abstain_one_vs_all import abstain_one_vs_all as abstain_one_vs_all
from lossmith.surrogates.families.all_threshold_hinge import all_threshold_hinge as all_threshold_hinge
from lossmith.surrogates.families.binary_relevance_hinge import binary_relevance_hinge as binary_relevance_hinge
from lossmith.surrogates.families.cost_weighted_hinge import cost_weighted_hinge as cost_weighted_hinge
from lossmith.surrogates.families.adversarial_zero_one import adversarial_zero_one as adversarial_zero_one
from lossmith.surrogates.families.class_probability import class_probability as class_probability
from lossmith.surrogates.families.softmax import softmax as softmax
from lossmith.surrogates.families.one_vs_all_logistic import one_vs_all_logistic as one_vs_all_logistic
from lossmith.surrogates.families.one_vs_all_squared_hinge import one_vs_all_squared_hinge as one_vs_all_squared_hinge
from lossmith.surrogates.families.sparsemax import sparsemax as sparsemax
from lossmith.surrogates.families.entmax import entmax as entmax
from lossmith.surrogates.families.comp_sum import comp_sum as comp_sum
from lossmith.surrogates.families.sum_loss import sum_loss as sum_loss
from lossmith.surrogates.families.one_vs_all import one_vs_all as one_vs_all
from lossmith.surrogates.families.label_smoothing import label_smoothing as label_smoothing
from lossmith.surrogates.families.logit_adjusted_softmax import logit_adjusted_softmax as logit_adjusted_softmax
from lossmith.surrogates.families.background_discriminative import (
    background_discriminative as background_discriminative,
)
from lossmith.surrogates.families.smooth_crammer_singer import smooth_crammer_singer as smooth_crammer_singer
from lossmith.surrogates.families.squared_crammer_singer import squared_crammer_singer as squared_crammer_singer
from lossmith.surrogates.families.constrained_loss import constrained_loss as constrained_loss
from lossmith.surrogates.families.cost_weighted_loss import cost_weighted_loss as cost_weighted_loss
from lossmith.surrogates.families.margin_vector import margin_vector as margin_vector
from lossmith.surrogates.families.one_vs_one_logistic import one_vs_one_logistic as one_vs_one_logistic
from lossmith.surrogates.families.all_threshold_logistic import all_threshold_logistic as all_threshold_logistic
from lossmith.surrogates.families.binary_relevance_logistic import (
    binary_relevance_logistic as binary_relevance_logistic,
)
from lossmith.surrogates.families.all_threshold import all_threshold as all_threshold
from lossmith.surrogates.families.immediate_threshold_logistic import (
    immediate_threshold_logistic as immediate_threshold_logistic,
)
from lossmith.surrogates.families.binary_relevance import binary_relevance as binary_relevance
from lossmith.surrogates.families.augmented_softmax import augmented_softmax as augmented_softmax
from lossmith.surrogates.families.defer_softmax import defer_softmax as defer_softmax
from lossmith.surrogates.families.f_measure_logistic import f_measure_logistic as f_measure_logistic
from lossmith.surrogates.families.defer_one_vs_all import defer_one_vs_all as defer_one_vs_all
from lossmith.surrogates.families.cost_sensitive_reject import cost_sensitive_reject as cost_sensitive_reject
from lossmith.surrogates.families.top_k_entropy import top_k_entropy as top_k_entropy
from lossmith.surrogates.families.square import square as square
from lossmith.surrogates.families.pairwise_hinge import pairwise_hinge as pairwise_hinge
from lossmith.surrogates.families.gain_regression import gain_regression as gain_regression
from lossmith.surrogates.families.pick_all_labels import pick_all_labels as pick_all_labels
from lossmith.surrogates.families.pick_all_labels_normalised import (
    pick_all_labels_normalised as pick_all_labels_normalised,
)
from lossmith.surrogates.families.weighted_binary_relevance import (
    weighted_binary_relevance as weighted_binary_relevance,
)
from lossmith.surrogates.families.gain_cross_entropy import gain_cross_entropy as gain_cross_entropy
from lossmith.surrogates.families.listnet import listnet as listnet
from lossmith.surrogates.families.pairwise_loss import pairwise_loss as pairwise_loss

CATALOGUE = families_in(globals(), "lossmith.surrogates.families")

if not TYPE_CHECKING:  # a type checker reads the lines above
    __all__ = ["CATALOGUE"]
    __all__ += [each.name for each in CATALOGUE]

    def __getattr__(name: str) -> object:
        from lossmith.surrogates.refused import why_refused

        raise AttributeError(why_refused(name) or f"module {__name__!r} has no attribute {name!r}")
