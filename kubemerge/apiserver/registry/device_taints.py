"""DeviceTaintRule, and the taints and tolerations of devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..problems import Problem, invalid, too_many
from ..unchecked import as_map, as_text, get_path
from ..validation import names
from ..validation.values import formats as values
from ..validation.values.conditions import conditions
from .csi_drivers import driver_name
from .device_names import pool_name
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

GROUP = "resource.k8s.io"
MOST_CONDITIONS = 8


def taint(at: str, one: Object) -> Iterator[Problem]:
    """Validate a device taint."""
    key, value = as_text(one.get("key")), as_text(one.get("value"))
    yield from values.each(f"{at}.key", key, names.key)
    if value:
        yield from values.each(f"{at}.value", value, names.label_value)


def toleration(at: str, one: Object) -> Iterator[Problem]:
    """Validate a toleration of device taints."""
    operator, value = one.get("operator"), as_text(one.get("value"))
    if operator == "Exists" and value:
        yield invalid(f"{at}.value", value, "must be empty for operator `Exists`")
    elif operator == "Equal":
        yield from values.each(f"{at}.value", value, names.label_value)


def taint_rule(content: Object) -> Iterator[Problem]:
    """Validate a DeviceTaintRule."""
    selector = as_map(get_path(content, "spec.deviceSelector"))
    at = "spec.deviceSelector"
    if selector.get("driver") is not None:
        yield from driver_name(f"{at}.driver", selector["driver"])
    if selector.get("pool") is not None:
        yield from pool_name(f"{at}.pool", as_text(selector["pool"]))
    if selector.get("device") is not None:
        yield from values.each(f"{at}.device", selector["device"], names.label)
    yield from taint("spec.taint", as_map(get_path(content, "spec.taint")))


def rule_status(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the conditions of a DeviceTaintRule."""
    yield from conditions(content, before)
    listed = get_path(content, "status.conditions") or ()
    if len(listed) > MOST_CONDITIONS:
        yield too_many("status.conditions", len(listed), MOST_CONDITIONS)


RECORDS = (
    KindRecord(
        group=GROUP,
        kind="DeviceTaintRule",
        versions=tuple(f"{GROUP}/{version}" for version in ("v1", "v1beta2", "v1alpha3")),
        check=taint_rule,
        check_status=rule_status,
    ),
)
