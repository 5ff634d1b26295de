"""Parts of a definition in server messages: JSON with Go field names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ...eras import Era
from ...problems import GO_SYNTAX_UNTIL, Printed
from ...text.go_text import quoted
from ...unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Iterator

Raw = dict[str, Any]
SCHEMA = """
    ID:id Schema:$schema Ref:$ref? Description:description Type:type Nullable:nullable! Format:format Title:title
    Default:default? Maximum:maximum? ExclusiveMaximum:exclusiveMaximum! Minimum:minimum?
    ExclusiveMinimum:exclusiveMinimum! MaxLength:maxLength? MinLength:minLength? Pattern:pattern MaxItems:maxItems?
    MinItems:minItems? UniqueItems:uniqueItems! MultipleOf:multipleOf? Enum:enum? MaxProperties:maxProperties?
    MinProperties:minProperties? Required:required? Items:items/ AllOf:allOf* OneOf:oneOf* AnyOf:anyOf* Not:not#
    Properties:properties@ AdditionalProperties:additionalProperties# PatternProperties:patternProperties@
    Dependencies:dependencies@ AdditionalItems:additionalItems# Definitions:definitions@ ExternalDocs:externalDocs&
    Example:example? XPreserveUnknownFields:x-kubernetes-preserve-unknown-fields?
    XEmbeddedResource:x-kubernetes-embedded-resource! XIntOrString:x-kubernetes-int-or-string!
    XListMapKeys:x-kubernetes-list-map-keys? XListType:x-kubernetes-list-type? XMapType:x-kubernetes-map-type?
    XValidations:x-kubernetes-validations~
"""
RULE = """
    Rule:rule Message:message MessageExpression:messageExpression Reason:reason? FieldPath:fieldPath
    OptionalOldSelf:optionalOldSelf?
"""
VERSION = """
    Name:name Served:served! Storage:storage! Deprecated:deprecated! DeprecationWarning:deprecationWarning?
    Schema:schema% Subresources:subresources^ AdditionalPrinterColumns:additionalPrinterColumns|
    SelectableFields:selectableFields=
"""
COLUMN = "Name:name Type:type Format:format Description:description Priority:priority0 JSONPath:jsonPath"
SCALE = "SpecReplicasPath:specReplicasPath StatusReplicasPath:statusReplicasPath LabelSelectorPath:labelSelectorPath?"
FORMS = "?!/*#@&~%^|=0"


class Shown(dict[str, Any]):
    """A value of a Go type, whose fields stay in order."""


def rule(raw: Raw) -> Shown:
    """A rule of `x-kubernetes-validations`."""
    return _struct(raw, RULE)


def rule_values(raw: Raw) -> Iterator[tuple[Era, Printed]]:
    """Yield a rule as servers print it: as JSON, and before 1.34 as a Go struct with the fields of the release."""
    yield Era(GO_SYNTAX_UNTIL + 1), literal(rule(raw))
    for era, names in _GO_RULES:
        fields = [f"{name}:{_go_field(raw, name)}" for name in names]
        yield era, Printed(f"apiextensions.ValidationRule{{{', '.join(fields)}}}")


_TEXTS = ("Rule", "Message", "MessageExpression")
_WITH_REASON = (*_TEXTS, "Reason", "FieldPath")
_GO_RULES = (
    (Era(0, 26), _TEXTS[:2]),
    (Era(27, 27), _TEXTS),
    (Era(28, 28), _WITH_REASON),
    (Era(29, GO_SYNTAX_UNTIL), (*_WITH_REASON, "OptionalOldSelf")),
)
_POINTERS = {"Reason": "*apiextensions.FieldValueErrorReason", "OptionalOldSelf": "*bool"}


def _go_field(raw: Raw, name: str) -> str:
    value = raw.get(name[0].lower() + name[1:])
    if name in _POINTERS:  # Go prints the address of a value, which differs each time
        return f"({_POINTERS[name]})({'nil' if value is None else '0xc000000000'})"
    return quoted(str(value or ""))


def versions(listed: list[Raw]) -> list[Shown]:
    """The `spec.versions`."""
    return [_struct(one, VERSION) for one in listed]


def schema(raw: Raw) -> Shown:
    """A whole schema."""
    return _struct(raw, SCHEMA)


def literal(value: Any) -> Printed:
    """Return a value for a message: JSON, in the order of its fields."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Printed(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _struct(raw: Raw, fields: str) -> Shown:
    found = Shown()
    for word in fields.split():
        name, _, key = word.partition(":")
        form = key[-1] if key[-1] in FORMS else ""
        found[name] = _value(raw.get(key[:-1] if form else key), form)
    return found


def _value(value: Any, form: str) -> Any:
    """A field in its form: a missing one is false for `!`, zero for `0`, and null for all other forms except texts."""
    if form == "":
        return value or ""
    if form in "!0":
        return value or (False if form == "!" else 0)
    if value is None:
        return None
    if form == "?":
        return json.loads(encode(value))
    if form == "/":
        listed = isinstance(value, list)
        return {
            "Schema": None if listed else schema(as_map(value)),
            "JSONSchemas": [schema(as_map(one)) for one in value] if listed else None,
        }
    if form == "#":
        return schema(value) if isinstance(value, dict) else value
    return _inner(value, form)


def _inner(value: Any, form: str) -> Any:
    if form == "@":
        return {name: schema(as_map(one)) for name, one in sorted(as_map(value).items())}
    if form == "%":
        raw = as_map(value).get("openAPIV3Schema")
        return {"OpenAPIV3Schema": schema(raw) if isinstance(raw, dict) else None}
    if form == "^":
        scale = as_map(value).get("scale")
        status = as_map(value).get("status")
        return {"Status": status, "Scale": _struct(scale, SCALE) if isinstance(scale, dict) else None}
    if form == "&":
        return _struct(as_map(value), "Description:description URL:url")
    kinds = {"*": SCHEMA, "~": RULE, "|": COLUMN, "=": "JSONPath:jsonPath"}
    return [_struct(as_map(one), kinds[form]) for one in value]
