"""Repair an object that a server rejects. Each problem has a path, and often a valid value."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from ..apiserver.problem_paths import value_at
from ..apiserver.problems import REQUIRED, UNSUPPORTED
from .field_paths import Field, rule_at
from .samples import alternatives, sample_of_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Schema

    from ..apiserver.problems import Problem
    from .field_paths import Path

    Choose = Callable[[Sequence[Any]], Any]

Object = dict[str, Any]
UUID = "123e4567-e89b-42d3-a456-426614174000"
_STEP = re.compile(r"([^.\[\]]+)|\[([^\]]*)\]")
_LOOK_AT = re.compile(r"look at (\S+)")
_QUOTED = re.compile(r"`(\w+)`")
_EXAMPLE = re.compile(r"e\.g\. +'([^']+)'")


def steps_of(text: str) -> Path:
    """The path in a problem: `spec.containers[0].name`."""
    found: list[str | int] = []
    for name, index in _STEP.findall(text):
        found.append(name or (int(index) if index.isdigit() else index.strip('"')))
    return tuple(found)


class Repairer:
    """Repairs one object, in rounds. Each time a path is reported again, a larger part around it is reset.

    Values of the small valid object `base` are restored, and all others are removed.
    """

    def __init__(self, schema: Schema | None, choose: Choose, base: Object | None = None) -> None:
        self._schema, self._choose, self._base = schema, choose, base or {}
        self._tried: dict[Path, int] = {}
        self._replacements: set[tuple[str, ...]] = set()

    def repair(self, content: Object, problems: Sequence[Problem]) -> bool:
        """Change the object for each problem. False if nothing can be changed."""
        worse: list[Path] = []
        changed = False
        for problem in problems:
            look = _LOOK_AT.search(problem.detail)  # decoder errors have no path, but some name one in the detail
            at = steps_of(look[1] if look and not problem.path else problem.path)
            key = problem.kind, problem.path, problem.detail
            if key not in self._replacements and self._replaced(content, at, problem):
                changed = True
            else:
                tried = self._tried[at] = self._tried.get(at, -1) + 1
                worse.append(at[: len(at) - tried])
            self._replacements.add(key)
        # Remove list elements from the end, so that other indexes stay valid.
        for at in sorted(set(worse), key=_from_the_end, reverse=True):
            changed |= self._reset(content, at)
        return changed

    def _reset(self, content: Object, at: Path) -> bool:
        """Restore the nearest value above a path that differs from the base, or remove what the base does not have."""
        while at:
            known, there = value_at(self._base, at), value_at(content, at)
            if known is None and there is not None:
                return remove(content, at)
            if known != there and put(content, at, deepcopy(known)):
                return True
            at = at[:-1]
        return False

    def _replaced(self, content: Object, at: Path, problem: Problem) -> bool:
        if not at:
            return False
        if problem.kind == UNSUPPORTED and problem.supported:
            words = [word for word in problem.supported if word]
            is_scalar = not isinstance(value_at(content, at), dict | list)
            return bool(words) and is_scalar and put(content, at, self._choose(words))
        if problem.kind == REQUIRED:
            return value_at(self._base, at) is None and self._filled(content, at)
        if problem.detail.startswith("must specify one of: "):
            inner = (*at, _QUOTED.findall(problem.detail)[0])
            return put(content, inner, {}) if self._is_map(inner) else self._filled(content, inner)
        if "UUID" in problem.detail:
            return put(content, at, UUID)
        example = _EXAMPLE.search(problem.detail)
        return example is not None and value_at(content, at) is not None and put(content, at, example[1])

    def _is_map(self, at: Path) -> bool:
        rule = rule_at(self._schema, at)[0] if self._schema else None
        return rule is not None and rule.kind != "list" and self._schema is not None and not self._schema.struct(rule)

    def _filled(self, content: Object, at: Path) -> bool:
        if self._schema is None:
            return False
        rule, parent_type = rule_at(self._schema, at)
        if rule is None:
            return False
        type_, there = self._schema.struct(rule), value_at(content, at)
        if type_ is not None and isinstance(there, dict):
            value: Any = {**sample_of_type(type_.name, ""), **there}
        else:
            value = next(alternatives(self._schema, Field(at, rule, parent_type)), None)
        return value is not None and put(content, at, deepcopy(value))


def _from_the_end(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple((step, "") if isinstance(step, int) else (0, step) for step in path)


def put(content: Object, at: Path, value: Any) -> bool:
    """Set the value at a path, with the maps above it. False if that is impossible, or changes nothing."""
    owner: Any = content
    for step in at[:-1]:
        inner = value_at(owner, (step,))
        if inner is None:
            if isinstance(step, int) or not isinstance(owner, dict):
                return False
            inner = owner[step] = {}
        owner = inner
    last = at[-1]
    if isinstance(owner, dict) and isinstance(last, str):
        if owner.get(last) == value:
            return False
        owner[last] = value
        return True
    if isinstance(owner, list) and isinstance(last, int) and last <= len(owner):
        owner[last : last + 1] = [value]
        return True
    return False


def remove(content: Object, at: Path) -> bool:
    """Remove the field or element at a path, or the nearest one above it that exists."""
    while at:
        owner, last = value_at(content, at[:-1]), at[-1]
        if isinstance(owner, list) and isinstance(last, int) and last < len(owner):
            del owner[last]
            return True
        if isinstance(owner, dict) and last in owner:
            del owner[last]
            return True
        at = at[:-1]
    return False
