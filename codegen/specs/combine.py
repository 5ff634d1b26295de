"""Combines the facts of several documents.

A server describes each group in a separate document, with copies of shared types. Equal copies become one. Aggregated
servers may have other releases with different copies: then the later document keeps its own variant, so that every kind
merges by its own document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .facts import Facts, Node

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def combine(parts: Sequence[Facts], source: str) -> Facts:
    """One set of facts from several. Of two different copies of a type, the later one becomes a variant."""
    if len(parts) == 1:
        return parts[0]
    whole = Facts(source)
    for number, part in enumerate(parts):
        renamed = {name: f"{name}~{number}" for name in _unequal(whole, part)}
        for name, node in part.definitions.items():
            whole.definitions[renamed.get(name, name)] = _rename_references(node, renamed) if renamed else node
            whole.pointers.setdefault(renamed.get(name, name), part.pointers[name])
            whole.sources.setdefault(renamed.get(name, name), part.source)
        for kind, name in part.kinds.items():
            # A kind that is copied into every group (DeleteOptions) keeps its first copy. A kind that two documents
            # serve, such as a custom resource in two different files, is an error.
            served_twice = kind in part.patch_types and kind in whole.patch_types
            if name not in renamed or kind not in whole.kinds or served_twice:
                whole.claim(kind, renamed.get(name, name))
        whole.paths.update(part.paths)
        whole.namespaced.update(part.namespaced)
        whole.patch_types.update(part.patch_types)
        whole.ignored += part.ignored
    return whole


def _unequal(whole: Facts, part: Facts) -> set[str]:
    """The definitions of `part` that differ from `whole`, or refer to such a definition."""
    shared = {name: node for name, node in part.definitions.items() if name in whole.definitions}
    unequal = {name for name, node in shared.items() if node != whole.definitions[name]}
    if not unequal:
        return unequal
    uses = {name: set(_references(node)) for name, node in part.definitions.items()}
    more = unequal
    while more:
        more = {name for name in shared if name not in unequal and uses[name] & unequal}
        unequal |= more
    return unequal


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for part in _parts(node):
            yield from _references(part)


def _parts(node: Node) -> Iterator[Any]:
    yield from node.get("properties", {}).values()
    yield node.get("items")
    yield node.get("additionalProperties")


def _rename_references(node: Any, renamed: dict[str, str]) -> Any:
    if not isinstance(node, dict):
        return node
    changed = dict(node)
    if node.get("$ref") in renamed:
        changed["$ref"] = renamed[node["$ref"]]
    if "properties" in node:
        changed["properties"] = {name: _rename_references(part, renamed) for name, part in node["properties"].items()}
    for word in ("items", "additionalProperties"):
        if word in node:
            changed[word] = _rename_references(node[word], renamed)
    return changed
