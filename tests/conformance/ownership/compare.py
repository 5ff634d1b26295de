"""Comparison of two responses: objects byte for byte, conflicts by their texts, errors by being errors."""

from __future__ import annotations

from typing import Any

from engine.values.go_json import encode


def kind_of(answer: dict[str, Any]) -> str:
    return next(name for name in ("object", "conflicts", "error") if name in answer)


def differs(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """True if two responses differ, except for the text of an error."""
    if kind_of(ours) != kind_of(theirs):
        return True
    if "error" in ours:
        return False
    return normal(ours) != normal(theirs)


def normal(answer: dict[str, Any]) -> str:
    """The text of a response, with a fixed order of entries that the server leaves unsorted."""
    document: dict[str, Any] = answer.get("object") or {}
    metadata = document.get("metadata")
    entries = metadata.get("managedFields") if isinstance(metadata, dict) else None
    if not entries or not metadata:
        return encode(answer)
    kept = {**document, "metadata": {**metadata, "managedFields": sorted(entries, key=_stored)}}
    return encode({**answer, "object": kept})


def _stored(entry: dict[str, Any]) -> tuple[str, ...]:
    names = ("operation", "time", "manager", "apiVersion", "subresource")
    return (*(entry.get(name) or "" for name in names), encode(entry))


def places(ours: Any, theirs: Any, path: str = "") -> list[str]:
    """The differing places of two responses, with both values."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [
            place
            for key in sorted({**ours, **theirs})
            for place in places(ours.get(key, "nothing"), theirs.get(key, "nothing"), f"{path}/{key}")
        ]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [
            place
            for at, (one, other) in enumerate(zip(ours, theirs, strict=True))
            for place in places(one, other, f"{path}/{at}")
        ]
    same = type(ours) is type(theirs) and ours == theirs
    return [] if same else [f"{path}: ours {encode(ours)}, theirs {encode(theirs)}"]
