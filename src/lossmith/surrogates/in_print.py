"""Names in print that are no family here: what is not convex, with what to use instead, and members of other families.

Calibration is decided here for convex surrogates. Some of these are consistent nevertheless; but the risk may have
other local minima, and no rule here proves anything about them.
"""

from __future__ import annotations

REFUSED: dict[str, tuple[str, str]] = {
    "ramp": ("min(1, (1 − z)₊) is bounded, so no convex function of the score", "smooth_crammer_singer or softmax"),
    "truncated_hinge": ("the hinge is cut off (Wu & Liu 2007)", "lee_lin_wahba or smooth_crammer_singer"),
    "psi_learning": ("it is constant for negative margins (Liu & Shen 2006)", "lee_lin_wahba"),
    "rho_margin": ("min(1, (1 − z/ρ)₊) is bounded", "lee_lin_wahba, adversarial_zero_one or softmax"),
    "focal": ("−(1 − q_y)^γ log q_y is not convex in the scores (Lin et al. 2017)", "softmax, weighted by class"),
    "generalised_cross_entropy": (
        "(1 − q_y^α)/α is comp_sum beyond τ = 1 (Zhang & Sabuncu 2018)",
        "comp_sum with τ ≤ 1",
    ),
    "mean_absolute_error": ("1 − q_y is comp_sum at τ = 2 (Ghosh et al. 2017)", "comp_sum with τ ≤ 1"),
    "bi_tempered": ("its logarithm is bounded (Amid et al. 2019)", "entmax or softmax"),
    "savage": ("1/(1 + e^{2z})² is bounded (Masnadi-Shirazi & Vasconcelos 2008)", "one_vs_all or softmax"),
    "tangent": ("(2 arctan z − 1)² is bounded (Masnadi-Shirazi et al. 2010)", "one_vs_all or softmax"),
    "sigmoid_loss": ("1/(1 + e^z) is bounded", "one_vs_all_logistic or softmax"),
    "truncated_top_k_entropy": (
        "the k largest scores are left out of the sum (Lapin et al. 2016)",
        "softmax, which is right for top-k",
    ),
    "top_k_hinge_consistent": (
        "(1 + u_[k+1] − u_y)₊ is no convex function (ψ5 of Yang & Koyejo 2020)",
        "smooth_crammer_singer or softmax",
    ),
    "smooth_top_k": (
        "the sum over k-subsets is divided by another (Berrada et al. 2018)",
        "softmax, which is right for top-k",
    ),
    "lovasz_softmax": (
        "softmax within Lovász' extension is not convex in u (Berman et al. 2018)",
        "square on the loss, or softmax",
    ),
    "asymmetric_softmax": ("the defer score has a probability of its own (Cao et al. 2023)", "defer_softmax"),
    "realizable_defer": ("−2 log(q_y + b q_n) is not convex (Mozannar et al. 2023)", "defer_softmax"),
    "predictor_rejector": (
        "a product of functions of two scores (Mao, Mohri & Zhong 2024)",
        "abstain_one_vs_all or augmented_softmax",
    ),
    "multiplicative_pairwise_reject": ("a product of functions of two scores (Ni et al. 2019)", "augmented_softmax"),
    "double_ramp": ("it is bounded (Manwani et al. 2015)", "abstain_one_vs_all or binary_encoded"),
}
_ALIASES = {
    "ramp_loss": "ramp",
    "focal_loss": "focal",
    "gce": "generalised_cross_entropy",
    "generalized_cross_entropy": "generalised_cross_entropy",
    "mae": "mean_absolute_error",
    "bitempered": "bi_tempered",
    "bi_tempered_logistic": "bi_tempered",
    "savage_loss": "savage",
    "tangent_loss": "tangent",
    "psi5": "top_k_hinge_consistent",
    "top_k_psi5": "top_k_hinge_consistent",
    "double_sigmoid": "double_ramp",
    "mpc": "multiplicative_pairwise_reject",
}
_MEMBERS = {
    "adaboost_mr": "comp_sum at τ = 0, of scores twice as small (Schapire & Singer 1999); write comp-sum:n=3,tau=0",
    "ordinal_crammer_singer": "margin_rescaling of ordinal; write margin-rescaling:loss=(ordinal:n=3)",
    "confidence_reject": "one_vs_all or softmax, asked with --pred decide (Ni et al. 2019)",
    "cube_projection": "binary_relevance at 2u − 1 (Blondel 2019); write binary-relevance:r=2,phi=modified-huber",
    "pairwise_logistic": "pairwise_loss (RankNet); write pairwise-loss:ranking=(ndcg:r=3),phi=logistic",
    "ranknet": "pairwise_loss; write pairwise-loss:ranking=(ndcg:r=3),phi=logistic",
    "pairwise_exponential": "pairwise_loss (RankBoost); write pairwise-loss:ranking=(ndcg:r=3),phi=exponential",
    "rankboost": "pairwise_loss; write pairwise-loss:ranking=(ndcg:r=3),phi=exponential",
    "net_preference_regression": "gain_regression (Duchi, Mackey & Jordan 2010); write "
    "gain-regression:ranking=(pairwise-disagreement:r=3)",
    "standardised_template": "regression on a metric's own gains (Buffoni et al. 2011); write "
    "gain-regression:ranking=(dcg:r=3), or lossmith design ndcg:r=3",
    "cost_weighted": "cost_weighted_hinge or, smooth, cost_weighted_loss; write cost-weighted-loss:loss=costs.csv",
    "fenchel_young": "softmax, sparsemax, entmax:alpha=3/2, class_probability or permutahedron_projection",
    "gll": "guess_averse with a logarithm (Beijbom et al. 2014); write guess-averse:loss=costs.csv,form=logistic",
    "gel": "guess_averse with exponentials (Beijbom et al. 2014); write guess-averse:loss=costs.csv",
    "orboost": "all_threshold (Lin & Li 2006); write all-threshold:n=4,phi=exponential",
    "gamma_phi": "sum_loss with γ(t) = t, comp_sum with φ = e^−z (Wang & Scott 2023)",
}


def told_of(name: str) -> str | None:
    """Why no surrogate of this name is made, or which family has it; None if the name is not one of those.

    >>> told_of("mae")
    'mean_absolute_error is not convex: 1 − q_y is comp_sum at τ = 2 (Ghosh et al. 2017); use comp_sum with τ ≤ 1'
    >>> told_of("rankboost")
    'rankboost is pairwise_loss; write pairwise-loss:ranking=(ndcg:r=3),phi=exponential'
    >>> told_of("softmax")
    """
    plain = name.strip().replace("-", "_").lower()
    known = _ALIASES.get(plain, plain)
    if known in _MEMBERS:
        return f"{known} is {_MEMBERS[known]}"
    if known not in REFUSED:
        return None
    reason, instead = REFUSED[known]
    return f"{known} is not convex: {reason}; use {instead}"
