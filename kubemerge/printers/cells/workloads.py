"""What the cells of kubectl's tables say of jobs, and of what scales others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map, found, text

from ..ages import age, duration, moment
from .shared import NONE, UNKNOWN, first_that_holds, items

if TYPE_CHECKING:
    from ...cluster import Object


def job_status(one: Object) -> str:
    """How a Job stands."""
    if said := first_that_holds(one, ("Complete", "Failed"), ""):
        return said
    if found(one, "metadata.deletionTimestamp"):
        return "Terminating"
    return first_that_holds(one, ("Suspended", "FailureTarget", "SuccessCriteriaMet"), "Running")


def completions(one: Object) -> str:
    """How many pods of a Job have succeeded, of how many."""
    wanted = found(one, "spec.completions")
    if wanted is None:
        parallel = found(one, "spec.parallelism") or 0
        wanted = f"1 of {parallel}" if isinstance(parallel, int) and parallel > 1 else 1
    return f"{found(one, 'status.succeeded') or 0}/{wanted}"


def took(one: Object) -> str:
    """How long a Job ran."""
    begun, ended = (moment(found(one, f"status.{name}")) for name in ("startTime", "completionTime"))
    if begun is None:
        return ""
    return duration((ended - begun).total_seconds()) if ended else age(found(one, "status.startTime"))


# ---- autoscalers -------------------------------------------------------------------------------------------------

_SOURCES = {
    "Resource": "resource",
    "ContainerResource": "containerResource",
    "Pods": "pods",
    "Object": "object",
    "External": "external",
}
"""Types of metrics, with the field in which each is described."""
_TOLD = 2
"""As many metrics are told."""


def targets(one: Object) -> str:
    """What an autoscaler looks at, as it is and as it should be: `cpu: 33%/80%`."""
    wanted, known = items(one, "spec.metrics"), items(one, "status.currentMetrics")
    said = [_metric(each, known[index] if index < len(known) else {}) for index, each in enumerate(wanted)]
    said = said or _of_first_version(one)
    more = f" + {len(said) - _TOLD} more..." if len(said) > _TOLD else ""
    return ", ".join(said[:_TOLD]) + more if said else NONE


def _of_first_version(one: Object) -> list[str]:
    """The only target that autoscaling/v1 has a field for."""
    target, current = (
        found(one, "spec.targetCPUUtilizationPercentage"),
        found(one, "status.currentCPUUtilizationPercentage"),
    )
    return [] if target is None else [f"cpu: {UNKNOWN if current is None else f'{current}%'}/{target}%"]


def _metric(wanted: Object, known: Object) -> str:
    kind = text(wanted.get("type"))
    if kind not in _SOURCES:
        return "<unknown type>"
    described, target = a_map(wanted.get(_SOURCES[kind])), _SOURCES[kind]
    aim, current = a_map(described.get("target")), a_map(found(known, f"{target}.current"))
    name = f"{described.get('name')}: " if kind.endswith("Resource") else ""
    return name + _ratio(aim, current, averages_told=kind in ("Object", "External"))


def _ratio(aim: Object, current: Object, *, averages_told: bool) -> str:
    for field, unit in (
        ("averageValue", " (avg)" if averages_told else ""),
        ("averageUtilization", "%"),
        ("value", ""),
    ):
        if aim.get(field) is not None:
            return f"{_amount(current.get(field), unit)}/{_amount(aim[field], unit)}{_told(unit)}"
    return f"{UNKNOWN}/<auto>"


def _amount(value: Any, unit: str) -> str:
    return UNKNOWN if value is None else f"{value}{'%' if unit == '%' else ''}"


def _told(unit: str) -> str:
    return "" if unit == "%" else unit
