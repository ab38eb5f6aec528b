"""Write down what is public: `make snapshots`. A test compares it with the code, so that a change is a decision.

Names of Python with their signatures, fields and methods; commands with their options; schemas of JSON; certificates
that are kept. It is the same on every version of Python; what needs torch is taken over where there is none.
"""

from __future__ import annotations

import builtins
import dataclasses
import hashlib
import inspect
import json
import re
import types
import typing
from collections import ChainMap, defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

import lossmith as lm
import lossmith.sweeping
import lossmith_verify
from lossmith.certificates.certificate import VERSION
from lossmith.cli import COMMANDS
from lossmith.families import Family

ROOT = Path(__file__).parent.parent.parent
WRITTEN = Path(__file__).parent / "public.json"


def taken() -> dict[str, Any]:
    """What is public now."""
    modules = [lm, lm.losses, lm.surrogates, lm.learn, lm.boosting, lm.plot, lm.testing, lm.sweeping, lossmith_verify]
    names = {module.__name__: names_of(module) for module in modules}
    return {
        "names": {**names, "lossmith.errors": errors(), "lossmith.nn": names_of_nn()},
        "results": {cls.__name__: members(cls, made=False) for cls in results(modules)},
        "commands": {command.name: [parameter(each) for each in command.params] for command in COMMANDS},
        "schemas": {path.stem.split(".")[0]: schema(path) for path in sorted((ROOT / "docs/schemas").iterdir())},
        "certificates": {"written": f"version {VERSION}"}
        | {path.stem: digest(path) for path in sorted((ROOT / "tests/verify/kept").iterdir())},
    }


def public(module: types.ModuleType) -> list[str]:
    """The names in `__all__`, or where there is none those that do not begin with an underscore."""
    shown = [name for name in vars(module) if name[0] != "_" and not inspect.ismodule(getattr(module, name))]
    return sorted(getattr(module, "__all__", shown))


def names_of(module: types.ModuleType) -> dict[str, Any]:
    """Every public name, and what it is."""
    things = {name: getattr(module, name) for name in public(module)}
    same = [name for name in things if module is not lm and name in lm.__all__ and things[name] is getattr(lm, name)]
    return {name: "that of lossmith" if name in same else described(each) for name, each in things.items()}


def names_of_nn() -> Any:
    """Those of lossmith.nn, or where torch is not installed those that are written down."""
    if find_spec("torch") is None:
        return json.loads(WRITTEN.read_text())["names"]["lossmith.nn"]
    return names_of(lm.nn)


def errors() -> dict[str, str]:
    """The exceptions and the warnings, with what they are kinds of."""
    classes = [each for each in vars(lm.errors).values() if getattr(each, "__module__", "") == "lossmith.errors"]
    kinds = {each.__name__: each.__bases__ for each in classes if isinstance(each, type)}
    return {name: ", ".join(base.__name__ for base in bases) for name, bases in sorted(kinds.items())}


def described(thing: Any) -> Any:
    """A module by its kind, a class by its members, a function or a family by its signature."""
    if isinstance(thing, types.ModuleType):
        return "module"
    if isinstance(thing, Family):
        return signature(thing.build)
    if isinstance(thing, type):
        return members(thing)
    return signature(thing) if callable(thing) else type(thing).__name__


def members(cls: type, made: bool = True) -> dict[str, str]:
    """How an object is made, if users do; its fields, properties and methods, as far as they are of lossmith."""
    own = "lossmith" in getattr(cls.__init__, "__module__", "") or fields(cls)
    found = {"()": signature(cls)} if own and made else {}
    found |= dict.fromkeys(fields(cls), "field")
    for base in reversed([each for each in cls.__mro__ if each.__module__.startswith("lossmith")]):
        for name, member in vars(base).items():
            bare = getattr(member, "__func__", getattr(member, "fn", member))  # of the class; if the model has it
            if name.startswith("_") or (name in found and not callable(bare)):
                continue
            if inspect.isfunction(bare):
                found[name] = signature(bare)
            elif isinstance(bare, property) or hasattr(bare, "attrname"):  # a cached one
                found[name] = "property"
    return dict(sorted(found.items()))


def fields(cls: type) -> list[str]:
    """The public fields of a dataclass or a named tuple."""
    if dataclasses.is_dataclass(cls):
        return [field.name for field in dataclasses.fields(cls) if not field.name.startswith("_")]
    return list(getattr(cls, "__match_args__", ()))


def signature(function: Any) -> str:
    """Parameters with types and defaults, as they are written."""
    found = inspect.signature(function)
    bare = [each.replace(annotation=Bare.of(each.annotation)) for each in found.parameters.values()]
    text = str(found.replace(parameters=bare, return_annotation=Bare.of(found.return_annotation)))
    return re.sub(r" at 0x[0-9a-f]+", "", text)


class Bare(str):
    """An annotation that prints without quotation marks."""

    @classmethod
    def of(cls, annotation: Any) -> Any:
        """The same annotation, as it is written."""
        text = getattr(annotation, "__forward_arg__", annotation)
        return cls(text) if isinstance(text, str) else annotation

    __repr__ = str.__str__


def results(modules: list[types.ModuleType]) -> list[type]:
    """The classes of what public functions return, where they have no public name."""
    things = [getattr(module, name) for module in modules for name in public(module)]
    functions = [each for each in things if inspect.isfunction(each)]
    found = {cls for each in functions for cls in returned(each) if cls not in things}
    return sorted(found, key=lambda cls: cls.__name__)


def returned(function: types.FunctionType) -> Iterator[type]:
    """The classes of lossmith that the function says it returns."""
    elsewhere = defaultdict(lambda: object)  # what is imported for type checkers only
    todo = [eval(function.__annotations__["return"], {}, ChainMap(function.__globals__, vars(builtins), elsewhere))]
    for each in todo:
        todo += typing.get_args(each)
        if isinstance(each, type) and each.__module__.startswith("lossmith"):
            yield each


def parameter(each: click.Parameter) -> str:
    """An argument or an option: its names, its type, its default."""
    names = " ".join([*each.opts, *each.secondary_opts]) if isinstance(each, click.Option) else each.human_readable_name
    choices = getattr(each.type, "choices", None)
    kind = "flag" if getattr(each, "is_flag", False) else "|".join(map(str, choices)) if choices else each.type.name
    often = " ".join(filter(None, ["required" * each.required, "many" * (each.multiple or each.nargs == -1)]))
    plain = isinstance(each.default, str | int | float | tuple) and each.default not in ((), "")
    default = f"= {each.default}" if plain and kind != "flag" else ""
    return " ".join(filter(None, [names, f"({kind})", often, default]))


def schema(path: Path) -> str:
    """The version of a schema, and the hash of what it says."""
    content = json.loads(path.read_text())
    said = json.dumps(content, sort_keys=True).encode()
    return f"{content['$id']} {hashlib.sha256(said).hexdigest()[:16]}"


def digest(path: Path) -> str:
    """How many lines a file has, and its hash."""
    return f"{len(path.read_bytes().splitlines())} lines {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"


def lines(content: Any, name: str = "") -> Iterator[str]:
    """The snapshot as lines, each of which says where it stands."""
    if isinstance(content, dict):
        for key, value in content.items():
            yield from lines(value, f"{name} {key}".strip())
    elif isinstance(content, list):
        for value in content:
            yield from lines(value, name)
    else:
        yield f"{name}: {content}"


if __name__ == "__main__":
    WRITTEN.write_text(json.dumps(taken(), indent=1, ensure_ascii=False) + "\n")
    print(f"wrote {WRITTEN.relative_to(ROOT)}")
