"""The downward API: fields of a Pod and resources of a container."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.quantities import canonical

from ...problems import Problem, invalid, required, unsupported
from ...unchecked import as_text
from .. import eras, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

IN_VOLUMES = ("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid")
IN_VARIABLES = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
KNOWN = frozenset({*IN_VOLUMES, *IN_VARIABLES, "spec.restartPolicy", "spec.schedulerName", "status.phase"})
RESOURCES = (
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
)
HUGE = ("limits.hugepages-", "requests.hugepages-")
_BYTES = ("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei")
_DIVISORS = {
    "cpu": (("1m", "1"), "1m and 1 are supported with the cpu resource"),
    "memory": (_BYTES, f"{', '.join(_BYTES)} are supported with the memory resource"),
    "ephemeral-storage": (_BYTES, f"{', '.join(_BYTES)} are supported with the local ephemeral storage resource"),
    "hugepages": (_BYTES, f"{', '.join(_BYTES)} are supported with the hugepages resource"),
}


def field_selector(at: str, selector: Object, *, in_volume: bool = False) -> Iterator[Problem]:
    """Validate a reference to a field of the Pod."""
    version, path = as_text(selector.get("apiVersion")), as_text(selector.get("fieldPath"))
    if not version:
        yield required(f"{at}.apiVersion")
    elif not path:
        yield required(f"{at}.fieldPath")
    elif version != "v1":
        why = f"error converting fieldPath: unsupported pod version: {version}"
        yield invalid(f"{at}.fieldPath", path, why)
    else:
        yield from _path(at, path, IN_VOLUMES if in_volume else IN_VARIABLES)


def _path(at: str, path: str, allowed: tuple[str, ...]) -> Iterator[Problem]:
    base, bracket, rest = path.partition("['")
    if bracket and rest.endswith("']"):
        if base not in ("metadata.annotations", "metadata.labels"):
            why = f"error converting fieldPath: field label does not support subscript: {path}"
            yield invalid(f"{at}.fieldPath", path, why)
            return
        key = rest[:-2].lower() if base == "metadata.annotations" else rest[:-2]
        yield from (invalid(at, key, why) for why in names.key(key))
    elif path == "spec.host":
        yield from _path(at, "spec.nodeName", allowed)
    elif path not in KNOWN:
        yield invalid(f"{at}.fieldPath", path, f"error converting fieldPath: field label not supported: {path}")
    elif path not in allowed:
        yield unsupported(f"{at}.fieldPath", path, allowed)


def resource_selector(at: str, selector: Object, *, in_volume: bool) -> Iterator[Problem]:
    """Validate a reference to a resource of a container."""
    resource = as_text(selector.get("resource"))
    if in_volume and not selector.get("containerName"):
        yield required(f"{at}.containerName")
    elif not resource:
        yield required(f"{at}.resource")
    elif resource not in RESOURCES and not resource.startswith(HUGE):
        yield unsupported(f"{at}.resource", resource, RESOURCES)
    elif resource not in RESOURCES:
        yield from eras.NO_HUGE_PAGES.limit([unsupported(f"{at}.resource", resource, RESOURCES)])
    divisor = selector.get("divisor", "0")
    kind = resource.partition(".")[2].partition("-")[0] if resource.startswith(HUGE) else resource.partition(".")[2]
    allowed, why = _DIVISORS.get(kind, ((), ""))
    if why and canonical(divisor) not in ("0", *allowed):
        yield invalid(f"{at}.divisor", resource, f"only divisor's values {why}")
