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
from .loading import load, releases
from .rules import Rule
from .schema import Schema
from .tables import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .applying import Outcome, apply
    from .json_merge import json_apply_patch, json_three_way_patch
    from .last_applied import last_applied_text
    from .linting import Finding, lint
    from .ownership import Move, adopt, clear, hand_over, take_over
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
    "Change": "reasons",
    "Move": "ownership",
    "Finding": "linting",
    "Outcome": "applying",
    "adopt": "ownership",
    "apply": "applying",
    "last_applied_text": "last_applied",
    "apply_patch": "strategic",
    "clear": "ownership",
    "conflicts": "strategic",
    "hand_over": "ownership",
    "json_apply_patch": "json_merge",
    "json_three_way_patch": "json_merge",
    "lint": "linting",
    "merge_patches": "strategic",
    "take_over": "ownership",
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
