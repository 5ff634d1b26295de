"""CEL rules of a CustomResourceDefinition. A server drops them in every part of a schema while their gate is off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.paths import join

from ..unchecked import as_map, maps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

RULES_GATE = "CustomResourceValidationExpressions"
RULES = "x-kubernetes-validations"
PARTS, NAMED_PARTS = ("additionalProperties", "items"), ("properties", "dependencies")


def rules_in(content: Object) -> Iterator[str]:
    """The paths of the rules in a definition."""
    spec = as_map(content.get("spec")) if content.get("kind") == "CustomResourceDefinition" else {}
    yield from _in_schema(as_map(spec.get("validation")).get("openAPIV3Schema"), "spec.validation.openAPIV3Schema")
    for index, version in maps(spec, "versions"):
        schema = as_map(version.get("schema")).get("openAPIV3Schema")
        yield from _in_schema(schema, f"spec.versions[{index}].schema.openAPIV3Schema")


def _in_schema(schema: Any, at: str) -> Iterator[str]:
    if isinstance(schema, list):
        for index, one in enumerate(schema):
            yield from _in_schema(one, f"{at}[{index}]")
    elif isinstance(schema, dict):
        if schema.get(RULES):
            yield join(at, RULES)
        for field in PARTS:
            yield from _in_schema(schema.get(field), join(at, field))
        for field in NAMED_PARTS:
            for name, one in as_map(schema.get(field)).items():
                yield from _in_schema(one, join(join(at, field), name))


def without_rules(content: Object) -> Object:
    """The definition without rules. The object itself is returned if it has none."""
    if not any(rules_in(content)):
        return content
    spec = dict(content["spec"])
    if isinstance(spec.get("validation"), dict):
        spec["validation"] = _holder(spec["validation"])
    if isinstance(spec.get("versions"), list):
        spec["versions"] = [_version(one) for one in spec["versions"]]
    return {**content, "spec": spec}


def _version(version: Any) -> Any:
    has = isinstance(version, dict) and isinstance(version.get("schema"), dict)
    return {**version, "schema": _holder(version["schema"])} if has else version


def _holder(holder: Object) -> Object:
    field = "openAPIV3Schema"
    return {**holder, field: _schema(holder[field])} if field in holder else holder


def _schema(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {field: one for field, one in schema.items() if field != RULES}
    for field in PARTS:
        if field in found:
            found[field] = _schema(found[field])
    for field in NAMED_PARTS:
        if isinstance(found.get(field), dict):
            found[field] = {name: _schema(one) for name, one in found[field].items()}
    return found
