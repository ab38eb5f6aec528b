"""What every family of surrogates promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from lossmith.analysis.facts import Facts
from lossmith.answers.cataloguing import MARKS, decided, member_of_size
from lossmith.calibration.checking import check
from lossmith.calibration.remembering import certificate_text
from lossmith.calibration.verdicts import Calibrated, Surrogate
from lossmith.certificates.certificate import verify
from lossmith.errors import BadInput, UnknownName
from lossmith.families import Family, Published
from lossmith.losses import CATALOGUE as LOSSES
from lossmith.losses import zero_one
from lossmith.losses.factored import FactoredLoss
from lossmith.losses.matrix import LossMatrix
from lossmith.losses.named import loss_named
from lossmith.surrogates.members import fitting_surrogate
from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate
from lossmith.testing.losses import distributions
from lossmith.testing.promises import COMMON, is_cited, members, require, run

_SIZES = (2, 3, 4)


def check_surrogate(family: Family[..., Any]) -> None:
    """Check that a family of surrogates keeps what every family promises; what fails is told by name, in one line.

    It is documented, cited and pickled, with its formula; sizes and names are those of its members; it fits losses of
    its size; values are convex, not negative, and the same in floating point; preds decide wherever the surrogate is
    defined; a smooth surrogate has a form that torch and boosting can use, or says why not; verdicts have certificates
    that are accepted, and those that are published come out. Torch is asked where it is installed.

    >>> from lossmith.families import family
    >>> from lossmith.surrogates import absolute
    >>> check_surrogate(absolute)
    >>> check_surrogate(abs)
    Traceback (most recent call last):
    lossmith.errors.BadFamily: <built-in function abs> is no family; write @family(cite=…, small=…, size=…) above ...
    """
    run(family, "surrogates", (*COMMON, formula, fits, values, form, preds, torch, verdicts, published))


def formula(family: Family[..., Any]) -> None:
    """ψ_y(u) = … in LaTeX, with braces that close."""
    require(r"\psi_y(" in family.latex, r"latex has no formula; give one, such as r'\psi_y(u) = (1 - u_y)_+'")
    require(family.latex.count("{") == family.latex.count("}"), "latex has braces that do not close")


def fits(family: Family[..., Any]) -> None:
    """The member that it declares for a loss has as many labels, or there is none."""
    for loss in _losses():
        given = family.fits(loss)
        made = None if given is None else family(**given)
        require(made is None or made.n == loss.n, f"fits names {given} for {loss.name}, which has {loss.n} labels")


def values(family: Family[..., Any]) -> None:
    """ψ is convex and not negative, and floats agree with exact values."""
    for _, made in members(family):
        if isinstance(made, PolyhedralSurrogate):
            _polyhedral_values(made)
        elif isinstance(made, SmoothSurrogate):
            require(bool((made.evaluate(_floats(made)) >= 0).all()), f"{made.name} is negative somewhere")
        else:
            require(False, f"it makes {made!r}; make a PolyhedralSurrogate or a SmoothSurrogate")


def form(family: Family[..., Any]) -> None:
    """A smooth surrogate has a form, whose derivatives are those of its values, or says why it has none."""
    for _, made in members(family):
        if not isinstance(made, SmoothSurrogate):
            continue
        require(
            made.form is not None or bool(family.formless),
            f"{made.name} has no form, so torch is slow and boosting refuses it; give SmoothSurrogate(…, form=…), or "
            f"say why in @family(…, formless=…)",
        )
        if made.form is not None:
            _derivatives(made)


def preds(family: Family[..., Any]) -> None:
    """Each customary pred decides, for some loss, wherever the surrogate is defined."""
    require(bool(family.preds), 'preds is empty; name what is customary with it, such as preds=("argmax",)')
    for name in family.preds:
        found = False
        for small, made in members(family):
            for loss in _asked(family, small, made):
                verdict = _told(made, loss, name)
                if isinstance(verdict, Calibrated):
                    chosen = set(verdict.pred.decide(_floats(made)).tolist())
                    require(chosen <= set(range(loss.k)), f"{name} decides {chosen} of {loss.k} predictions")
                found = found or verdict is not None
            if found:
                break
        require(found, f"the pred {name!r} suits no loss that the family fits; name another")


def torch(family: Family[..., Any]) -> None:
    """The values in torch are those of numpy, where it is installed; a domain with a boundary is refused there."""
    if find_spec("torch") is None:
        return
    import numpy as np
    from torch import from_numpy

    from lossmith.nn import SurrogateLoss

    for _, made in members(family):
        if isinstance(made, PolyhedralSurrogate) and made.inequalities:
            continue
        points = _floats(made)
        labels = np.arange(len(points)) % made.n
        found = SurrogateLoss(made, reduction="none")(from_numpy(points), from_numpy(labels)).numpy()
        expected = made.evaluate(points)[np.arange(len(points)), labels]
        require(bool(np.allclose(found, expected, rtol=1e-9, atol=1e-9)), f"{made.name} has other values in torch")


def verdicts(family: Family[..., Any]) -> None:
    """The verdict on the first small instance, for a loss that it fits, has a certificate that is accepted."""
    small = family.small[0]
    made = family(**small)
    loss = next(_asked(family, small, made), None)
    require(loss is not None, "it fits no loss of the catalogue; see fits=")
    assert loss is not None
    _accepted(made, loss)


def published(family: Family[..., Any]) -> None:
    """What is published comes out, and is proved."""
    for claim in family.verdicts:
        require(is_cited(claim.source), f"the source is {claim.source!r}; give a label of the paper, or its year")
        require(len(claim.marks) == len(_SIZES), f"the marks are {claim.marks!r}; give one for each of 2, 3, 4 labels")
        for loss_family in LOSSES if claim.loss is None else [claim.loss]:
            for n, mark in zip(_SIZES, claim.marks, strict=True):
                if mark != "·":
                    _comes_out(family, claim, loss_family, n, mark)


def _comes_out(family: Family[..., Any], claim: Published, losses: Any, n: int, mark: str) -> None:
    if isinstance(losses, Family):
        loss = member_of_size(losses, n, [zero_one(n)])  # costs that are not all equal, where there is a choice
    else:
        loss = losses(n)
    made = None if loss is None else fitting_surrogate(family, loss)
    if claim.loss is None and made is None:
        return
    found = "–" if made is None or loss is None else MARKS[_accepted(made, loss, claim.pred or None)]
    asked = f" and the pred {claim.pred}" * bool(claim.pred)
    said = f"{claim.source} says {mark} for {losses.__name__}{asked} with {n} labels"
    require(found == mark, f"{said}, and {found} was found")


def _accepted(made: Surrogate, loss: LossMatrix, pred: str | None = None) -> str:
    verdict = decided(made, Facts(loss)) if pred is None else check(made, loss, pred)
    text = certificate_text(verdict)
    if text is not None:
        answer = verify(text)
        require(answer.accepted, f"the certificate that {made.name} is {verdict.status} is refused: {answer.why}")
    return str(verdict.status)


@cache
def _losses() -> tuple[LossMatrix, ...]:
    """The losses of the catalogue with few labels."""
    found = (member_of_size(each, n) for n in _SIZES for each in LOSSES)
    return tuple(each for each in found if each is not None)


def _asked(family: Family[..., Any], small: Mapping[str, Any], made: Surrogate) -> Iterator[LossMatrix]:
    """Losses to ask of a small instance: what it is made from, then those of the catalogue whose member it is."""
    for value in small.values():
        given = loss_named(value) if isinstance(value, str) and ":" in value else value
        if isinstance(given, (LossMatrix, FactoredLoss)):
            yield given.matrix()
    stated = [claim.loss for claim in family.verdicts if not isinstance(claim.loss, Family | None)]
    for loss in (*_losses(), *filter(None, (each(n) for each in stated for n in _SIZES))):
        if loss.n == made.n and fitting_surrogate(family, loss) == made:
            yield loss


def _told(made: Surrogate, loss: LossMatrix, pred: str) -> Any:
    """The verdict on the pred; None if it is for other losses."""
    try:
        return check(made, loss, pred)
    except UnknownName:
        raise
    except BadInput:
        return None


def _points(made: PolyhedralSurrogate) -> list[tuple[Fraction, ...]]:
    """Points of the domain: minimisers of the risk, and what lies between and beyond them."""
    found = [made.minimum(p).point for p in distributions(made.n)]
    between = [tuple((a + b) / 2 for a, b in zip(u, v, strict=True)) for u, v in pairwise(found)]
    beyond = [tuple(3 * a - 2 * b for a, b in zip(u, v, strict=True)) for u, v in pairwise(found)]
    return [*found, *between, *(u for u in beyond if made.contains(u))]


def _floats(made: Surrogate) -> Any:
    import numpy as np

    if isinstance(made, PolyhedralSurrogate):
        return np.array([[float(x) for x in u] for u in _points(made)])
    drawn = np.random.default_rng(0).standard_normal((12, made.dim))
    return (np.floor(64 * drawn) + 0.5) / 64


def _polyhedral_values(made: PolyhedralSurrogate) -> None:
    points = _points(made)
    exact = [made(u) for u in points]
    floats = made.evaluate([[float(x) for x in u] for u in points])
    for u, psi, rounded in zip(points, exact, floats.tolist(), strict=True):
        near = all(abs(float(a) - b) <= 1e-9 * (1 + abs(b)) for a, b in zip(psi, rounded, strict=True))
        require(near, f"{made.name} is {psi} at {u}, and {rounded} in floating point")
        require(min(psi) >= 0, f"{made.name} is negative at {u}")
    for (u, first), (v, last) in pairwise(zip(points, exact, strict=True)):
        middle = made([(a + b) / 2 for a, b in zip(u, v, strict=True)])
        convex = all(2 * m <= a + b for m, a, b in zip(middle, first, last, strict=True))
        require(convex, f"{made.name} is not convex between {u} and {v}")


def _derivatives(made: SmoothSurrogate) -> None:
    import numpy as np

    from lossmith.boosting import xgboost_objective

    points = _floats(made)
    rows = np.arange(len(points))
    labels = rows % made.n
    for psi in (made, made.weighted(range(1, made.n + 1))):
        found, curvature = xgboost_objective(psi)(labels, points if made.dim > 1 else points[:, 0])
        expected = psi.gradient(points)[rows, labels].reshape(found.shape)
        require(bool(np.allclose(found, expected, rtol=1e-9, atol=1e-12)), f"{psi.name} has another slope in its form")
        require(bool((curvature >= 0).all()), f"{psi.name} has a form of negative curvature")
