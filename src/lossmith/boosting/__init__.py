"""Objectives for gradient boosting: what LightGBM and XGBoost ask of a loss, for the smooth surrogates."""

from __future__ import annotations

from lossmith.boosting.objectives import Objective, lightgbm_objective, xgboost_objective

__all__ = ["Objective", "lightgbm_objective", "xgboost_objective"]
