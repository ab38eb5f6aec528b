"""Exact arithmetic: rationals in, rationals out. The only layer that sees python-flint."""
