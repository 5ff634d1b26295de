"""Search requests that set one field and that a real server accepts: what the server rejects is mended and sent again.

A rejection says what it wants: a supported value, a required field, an example, fewer members of a union.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.problem_paths import value_at
from kubemerge.testing.drawing import POD_SPEC_PATHS
from kubemerge.testing.field_paths import Field, Path, rule_at
from kubemerge.testing.repair import steps_of
from kubemerge.testing.samples import alternatives, other_union_members, pod_extras, sample, sample_of_type
from tests.conformance.kinds.bodies import bodies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.tables.schema import Schema

    Send = Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]

Object = dict[str, Any]
ACCEPTED = 300
INVALID = 422
ROUNDS, MOST = 8, 60
NAME = "kmfield"
_SUPPORTED = re.compile(r"supported values: (.*)", re.DOTALL)
_EXAMPLE = re.compile(r"e\.g\. +'([^']+)'")
_EQUAL = re.compile(r"must be (?:equal to )?[`'\"]?([A-Za-z0-9./-]+)[`'\"]?$")


def bases(api_version: str, kind: str) -> Iterator[Object]:
    """Valid objects of a kind; those of another apiVersion come last."""
    found = sorted((one for one in bodies() if one.kind == kind), key=lambda one: one.apiVersion != api_version)
    at = POD_SPEC_PATHS.get(kind)
    for one in found:
        for content in (one.a, one.b):
            if at and isinstance(value_at(content, at), dict):
                rich = deepcopy(content)
                value_at(rich, at).update(pod_extras())
                metadata = {"name": NAME, **(content.get("metadata") or {})}
                yield {**rich, "apiVersion": api_version, "kind": kind, "metadata": metadata}
            metadata = {"name": (one.names or [NAME])[0], **(content.get("metadata") or {})}
            yield deepcopy({**content, "apiVersion": api_version, "kind": kind, "metadata": metadata})
    if not found:
        yield {"apiVersion": api_version, "kind": kind, "metadata": {"name": NAME}}


def placed(schema: Schema, base: Object, path: Path, value: Any, *, alone: bool = False) -> Object | None:
    """The object with a value at a path, on the way there with samples of missing parents."""
    content = deepcopy(base)
    at: Any = content
    for number, step in enumerate(path):
        if isinstance(step, str) and isinstance(at, dict):
            for other in other_union_members(rule_at(schema, path[: number + 1])[1], step):
                at.pop(other, None)
        if number == len(path) - 1:
            break
        there = value_at(at, (step,))
        following = path[number + 1]
        if there is None or (isinstance(following, int) and not there):
            rule, _ = rule_at(schema, path[: number + 1])
            there = _parent(schema, rule, path[number + 1 :])
            if isinstance(step, int):
                at.append(there)
            else:
                at[step] = there
        if not isinstance(there, dict | list):
            return None
        at = there
    last = path[-1]
    if isinstance(last, int):
        return None
    if alone:
        at.clear()
        at.update(sample_of_type(rule_at(schema, path)[1], str(last)))
        for other in other_union_members(rule_at(schema, path)[1], last):
            at.pop(other, None)
    at[last] = value
    return content


def _parent(schema: Schema, rule: Any, rest: Path) -> Any:
    """A sample of a value that is missing on the way to a field."""
    if rule is not None and (type_ := schema.struct(rule)) is not None:
        return sample_of_type(type_.name, str(rest[0]))
    return [] if isinstance(rest[0], int) else {}


def searched(schema: Schema, field: Field, send: Send, start: list[Object]) -> tuple[Object, int]:
    """The first request that the server accepts, or else one that it rejects for a reason, with the code."""
    rejected: tuple[Object, int] | None = None
    tried: set[str] = set()
    for content in _drafts(schema, field, start):
        for _ in range(ROUNDS):
            text = json.dumps(content, sort_keys=True)
            if text in tried or len(tried) > MOST:
                break
            tried.add(text)
            code, answer = send(content)
            if code < ACCEPTED:
                return content, code
            if rejected is None or code == INVALID:
                rejected = content, code
            again = mended(schema, content, field.path, answer)
            if again is None:
                break
            content = again  # noqa: PLW2901 - the mended draft
    assert rejected is not None
    return rejected


def _drafts(schema: Schema, field: Field, start: list[Object]) -> Iterator[Object]:
    for base in start:
        for value in alternatives(schema, field):
            for alone in (False, True):
                content = placed(schema, base, field.path, deepcopy(value), alone=alone)
                if content is not None:
                    yield content


def mended(schema: Schema, content: Object, target: Path, answer: Object) -> Object | None:
    """The object without the first problem that can be mended; None if none can."""
    for cause in (answer.get("details") or {}).get("causes") or ():
        at = steps_of(cause.get("field", ""))
        found = _mended(schema, content, target, at, cause.get("reason", ""), cause.get("message", ""))
        if found is not None and found != content:
            return found
    return None


def _mended(schema: Schema, content: Object, target: Path, at: Path, reason: str, said: str) -> Object | None:
    if not at or at[0] == "<nil>":
        return None
    within_target = at == target[: len(at)]
    if supported := _SUPPORTED.search(said):
        words = re.findall(r'"([^"]*)"', supported[1]) or [one.strip() for one in supported[1].split(",")]
        words = [one for one in words if one]
        return _set(content, at, words[0]) if words else None
    if reason == "FieldValueRequired":
        return _filled(schema, content, at)
    if reason in ("FieldValueForbidden", "FieldValueDuplicate"):
        if not within_target:
            return _removed(content, at)
        return _only(content, target, at)
    if example := _EXAMPLE.search(said):
        return _set(content, at, example[1])
    if not within_target and at[: len(target)] != target:
        return _removed(content, at)
    return None


def _with(content: Object, at: Path, change: Callable[[Any, Any], None]) -> Object | None:
    """A copy in which the map or list that holds a field is changed; None if the field is not there."""
    found = deepcopy(content)
    owner, last = value_at(found, at[:-1]), at[-1]
    is_there = last < len(owner) if isinstance(owner, list) and isinstance(last, int) else isinstance(owner, dict)
    if not is_there:
        return None
    change(owner, last)
    return found


def _set(content: Object, at: Path, value: Any) -> Object | None:
    return _with(content, at, lambda owner, last: owner.__setitem__(last, value))


def _removed(content: Object, at: Path) -> Object | None:
    if value_at(content, at) is None:
        return None
    return _with(content, at, lambda owner, last: owner.__delitem__(last))


def _filled(schema: Schema, content: Object, at: Path) -> Object | None:
    """The object with a sample of a missing value, and with the maps above it."""
    rule, holder = rule_at(schema, at)
    if rule is None:
        return None
    type_, there = schema.struct(rule), value_at(content, at)
    if type_ is not None:
        value: Any = {**(there if isinstance(there, dict) else {}), **sample_of_type(type_.name, "")}
    else:
        value = sample(schema, Field(at, rule, holder))
    found = deepcopy(content)
    owner: Any = found
    for step in at[:-1]:
        inner = value_at(owner, (step,))
        if inner is None:
            if isinstance(step, int) or not isinstance(owner, dict):
                return None
            inner = owner[step] = {}
        owner = inner
    if not isinstance(owner, list):
        owner[at[-1]] = value
    elif isinstance(at[-1], int) and at[-1] <= len(owner):
        owner[at[-1] : at[-1] + 1] = [value]
    else:
        return None
    return found


def _only(content: Object, target: Path, at: Path) -> Object | None:
    """The object without the siblings of a field on the way to the target, except names and types."""
    owner = value_at(content, at[:-1])
    if not isinstance(owner, dict) or len(at) < 2:
        return None
    keep = {at[-1], "name", "type", "apiVersion", "kind", "metadata"}
    return _set(content, at[:-1], {key: value for key, value in owner.items() if key in keep})
