"""Documents that are not plain dicts: other mappings, tuples, and objects of client libraries.

A client library is recognized by the attributes of its objects, so none of them is imported.
"""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SNAKE_CASE = "api_version"
"""A key that only `to_dict` of the `kubernetes` client adds to an object."""


def unwrap(value: Any) -> Any:
    """The dict or list that a value stands for, whose values may need the same; otherwise the value itself."""
    if isinstance(value, (dict, list)):
        return value
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    kind = type(value)
    if kind.__name__ == "ScalarBoolean":  # of ruamel.yaml: an integer that is printed as a boolean
        return bool(value)
    if isinstance(getattr(kind, "attribute_map", None), dict):
        return _kubernetes_model(value, kind.attribute_map)
    to_dict = getattr(kind, "to_dict", None)
    if not callable(to_dict):
        return value
    found = to_dict(value)
    return _with_kind(found, kind) if isinstance(found, dict) else value


def _kubernetes_model(value: Any, keys: dict[str, str]) -> dict[str, Any]:
    """A typed object of the `kubernetes` client; its own `to_dict` has Python names, not API names."""
    found = {key: getattr(value, attribute) for attribute, key in keys.items()}
    return {key: _text_of_time(item) for key, item in found.items() if item is not None}


def _text_of_time(value: Any) -> Any:
    """A time as the API writes it; any other value unchanged."""
    if not hasattr(value, "isoformat"):
        return value
    text = str(value.isoformat())
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text


def _with_kind(found: dict[str, Any], kind: Any) -> dict[str, Any]:
    """A typed object of `lightkube` with its apiVersion and kind, which only the class may have."""
    resource = getattr(getattr(kind, "_api_info", None), "resource", None)
    if resource is None or "kind" in found:
        return found
    version = f"{resource.group}/{resource.version}" if resource.group else resource.version
    return {"apiVersion": version, "kind": resource.kind, **found}


def is_snake_case(document: Any) -> bool:
    """True if a document has Python field names, like the output of `V1Deployment.to_dict()`."""
    return SNAKE_CASE in document and "apiVersion" not in document
