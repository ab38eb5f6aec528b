"""Exact arithmetic: rationals in, rationals out. The only layer that knows python-flint's matrices."""
