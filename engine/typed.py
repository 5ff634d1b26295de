"""Types of documents, and literal types of arguments and results. Imported through `aliases`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, Union

__all__ = [
    "Action",
    "Any",
    "Callable",
    "ClientObject",
    "Converter",
    "Document",
    "Iterable",
    "Iterator",
    "ListType",
    "Lists",
    "MapType",
    "Mapping",
    "Object",
    "PatchType",
    "Result",
    "RuleKind",
    "Sequence",
    "Severity",
    "Step",
    "Steps",
]


class ClientObject(Protocol):
    """An object of a client library: `kubernetes`, `lightkube` or `kr8s`."""

    def to_dict(self) -> Any:
        """The object as a dict."""


Step: TypeAlias = Union[str, int, tuple[tuple[str, Any], ...]]  # noqa: UP007 - as below
"""A step of a path: a field, a position, or the keys that identify an element."""
Steps: TypeAlias = tuple[Step, ...]
Object: TypeAlias = dict[str, Any]
"""A JSON object, as returned by every function."""
Document: TypeAlias = Union[Mapping[str, Any], ClientObject]  # noqa: UP007 - a Protocol in `|` needs a newer Python
"""A document argument: a dict, another mapping, or an object of a client library."""
Converter: TypeAlias = Callable[[Object, str], Object]
"""Converts an object to another apiVersion of its kind, without modifying its argument."""
PatchType: TypeAlias = Literal["strategic", "merge", "create", "apply", "none"]
Result: TypeAlias = Literal["created", "configured", "unchanged"]
Action: TypeAlias = Literal["added", "changed", "cleared", "kept", "unchanged", "matched", "reordered"]
Lists: TypeAlias = Literal["kubectl", "schema"]
Severity: TypeAlias = Literal["error", "warning", "info"]
RuleKind: TypeAlias = Literal["primitive", "map", "list", "any"]
ListType: TypeAlias = Literal["map", "set", "atomic"]
MapType: TypeAlias = Literal["atomic", "granular"]
