"""Losses beside those of the catalogue: one file for each."""
