"""Pools of probabilities that are trained in less time."""

from __future__ import annotations

import numpy as np
import pytest

from lossmith.learn import pool


@pytest.fixture
def without_folds(monkeypatch):
    """Pools hold nothing out: all members have the same weight, and each is trained once."""
    monkeypatch.setattr(pool, "held_out_rows", lambda codes, weights, random: np.zeros((0, len(codes))))


@pytest.fixture
def linear_members(monkeypatch):
    """Pools have only the members that are linear models of the features, and no pairs of classes."""
    make = pool.candidates
    monkeypatch.setattr(
        pool,
        "candidates",
        lambda *how: [each for each in make(*how) if each[0].startswith(("logistic", "proportional"))],
    )
