"""Lists of fields that change (`diff -o json`, `why --changed`, `fleet drift`), beside both sides of a difference."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from engine.directives import ANNOTATION
from engine.paths import parse

from .changes import brief, changes, escaped, general, same, words
from .drawn import DRAWN


def facts_differ(live: Any, merged: Any, facts: list[dict[str, Any]]) -> list[str]:
    """Differences between the listed fields, with their values, and the fields that differ between both sides."""
    before, after = _comparable(live), _comparable(merged)
    lines = []
    for fact in facts:
        steps = parse(fact["path"]) if fact["path"] else ()
        if not _counts(steps):
            continue
        left, right = _at(before, steps), _at(after, steps)
        if fact["action"] == "reordered":
            if same(left, right):
                lines.append(f"only ours {_general(steps)}: reordered")
        elif same(left, right):
            lines.append(f"only ours {_general(steps)}: {brief(repr(fact['before']))} -> {brief(repr(fact['after']))}")
        elif not (same(fact["before"], left) and (same(fact["after"], right) or same(fact["after"], _undrawn(right)))):
            told, real = ((side["before"], side["after"]) for side in (fact, {"before": left, "after": right}))
            lines.append(f"another value {_general(steps)}: {brief(repr(told))} | {brief(repr(real))}")
    for document in (before, after):
        _remove(document, facts)
    rest = changes(_sorted(before), _sorted(_undrawn(after)))
    return lines + [f"only the server's {general(path)}: {words(values)}" for path, *values in rest]


def _comparable(document: Any) -> Any:
    """A copy without parts that lists of fields leave out: the generation and the annotation of apply."""
    found = deepcopy(document)
    metadata = found["metadata"]
    for name in ("generation", "managedFields"):
        metadata.pop(name, None)
    annotations = metadata.get("annotations")
    if isinstance(annotations, dict):
        annotations.pop(ANNOTATION, None)
        if not annotations:
            del metadata["annotations"]
    return found


def _counts(steps: tuple[Any, ...]) -> bool:
    return steps[:2] not in (("metadata", "generation"), ("metadata", "managedFields")) and ANNOTATION not in steps


def _general(steps: tuple[Any, ...]) -> str:
    return "/" + "/".join(escaped(step) if isinstance(step, str) else "*" for step in steps)


def _at(document: Any, steps: tuple[Any, ...]) -> Any:
    for step in steps:
        if isinstance(step, str):
            document = document.get(step) if isinstance(document, dict) else None
        else:
            index = _index(document, step)
            document = None if index is None else document[index]
    return document


def _index(document: Any, step: Any) -> int | None:
    if not isinstance(document, list):
        return None
    if isinstance(step, int):
        return step if step < len(document) else None
    return next((index for index, item in enumerate(document) if _is_at(item, step)), None)


def _is_at(item: Any, step: Any) -> bool:
    if len(step) == 1 and step[0][0] == "":
        return same(item, step[0][1])
    defaults = {"protocol": "TCP"}
    return isinstance(item, dict) and all(same(item.get(key, defaults.get(key)), value) for key, value in step)


def _remove(document: Any, facts: list[dict[str, Any]]) -> None:
    """Remove the fields of all facts; sort lists in another order. Paths are resolved before anything is removed."""
    found: list[tuple[Any, Any]] = []
    for fact in facts:
        steps = parse(fact["path"]) if fact["path"] else ()
        if fact["action"] == "reordered":
            found.append((_at(document, steps), _REORDERED))
        elif steps:
            owner = _at(document, steps[:-1])
            found.append((owner, steps[-1] if isinstance(owner, dict) else _index(owner, steps[-1])))
    for owner, key in found:
        if isinstance(owner, dict):
            owner.pop(key, None)
        elif isinstance(owner, list) and isinstance(key, int):
            owner[key] = _REMOVED
    for owner, key in found:
        if isinstance(owner, list) and key is _REORDERED:
            owner.sort(key=repr)


_REMOVED, _REORDERED = "removed", "reordered"


def _undrawn(value: Any) -> Any:
    """A value without those that only a server chooses, which a prediction leaves out."""
    if isinstance(value, dict):
        return {key: _undrawn(item) for key, item in value.items() if item != DRAWN}
    if isinstance(value, list):
        return [_undrawn(item) for item in value]
    return None if value == DRAWN else value


def _sorted(value: Any) -> Any:
    """A value without removed elements, and without maps and lists that are empty now."""
    if isinstance(value, dict):
        found = {key: _sorted(item) for key, item in value.items()}
        return {key: item for key, item in found.items() if item not in ({}, [], None)}
    if isinstance(value, list):
        items = [_sorted(item) for item in value if item is not _REMOVED]
        return [item for item in items if item not in ({}, [], None)]
    return value
