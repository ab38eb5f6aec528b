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
from lossmith.surrogates.families.guess_averse import guess_averse as guess_averse
from lossmith.surrogates.families.margin_vector import margin_vector as margin_vector
from lossmith.surrogates.families.one_vs_one_logistic import one_vs_one_logistic as one_vs_one_logistic
from lossmith.surrogates.families.all_threshold_logistic import all_threshold_logistic as all_threshold_logistic
from lossmith.surrogates.families.binary_relevance_logistic import (
    binary_relevance_logistic as binary_relevance_logistic,
)
from lossmith.surrogates.families.all_threshold import all_threshold as all_threshold
from lossmith.surrogates.families.cost_all_threshold import cost_all_threshold as cost_all_threshold
from lossmith.surrogates.families.cumulative_link import cumulative_link as cumulative_link
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
from lossmith.surrogates.families.top_k_hinge_smooth import top_k_hinge_smooth as top_k_hinge_smooth
from lossmith.surrogates.families.square import square as square
from lossmith.surrogates.families.pairwise_hinge import pairwise_hinge as pairwise_hinge
from lossmith.surrogates.families.gain_regression import gain_regression as gain_regression
from lossmith.surrogates.families.weighted_gain_regression import weighted_gain_regression as weighted_gain_regression
from lossmith.surrogates.families.pick_all_labels import pick_all_labels as pick_all_labels
from lossmith.surrogates.families.pick_all_labels_normalised import (
    pick_all_labels_normalised as pick_all_labels_normalised,
)
from lossmith.surrogates.families.binary_relevance_normalised import (
    binary_relevance_normalised as binary_relevance_normalised,
)
from lossmith.surrogates.families.weighted_binary_relevance import (
    weighted_binary_relevance as weighted_binary_relevance,
)
from lossmith.surrogates.families.gain_cross_entropy import gain_cross_entropy as gain_cross_entropy
from lossmith.surrogates.families.listnet import listnet as listnet
from lossmith.surrogates.families.listmle import listmle as listmle
from lossmith.surrogates.families.permutahedron_projection import permutahedron_projection as permutahedron_projection
from lossmith.surrogates.families.pairwise_loss import pairwise_loss as pairwise_loss
from lossmith.surrogates.families.naive_hinge import naive_hinge as naive_hinge
from lossmith.surrogates.families.reinforced_hinge import reinforced_hinge as reinforced_hinge
from lossmith.surrogates.families.total_sum_hinge import total_sum_hinge as total_sum_hinge
from lossmith.surrogates.families.total_max_hinge import total_max_hinge as total_max_hinge
from lossmith.surrogates.families.discriminative_max_hinge import discriminative_max_hinge as discriminative_max_hinge
from lossmith.surrogates.families.multiclass_perceptron import multiclass_perceptron as multiclass_perceptron
from lossmith.surrogates.families.margin_rescaling import margin_rescaling as margin_rescaling
from lossmith.surrogates.families.slack_rescaling import slack_rescaling as slack_rescaling
from lossmith.surrogates.families.weighted_weston_watkins import weighted_weston_watkins as weighted_weston_watkins
from lossmith.surrogates.families.max_min_margin import max_min_margin as max_min_margin
from lossmith.surrogates.families.restricted_max_margin import restricted_max_margin as restricted_max_margin
from lossmith.surrogates.families.gain_weighted import gain_weighted as gain_weighted
from lossmith.surrogates.families.weighted_all_pairs_hinge import weighted_all_pairs_hinge as weighted_all_pairs_hinge
from lossmith.surrogates.families.one_sided_hinge import one_sided_hinge as one_sided_hinge
from lossmith.surrogates.families.absolute_cost_regression import absolute_cost_regression as absolute_cost_regression
from lossmith.surrogates.families.cascade_hinge import cascade_hinge as cascade_hinge
from lossmith.surrogates.families.margin_lee_lin_wahba import margin_lee_lin_wahba as margin_lee_lin_wahba
from lossmith.surrogates.families.uneven_margin_hinge import uneven_margin_hinge as uneven_margin_hinge
from lossmith.surrogates.families.cost_sensitive_svm import cost_sensitive_svm as cost_sensitive_svm
from lossmith.surrogates.families.immediate_threshold_hinge import (
    immediate_threshold_hinge as immediate_threshold_hinge,
)
from lossmith.surrogates.families.cost_all_threshold_hinge import cost_all_threshold_hinge as cost_all_threshold_hinge
from lossmith.surrogates.families.fixed_threshold_hinge import fixed_threshold_hinge as fixed_threshold_hinge
from lossmith.surrogates.families.adversarial_ordinal import adversarial_ordinal as adversarial_ordinal
from lossmith.surrogates.families.pinball import pinball as pinball
from lossmith.surrogates.families.partial_label_hinge import partial_label_hinge as partial_label_hinge
from lossmith.surrogates.families.superset_hinge import superset_hinge as superset_hinge
from lossmith.surrogates.families.bartlett_wegkamp import bartlett_wegkamp as bartlett_wegkamp
from lossmith.surrogates.families.asymmetric_reject_hinge import asymmetric_reject_hinge as asymmetric_reject_hinge
from lossmith.surrogates.families.bent_simplex_hinge import bent_simplex_hinge as bent_simplex_hinge
from lossmith.surrogates.families.reject_margin import reject_margin as reject_margin
from lossmith.surrogates.families.rejection_max_hinge import rejection_max_hinge as rejection_max_hinge
from lossmith.surrogates.families.rejection_plus_hinge import rejection_plus_hinge as rejection_plus_hinge
from lossmith.surrogates.families.rejection_exponential import rejection_exponential as rejection_exponential
from lossmith.surrogates.families.augmented_reject import augmented_reject as augmented_reject
from lossmith.surrogates.families.adversarial_abstain import adversarial_abstain as adversarial_abstain
from lossmith.surrogates.families.pairwise_reject_hinge import pairwise_reject_hinge as pairwise_reject_hinge
from lossmith.surrogates.families.defer_hinge import defer_hinge as defer_hinge
from lossmith.surrogates.families.defer_one_vs_all_hinge import defer_one_vs_all_hinge as defer_one_vs_all_hinge
from lossmith.surrogates.families.top_k_hinge_alpha import top_k_hinge_alpha as top_k_hinge_alpha
from lossmith.surrogates.families.top_k_hinge_beta import top_k_hinge_beta as top_k_hinge_beta
from lossmith.surrogates.families.top_k_hinge_averaged import top_k_hinge_averaged as top_k_hinge_averaged
from lossmith.surrogates.families.top_k_max_min import top_k_max_min as top_k_max_min
from lossmith.surrogates.families.top_k_hypersimplex import top_k_hypersimplex as top_k_hypersimplex
from lossmith.surrogates.families.tag_hypersimplex import tag_hypersimplex as tag_hypersimplex
from lossmith.surrogates.families.owa_hinge import owa_hinge as owa_hinge
from lossmith.surrogates.families.lovasz_hinge import lovasz_hinge as lovasz_hinge
from lossmith.surrogates.families.lovasz_hinge_jaccard import lovasz_hinge_jaccard as lovasz_hinge_jaccard
from lossmith.surrogates.families.structured_tag_hinge import structured_tag_hinge as structured_tag_hinge
from lossmith.surrogates.families.label_ranking_hinge import label_ranking_hinge as label_ranking_hinge
from lossmith.surrogates.families.svm_map import svm_map as svm_map
from lossmith.surrogates.families.interval_pinball import interval_pinball as interval_pinball
from lossmith.surrogates.families.tagwise_reject_hinge import tagwise_reject_hinge as tagwise_reject_hinge

CATALOGUE = families_in(globals(), "lossmith.surrogates.families")
ALIASES = {alias: each for each in CATALOGUE for alias in each.aliases}
globals().update(ALIASES)  # so that lm.surrogates.structured_svm is margin_rescaling

if not TYPE_CHECKING:  # a type checker reads the lines above
    __all__ = ["CATALOGUE"]
    __all__ += [each.name for each in CATALOGUE]

    def __getattr__(name: str) -> object:
        from lossmith.surrogates.in_print import told_of

        raise AttributeError(told_of(name) or f"module {__name__!r} has no attribute {name!r}")
