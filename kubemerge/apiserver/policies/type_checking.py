"""Type checking of ValidatingAdmissionPolicies: their expressions with the types of the matched kinds.

kube-controller-manager writes the warnings into the status of a policy. They change no decision.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..cel.language.types import DYN, type_of, with_name
from ..http.discovery.resources import virtual_kinds
from ..http.openapi.definitions import OBJECT_META, QUANTITY, REFERENCE, definitions
from ..http.openapi.v3_conversion import INT_OR_STRING
from ..schemas.schemas import Schema, raw_schema
from ..unchecked import as_list, as_map, as_text, maps
from ..validation.values import compiled as environments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..cel.language.types import Type
    from ..protocol import Object
    from ..resources import Kinds

MOST_OF_A_RULE = 10
"""The kinds of one rule after which no more kinds are searched."""
MOST_CHECKS = 1000
"""The checks of expressions in one policy. A real controller has no limit, but it does not delay the request."""
FAILED = "compilation failed: "
_MESSAGE = re.compile(r"^ERROR: <input>:\d+:\d+: (.*)$", re.MULTILINE)


class Kind(NamedTuple):
    """A kind, in the order of warnings."""

    group: str
    version: str
    name: str

    def __str__(self) -> str:
        return f"{self.group}/{self.version}, Kind={self.name}"


class _Environment(NamedTuple):
    """The variables of expressions for objects of one kind."""

    kind: Kind
    known: Mapping[str, Type]


class Check(NamedTuple):
    """The checks of one expression."""

    place: int
    """The index of the validation."""
    field: str
    errors: list[tuple[Kind, str]]
    """By matched kind, the errors of the compiler. Empty for a kind that the expression fits."""

    @property
    def common(self) -> list[str]:
        """The messages of the errors that all kinds share, without their places."""
        found = [_MESSAGE.findall(text) for _, text in self.errors]
        return [one for one in dict.fromkeys(found[0] if found else ()) if all(one in each for each in found)]


def expression_warnings(policy: Object, kinds: Kinds) -> list[dict[str, str]]:
    """Return the warnings of a policy's `status.typeChecking`, each with the field and the errors by kind."""
    found = []
    for one in checks(policy, kinds):
        said = "\n".join(f"{kind}: {why}\n" for kind, why in one.errors if why)
        if said:
            found.append({"fieldRef": f"spec.validations[{one.place}].{one.field}", "warning": said})
    return found


def checks(policy: Object, kinds: Kinds) -> Iterator[Check]:
    """Check the expressions of a policy."""
    spec = as_map(policy.get("spec"))
    checked = list(_environments(spec, kinds))
    left = MOST_CHECKS
    for index, one in maps(spec, "validations"):
        for field in ("expression", "messageExpression"):
            text = as_text(one.get(field))
            left -= len(checked) if text else 0
            if text and left >= 0:
                errors = [(each.kind, environments.compiled(text, each.known).why) for each in checked]
                yield Check(index, field, [(kind, why.removeprefix(FAILED)) for kind, why in errors])


def _environments(spec: Object, kinds: Kinds) -> Iterator[_Environment]:
    param: dict[str, Type] = {}
    if spec.get("paramKind") is not None:
        group, _, version = as_text(as_map(spec["paramKind"]).get("apiVersion")).rpartition("/")
        kind = Kind(group, version, as_text(as_map(spec["paramKind"]).get("kind")))
        param["params"] = _type_of_kind(kind, kinds) or DYN
    shared = {name: one for name, one in environments.REQUEST.items() if name != "authorizer.requestResource"}
    for kind in _matched(spec, kinds):
        type_ = _type_of_kind(kind, kinds)
        if type_ is not None:
            base = {**shared, **param, "object": type_, "oldObject": type_}
            yield _Environment(kind, environments.with_variables(base, _variables(spec, base)))


def _variables(spec: Object, base: Mapping[str, Type]) -> dict[str, Type]:
    """The types of the policy's own variables. One with an error has any type."""
    found: dict[str, Type] = {}
    for _, one in maps(spec, "variables"):
        known = environments.with_variables(base, found)
        type_ = environments.compiled(as_text(one.get("expression")), known).type
        found[as_text(one.get("name"))] = environments.variable_type(type_)
    return found


# ---- matched kinds ---------------------------------------------------------------------------------------------------


def _matched(spec: Object, kinds: Kinds) -> list[Kind]:
    """The kinds of all rules without wildcards, sorted."""
    found: set[Kind] = set()
    for _, rule in maps(as_map(spec.get("matchConstraints")), "resourceRules"):
        groups, versions, resources = (
            sorted(map(as_text, as_list(rule.get(field)))) for field in ("apiGroups", "apiVersions", "resources")
        )
        if any("*" in one for one in (*groups, *versions)):
            continue
        names = [one for one in resources if "*" not in one and "/" not in one]
        places = [(group, version, name) for group in groups for version in versions for name in names]
        of_rule = [kind for place in places for kind in _kinds_for(*place, kinds)]
        found.update(of_rule[:MOST_OF_A_RULE])
        if len(of_rule) >= MOST_OF_A_RULE:
            break
    return sorted(found)


def _kinds_for(group: str, version: str, name: str, kinds: Kinds) -> Iterator[Kind]:
    """The kinds of a resource. Without a group, it may be in any, as for a client's RESTMapper."""
    name = name.lower()
    for one in kinds.all():
        singular = one.singular or one.kind.lower()
        if one.version == version and name in (one.plural, singular) and group in ("", one.group):
            yield Kind(one.group, version, one.kind)
    for found, in_version, plural, _, kind in virtual_kinds(kinds.release):
        if in_version == version and name in (plural, kind.lower()) and group in ("", found):
            yield Kind(found, version, kind)


# ---- types -----------------------------------------------------------------------------------------------------------


def _type_of_kind(kind: Kind, kinds: Kinds) -> Type | None:
    """The type of a kind's objects. None for an unknown kind."""
    found = _built_in(kind, kinds.minor)
    if found is not None:
        return found
    resource = next((one for one in kinds.all() if Kind(one.group, one.version, one.kind) == kind), None)
    definition = None if resource is None else kinds.definition(resource)
    if definition is None:
        return None
    schema = raw_schema(definition, kind.version) or {"type": "object"}
    text = {"type": "string"}
    head = {"apiVersion": text, "kind": text, "metadata": _expanded(kinds.minor)[OBJECT_META]}
    return _root({**schema, "properties": {**as_map(schema.get("properties")), **head}}, kind)


@cache
def _built_in(kind: Kind, minor: int) -> Type | None:
    name = definitions(minor).of_kind(*kind)
    return None if name is None else _root(_expanded(minor)[name], kind)


def _root(schema: Object, kind: Kind) -> Type:
    found = type_of(Schema(schema), root=True)
    return DYN if found is None else with_name(found, kind.name)


@cache
def _expanded(minor: int) -> _Expanded:
    return _Expanded(minor)


class _Expanded(dict[str, Any]):
    """Definitions with all referenced ones in place, by name. A definition may contain itself."""

    def __init__(self, minor: int) -> None:
        super().__init__()
        self._definitions = definitions(minor)

    def __missing__(self, name: str) -> Object:
        found = self[name] = {}
        if name == INT_OR_STRING:
            found["x-kubernetes-int-or-string"] = True
        elif name != QUANTITY:  # its values have two types, so expressions cannot use them
            found.update(self._inside(self._definitions.schema(name)))
        return found

    def _inside(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._inside(one) for one in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str):
            return self[reference.removeprefix(REFERENCE)]
        return {key: self._inside(one) for key, one in value.items()}
