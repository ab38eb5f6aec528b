"""Loss matrices and the catalogue of their families: one line for each, in the order of the tables."""

# ruff: noqa: I001
from __future__ import annotations

from typing import TYPE_CHECKING

from lossmith.families import families_in
from lossmith.losses.factored import FactoredLoss as FactoredLoss
from lossmith.losses.matrix import LossMatrix as LossMatrix
from lossmith.losses.families.abstain import add_abstain as add_abstain

from lossmith.losses.families.zero_one import zero_one as zero_one
from lossmith.losses.families.ordinal import ordinal as ordinal
from lossmith.losses.families.hamming import hamming as hamming
from lossmith.losses.families.abstain import abstain as abstain
from lossmith.losses.families.cost_sensitive_binary import cost_sensitive_binary as cost_sensitive_binary
from lossmith.losses.families.top_k import top_k as top_k
from lossmith.losses.families.hierarchical import hierarchical as hierarchical

from lossmith.losses.families.more.kappa_cost import kappa_cost as kappa_cost
from lossmith.losses.families.more.dead_zone import dead_zone as dead_zone
from lossmith.losses.families.more.capped import capped as capped
from lossmith.losses.families.more.newsvendor import newsvendor as newsvendor
from lossmith.losses.families.more.winkler import winkler as winkler
from lossmith.losses.families.more.reject_costs import reject_costs as reject_costs
from lossmith.losses.families.more.defer import defer as defer
from lossmith.losses.families.more.set_utility import set_utility as set_utility
from lossmith.losses.families.more.balanced_error import balanced_error as balanced_error
from lossmith.losses.families.more.superset import superset as superset
from lossmith.losses.families.more.ordered_partitions import ordered_partitions as ordered_partitions
from lossmith.losses.families.more.wu_palmer import wu_palmer as wu_palmer
from lossmith.losses.families.more.lca_height import lca_height as lca_height

from lossmith.losses.families.ranking.ndcg import ndcg as ndcg
from lossmith.losses.families.ranking.dcg import dcg as dcg
from lossmith.losses.families.ranking.precision_at import precision_at as precision_at
from lossmith.losses.families.ranking.mean_average_precision import mean_average_precision as mean_average_precision
from lossmith.losses.families.ranking.pairwise_disagreement import pairwise_disagreement as pairwise_disagreement
from lossmith.losses.families.ranking.expected_reciprocal_rank import (
    expected_reciprocal_rank as expected_reciprocal_rank,
)
from lossmith.losses.families.ranking.kendall_tau import kendall_tau as kendall_tau
from lossmith.losses.families.ranking.spearman_rho import spearman_rho as spearman_rho
from lossmith.losses.families.ranking.spearman_footrule import spearman_footrule as spearman_footrule

from lossmith.losses.families.sets.weighted_hamming import weighted_hamming as weighted_hamming
from lossmith.losses.families.sets.f_measure import f_measure as f_measure
from lossmith.losses.families.sets.recall_at import recall_at as recall_at
from lossmith.losses.families.sets.top_k_costs import top_k_costs as top_k_costs
from lossmith.losses.families.sets.jaccard import jaccard as jaccard
from lossmith.losses.families.sets.tversky import tversky as tversky
from lossmith.losses.families.sets.hamming_abstain import hamming_abstain as hamming_abstain
from lossmith.losses.families.sets.set_function import set_function as set_function
from lossmith.losses.families.sets.structured_abstain import structured_abstain as structured_abstain
from lossmith.losses.families.sets.tag_ranking import tag_ranking as tag_ranking
from lossmith.losses.families.sets.one_error import one_error as one_error
from lossmith.losses.families.sets.coverage import coverage as coverage
from lossmith.losses.families.sets.tree_distance import tree_distance as tree_distance

CATALOGUE = families_in(globals(), "lossmith.losses.families")
MORE = families_in(globals(), "lossmith.losses.families.more")
RANKING = families_in(globals(), "lossmith.losses.families.ranking")
SETS = families_in(globals(), "lossmith.losses.families.sets")
FAMILIES = (*CATALOGUE, *MORE, *RANKING, *SETS)

if not TYPE_CHECKING:  # a type checker reads the lines above
    __all__ = ["CATALOGUE", "FAMILIES", "MORE", "RANKING", "SETS", "FactoredLoss", "LossMatrix", "add_abstain"]
    __all__ += [each.name for each in FAMILIES]
