"""Mutants: a module with one small mistake planted in it, as source text or imported under another name.

`conditions` changes what decides: comparisons, `and`, `or`, `not`, `if`, `all`, `any`, `min`, `max`, filters of
comprehensions. `values` changes what is computed: arithmetic, numbers, truth values, `continue` and `break`, statements
left out. The tests of the checker plant the first kind one by one; `make mutants` plants a sample of both.
"""

from __future__ import annotations

import ast
import copy
import importlib
import importlib.abc
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

STRICT = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OPPOSITE = {"all": "any", "any": "all", "min": "max", "max": "min"}
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult}
NEGATED = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot}
NEGATED |= {ast.IsNot: ast.Is}

Variations = Callable[[ast.AST], Iterator[ast.AST]]


def conditions(node: ast.AST) -> Iterator[ast.AST]:
    """Return the node with a part of a condition changed, in every way."""
    if isinstance(node, ast.BoolOp):
        for i in range(len(node.values)):
            rest = node.values[:i] + node.values[i + 1 :]
            yield ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0]
    elif isinstance(node, ast.Compare):
        texts = any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in node.comparators)
        for i, operator in enumerate(node.ops):
            others = [ast.LtE, ast.GtE] if isinstance(operator, ast.Eq) and not texts else []
            for other in [STRICT[type(operator)]] if type(operator) in STRICT else others:
                yield ast.Compare(node.left, [*node.ops[:i], other(), *node.ops[i + 1 :]], node.comparators)
        if len(node.ops) > 1:
            yield ast.Compare(node.left, node.ops[:-1], node.comparators[:-1])
            yield ast.Compare(node.comparators[0], node.ops[1:], node.comparators[1:])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OPPOSITE:
        yield ast.Call(ast.Name(OPPOSITE[node.func.id], ast.Load()), node.args, node.keywords)
    elif isinstance(node, ast.If | ast.IfExp):
        for value in (True, False):
            changed = copy.copy(node)
            changed.test = ast.Constant(value)
            yield changed
    elif isinstance(node, ast.comprehension):
        for i in range(len(node.ifs)):
            yield ast.comprehension(node.target, node.iter, node.ifs[:i] + node.ifs[i + 1 :], node.is_async)


def values(node: ast.AST) -> Iterator[ast.AST]:
    """Return the node with what it computes changed, in every way."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in NEGATED:
        yield ast.Compare(node.left, [NEGATED[type(node.ops[0])]()], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _is_text(node.left):
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC and not _is_text(node.value):
        yield ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()


def removed_checks(node: ast.AST) -> Iterator[ast.AST]:
    """Return nothing in the place of a call of `require`."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "require":
        yield ast.Expr(ast.Constant(None))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr | ast.List) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


class Mutation(NamedTuple):
    """The place of a node in the order of `ast.walk`, the number of its variation, and what is seen of both."""

    node: int
    variation: int
    line: int  # 0 where the node has none
    before: str
    after: str


def mutations(tree: ast.AST, variations: Iterable[Variations], skipped: Iterable[ast.AST] = ()) -> list[Mutation]:
    """Return every mutation of a module, but not of the nodes to be skipped."""
    left_out, found = {id(node) for node in skipped}, []
    for i, node in enumerate(ast.walk(tree)):
        if id(node) not in left_out:
            line = getattr(node, "lineno", 0) or getattr(getattr(node, "iter", None), "lineno", 0)
            changed = [new for vary in variations for new in vary(node)]
            found += [Mutation(i, j, line, shown(node), shown(new)) for j, new in enumerate(changed)]
    return found


def planted(tree: ast.AST, mutation: Mutation, variations: Iterable[Variations]) -> str:
    """Return the source text of a module with the mutation in it."""
    tree = copy.deepcopy(tree)
    node = next(node for i, node in enumerate(ast.walk(tree)) if i == mutation.node)
    new = [new for vary in variations for new in vary(node)][mutation.variation]
    return ast.unparse(ast.fix_missing_locations(_Replacement(node, new).visit(tree)))


def shown(node: ast.AST) -> str:
    """Return the node on one line; of an `if` its condition alone."""
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}:"
    return " ".join(ast.unparse(node).split())


class _Replacement(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


# A package under another name, some of its modules with mutations.

NAME = "mutant"


class _Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, folder: Path, changed: Mapping[str, str]) -> None:
        self.folder = folder
        self.changed = {stem: _code(text, folder.name, stem) for stem, text in changed.items()}

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname.split(".")[0] == NAME:
            return importlib.util.spec_from_loader(fullname, self, is_package=fullname == NAME)
        return None

    def exec_module(self, module: Any) -> None:
        stem = module.__name__.partition(".")[2] or "__init__"
        exec(self.changed.get(stem) or _unchanged(self.folder, stem), module.__dict__)


def _code(text: str, package: str, stem: str) -> CodeType:
    return compile(text.replace(package, NAME), f"<{NAME} {stem}>", "exec")


@cache
def _unchanged(folder: Path, stem: str) -> CodeType:
    return _code((folder / f"{stem}.py").read_text(), folder.name, stem)


@contextmanager
def imported(folder: Path, changed: Mapping[str, str]) -> Iterator[Any]:
    """Import the package in this folder as `mutant`, the given modules from other source text, for a moment."""
    importer = _Importer(folder, changed)
    sys.meta_path.insert(0, importer)
    try:
        yield importlib.import_module(NAME)
    finally:
        sys.meta_path.remove(importer)
        for name in [name for name in sys.modules if name.split(".")[0] == NAME]:
            del sys.modules[name]
