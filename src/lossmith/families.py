"""Families: functions that make members of the catalogue, with what the tables and the checks need to know of them."""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, ParamSpec, TypeVar

from lossmith.errors import BadFamily, BadInput, TooLarge, UnknownName, nearest
from lossmith.exact.rational import RationalLike, rational_called

P = ParamSpec("P")
T = TypeVar("T")

_BETWEEN = re.compile(r",(?=\s*(?:[\w-]+\s*=|,|$))(?![^(]*\))")
_MOST_ENTRIES = 30_000_000
_MOST = 100_000  # beyond it no family fits, and even to count 2^r or n-choose-k takes long


@dataclass(frozen=True)
class Published:
    """What is known of a surrogate and a family of losses, or every loss (None), for 2, 3 and 4 labels.

    The marks are C (calibrated), N (not), – (no such members) and · (not stated); with `pred` they are about that pred
    alone. `source` is where it is proved: a label of the paper, or a reference. The loss may also be a function of the
    number of labels. `printed` is what the source says, or is taken to say, where that is not what is decided here:
    docs/findings.md shows why.
    """

    loss: Family[..., Any] | Callable[[int], Any] | None
    marks: str
    source: str
    pred: str = ""
    printed: str = ""


@dataclass(frozen=True)
class Theorem:
    """That every member of a family is calibrated, with a pred, for the loss it is made for, whatever its size.

    The loss is the member of another family with the same parameters, or (None) the one that the surrogate is made
    from. `name` is what certificates call the theorem, which the checker knows; `source` is where it is proved.
    """

    name: str
    loss: Family[..., Any] | None
    pred: str
    source: str


class Member:
    """What a family can make. `made_by` is the family that made it, None for one of your own; it is no part of it.

    >>> from lossmith.surrogates import crammer_singer, softmax
    >>> softmax(3).weighted([1, 2, 3]).made_by is softmax, softmax(3) == softmax(3)
    (True, True)
    """

    made_by: Family[..., Any] | None = None


def made_as(original: Member, other: T) -> T:
    """The other one, as of the same family."""
    object.__setattr__(other, "made_by", original.made_by)
    return other


class Family(Generic[P, T]):
    """A function that makes members of a family, and what the catalogue and the checks are told of it.

    `cite` is a LaTeX label of the paper or a reference; `small` are parameters of small instances for the common
    checks; `size(…)` checks the parameters and gives rows × columns (labels × dimensions of a surrogate) before
    anything is built; members of `factored` families have any size, as they are not written down.

    For the tables a loss tells `of_size(n)`: parameters of its members with n labels, the most telling first; and a
    surrogate tells `fits(loss)`: the parameters of the member for a loss, None if there is none. Surrogates have a
    formula in LaTeX, the names of the preds that are customary with them, `verdicts` that are published, a theorem that
    `settles` some of them at any size, and, if they are smooth but of no known form, the reason (`formless`). `kind` is
    the part of the tables that it stands in; `aliases` are names that others give it.
    """

    def __init__(
        self,
        build: Callable[P, T],
        cite: str,
        small: tuple[Mapping[str, Any], ...],
        size: Callable[P, tuple[int, int]],
        latex: str = "",
        preds: tuple[str, ...] = (),
        factored: bool = False,
        of_size: Callable[[int], Iterable[Mapping[str, Any]]] | None = None,
        fits: Callable[[Any], Mapping[str, Any] | None] | None = None,
        verdicts: tuple[Published, ...] = (),
        formless: str = "",
        settles: Theorem | None = None,
        kind: str = "",
        aliases: tuple[str, ...] = (),
    ) -> None:
        functools.update_wrapper(self, build)
        self.build, self.cite, self.small, self._size = build, cite, small, size
        self.latex, self.preds, self.factored = latex, preds, factored
        self.verdicts, self.formless, self.name = verdicts, formless, build.__name__
        self.settles, self._kind, self.aliases = settles, kind, aliases
        self.of_size = of_size or _lacking(self.name, "which members have n labels", 'of_size=lambda n: [{"n": n}]')
        self.fits = fits or _lacking(self.name, "which member fits a loss", 'fits=lambda loss: {"n": loss.n}')

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Make the member with these parameters."""
        given = self._parameters(*args, **kwargs)
        rows, columns = (0, 0) if self.factored else self._size(*given.args, **given.kwargs)
        if rows * columns > _MOST_ENTRIES:
            raise TooLarge(
                f"{self.name} would have {count(rows)} × {count(columns)} entries, more than {_MOST_ENTRIES:,}; "
                f"choose smaller parameters"
            )
        made = self.build(*given.args, **given.kwargs)
        if isinstance(made, Member):
            object.__setattr__(made, "made_by", self)
        return made

    def size(self, *args: P.args, **kwargs: P.kwargs) -> tuple[int, int]:
        """Check the parameters and give rows × columns, before anything is built."""
        given = self._parameters(*args, **kwargs)
        return self._size(*given.args, **given.kwargs)

    def words(self, **parameters: object) -> str:
        """The member with these parameters, as it is written on the command line: what `member` reads.

        >>> from lossmith.surrogates import crammer_singer, pairwise_hinge
        >>> crammer_singer.words(n=3), pairwise_hinge.words(ranking="precision-at:q=1,r=3")
        ('crammer-singer:n=3', 'pairwise-hinge:ranking=(precision-at:q=1,r=3)')
        """
        values = (f"{key}=({value})" if "," in f"{value}" else f"{key}={value}" for key, value in parameters.items())
        return f"{self.name.replace('_', '-')}:{','.join(values)}"

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The parameters by name, with their types."""
        return self._signature.parameters

    @property
    def makes(self) -> Any:
        """The type of its members."""
        return self._signature.return_annotation

    @property
    def kind(self) -> str:
        """The part of the tables that it stands in: as declared, else "smooth" or "0-1 and costs"."""
        return self._kind or ("smooth" if "Smooth" in str(self.makes) else "0-1 and costs")

    @functools.cached_property
    def _signature(self) -> inspect.Signature:
        try:
            return inspect.signature(self.build, eval_str=True)
        except NameError as error:
            raise BadFamily(f"the types in {self.name} cannot be read: {error}; import it where it runs") from None

    def _parameters(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Bind the parameters to their names, numpy's integers as Python's, which do not overflow."""
        given = inspect.signature(self.build).bind(*args, **kwargs)
        for key, value in given.arguments.items():
            if isinstance(value, numbers.Integral) and not isinstance(value, bool):
                given.arguments[key] = int(value)
        return given

    def __repr__(self) -> str:
        return f"<family {usage(self)}>"

    def __reduce__(self) -> str:
        return self.name  # pickle finds the family in its module


def family(
    *,
    cite: str,
    small: tuple[Mapping[str, Any], ...],
    size: Callable[P, tuple[int, int]],
    latex: str = "",
    preds: tuple[str, ...] = (),
    factored: bool = False,
    of_size: Callable[[int], Iterable[Mapping[str, Any]]] | None = None,
    fits: Callable[[Any], Mapping[str, Any] | None] | None = None,
    verdicts: tuple[Published, ...] = (),
    formless: str = "",
    settles: Theorem | None = None,
    kind: str = "",
    aliases: tuple[str, ...] = (),
) -> Callable[[Callable[P, T]], Family[P, T]]:
    """Describe a function as a family. Describing registers nothing: the catalogue is a list that one can read."""
    return lambda build: Family(
        build, cite, small, size, latex, preds, factored, of_size, fits, verdicts, formless, settles, kind, aliases
    )


def families_in(names: Mapping[str, object], package: str) -> tuple[Family[..., Any], ...]:
    """The families among the names of a module that have their files in a package, in the order of their lines.

    >>> from lossmith import losses
    >>> families_in(vars(losses), "lossmith.losses.families") == losses.CATALOGUE
    True
    """
    found = (each for each in names.values() if isinstance(each, Family))
    return tuple(each for each in found if each.__module__.rpartition(".")[0] == package)


def by_name(catalogue: Iterable[Family[..., T]]) -> dict[str, Family[..., T]]:
    """The families by their names and aliases, as they are written on the command line.

    >>> from lossmith.surrogates import CATALOGUE
    >>> by_name(CATALOGUE)["structured-svm"].name
    'margin_rescaling'
    """
    families = list(catalogue)
    known = {each.name.replace("_", "-"): each for each in families}
    return known | {alias.replace("_", "-"): each for each in families for alias in each.aliases}


def member(text: str, catalogue: Sequence[Family[..., T]], loss: Any = None) -> T:
    """Make the member that text such as "abstain:n=4,cost=1/3" names; dashes stand for underscores.

    A list has commas, "reject-costs:costs=1/2,1/3"; what has parameters itself stands in parentheses:
    "pairwise-hinge:ranking=(precision-at:q=1,r=3)". Of a family of surrogates the name alone is the member that `fits`
    the loss; and what a member lacks is taken from it.

    >>> from lossmith.losses import CATALOGUE
    >>> member("zero-one:n=3", CATALOGUE).n
    3
    """
    name, _, rest = text.partition(":")
    known = by_name(catalogue)
    chosen = known.get(name.strip().replace("_", "-"))
    if chosen is None:
        raise UnknownName(f"no family is called {name!r}; {nearest(name, known)}")
    parameters = chosen.parameters
    given: dict[str, Any] = {}
    for part in parts(rest):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        value = value[1:-1] if value.startswith("(") and value.endswith(")") else value
        key = key.replace("-", "_")
        if not equals:
            raise BadInput(f"{text!r}: {part!r} is not of the form parameter=value; write {usage(chosen)}")
        if key not in parameters:
            raise UnknownName(f"{name!r} has no parameter {key!r}; {nearest(key, parameters)}; write {usage(chosen)}")
        if key in given:
            raise BadInput(f"{text!r} gives {key} twice; write {usage(chosen)}")
        given[key] = _whole(key, value, text) if parameters[key].annotation in (int, int | None) else value
    return chosen(**_completed(chosen, text, given, loss))


def parts(text: str) -> list[str]:
    """The parameters with their values: a comma ends one where another begins, and not within parentheses.

    >>> parts("costs=1,2,3,k=2"), parts("ranking=(precision-at:q=1,r=3)")
    (['costs=1,2,3', 'k=2'], ['ranking=(precision-at:q=1,r=3)'])
    """
    return [part for part in map(str.strip, _BETWEEN.split(text)) if part]


def _completed(chosen: Family[..., Any], text: str, given: Mapping[str, Any], loss: Any) -> Mapping[str, Any]:
    """The parameters with what they lack, if the loss tells it."""
    missing = [key for key, p in chosen.parameters.items() if p.default is p.empty and key not in given]
    if not missing and (given or loss is None):
        return given
    fitting = None if loss is None else chosen.fits(loss)
    if fitting is not None and not given:
        return fitting
    if fitting is not None and set(missing) <= set(fitting):
        return {**given, **{key: fitting[key] for key in missing}}
    if not missing:
        return given
    why = "" if loss is None else f", and none of its members is the one for {loss.name}"
    raise BadInput(f"{text!r} lacks {' and '.join(missing)}{why}; write {usage(chosen)}")


def usage(chosen: Family[..., Any]) -> str:
    """Say how to write a member of the family on the command line.

    >>> from lossmith.losses import abstain
    >>> usage(abstain)
    'abstain:n=…,cost=1/2'
    """
    parameters = inspect.signature(chosen.build).parameters
    shown = {key: p for key, p in parameters.items() if p.default is not None}
    return chosen.words(**{key: "…" if p.default is p.empty else p.default for key, p in shown.items()})


def at_least(name: str, value: int, least: int) -> int:
    """Return a size parameter, or say what it must be.

    >>> at_least("n", 3, 2)
    3
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise BadInput(f"{name} is {value!r}; it must be a whole number, at least {least}")
    if value < least:
        raise BadInput(f"{name} is {count(value)}; it must be at least {least}")
    if value > _MOST:
        raise TooLarge(f"{name} is {count(value)}; choose at most {_MOST:,}")
    return int(value)


def rational_where(name: str, value: RationalLike, allowed: Callable[[Fraction], bool], words: str) -> Fraction:
    """Return a rational parameter, or say what it must be.

    >>> rational_where("cost", "1/3", lambda c: c > 0, "positive")
    Fraction(1, 3)
    """
    number = rational_called(name, value)
    if not allowed(number):
        raise BadInput(f"{name} is {number}; it must be {words}")
    return number


def one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    """Return a parameter that is one of a few words, or say what it must be.

    >>> one_of("form", "slack", ("slack", "margin"))
    'slack'
    """
    if value not in allowed:
        raise BadInput(f"{name} is {value!r}; it must be {' or '.join(map(repr, allowed))}")
    return value


def count(number: int) -> str:
    """Show an integer, or its order of magnitude where nobody would read the digits.

    >>> count(29281), count(10**40)
    ('29,281', 'about 10^40')
    """
    if abs(number) < 10**18:
        return f"{number:,}"
    return f"about {'-' if number < 0 else ''}10^{int(math.log10(abs(number)))}"


def _lacking(name: str, what: str, example: str) -> Callable[[Any], Any]:
    """A declaration that is missing says so where it is needed."""

    def refuse(_: object) -> Any:
        raise BadFamily(f"{name} does not say {what}; declare it in its file, such as @family(…, {example})")

    return refuse


def _whole(key: str, value: str, text: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise BadInput(f"{text!r}: {key} is {value!r}; it must be a whole number") from None
