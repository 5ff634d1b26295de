"""APIService."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any

from ..defaulting.rules import Default, Group, TypePosition
from ..problems import Problem, invalid, required, unsupported
from ..text.go_text import quoted
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.object_names import path_segment
from ..validation.values import formats
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

STATUSES = ("True", "False", "Unknown")


def api_service(content: Object) -> Iterator[Problem]:
    """Validate an APIService."""
    spec = as_map(content.get("spec"))
    group, version, service = as_text(spec.get("group")), as_text(spec.get("version")), spec.get("service")
    wanted = f"{version}.{group}"
    for field in ("generateName", "name"):
        value = as_text(get_path(content, f"metadata.{field}"))
        if value and value != wanted and not any(path_segment(value)):
            yield invalid(f"metadata.{field}", value, f'must be `spec.version+"."+spec.group`: {quoted(wanted)}')
    if not group and version != "v1":
        yield required("spec.group", "only v1 may have an empty group and it better be legacy kube")
    if group:
        yield from formats.each("spec.group", group, names.subdomain)
    yield from formats.each("spec.version", version, formats.dns_1035_label)
    for field, most in (("groupPriorityMinimum", 20000), ("versionPriority", 1000)):
        priority = as_number(spec.get(field)) or 0
        if not 0 < priority <= most:
            yield invalid(f"spec.{field}", priority, f"must be positive and less than {most}")
    yield from _served_by(spec, service)


def _served_by(spec: Object, service: Any) -> Iterator[Problem]:
    bundle, skips = as_text(spec.get("caBundle")), spec.get("insecureSkipTLSVerify") is True
    if service is None:
        if bundle:
            yield invalid("spec.caBundle", f"{_length(bundle)} bytes", "local APIServices may not have a caBundle")
        if skips:
            yield invalid("spec.insecureSkipTLSVerify", True, "local APIServices may not have insecureSkipTLSVerify")
        return
    for field in ("namespace", "name"):
        if not as_map(service).get(field):
            yield required(f"spec.service.{field}")
    port = as_number(as_map(service).get("port")) or 0
    yield from (invalid("spec.service.port", port, f"port is not valid: {why}") for why in formats.port_number(port))
    if skips and bundle:
        yield invalid("spec.insecureSkipTLSVerify", True, "may not be true if caBundle is present")


def _length(bundle: str) -> int:
    try:
        return len(b64decode(bundle))
    except ValueError:
        return len(bundle)


def status(content: Object, _: Object) -> Iterator[Problem]:
    """Validate the conditions of an APIService."""
    for index, one in maps(as_map(content.get("status")), "conditions"):
        if one.get("status") not in STATUSES:
            yield unsupported(f"status.conditions[{index}].status", one.get("status") or "", STATUSES)


RECORDS = (
    KindRecord(
        group="apiregistration.k8s.io",
        kind="APIService",
        versions=("apiregistration.k8s.io/v1", "apiregistration.k8s.io/v1beta1"),
        defaults=(
            Group(
                ("APIServiceReference",),
                "kube-aggregator apiregistration/v1/defaults.go SetDefaults_ServiceReference",
                (Default("port", 443, since="1.15"),),
            ),
        ),
        places={"APIService": (TypePosition("spec.service?", "APIServiceReference"),)},
        named_again=True,
        check=api_service,
        check_status=status,
    ),
)
