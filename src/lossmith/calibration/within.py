"""Sets P of distributions for (L, P)-calibration (`def:calibration`): unions of polytopes in the simplex."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any

from lossmith.errors import BadInput, BadNumber, BadSurrogate, LossmithError, UnknownName, nearest
from lossmith.exact.rational import as_rational
from lossmith.exact.vectors import Row, cleared, primitive, unit_rows
from lossmith.geometry.double_description import extreme_rays
from lossmith.geometry.polytope import Polytope
from lossmith.losses.matrix import LossMatrix
from lossmith.surrogates.tracing import Constraint, Expression, coordinates, linear_constraints


@dataclass(frozen=True)
class Distributions:
    """The distributions p with a·p ≥ 0 for all rows a of `inequalities` and a·p = 0 for those of `equations`."""

    n: int
    inequalities: tuple[Row, ...]
    equations: tuple[Row, ...] = ()

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows a with a·p ≥ 0 that define the cone over the region, those of the simplex first."""
        negative = (tuple(-x for x in row) for row in self.equations)
        return (*unit_rows(self.n), *self.inequalities, *self.equations, *negative)

    @cached_property
    def polytope(self) -> Polytope:
        """The region, with its vertices."""
        return Polytope(tuple(sorted(extreme_rays(self.rows))), self.rows)


def lies_in(within: tuple[Distributions, ...] | None, p: Row) -> bool:
    """Whether a multiple of p is among these distributions; None means all of them."""
    return within is None or any(all(sum(map(mul, row, p)) >= 0 for row in part.rows) for part in within)


def read_within(within: object, loss: LossMatrix) -> tuple[Distributions, ...]:
    """Read P: a function of p that returns linear comparisons, its text, or a list of such for their union.

    >>> from lossmith.losses import zero_one
    >>> [region.polytope.rays for region in read_within(lambda p: [p[0] >= "1/2"], zero_one(2))]
    [((1, 0), (1, 1))]
    >>> [region.polytope.rays for region in read_within("p[0] >= 1/2", zero_one(2))]
    [((1, 0), (1, 1))]
    """
    parts = list(within) if isinstance(within, (list, tuple)) else [within]
    if not parts:
        raise BadInput("within is an empty list; give at least one set of distributions")
    regions = []
    for i, part in enumerate(parts):
        what = "within" if len(parts) == 1 else f"within, set {i}"
        region = _traced(part, loss, what)
        if not region.polytope.rays:
            raise BadInput(f"{what} is empty: no distribution over {_listed(loss.labels)} satisfies it")
        regions.append(region)
    return tuple(regions)


def _traced(part: object, loss: LossMatrix, what: str) -> Distributions:
    if isinstance(part, Distributions):
        if part.n != loss.n:
            raise BadInput(f"{what} is a set of distributions over {part.n} labels; {loss.name} has {loss.n}")
        return part
    function: Callable[..., object]
    if isinstance(part, str):
        text = part
        function = lambda p: _parsed(text, p, loss)  # noqa: E731
    elif callable(part):
        function = part
    else:
        raise BadInput(f'{what} is {part!r}; write a function such as lambda p: [p[0] <= "1/2"], or a list of them')
    try:
        inequalities, equations = linear_constraints(function(coordinates(loss.n, "p")), "", "p")
        return Distributions(loss.n, tuple(map(_homogeneous, inequalities)), tuple(map(_homogeneous, equations)))
    except BadSurrogate as error:
        raise BadInput(f'{what}: {error}; write linear comparisons, such as lambda p: [p[0] <= "1/2"]') from None
    except BadNumber as error:
        raise BadInput(f"{what}: a number {error}") from None
    except LossmithError:
        raise
    except Exception as error:
        raise BadInput(f"{what} failed with {type(error).__name__}: {error}") from None


def _parsed(text: str, p: Sequence[Expression], loss: LossMatrix) -> list[Constraint]:
    """Comparisons between sums of numbers, p[0], p["label"] and labels that are words, separated by commas."""
    written = _Written(text, p, {str(label): x for label, x in zip(loss.labels, p, strict=True)})
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise written.refusal from None
    found = []
    for node in tree.elts if isinstance(tree, ast.Tuple) else [tree]:
        if not isinstance(node, ast.Compare):
            raise written.refusal
        terms = [written.term(each) for each in (node.left, *node.comparators)]
        for first, operation, second in zip(terms, node.ops, terms[1:], strict=False):
            if type(operation) not in _COMPARISONS:
                raise BadInput(f"cannot read {text!r}: compare with <=, >= or ==; the sets are closed")
            comparison = _COMPARISONS[type(operation)](first, second)
            if not isinstance(comparison, Constraint):
                raise BadInput(f"cannot read {text!r}: it compares two numbers; name a p[…] in each comparison")
            found.append(comparison)
    return found


@dataclass(frozen=True)
class _Written:
    """The text of comparisons, and what p and the labels in it stand for."""

    text: str
    p: Sequence[Expression]
    names: Mapping[str, Expression]

    @property
    def refusal(self) -> BadInput:
        return BadInput(f"cannot read {self.text!r}; write linear comparisons such as p[0] >= 1/2, p[1] + p[2] <= 3/10")

    def term(self, node: ast.expr) -> Any:
        """A number, or an expression in p."""
        match node:
            case ast.Constant(value=bool()) | ast.Constant(value=None):
                raise self.refusal
            case ast.Constant(value=int() | float()):
                return self._number(node)
            case ast.Name(id=name) | ast.Subscript(value=ast.Name(id="p"), slice=ast.Constant(value=str() as name)):
                return _label(name, self.names)
            case ast.Subscript(value=ast.Name(id="p"), slice=ast.Constant(value=int() as i)) if type(i) is int:
                if not 0 <= i < len(self.p):
                    raise BadInput(
                        f"cannot read {self.text!r}: there is no p[{i}]; the labels are 0 to {len(self.p) - 1}"
                    )
                return self.p[i]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.term(operand)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.term(operand)
            case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _OPERATIONS:
                first, second = self.term(left), self.term(right)
                if isinstance(operation, ast.Div) and (isinstance(second, Expression) or second == 0):
                    raise BadInput(f"cannot read {self.text!r}: divide by numbers other than 0 only")
                return _OPERATIONS[type(operation)](first, second)
        raise self.refusal

    def _number(self, node: ast.expr) -> Fraction:
        try:
            return as_rational(ast.get_source_segment(self.text.strip(), node) or "")
        except BadNumber as error:
            raise BadInput(f"cannot read {self.text!r}: a number {error}") from None


_OPERATIONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}
_COMPARISONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.LtE: lambda a, b: a <= b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: a == b,
}


def _label(name: str, names: Mapping[str, Expression]) -> Expression:
    if name not in names:
        raise UnknownName(f"no label is called {name!r}; {nearest(name, names)}")
    return names[name]


def _homogeneous(row: Sequence[Fraction]) -> Row:
    """b + a·p for Σ p = 1, as the integer row a + b1."""
    return primitive(cleared([row[0] + x for x in row[1:]]))


def _listed(names: Sequence[object]) -> str:
    shown = ", ".join(map(str, names[:8]))
    return shown + (", …" if len(names) > 8 else "")
