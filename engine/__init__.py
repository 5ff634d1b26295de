"""The runtime: merges Kubernetes objects by tables. Standard library only; no files, no network, no printing."""

from .errors import (
    BadAnnotation,
    BadDirective,
    BadFieldPath,
    BadMergeKey,
    BadStrategy,
    BadText,
    Conflict,
    ConflictError,
    GeneratedName,
    MergeError,
    MissingMergeKey,
    MixedElements,
    NotAnObject,
    NotJson,
    OrderMismatch,
    PreconditionFailed,
    TablesError,
    TooDeep,
    UnclearConflict,
    UnexpectedList,
    UnknownDefinition,
    UnknownDirective,
    UnknownField,
    UnknownKind,
    UnknownRelease,
)
from .loading import load, releases
from .rules import Rule
from .schema import Schema
from .tables import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .applying import Outcome, apply
    from .json_merge import json_apply_patch, json_three_way_patch
    from .last_applied import last_applied_text
    from .reasons import Change
    from .strategic import apply_patch, conflicts, merge_patches, three_way_patch, two_way_patch

__all__ = [
    "BadAnnotation",
    "BadDirective",
    "BadFieldPath",
    "BadMergeKey",
    "BadStrategy",
    "BadText",
    "Change",
    "Conflict",
    "ConflictError",
    "GeneratedName",
    "MergeError",
    "MissingMergeKey",
    "MixedElements",
    "NotAnObject",
    "NotJson",
    "OrderMismatch",
    "Outcome",
    "PreconditionFailed",
    "Rule",
    "Schema",
    "Tables",
    "TablesError",
    "TooDeep",
    "UnclearConflict",
    "UnexpectedList",
    "UnknownDefinition",
    "UnknownDirective",
    "UnknownField",
    "UnknownKind",
    "UnknownRelease",
    "apply",
    "apply_patch",
    "conflicts",
    "json_apply_patch",
    "json_three_way_patch",
    "last_applied_text",
    "load",
    "merge_patches",
    "releases",
    "three_way_patch",
    "two_way_patch",
]

_LATE = {
    "Change": "reasons",
    "Outcome": "applying",
    "apply": "applying",
    "last_applied_text": "last_applied",
    "apply_patch": "strategic",
    "conflicts": "strategic",
    "json_apply_patch": "json_merge",
    "json_three_way_patch": "json_merge",
    "merge_patches": "strategic",
    "three_way_patch": "strategic",
    "two_way_patch": "strategic",
}
"""Where the functions live that are imported when they are first asked for, so that `import engine` stays quick."""


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    globals()[name] = found
    return found
