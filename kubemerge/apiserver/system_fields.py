"""Values that only a server can choose, such as uids, times and addresses. Predictions leave them out."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from engine.paths import render

from .identity import SYSTEM_FIELDS
from .metadata import Origins

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from engine.paths import Steps

    from .protocol import Object

ADDRESSES = ("clusterIP", "clusterIPs", "healthCheckNodePort")
NOW = "2001-02-03T04:05:06Z"
UID = "00000000-0000-0000-0000-000000000000"
"""The time and uid that the in-memory server assigns, so that they can be found in the object."""


class _Fixed(Origins):
    """The same time for each write. Each linted object needs it, and formatting it takes long."""

    def now(self) -> str:
        return NOW


ORIGINS = _Fixed(lambda: datetime(2001, 2, 3, 4, 5, 6, tzinfo=timezone.utc), lambda: UID, lambda: "xxxxx")


def without_system_fields(
    answer: Object, live: Object | None, config: Object, *, owners: bool
) -> tuple[Object, tuple[str, ...]]:
    """Return the object without server-chosen values, and the paths of those values.

    Without `owners`, managedFields are kept only if live has them.
    """
    known: Any = (live or {}).get("metadata") or {}
    metadata = {**answer["metadata"]}
    drawn = [field for field in SYSTEM_FIELDS if field in metadata and field not in known]
    left_out = [f"metadata.{field}" for field in drawn] if live is None else []
    for field in drawn:
        del metadata[field]
    if live is not None and "uid" not in known:  # a file that no server has written
        for field in ("generation", "namespace"):
            if field not in known and field not in (config.get("metadata") or {}):
                metadata.pop(field, None)
    if "managedFields" in metadata and "managedFields" not in known and not owners:
        del metadata["managedFields"]
    found = {**answer, "metadata": metadata}
    chosen = [answer["metadata"][field] for field in drawn if field != "resourceVersion"]
    values = {NOW, UID, *(one for one in chosen if one and isinstance(one, str))}
    text = str(found)  # few kinds have a drawn value elsewhere, and text is searched faster than an object
    if any(value in text for value in values):
        found = _without((), found, {} if live is None else live, left_out, values)
    if (answer["apiVersion"], answer["kind"]) == ("v1", "Service"):
        found = _without_addresses(found, (live, config), left_out)
    return found, tuple(left_out)


def _without(steps: Steps, value: Any, live: Any, left_out: list[str], values: Set[str]) -> Any:
    """A copy without drawn times and uids, the `values`. An empty map stays only where there was one."""
    if type(value) is dict:
        found: Object = {}
        for key, inner in value.items():
            there = live.get(key) if type(live) is dict else None
            if isinstance(inner, str) and inner in values and inner != there:
                if "managedFields" not in steps:
                    left_out.append(render((*steps, key)))
                continue
            kept = _without((*steps, key), inner, there, left_out, values)
            if kept != {} or inner == {}:
                found[key] = kept
        return found
    if type(value) is list:
        others = live if type(live) is list and len(live) == len(value) else [None] * len(value)
        return [
            _without((*steps, index), one, other, left_out, values)
            for index, (one, other) in enumerate(zip(value, others, strict=True))
        ]
    return value


def _without_addresses(service: Object, given: Sequence[Object | None], left_out: list[str]) -> Object:
    before: list[Any] = [one["spec"] for one in given if one and isinstance(one.get("spec"), dict)]
    spec: Any = {**(service.get("spec") or {})}
    for field in ADDRESSES:
        if field in spec and spec[field] not in ("None", ["None"], *(one.get(field) for one in before)):
            left_out.append(f"spec.{field}")
            del spec[field]
    ports_before = [port for one in before for port in one.get("ports") or () if isinstance(port, dict)]
    taken = [port.get("nodePort") for port in ports_before]
    ports: list[Any] = []
    for index, port in enumerate(spec.get("ports") or ()):
        if "nodePort" in port and port["nodePort"] not in taken:
            left_out.append(f"spec.ports[{index}].nodePort")
            port = {field: value for field, value in port.items() if field != "nodePort"}  # noqa: PLW2901
        ports.append(port)
    if "ports" in spec:
        spec["ports"] = ports
    return {**service, "spec": spec}
