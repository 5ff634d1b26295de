"""Defaults of a definition: names, conversion, and in v1beta1 the fields shared by versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.plain import copied

from ...unchecked import as_map, as_text
from .status import stored_versions

if TYPE_CHECKING:
    from ...unchecked import Object

KINDS = frozenset(
    {
        "apiextensions.k8s.io/v1 CustomResourceDefinition",
        "apiextensions.k8s.io/v1beta1 CustomResourceDefinition",
    }
)
PORT = 443


def apply_defaults(definition: Object, minor: int) -> Object:
    """Return a copy of a definition with its defaults."""
    found: Object = copied(definition)
    spec = found.get("spec")
    if not isinstance(spec, dict):
        return found
    _names(spec)
    old = str(found.get("apiVersion")).endswith("/v1beta1")
    if old and minor >= OLD_DEFAULTS_SINCE:
        _old(spec, minor)
    if minor >= CONVERTS_SINCE and spec.get("conversion") is None:
        spec["conversion"] = {"strategy": "None"}
    _webhook(as_map(spec.get("conversion")), old)
    status = found.get("status")
    if isinstance(status, dict) and not status.get("storedVersions"):
        status["storedVersions"] = stored_versions(found, None)
    return found


OLD_DEFAULTS_SINCE, CONVERTS_SINCE, KEEPS_SINCE = 11, 13, 15


def _names(spec: Object) -> None:
    names = spec.get("names")
    kind = as_text(names.get("kind")) if isinstance(names, dict) else ""
    if isinstance(names, dict):
        if not names.get("singular"):
            names["singular"] = kind.lower()
        if not names.get("listKind") and kind:
            names["listKind"] = f"{kind}List"


def _old(spec: Object, minor: int) -> None:
    """Apply the further v1beta1 defaults."""
    if not spec.get("scope"):
        spec["scope"] = "Namespaced"
    if not spec.get("versions") and spec.get("version"):
        spec["versions"] = [{"name": spec["version"], "served": True, "storage": True}]
    listed = spec.get("versions")
    if not spec.get("version") and isinstance(listed, list) and listed:
        spec["version"] = as_map(listed[0]).get("name")
    if minor >= KEEPS_SINCE and spec.get("preserveUnknownFields") is None:
        spec["preserveUnknownFields"] = True


def _webhook(conversion: Object, old: bool) -> None:
    """Set the port of a conversion webhook, and in v1beta1 the version of its reviews."""
    if old:
        if conversion.get("strategy") == "Webhook" and not conversion.get("conversionReviewVersions"):
            conversion["conversionReviewVersions"] = ["v1beta1"]
        service = as_map(conversion.get("webhookClientConfig")).get("service")
    else:
        service = as_map(as_map(conversion.get("webhook")).get("clientConfig")).get("service")
    if isinstance(service, dict) and service.get("port") is None:
        service["port"] = PORT
