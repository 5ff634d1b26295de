"""CEL expressions in built-in kinds: parsing and type-checking.

Expressions that create messages (`Object{...}`) or use the authorizer are only checked as far as the language of CRD
rules goes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ...cel.language.checker import check_types
from ...cel.language.parser import parse
from ...cel.language.tree import CelSyntaxError, located
from ...cel.language.types import BOOL, DYN, INT, NULL, STRING, TIME, Type, list_of, map_of, named
from ...problems import Problem, invalid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_BEYOND = re.compile(r"\w\s*\{|\bauthorizer\b|\bcel\.bind\b")
"""Messages and the authorizer, which CRD rules lack, and macros of device selectors."""


class Compiled(NamedTuple):
    """The type of an expression, None if it is unknown. `why` is the compilation error."""

    type: Type | None
    why: str = ""


def compiled(expression: str, variables: Mapping[str, Type]) -> Compiled:
    """Compile an expression with these variables."""
    if _BEYOND.search(expression):
        return Compiled(None)
    try:
        found = check_types(parse(expression), dict(variables))
    except CelSyntaxError as error:
        return Compiled(None, f"compilation failed: {located(expression, [(error.at, error.why)])}")
    if found.problems:
        return Compiled(None, f"compilation failed: {located(expression, found.problems)}")
    return Compiled(found.type)


def evaluates(
    at: str, expression: str, variables: Mapping[str, Type], *wanted: Type, shown: str | None = None
) -> Iterator[Problem]:
    """Validate an expression of one of these types. Without types, any is valid."""
    found = compiled(expression, variables)
    why = found.why
    if not why and wanted and found.type is not None and found.type not in wanted:
        names = [_shown(one) for one in wanted]
        expected = names[0] if len(names) == 1 else f"one of [{' '.join(names)}]"
        why = f"must evaluate to {expected} but got {_shown(found.type)}"
    if why:
        yield invalid(at, expression if shown is None else shown, why)


def _shown(type_: Type) -> str:
    return "null_type" if type_ == NULL else str(type_)


_QUANTITY, _ANY_OF_NAMES = Type("kubernetes.Quantity"), map_of(STRING, map_of(STRING, DYN))
DEVICE = {
    "device": named(
        "kubernetes.DRADevice",
        {
            "driver": STRING,
            "attributes": _ANY_OF_NAMES,
            "capacity": map_of(STRING, map_of(STRING, _QUANTITY)),
            "allowMultipleAllocations": BOOL,
        },
    )
}


def selects_devices(at: str, expression: str) -> Iterator[Problem]:
    """Validate a boolean expression about devices."""
    found = compiled(expression, DEVICE)
    why = found.why
    if not why and found.type not in (None, BOOL, DYN):
        why = f"must evaluate to bool or the unknown type, not {_shown(found.type)}"
    if why:
        yield invalid(at, expression, why)


def _texts(*fields: str) -> dict[str, Type]:
    return dict.fromkeys(fields, STRING)


_KIND = named("kubernetes.GroupVersionKind", _texts("group", "version", "kind"))
_RESOURCE = named("kubernetes.GroupVersionResource", _texts("group", "version", "resource"))
_USER = named(
    "kubernetes.UserInfo",
    {**_texts("username", "uid"), "groups": list_of(STRING), "extra": map_of(STRING, list_of(STRING))},
)
_REQUEST = named(
    "kubernetes.AdmissionRequest",
    {
        **dict.fromkeys(("kind", "requestKind"), _KIND),
        **dict.fromkeys(("resource", "requestResource"), _RESOURCE),
        **_texts("subResource", "requestSubResource", "name", "namespace", "operation"),
        "userInfo": _USER,
        "dryRun": BOOL,
        "options": DYN,
    },
)
_CONDITION = named(
    "kubernetes.NamespaceCondition", {**_texts("status", "type", "message", "reason"), "lastTransitionTime": TIME}
)
_METADATA = named(
    "kubernetes.NamespaceMetadata",
    {
        **_texts("name", "generateName", "namespace", "UID", "resourceVersion"),
        **dict.fromkeys(("labels", "annotations"), map_of(STRING, STRING)),
        **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), TIME),
        **dict.fromkeys(("deletionGracePeriodSeconds", "generation"), INT),
        "finalizers": list_of(STRING),
    },
)
_NAMESPACE = named(
    "kubernetes.Namespace",
    {
        "metadata": _METADATA,
        "spec": named("kubernetes.NamespaceSpec", {"finalizers": list_of(STRING)}),
        "status": named("kubernetes.NamespaceStatus", {"conditions": list_of(_CONDITION), "phase": STRING}),
    },
)
REQUEST = {"object": DYN, "oldObject": DYN, "request": _REQUEST, "namespaceObject": _NAMESPACE}
"""The variables of webhooks and policies."""
PARAMS = {**REQUEST, "params": DYN}
"""The variables of policies with parameters."""
OBJECT, JSON_PATCHES = Type("Object"), list_of(Type("JSONPatch"))
"""The types of mutations."""


def with_variables(known: Mapping[str, Type], variables: Mapping[str, Type]) -> dict[str, Type]:
    """Return the variables of a policy with its own ones."""
    return {**known, "variables": named("kubernetes.variables", dict(variables))}
