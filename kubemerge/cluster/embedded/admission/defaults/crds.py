"""The default values of custom resources, which are in the schema of their definition."""

from __future__ import annotations

from typing import Any

from engine.values.plain import copied
from engine.values.unchecked import a_map

SINCE = 16
"""The minor release since which servers fill in the defaults of a schema."""


def schema_of(definition: dict[str, Any], content: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of a CustomResourceDefinition for the object's version; None if there is none."""
    spec = a_map(definition.get("spec"))
    version = str(content.get("apiVersion")).rpartition("/")[2]
    versions = spec.get("versions")
    for served in map(a_map, versions if isinstance(versions, list) else ()):
        if served.get("name") == version and served.get("schema"):
            return a_map(a_map(served["schema"]).get("openAPIV3Schema"))
    # apiextensions.k8s.io/v1beta1 may have one schema for all versions
    return a_map(a_map(spec.get("validation")).get("openAPIV3Schema")) or None


def fill(content: dict[str, Any], schema: dict[str, Any] | None) -> dict[str, Any]:
    """A copy of a custom resource with the defaults of a structural schema.

    A null that the schema does not allow counts as absent. A default below a parent that is absent is not filled in,
    unless the parent has a default itself.
    """
    filled: dict[str, Any] = copied(content)
    _prune(filled, schema or {})
    _fill(filled, schema or {})
    return filled


def _prune(value: Any, schema: dict[str, Any]) -> None:
    """Takes out the nulls that the schema neither allows nor replaces."""
    if isinstance(value, dict):
        for key in list(value):
            inner = _property(schema, key)
            if value[key] is None and inner is not None and not _allows_null(inner) and inner.get("default") is None:
                del value[key]
            else:
                _prune(value[key], inner or {})
    elif isinstance(value, list):
        for item in value:
            _prune(item, a_map(schema.get("items")))


def _fill(value: Any, schema: dict[str, Any]) -> None:
    if isinstance(value, dict):
        for key, inner in a_map(schema.get("properties")).items():
            default = a_map(inner).get("default")
            if default is not None and (key not in value or (value[key] is None and not _allows_null(inner))):
                value[key] = copied(default)
        for key in value:
            value[key] = _filled(value[key], _property(schema, key) or {})
    elif isinstance(value, list):
        value[:] = [_filled(item, a_map(schema.get("items"))) for item in value]


def _filled(value: Any, schema: dict[str, Any]) -> Any:
    if value is None and not _allows_null(schema):
        value = copied(schema.get("default"))
    _fill(value, schema)
    return value


def _allows_null(schema: dict[str, Any]) -> bool:
    return schema.get("nullable") is True


def _property(schema: dict[str, Any], key: str) -> dict[str, Any] | None:
    """The schema of a field: its own, or that of all others."""
    properties = a_map(schema.get("properties"))
    if key in properties:
        return a_map(properties[key])
    others = schema.get("additionalProperties")
    return others if isinstance(others, dict) else None
