"""Surrogates made for a loss: each is calibrated for it by a theorem, and `lm.check` proves the instance."""
