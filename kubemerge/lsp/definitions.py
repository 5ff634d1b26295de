"""Go to definition: from a custom resource or one of its fields to its CustomResourceDefinition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegen.documents.limits import MAX_BYTES
from codegen.trees import read_regular

from ..manifests.lines import Lines
from .documents import data_of, documents
from .fields import version_of
from .model import Location
from .places import target_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..manifests.objects import Manifest
    from .repository import Rules


def definition(text: str, offset: int, rules: Rules, opened: Mapping[str, bytes]) -> Location | None:
    """The place that defines the kind or the field at an offset."""
    target = target_at(text, offset)
    found = rules.definition(target.key) if target is not None else None
    if target is None or found is None:
        return None
    data = opened.get(found.source)
    if data is None:
        try:
            data = read_regular(found.source, MAX_BYTES)
        except OSError:  # deleted since it was read
            return None
    return _place(data, found, _steps(rules, target.key, target.steps))


def _steps(rules: Rules, key: tuple[str, str], steps: tuple[object, ...]) -> tuple[str | int, ...]:
    """The steps to a field in its definition."""
    at, node = version_of(rules, key)
    if not node or steps in (("apiVersion",), ("kind",)) or steps[:1] == ("metadata",):
        return ()
    found: list[str | int] = ["spec", "versions", at, "schema", "openAPIV3Schema"]
    for step in steps:
        if isinstance(step, str):
            named = isinstance(node.get("properties"), dict) and step in node["properties"]
            found += ["properties", step] if named else ["additionalProperties"]
            node = node["properties"][step] if named else node.get("additionalProperties") or {}
        else:
            found.append("items")
            node = node.get("items") or {}
        if not isinstance(node, dict):
            break
    return tuple(found)


def _place(data: bytes, found: Manifest, steps: tuple[str | int, ...]) -> Location:
    """The place of these steps in the document of a definition. Only this document is parsed."""
    text = data.decode("utf-8", "replace")
    every = documents(text)
    document = next((one for one in reversed(every) if one.line < found.line), every[0])
    lines = Lines(data_of(document.text))
    number = int(found.item.removeprefix("items[").rstrip("]") or 0) if found.item.count("[") == 1 else 0
    spot = lines.spot_in(0, number, steps, found.line - document.line)
    return Location(found.source, spot.line - 1 + document.line, spot.column - 1)
