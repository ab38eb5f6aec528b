"""Values and gradients of polyhedral surrogates in exact arithmetic, straight from the definition."""

from __future__ import annotations

from fractions import Fraction


def value_and_gradient(surrogate, u, y):
    """ψ_y(u), and its gradient where it exists, else None; u is a tuple of fractions."""
    value, gradient = Fraction(0), [Fraction(0)] * surrogate.dim
    smooth = True
    for maximum in surrogate.terms[y]:
        heights = [b + sum(x * z for x, z in zip(a, u, strict=True)) for b, *a in maximum]
        value += max(heights)
        active = {tuple(a) for (_, *a), height in zip(maximum, heights, strict=True) if height == max(heights)}
        smooth = smooth and len(active) == 1
        gradient = [x + z for x, z in zip(gradient, min(active), strict=True)]
    return value, tuple(gradient) if smooth else None


def dyadic(generator, rows, dim, denominator):
    """Random points whose coordinates floats hold exactly."""
    return [tuple(Fraction(int(x), denominator) for x in row) for row in generator.integers(-64, 65, (rows, dim))]
