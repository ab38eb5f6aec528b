"""The catalogue of loss matrices: one file and one line per family."""

from __future__ import annotations

from typing import Any

from lossmith.families import Family
from lossmith.losses.abstain import abstain, add_abstain
from lossmith.losses.cost_sensitive_binary import cost_sensitive_binary
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.hamming import hamming
from lossmith.losses.hierarchical import hierarchical
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.ordinal import ordinal
from lossmith.losses.ranking import (
    RANKING,
    dcg,
    expected_reciprocal_rank,
    kendall_tau,
    mean_average_precision,
    ndcg,
    pairwise_disagreement,
    precision_at,
    spearman_footrule,
    spearman_rho,
)
from lossmith.losses.top_k import top_k
from lossmith.losses.zero_one import zero_one

CATALOGUE: tuple[Family[..., Any], ...] = (
    zero_one,
    ordinal,
    hamming,
    abstain,
    cost_sensitive_binary,
    top_k,
    hierarchical,
)

__all__ = [
    "CATALOGUE",
    "RANKING",
    "FactoredLoss",
    "LossMatrix",
    "abstain",
    "add_abstain",
    "cost_sensitive_binary",
    "dcg",
    "expected_reciprocal_rank",
    "hamming",
    "hierarchical",
    "kendall_tau",
    "mean_average_precision",
    "ndcg",
    "ordinal",
    "pairwise_disagreement",
    "precision_at",
    "spearman_footrule",
    "spearman_rho",
    "top_k",
    "zero_one",
]
