"""Polyhedra and linear programs over the rationals. The only layer that knows HiGHS."""
