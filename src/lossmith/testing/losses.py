"""What every family of losses promises."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from lossmith.analysis.affine_dimension import affdim
from lossmith.answers.bounding import ccdim
from lossmith.certificates.certificate import verify
from lossmith.errors import BadInput
from lossmith.families import Family
from lossmith.losses.matrix import LossMatrix
from lossmith.testing.promises import COMMON, members, require, run


def check_loss(family: Family[..., Any]) -> None:
    """Check that a family of losses keeps what every family promises; what fails is told by name, in one line.

    It is documented, cited and pickled; sizes and names are those of its members; what it tells of n labels is true;
    files give the loss back; shifts of rows, orders of predictions and scales change what they should; factors are
    those of the matrix; and the dimension of its first small instance has certificates that are accepted.

    >>> from lossmith.families import at_least, family
    >>> from lossmith.losses import zero_one
    >>> check_loss(zero_one)
    >>> @family(cite="folklore", small=(), size=lambda n: (n, n))
    ... def mine(n: int) -> LossMatrix:
    ...     '''1 if it is wrong.
    ...
    ...     >>> mine(2)
    ...     '''
    >>> check_loss(mine)
    Traceback (most recent call last):
    lossmith.errors.BadFamily: mine fails the check 'documented' of losses: cite is 'folklore'; give a label of ...
    """
    run(family, "losses", (*COMMON, of_size, filed, invariant, factored, dimension))


def of_size(family: Family[..., Any]) -> None:
    """The members that it declares for n labels have n labels, if there are any."""
    for n in (2, 3, 4):
        for given in family.of_size(n):
            try:
                found = family.size(**given)[0]
            except BadInput:
                continue  # there is no such member
            require(found == n, f"of_size({n}) names {dict(given)}, which has {found} labels")


def filed(family: Family[..., Any]) -> None:
    """Tables and JSON give the loss back, and it prints a line for each label."""
    with tempfile.TemporaryDirectory() as folder:
        table, text = Path(folder, "loss.csv"), Path(folder, "loss.json")
        for loss in _matrices(family):
            loss.to_csv(table)
            loss.to_json(text)
            same = LossMatrix.from_csv(table).entries == loss.entries
            require(same, f"{loss.name} comes back changed from a table; name labels and predictions on one line each")
            require(LossMatrix.from_json(text) == loss, f"{loss.name} comes back changed from JSON")


def invariant(family: Family[..., Any]) -> None:
    """Constants added to rows, another order of the predictions, and factors of rows change what they should."""
    for loss in _matrices(family):
        offsets, factors = list(range(loss.n)), [Fraction(y + 1) for y in range(loss.n)]
        shifted, turned = loss.shift_rows(offsets), loss.restrict(predictions=loss.predictions[::-1])
        scaled = loss.scale_rows(factors)
        dimension = affdim(loss)
        require(affdim(shifted) == dimension, f"a shift of rows changes the affine dimension of {loss.name}")
        require(affdim(turned) == dimension, f"the order of predictions changes the affine dimension of {loss.name}")
        for p in distributions(loss.n):
            best = loss.optimal_predictions(p)
            require(shifted.optimal_predictions(p) == best, f"a shift of rows changes decisions of {loss.name} at {p}")
            back = tuple(sorted(loss.k - 1 - t for t in turned.optimal_predictions(p)))
            require(back == best, f"another order of predictions changes decisions of {loss.name} at {p}")
            moved = [weight / factor for weight, factor in zip(p, factors, strict=True)]
            there = [weight / sum(moved) for weight in moved]
            require(scaled.optimal_predictions(there) == best, f"factors of rows misplace decisions of {loss.name}")


def factored(family: Family[..., Any]) -> None:
    """The matrix that factors give has the losses of single pairs, and decoding the means finds the least risk."""
    for _, loss in members(family):
        if loss.factored is None:
            continue
        entries = loss.matrix().entries
        labels, predictions = list(loss.each_label()), list(loss.each_prediction())
        require((len(labels), len(predictions)) == (loss.n, loss.k), f"{loss.name} lists other labels or predictions")
        for y, row in zip(labels, entries, strict=True):
            same = all(loss.loss(y, t) == entry for t, entry in zip(predictions, row, strict=True))
            require(same, f"{loss.name} has other losses by pairs than by factors at {y}")
        for p in distributions(loss.n):
            offset, x = loss.mean(p)
            found = loss.decode([float(each) for each in x])
            least = float(min(loss.risk(p)) - offset)
            near = abs(float(found.values) - least) <= 1e-9 * (1 + abs(least))
            require(near or not found.exact, f"decoding of {loss.name} is declared exact and misses the least risk")


def dimension(family: Family[..., Any]) -> None:
    """Both bounds on the dimension of the first small instance have certificates that are accepted."""
    bounds = ccdim(family(**family.small[0]))
    for bound in (bounds.lower, bounds.upper):
        if bound.certificate is not None:
            answer = verify(bound.certificate)
            require(answer.accepted, f"the certificate of {bound} is refused: {answer.why}")


def distributions(n: int) -> list[list[Fraction]]:
    """A few distributions of n labels: even, leaning, and without some of the labels."""
    weights = [[1] * n, list(range(1, n + 1)), [(3 * y + 1) % 5 for y in range(n)], [2**y for y in range(n)]]
    return [[Fraction(weight, sum(row)) for weight in row] for row in weights]


def _matrices(family: Family[..., Any]) -> Iterator[LossMatrix]:
    return (loss.matrix() for _, loss in members(family))
