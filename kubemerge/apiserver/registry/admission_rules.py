"""Validation shared by webhooks and policies: match rules and match conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..cel.language.types import BOOL
from ..problems import Problem, duplicate, invalid, required, too_many, unsupported
from ..unchecked import as_map, as_text, maps
from ..validation import names
from ..validation.object_names import path_segment
from ..validation.selectors import label_selector
from ..validation.values import compiled as cel
from ..validation.values import formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

OPERATIONS = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
MUTATING = ("*", "CONNECT", "CREATE", "UPDATE")
SCOPES = ("*", "Cluster", "Namespaced")
FAILURES = ("Fail", "Ignore")
MATCHES = ("Equivalent", "Exact")
MOST_CONDITIONS = 64


def listed(owner: Object, field: str) -> list[str]:
    """Return the texts of a list."""
    found = owner.get(field)
    return [as_text(one) for one in found] if isinstance(found, list) else []


def one_of(at: str, value: Any, choices: tuple[str, ...]) -> Iterator[Problem]:
    """Validate an optional value with a fixed set of choices."""
    if value is not None and value not in choices:
        yield unsupported(at, value, choices)


def operations(at: str, rule: Object) -> Iterator[Problem]:
    """Validate a rule and its operations."""
    found = listed(rule, "operations")
    if not found:
        yield required(f"{at}.operations")
    if len(found) > 1 and "*" in found:
        yield invalid(f"{at}.operations", found, "if '*' is present, must not specify other operations")
    for index, operation in enumerate(found):
        if operation not in OPERATIONS:
            yield unsupported(f"{at}.operations[{index}]", operation, OPERATIONS)
    yield from _rule(at, rule)


def _rule(at: str, rule: Object) -> Iterator[Problem]:
    groups, versions = listed(rule, "apiGroups"), listed(rule, "apiVersions")
    if not groups:
        yield required(f"{at}.apiGroups")
    if len(groups) > 1 and "*" in groups:
        yield invalid(f"{at}.apiGroups", groups, "if '*' is present, must not specify other API groups")
    if not versions:
        yield required(f"{at}.apiVersions")
    if len(versions) > 1 and "*" in versions:
        yield invalid(f"{at}.apiVersions", versions, "if '*' is present, must not specify other API versions")
    yield from (required(f"{at}.apiVersions[{index}]") for index, version in enumerate(versions) if not version)
    yield from _resources(f"{at}.resources", listed(rule, "resources"))
    yield from one_of(f"{at}.scope", rule.get("scope"), SCOPES)


def _resources(at: str, resources: list[str]) -> Iterator[Problem]:
    if not resources:
        yield required(at)
    all_of: set[str] = set()
    of_all: set[str] = set()
    plain = False
    for index, one in enumerate(resources):
        if not one:
            yield required(f"{at}[{index}]")
            continue
        resource, slash, inner = one.partition("/")
        if not slash:
            plain = one != "*"
            continue
        if resource in all_of:
            yield invalid(f"{at}[{index}]", one, f"if '{resource}/*' is present, must not specify {one}")
        if inner in of_all:
            yield invalid(f"{at}[{index}]", one, f"if '*/{inner}' is present, must not specify {one}")
        if inner == "*":
            all_of.add(resource)
        if resource == "*":
            of_all.add(inner)
    if len(resources) > 1 and "*/*" in resources:
        yield invalid(at, resources, "if '*/*' is present, must not specify other resources")
    if "*" in resources and plain:
        yield invalid(at, resources, "if '*' is present, must not specify other resources without subresources")


def named_rule(at: str, rule: Object) -> Iterator[Problem]:
    """Validate a rule that may contain resource names."""
    taken: set[str] = set()
    for index, name in enumerate(listed(rule, "resourceNames")):
        yield from formats.each(f"{at}.resourceNames[{index}]", name, path_segment)
        if name in taken:
            yield duplicate(f"{at}.resourceNames[{index}]", name)
        taken.add(name)
    yield from operations(at, rule)


def matched(at: str, value: Any) -> Iterator[Problem]:
    """Validate the optional match constraints of a policy."""
    if value is None:
        return
    match = as_map(value)
    if match.get("matchPolicy") is None:
        yield required(f"{at}.matchPolicy")
    yield from one_of(f"{at}.matchPolicy", match.get("matchPolicy"), MATCHES)
    for field in ("namespaceSelector", "objectSelector"):
        yield from label_selector(f"{at}.{field}", match.get(field))
    for field in ("resourceRules", "excludeResourceRules"):
        for index, rule in maps(match, field):
            yield from named_rule(f"{at}.{field}[{index}]", rule)


def mutating(at: str, value: Any) -> Iterator[Problem]:
    """Reject operations whose objects a policy cannot mutate."""
    for _, rule in maps(as_map(value), "resourceRules"):
        for operation in listed(rule, "operations"):
            if operation not in MUTATING:
                yield unsupported(f"{at}.resourceRules.operations", operation, MUTATING)


def conditions(at: str, owner: Object) -> Iterator[Problem]:
    """Validate match conditions."""
    known = cel.PARAMS if owner.get("paramKind") is not None else cel.REQUEST
    found = list(maps(owner, "matchConditions"))
    taken: set[str] = set()
    if len(found) > MOST_CONDITIONS:
        yield too_many(at, len(found), MOST_CONDITIONS)
    for index, one in found:
        name = as_text(one.get("name"))
        expression = as_text(one.get("expression")).strip()
        if not expression:
            yield required(f"{at}[{index}].expression")
        else:
            yield from cel.evaluates(f"{at}[{index}].expression", expression, known, BOOL)
        if not name:
            yield required(f"{at}[{index}].name")
        else:
            yield from formats.each(f"{at}[{index}].name", name, names.key)
            if name in taken:
                yield duplicate(f"{at}[{index}].name", name)
            taken.add(name)
