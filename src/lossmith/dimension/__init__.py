"""Bounds on the convex calibration dimension: one file per theorem, named by its conclusion."""
