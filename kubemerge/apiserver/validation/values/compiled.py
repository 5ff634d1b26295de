"""CEL expressions in built-in kinds: parsing and type-checking."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ...cel.language.checker import check_types
from ...cel.language.environments import NEWEST, by_release
from ...cel.language.overloads import AUTHORIZER, RESOURCE_CHECK
from ...cel.language.parser import parse
from ...cel.language.tree import CelSyntaxError, located
from ...cel.language.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIME,
    UINT,
    Type,
    list_of,
    map_of,
    named,
)
from ...cel.validators import problems as constant_problems
from ...problems import Problem, invalid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_BEYOND = re.compile(r"\bcel\.bind\b")
"""Macros of device selectors, which other expressions lack."""


class Compiled(NamedTuple):
    """The type of an expression, None if it is unknown. `why` is the compilation error."""

    type: Type | None
    why: str = ""


def compiled(
    expression: str, variables: Mapping[str, Type], *, patches: bool = False, environment: int = NEWEST
) -> Compiled:
    """Compile an expression with these variables. `patches`: it is a patch of an admission policy."""
    try:
        found = check_types(parse(expression, environment), dict(variables), patches=patches, environment=environment)
    except CelSyntaxError as error:
        return Compiled(None, f"compilation failed: {error.located_in(expression)}")
    wrong = found.problems or constant_problems(found, environment)
    if wrong:
        return Compiled(None, f"compilation failed: {located(expression, wrong)}")
    return Compiled(found.type)


def evaluates(
    at: str,
    expression: str,
    variables: Mapping[str, Type],
    *wanted: Type,
    shown: str | None = None,
    patches: bool = False,
) -> Iterator[Problem]:
    """Validate an expression of one of these types. Without types, any is valid."""
    shown = expression if shown is None else shown
    for era, found in by_release(lambda one: compiled(expression, variables, patches=patches, environment=one), tuple):
        why = found.why
        if not why and wanted and found.type is not None and found.type not in wanted:
            why = wrong_type(found.type, wanted)
        if why:
            yield from era.limit([invalid(at, shown, why)])


def wrong_type(found: Type, wanted: Sequence[Type]) -> str:
    """Return the message about an expression of a wrong type."""
    names = [_shown(one) for one in wanted]
    expected = names[0] if len(names) == 1 else f"one of [{' '.join(names)}]"
    return f"must evaluate to {expected} but got {_shown(found)}"


def _shown(type_: Type) -> str:
    return "null_type" if type_ == NULL else str(type_)


_QUANTITY, _ANY_OF_NAMES = Type("kubernetes.Quantity"), map_of(STRING, map_of(STRING, DYN))
_DEVICE = {"driver": STRING, "attributes": _ANY_OF_NAMES, "capacity": map_of(STRING, map_of(STRING, _QUANTITY))}
_SHARED_DEVICE = {**_DEVICE, "allowMultipleAllocations": BOOL}


def selects_devices(at: str, expression: str, *, shared: bool) -> Iterator[Problem]:
    """Validate a boolean expression about devices, which may be shared."""
    if _BEYOND.search(expression):
        return
    variables = {"device": named("kubernetes.DRADevice", _SHARED_DEVICE if shared else _DEVICE)}
    for era, found in by_release(lambda one: compiled(expression, variables, environment=one), tuple):
        why = found.why
        if not why and found.type not in (None, BOOL, DYN):
            why = f"must evaluate to bool or the unknown type, not {_shown(found.type)}"
        if why:
            yield from era.limit([invalid(at, expression, why)])


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
_PLAIN = {"object": DYN, "oldObject": DYN, "request": _REQUEST, "namespaceObject": _NAMESPACE}
_AUTHORIZERS = {"authorizer": AUTHORIZER, "authorizer.requestResource": RESOURCE_CHECK}
REQUEST = {**_PLAIN, **_AUTHORIZERS}
"""The variables of webhooks and policies."""
PARAMS = {**REQUEST, "params": DYN}
"""The variables of policies with parameters."""
OBJECT, JSON_PATCHES = Type("Object"), list_of(Type("JSONPatch"))
"""The types of mutations."""


def with_variables(known: Mapping[str, Type], variables: Mapping[str, Type]) -> dict[str, Type]:
    """Return the variables of a policy with its own ones."""
    return {**known, "variables": named("kubernetes.variables", dict(variables))}


def without_authorizer(known: Mapping[str, Type]) -> dict[str, Type]:
    """Return the variables of an expression that must not check permissions."""
    return {name: one for name, one in known.items() if name not in _AUTHORIZERS}


_KEPT = frozenset((BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIME, UINT))


MAX_DEPTH = 32
"""The levels of a type that are kept. Each variable of a policy can nest the type of another one."""


def variable_type(found: Type | None, depth: int = 0) -> Type:
    """Return the type of a policy's variable with a value of this type. Only plain types are kept."""
    if found is None or depth > MAX_DEPTH:
        return DYN
    if found in _KEPT:
        return found
    if found.name in ("list", "map"):
        return found._replace(inner=tuple([variable_type(one, depth + 1) for one in found.inner]))
    return DYN
