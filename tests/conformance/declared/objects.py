"""Objects that break one declared rule, made from its path, its type of error and its origin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.validation.order import INLINE
from kubemerge.apiserver.validation.declarative import Validation
from kubemerge.apiserver.validation.declarative_rules import GoType, rules_of, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.apiserver.problems import Problem

TYPES = {
    "Required": "Required value",
    "Invalid": "Invalid value",
    "NotSupported": "Unsupported value",
    "Forbidden": "Forbidden",
    "Duplicate": "Duplicate value",
    "TooLong": "Too long",
    "TooMany": "Too many",
    "TooFew": "Too few",
}


class Step(NamedTuple):
    """One field on the way to a rule: its name, its Go type, and true if the path goes into an element."""

    name: str
    shape: GoType
    into: bool


class AllOptions(dict[str, bool]):
    def get(self, _: str, default: Any = None) -> bool:
        return True


def reports(of: str, line: str, minor: int) -> bool:
    """True if an object that breaks a listed rule has the problem."""
    path, type_, origin = f"{line} ".split(" ", 2)
    wanted = (TYPES[type_], path, origin.strip())
    return any(
        wanted == (one.kind, _general(one.path), one.origin)
        for content, before in _broken(of, path, type_, minor)
        for options in ({}, {"CompositePodGroup": True}, AllOptions())
        for one in _problems(of, content, before, options, minor)
    )


def _problems(of: str, content: Any, before: Any, options: dict[str, bool], minor: int) -> Iterator[Problem]:
    yield from Validation(minor, before is not None, options, everything=True).of_type("", of, content, before)


def _general(path: str) -> str:
    return re.sub(r"\[[^\]]+\]", "[*]", path)


def steps(of: str, path: str, minor: int) -> list[Step]:
    found = []
    for part in path.split("."):
        name = part.partition("[")[0]
        shape = _shape(of, name, minor)
        into = "[" in part
        found.append(Step(name, shape, into))
        of = shape.elements.of if into and shape.elements else shape.of
    return found


def _shape(of: str, name: str, minor: int) -> GoType:
    rules = rules_of(of, minor)
    if rules and name in rules.fields:
        return rules.fields[name].shape
    inline = rules.fields.get(INLINE) if rules else None
    return _shape(inline.shape.of, name, minor) if inline else shape_of("string")


def _broken(of: str, path: str, type_: str, minor: int) -> Iterator[tuple[Any, Any]]:
    """Pairs of an object and the one that it replaces, None for a new one."""
    way = steps(of, path, minor)
    shape = way[-1].shape
    inner = shape.elements if way[-1].into and shape.elements else shape
    for value in _values(inner, type_):
        yield _built(way, value), None
    if inner.of:
        for value in _structs(inner.of, minor):
            yield _built(way, value), None
    if len(way) > 1 and not way[-1].into:
        parent = way[-2].shape.elements if way[-2].into and way[-2].shape.elements else way[-2].shape
        for value in _structs(parent.of, minor):
            yield _built(way[:-1], value), None
    for after, before in _changes(inner):
        yield _built(way, after), _built(way, before)
    if way[-1].into:
        samples: tuple[Any, ...] = ("a", 1, {})
        for one in samples:
            yield _built([*way[:-1], way[-1]._replace(into=False)], [one, one]), None
            yield _built(way, one), _built([*way[:-1], way[-1]._replace(into=False)], [])


def _values(shape: GoType, type_: str) -> Iterator[Any]:
    if type_ == "Required":
        yield None
    elif shape.is_map:
        yield from ({"!!": {}}, {})
    elif shape.elements:
        yield from ([{"name": str(n), "type": str(n)} for n in range(2000)], [])
        yield [{"type": "Approved"}, {"type": "Denied"}]
    elif shape.base.startswith("int"):
        yield from (-1, 0, 2**31 - 1)
    elif shape.base == "string":
        yield from ("!!", "x" * 100_000, "a/b", "a")
    else:
        yield from ({}, "!!", "x")


def _structs(of: str, minor: int) -> Iterator[Any]:
    """Values of a struct: without fields, and with all of them."""
    rules = rules_of(of, minor)
    fields = rules.fields if rules else {}
    yield {}
    yield {name: _some(one.shape) for name, one in fields.items()}
    for name, one in fields.items():
        yield {name: _some(one.shape)}


def _some(shape: GoType) -> Any:
    if shape.elements:
        return {"key": _some(shape.elements)} if shape.is_map else [_some(shape.elements)]
    return {"string": "a", "bool": True}.get(shape.base, 1 if shape.base else {"a": "b"})


def _changes(shape: GoType) -> Iterator[tuple[Any, Any]]:
    if shape.is_map:
        yield {"a": "b"}, {"a": "c"}
    elif shape.elements:
        first, second = [{"name": "a", "type": "a"}], [{"name": "b", "type": "b"}]
        none: list[Any] = []
        yield from ((first, second), (first, none), (none, first))
    elif shape.base.startswith("int"):
        yield from ((1, 2), (2, 1), (None, 1), (1, None))
    elif shape.base == "bool":
        yield from ((True, False), (False, True), (None, True), (True, None))
    elif shape.base:
        yield from (("a", "b"), (None, "a"), ("a", None))
    else:
        yield from (({"a": 1}, {"a": 2}), (None, {"a": 1}), ({"a": 1}, None))


def _built(way: list[Step], value: Any) -> Any:
    """An object with a value at the end of a path."""
    for step in reversed(way):
        if step.into and value is not None:
            value = {"key": value} if step.shape.is_map else [value]
        value = {step.name: value}
    return value


def broken_values(way: list[Step], type_: str, minor: int) -> list[Any]:
    """Values for the last field of a path that may break its rule; None stands for no value."""
    last = way[-1].shape
    inner = last.elements if way[-1].into and last.elements else last
    found = [None] if type_ == "Required" and not way[-1].into else list(_values(inner, type_))
    found += list(_structs(inner.of, minor)) if inner.of and not inner.base else []
    found += [after for after, _ in _changes(inner)]
    if way[-1].into:
        found = [{"key": one} if last.is_map else [one, one] for one in (*found, "a") if one is not None]
    short = [one for one in found if len(str(one)) < 40_000]
    return [one for index, one in enumerate(short) if one not in short[:index]]
