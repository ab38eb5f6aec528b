"""What the factors of a loss prove of CCdim, whatever its family."""

from __future__ import annotations

from dataclasses import replace

from lossmith.dimension.bounds import Bound
from lossmith.dimension.eq_affdim_of_factors import Factors, eq_affdim_of_factors
from lossmith.dimension.eq_labels_of_guesses import eq_labels_of_guesses
from lossmith.dimension.ge_affdim_of_ties import ge_affdim_of_ties
from lossmith.dimension.ge_ties_of_tree import ge_ties_of_tree
from lossmith.dimension.le_depths_of_tree import le_depths_of_tree
from lossmith.errors import BadInput
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.families.sets.recall_at import RecallAt
from lossmith.losses.families.sets.top_k_costs import TopKCosts
from lossmith.losses.families.sets.tree_distance import TreeDistance
from lossmith.losses.ranking.ranking_loss import RankingLoss
from lossmith.losses.sets.set_loss import TiedSetLoss


def of_factors(loss: FactoredLoss) -> list[Bound]:
    """Bounds from above and, where the family knows predictions that tie, from below.

    >>> from lossmith.losses import f_measure, ndcg
    >>> [len(of_factors(loss)) for loss in (ndcg(3), f_measure(3))]
    [3, 2]
    """
    if isinstance(loss, RankingLoss):
        return eq_affdim_of_factors(loss)
    if isinstance(loss, TiedSetLoss):
        return ge_affdim_of_ties(loss)
    if isinstance(loss, TreeDistance):
        return [le_depths_of_tree(loss), ge_ties_of_tree(loss)]
    if isinstance(loss, TopKCosts):
        return eq_labels_of_guesses(loss)
    if isinstance(loss, RecallAt):
        told = Factors(loss.twin, told=loss)
        return [replace(each, loss=loss, evidence=told) for each in eq_affdim_of_factors(loss.twin)]
    raise BadInput(f"{loss.name} is of no kind whose factors bound CCdim; write it down: .matrix()")
