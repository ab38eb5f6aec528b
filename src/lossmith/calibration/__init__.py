"""Deciding whether a surrogate is calibrated for a loss: one file per rule."""
