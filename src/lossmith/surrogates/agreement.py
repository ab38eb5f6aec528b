"""What a smooth surrogate declares, against what its values show at fixed pseudo-random points.

Agreement proves nothing; disagreement is a mistake, and is refused before a verdict can rest on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from lossmith.errors import BadSurrogate
from lossmith.surrogates.descent import descend

if TYPE_CHECKING:
    import numpy as np

    from lossmith.surrogates.smooth import SmoothSurrogate
    from lossmith.surrogates.traits import Order

    Array: TypeAlias = np.ndarray[Any, Any]

_STEP = 2.0**-17  # of a central difference; the points are multiples of 2^−16, so that u ± step is exact
_SEED = 2016
_TOGETHER = 10**4  # numbers of a gradient times points, asked about in one call


def check_declared(psi: SmoothSurrogate) -> None:
    """Refuse a surrogate whose values, slopes or traits disagree with each other."""
    import numpy as np

    entries = psi.n * psi.dim
    points = _points(psi.dim, min(24, max(2, 10**6 // entries)))
    with np.errstate(all="ignore"):  # what overflows is refused by name
        together = max(2, _TOGETHER // entries)  # a function of one row would not be found out by one
        for first in range(0, len(points), together):
            _check_slopes(psi, points[first : first + together])
        few = 3 if entries <= 10**3 else 1
        for u in points[: few if entries <= 10**4 else 0]:
            _check_exact_slope(psi, u)
        if psi.traits.convex and entries <= 10**4:
            _check_tangents(psi, points)
        drawn = np.random.default_rng(_SEED).dirichlet(np.ones(psi.n), few)
        for p in drawn:
            _check_minimizers(psi, p)
        if psi.traits.order is not None:
            _check_order(psi, psi.traits.order, drawn[0])
        _check_divergence(psi, points, drawn)
        _check_form(psi, points[:few])
        _check_together(psi, points)
        _check_subgradients(psi, points)
        _check_at_logs(psi)
        _check_along(psi, points)
        _check_separate(psi, points)
        _check_monotone(psi, points)
        _check_margin(psi, points)


def _points(dim: int, count: int) -> Array:
    """Points near 0 and farther out, without multiples of 2^−15 and equal scores, where kinks are likely."""
    import numpy as np

    scales = np.resize([0.25, 1.0, 4.0], (count, 1))
    drawn = np.random.default_rng(_SEED).standard_normal((count, dim)) * scales
    points: Array = (np.floor(2**15 * drawn) + 0.5) / 2**15
    return points


def _check_slopes(psi: SmoothSurrogate, points: Array) -> None:
    """Values finite and not negative, and the gradient that of the values, along at most 16 coordinates."""
    import numpy as np

    along = np.arange(psi.dim)
    if psi.dim > 16:
        along = np.random.default_rng(_SEED).permutation(psi.dim)[:16]
    steps = np.zeros((2 * len(along) + 1, psi.dim))  # none, forwards, backwards
    steps[np.arange(len(along)) + 1, along] = _STEP
    steps[len(along) + 1 :] = -steps[1 : len(along) + 1]
    blocks = points[:, None, :] + steps
    values = psi.evaluate(blocks.reshape(-1, psi.dim)).reshape(*blocks.shape[:2], psi.n)
    for u, around, slope in zip(points, values, psi.gradient(points), strict=True):
        _check_slope(psi, u, around, slope[:, along], along)


def _check_slope(psi: SmoothSurrogate, u: Array, values: Array, declared: Array, along: Array) -> None:
    """The same at one point, of which the values there and around it are known."""
    import numpy as np

    highest = np.abs(values).max()
    for y in np.flatnonzero(~np.isfinite(values[0]) | (values[0] < -1e-12 * highest)):
        raise BadSurrogate(
            f"{psi.name} is {values[0, y]:.6g} at y = {y}, u = {_shown(u)}; a surrogate must be finite and at least 0"
        )
    measured = ((values[1 : len(along) + 1] - values[len(along) + 1 :]) / (2 * _STEP)).T
    size = np.maximum(np.abs(declared), np.abs(measured)).max(axis=1, keepdims=True)
    agree = np.isfinite(declared) & (np.abs(declared - measured) <= 1e-4 * size + 1e-9 * highest)
    for y, j in np.argwhere(~agree):
        raise BadSurrogate(
            f"{psi.name}: at y = {y}, u = {_shown(u)} the slope along u_{along[j]} is declared {declared[y, j]:.6g} "
            f"and measured {measured[y, j]:.6g}; slope must return the gradient of value"
        )


def _check_exact_slope(psi: SmoothSurrogate, u: Array) -> None:
    import numpy as np

    if psi.exact_slope is None:
        return
    exact = psi.exact_slope(tuple(map(Fraction, u.tolist())))
    lengths = sorted({len(row) for row in exact})
    if len(exact) != psi.n or lengths != [psi.dim]:
        raise BadSurrogate(
            f"the exact slope of {psi.name} has {len(exact)} rows of length {lengths}; expected {psi.n} of {psi.dim}"
        )
    declared, rounded = psi.gradient(u[None])[0], np.array([[float(x) for x in row] for row in exact])
    for y, j in np.argwhere(~(np.abs(declared - rounded) <= 1e-9 * (1 + np.abs(declared)))):
        raise BadSurrogate(
            f"{psi.name}: at y = {y}, u = {_shown(u)} the slope along u_{j} is declared {declared[y, j]:.6g} and "
            f"exactly {rounded[y, j]:.6g}; slope and exact_slope must agree"
        )


def _check_tangents(psi: SmoothSurrogate, points: Array) -> None:
    """A convex function lies nowhere below a tangent."""
    import numpy as np

    values = psi.evaluate(points)
    for u, height, slope in zip(points, values, psi.gradient(points), strict=True):
        rise = (points - u) @ slope.T
        tolerance = 1e-9 * (np.abs(height) + np.abs(rise) + np.abs(values))
        for other, y in np.argwhere(values - height - rise < -tolerance):
            raise BadSurrogate(
                f"{psi.name} is not convex: ψ_{y} at u = {_shown(points[other])} is {values[other, y]:.6g}, below its "
                f"tangent at u = {_shown(u)}; declare Traits(convex=False)"
            )


def _check_minimizers(psi: SmoothSurrogate, p: Array) -> None:
    """The closed forms are stationary, and strictly proper surrogates give p back at the minimum."""
    import numpy as np

    forms = dict(psi.closed_forms(p))
    for what, u in forms.items():
        slopes = psi.gradient(u[None])[0]
        if not np.abs(p @ slopes).max() <= 1e-6 * np.abs(slopes).max() + 1e-9:
            raise BadSurrogate(
                f"{psi.name}: u = {_shown(u)}, declared by {what} to minimise p·ψ at p = {_shown(p)}, does not: the "
                f"slope there is {_shown(p @ slopes)}"
            )
    if psi.traits.proper is None:
        return
    if "link" in forms:
        u = forms["link"]
    else:
        u = descend(lambda v: (float(p @ psi.evaluate(v[None])[0]), p @ psi.gradient(v[None])[0]), psi.dim)
    read = psi.probabilities(u[None])[0]
    if not np.abs(read - p).max() <= 1e-4:
        raise BadSurrogate(
            f"{psi.name} is not strictly proper: p = {_shown(p)} is minimised at u = {_shown(u)}, where probabilities "
            f"gives {_shown(read)}"
        )


def _check_divergence(psi: SmoothSurrogate, points: Array, drawn: Array) -> None:
    """The regret is nowhere below the divergence, and it is the divergence where the risk of another p is least."""
    import numpy as np

    found = [next((u for _, u in psi.closed_forms(p)), None) for p in drawn]
    best = np.array([u for u in found if u is not None])
    if psi.traits.divergence is None or len(best) < len(drawn):
        return
    scores = np.concatenate([best, points])
    told = psi.estimates(scores) if psi.traits.proper is None else psi.probabilities(scores)
    mean = psi.traits.mean if psi.traits.proper is None and psi.traits.divergence == "half square" else None
    rows = None if mean is None else np.array([[float(x) for x in row] for row in mean])
    q, values = told if mean is not None else told / told.sum(axis=1, keepdims=True), psi.evaluate(scores)
    for number, p in enumerate(drawn):
        regrets = values @ p - values[number] @ p
        if psi.traits.divergence == "half square":
            declared = (((p if rows is None else p @ rows) - q) ** 2).sum(axis=1) / 2
        else:
            declared = (p * np.log(p / np.maximum(q, np.finfo(float).tiny))).sum(axis=1)
        wrong = regrets < declared - 1e-6 * (1 + regrets)
        wrong[: len(best)] |= np.abs(regrets - declared)[: len(best)] > 1e-6
        for i in np.flatnonzero(wrong):
            raise BadSurrogate(
                f"{psi.name}: at p = {_shown(p)}, u = {_shown(scores[i])} the regret is {regrets[i]:.6g}, and the "
                f"divergence ({psi.traits.divergence}) that it declares {declared[i]:.6g}"
            )


def _check_order(psi: SmoothSurrogate, order: Order, p: Array) -> None:
    """Where the risk is least, scores compare as the order says."""
    import numpy as np

    u = descend(lambda v: (float(p @ psi.evaluate(v[None])[0]), p @ psi.gradient(v[None])[0]), psi.dim)
    x = p @ np.array([[float(entry) for entry in row] for row in order.rows])
    if order.kind == "signs":
        wrong = bool((u * np.sign(x) < -1e-6).any())
    elif order.kind == "order":
        wrong = bool((np.diff(u[np.argsort(x)]) < -1e-6).any())
    elif order.kind == "first":
        falling = np.argsort(-x)
        wrong = bool(u[falling[: order.count]].min() < u[falling[order.count :]].max() - 1e-6)
    else:
        end = np.argmax if order.kind == "largest" else np.argmin
        wrong = bool(end(u) != end(x))
    if wrong:
        raise BadSurrogate(
            f"{psi.name} does not keep the {order.kind} that it declares: p = {_shown(p)} is minimised at u = "
            f"{_shown(u)}, and x = {_shown(x)}"
        )


def _check_together(psi: SmoothSurrogate, points: Array) -> None:
    """Far out along the direction, ψ_y is nowhere seen smaller for any of the labels."""
    import numpy as np

    least = psi.evaluate(points).min(axis=0)
    for each in psi.traits.together:
        far = psi.evaluate(np.array([[500 * float(x) for x in each.direction]]))[0]
        for y in each.labels:
            if far[y] > least[y] + 1e-9 * (1 + abs(least[y])):
                raise BadSurrogate(
                    f"{psi.name}: ψ_{y} does not tend to its infimum along ({', '.join(map(str, each.direction))}): it "
                    f"is {far[y]:.6g} far out, and {least[y]:.6g} elsewhere"
                )


def _check_subgradients(psi: SmoothSurrogate, points: Array) -> None:
    """At 0, a convex function lies nowhere below what its subgradients say."""
    found = None if psi.subgradients is None else psi.subgradients((Fraction(0),) * psi.dim)
    if found is not None:
        _check_below(psi, points, (Fraction(0),) * psi.dim, found, "a subgradient that it declares")


def _check_along(psi: SmoothSurrogate, points: Array) -> None:
    """Half-way from 0 along some axes, likewise with the means of the gradients at both ends."""
    zero = (Fraction(0),) * psi.dim
    for axis in range(min(psi.dim, 3)) if psi.along is not None else ():
        assert psi.along is not None
        found = psi.along(zero, tuple(Fraction(i == axis) for i in range(psi.dim)))
        if found is not None:
            end, near, far = found
            means = [
                [[(x + z) / 2 for x, z in zip(g, h, strict=True)] for g, h in zip(*each, strict=True)]
                for each in zip(near, far, strict=True)
            ]
            _check_below(psi, points, tuple(x / 2 for x in end), means, "a subgradient that along declares")


def _check_separate(psi: SmoothSurrogate, points: Array) -> None:
    """The slope along a score does not change with the others."""
    import numpy as np

    if not psi.traits.separate:
        return
    slopes = psi.gradient(points)
    for i in range(min(psi.dim, 16)):
        moved = np.roll(points, 1, axis=0)
        moved[:, i] = points[:, i]
        if not np.allclose(psi.gradient(moved)[:, :, i], slopes[:, :, i], rtol=1e-9, atol=1e-9):
            raise BadSurrogate(f"{psi.name} declares separate, but its slope along u_{i} depends on other scores")


def _check_below(
    psi: SmoothSurrogate, points: Array, u: tuple[Fraction, ...], slopes: Sequence[Sequence[Any]], what: str
) -> None:
    import numpy as np

    at = np.array([float(x) for x in u])
    start, values = psi.evaluate(at[None])[0], psi.evaluate(points)
    for y, each in enumerate(slopes):
        rises = (points - at) @ np.array([[float(x) for x in row] for row in each]).T
        if (values[:, y, None] < start[y] + rises - 1e-9 * (1 + abs(rises))).any():
            raise BadSurrogate(f"{psi.name}: from u = {_shown(at)} ψ_{y} lies below {what}")


def _check_at_logs(psi: SmoothSurrogate) -> None:
    """At u = s log 2 single gradients are those of the values."""
    import numpy as np

    for sign in (1, -1):
        s = [sign * psi.dim * ((i == 0) - (i == psi.dim - 1)) for i in range(psi.dim)]
        found = None if psi.at_logs is None else psi.at_logs(tuple(map(Fraction, s)))
        if found is None or any(len(each) > 1 for each in found):
            continue
        u = np.array(s) * np.log(2)
        declared = np.array([[float(x) for x in each[0]] for each in found])
        if not np.allclose(declared, psi.gradient(u[None])[0], rtol=1e-9, atol=1e-9):
            raise BadSurrogate(f"{psi.name}: at u = {_shown(u)} slope and at_logs must agree, and do not")


def _check_form(psi: SmoothSurrogate, points: Array) -> None:
    """Torch and boosting would train what the form says."""
    import numpy as np

    if psi.form is None:
        return
    lengths = {len(row) for row in psi.form.rows}
    if len(psi.form.rows) != psi.n or len(psi.form.weights) != psi.n or lengths != {psi.dim}:
        raise BadSurrogate(f"{psi.name}: its form must have {psi.n} rows of {psi.dim} numbers, and a weight for each")
    values, said = psi.evaluate(points), psi.form.values(points)
    for i, y in np.argwhere(~(np.abs(values - said) <= 1e-9 * (1 + np.abs(values)))):
        raise BadSurrogate(
            f"{psi.name} is not of the form {psi.form.kind!r} that it declares: at y = {y}, u = {_shown(points[i])} it "
            f"is {values[i, y]:.6g}, and the form {said[i, y]:.6g}"
        )


def _check_monotone(psi: SmoothSurrogate, points: Array) -> None:
    import numpy as np

    if psi.traits.proper is None or not psi.traits.proper.monotone:
        return
    weights = np.array([float(w) for w in psi.traits.proper.weights or [1] * psi.n])
    for u, read in zip(points, psi.probabilities(points) * weights, strict=True):
        if (np.diff(read[np.argsort(u)]) < -1e-12 * weights.max()).any():
            raise BadSurrogate(
                f"{psi.name} is not monotone: at u = {_shown(u)} the probabilities {_shown(read)} are in another order"
            )


def _check_margin(psi: SmoothSurrogate, points: Array) -> None:
    """ψ_1(u) = ψ_0(−u), and the slope of ψ_0 at 0 is as declared on both sides, or differs if declared missing."""
    import numpy as np

    margin = psi.traits.margin
    if margin is None:
        return
    values, mirrored = psi.evaluate(points), psi.evaluate(-points)
    for i in np.flatnonzero(np.abs(values[:, 1] - mirrored[:, 0]) > 1e-9 * values.max(axis=1)):
        raise BadSurrogate(
            f"{psi.name} is no margin: at u = {_shown(points[i])} ψ_1 is {values[i, 1]:.6g}, and ψ_0 at −u is "
            f"{mirrored[i, 0]:.6g}"
        )
    if margin.differentiable:
        places = np.linspace(-3, 3, 61)[:, None]
        sides = psi.gradient(np.vstack([places - 1e-6, places + 1e-6]))[:, 0, 0].reshape(2, -1)
        for i in np.flatnonzero(np.abs(sides[0] - sides[1]) > 1e-2 * np.abs(sides).max()):
            raise BadSurrogate(
                f"{psi.name}: the slope of φ jumps from {sides[0, i]:.6g} to {sides[1, i]:.6g} at {places[i, 0]:.3g}; "
                f"declare differentiable=False"
            )
    minus, zero, plus, *apart = psi.evaluate([[-_STEP], [0], [_STEP], [-1], [1]])[:, 0]
    left, right = (zero - minus) / _STEP, (plus - zero) / _STEP
    size, declared = max(map(abs, (left, right, *apart))), margin.slope_at_zero
    kinked = declared is None or isinstance(declared, tuple)
    if kinked and abs(left - right) <= 1e-4 * size:
        raise BadSurrogate(
            f"{psi.name}: φ′(0) is declared missing and measured {left:.6g} from below and {right:.6g} from above; "
            f"give slope_at_zero"
        )
    below, above = declared if isinstance(declared, tuple) else (declared, declared)
    if below is None or above is None:
        return
    if not abs(left - float(below)) + abs(right - float(above)) <= 1e-2 * size:
        shown = f"({float(below):.6g}, {float(above):.6g})" if kinked else f"{float(below):.6g}"
        raise BadSurrogate(
            f"{psi.name}: φ′(0) is declared {shown} and measured {left:.6g} from below and {right:.6g} "
            f"from above; give slope_at_zero, or differentiable=False if it does not exist"
        )


def _shown(numbers: Array) -> str:
    some = [f"{x:.7g}" for x in numbers[:6].tolist()]
    return f"({', '.join(some)}{', …' if len(numbers) > 6 else ''})"
