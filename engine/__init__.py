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
    DirectiveInConfig,
    GeneratedName,
    MergeError,
    MissingMergeKey,
    MixedElements,
    NotAnObject,
    NotASchema,
    NotJson,
    OrderMismatch,
    PreconditionFailed,
    RepeatedElement,
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
from .tables.loading import load, releases
from .tables.rules import Rule
from .tables.schema import Schema
from .tables.tables import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .clientside.apply import apply
    from .clientside.last_applied import last_applied_text
    from .clientside.outcome import Outcome
    from .clientside.ownership import Move, adopt, clear, hand_over, take_over
    from .clientside.reasons import Change
    from .json_merge import json_apply_patch, json_three_way_patch
    from .linter import Finding, lint
    from .patches import apply_patch, conflicts, merge_patches, three_way_patch, two_way_patch

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
    "DirectiveInConfig",
    "Finding",
    "GeneratedName",
    "MergeError",
    "MissingMergeKey",
    "MixedElements",
    "Move",
    "NotASchema",
    "NotAnObject",
    "NotJson",
    "OrderMismatch",
    "Outcome",
    "PreconditionFailed",
    "RepeatedElement",
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
    "adopt",
    "apply",
    "apply_patch",
    "clear",
    "conflicts",
    "hand_over",
    "json_apply_patch",
    "json_three_way_patch",
    "last_applied_text",
    "lint",
    "load",
    "merge_patches",
    "releases",
    "take_over",
    "three_way_patch",
    "two_way_patch",
]

_LATE = {
    "Change": "clientside.reasons",
    "Move": "clientside.ownership",
    "Finding": "linter",
    "Outcome": "clientside.outcome",
    "adopt": "clientside.ownership",
    "apply": "clientside.apply",
    "last_applied_text": "clientside.last_applied",
    "apply_patch": "patches",
    "clear": "clientside.ownership",
    "conflicts": "patches",
    "hand_over": "clientside.ownership",
    "json_apply_patch": "json_merge",
    "json_three_way_patch": "json_merge",
    "lint": "linter",
    "merge_patches": "patches",
    "take_over": "clientside.ownership",
    "three_way_patch": "patches",
    "two_way_patch": "patches",
}
"""Where the functions live that are imported when they are first asked for, so that `import engine` stays quick."""


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    globals()[name] = found
    return found
