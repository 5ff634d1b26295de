"""Merge engine for Kubernetes objects. Standard library only; no files, no network, no printing.

To get to know the code, read it in this order. Each part imports only the parts above it:

    typed, aliases              types of documents, and literal types of arguments
    paths, directives, errors   field paths, patch directives, exceptions
    values/       JSON values: types, copies, equality, Go's JSON encoding, quantities
    tables/       merge rules by field, type, kind and release; the identity of list elements
    strategic/    strategic merge patches, exactly as in the reference
    json_merge    JSON merge patches, exactly as in the reference
    lossless/     the merge that loses nothing (`safe=True`)
    custom/       custom resources whose lists merge by the keys of their own schema (`lists="schema"`)
    patches       the public patch functions: strategic with a schema, JSON merge without one
    texts         the same from JSON text to JSON text
    clientside/   `kubectl apply` of one object
    serverside/   server-side apply and field ownership
    linter/       lint rules: values that an apply would lose, and configs that are never unchanged

"The reference" is the Go code of kubectl and the API server.
"""

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
    NewerPickle,
    NotAnObject,
    NotASchema,
    NotJson,
    OrderMismatch,
    PreconditionFailed,
    RepeatedElement,
    SnakeCase,
    TablesError,
    TooDeep,
    UnclearConflict,
    UnexpectedList,
    UnknownDefinition,
    UnknownDirective,
    UnknownField,
    UnknownKind,
    UnknownRelease,
    WrongKind,
)
from .tables.loading import load, releases
from .tables.rules import Rule
from .tables.schema import Schema
from .tables.tables import Tables
from .version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .aliases import (
        Action,
        ClientObject,
        Converter,
        Document,
        Lists,
        ListType,
        MapType,
        Object,
        PatchType,
        Result,
        RuleKind,
        Severity,
    )
    from .clientside.apply import apply
    from .clientside.change import Change
    from .clientside.last_applied import last_applied_text
    from .clientside.outcome import Outcome
    from .clientside.ownership import Move, adopt, clear, hand_over, take_over
    from .json_merge import json_apply_patch, json_three_way_patch
    from .linter import Finding, lint
    from .patches import apply_patch, conflicts, merge_patches, three_way_patch, two_way_patch
    from .serverside.apply import server_side_apply
    from .serverside.conflicts import FieldConflict
    from .serverside.fields.field_set import FieldSet
    from .serverside.owners import Owner, field_owners, upgrade_managed_fields
    from .serverside.update import record_update
    from .values.go_json import accelerate

__all__ = [  # noqa: RUF022 - the most common names first
    # the most common names
    "load",
    "apply",
    "lint",
    "three_way_patch",
    "apply_patch",
    "Outcome",
    "Change",
    "Finding",
    "Schema",
    "MergeError",
    # tables
    "releases",
    "Tables",
    "Rule",
    # patches
    "two_way_patch",
    "merge_patches",
    "conflicts",
    "Conflict",
    "json_three_way_patch",
    "json_apply_patch",
    # last-applied, and moving fields between writers
    "last_applied_text",
    "hand_over",
    "take_over",
    "clear",
    "adopt",
    "Move",
    # server-side apply
    "server_side_apply",
    "record_update",
    "field_owners",
    "Owner",
    "FieldSet",
    "upgrade_managed_fields",
    # faster JSON
    "accelerate",
    # errors, each a MergeError
    "BadAnnotation",
    "BadDirective",
    "BadFieldPath",
    "BadMergeKey",
    "BadStrategy",
    "BadText",
    "ConflictError",
    "DirectiveInConfig",
    "FieldConflict",
    "GeneratedName",
    "MissingMergeKey",
    "MixedElements",
    "NotAnObject",
    "NotASchema",
    "NewerPickle",
    "NotJson",
    "OrderMismatch",
    "PreconditionFailed",
    "RepeatedElement",
    "SnakeCase",
    "TablesError",
    "TooDeep",
    "UnclearConflict",
    "UnexpectedList",
    "UnknownDefinition",
    "UnknownDirective",
    "UnknownField",
    "UnknownKind",
    "UnknownRelease",
    "WrongKind",
    # types for annotations
    "Object",
    "Document",
    "ClientObject",
    "Converter",
    "PatchType",
    "Result",
    "Action",
    "Lists",
    "Severity",
    "RuleKind",
    "ListType",
    "MapType",
    "__version__",
]

_LAZY = {
    "accelerate": "values.go_json",
    "Action": "aliases",
    "Change": "clientside.change",
    "ClientObject": "aliases",
    "Converter": "aliases",
    "Document": "aliases",
    "FieldConflict": "serverside.conflicts",
    "FieldSet": "serverside.fields.field_set",
    "Finding": "linter",
    "ListType": "aliases",
    "Lists": "aliases",
    "MapType": "aliases",
    "Move": "clientside.ownership",
    "Object": "aliases",
    "Outcome": "clientside.outcome",
    "Owner": "serverside.owners",
    "PatchType": "aliases",
    "Result": "aliases",
    "RuleKind": "aliases",
    "Severity": "aliases",
    "adopt": "clientside.ownership",
    "apply": "clientside.apply",
    "apply_patch": "patches",
    "clear": "clientside.ownership",
    "conflicts": "patches",
    "field_owners": "serverside.owners",
    "hand_over": "clientside.ownership",
    "json_apply_patch": "json_merge",
    "json_three_way_patch": "json_merge",
    "last_applied_text": "clientside.last_applied",
    "lint": "linter",
    "merge_patches": "patches",
    "record_update": "serverside.update",
    "server_side_apply": "serverside.apply",
    "take_over": "clientside.ownership",
    "three_way_patch": "patches",
    "two_way_patch": "patches",
    "upgrade_managed_fields": "serverside.owners",
}
"""Names that are imported on first use, with their modules. This keeps `import engine` fast."""


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    globals()[name] = found
    return found
