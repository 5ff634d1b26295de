"""Cells of Jobs and HorizontalPodAutoscalers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...unchecked import as_map, as_text, get_path
from ..ages import age, duration, moment
from .shared import NONE, UNKNOWN, first_that_holds, items

if TYPE_CHECKING:
    from ...protocol import Object


def job_status(one: Object) -> str:
    """The status of a Job."""
    if shown := first_that_holds(one, ("Complete", "Failed"), ""):
        return shown
    if get_path(one, "metadata.deletionTimestamp"):
        return "Terminating"
    return first_that_holds(one, ("Suspended", "FailureTarget", "SuccessCriteriaMet"), "Running")


def completions(one: Object) -> str:
    """The succeeded Pods of a Job, and the wanted number."""
    wanted = get_path(one, "spec.completions")
    if wanted is None:
        parallel = get_path(one, "spec.parallelism") or 0
        wanted = f"1 of {parallel}" if isinstance(parallel, int) and parallel > 1 else 1
    return f"{get_path(one, 'status.succeeded') or 0}/{wanted}"


def took(one: Object) -> str:
    """The duration of a Job."""
    started, ended = (moment(get_path(one, f"status.{name}")) for name in ("startTime", "completionTime"))
    if started is None:
        return ""
    return duration((ended - started).total_seconds()) if ended else age(get_path(one, "status.startTime"))


# ---- autoscalers -------------------------------------------------------------------------------------------------

_SOURCES = {
    "Resource": "resource",
    "ContainerResource": "containerResource",
    "Pods": "pods",
    "Object": "object",
    "External": "external",
}
"""Metric types, each with its field."""
_SHOWN = 2
"""The maximum number of printed metrics."""


def targets(one: Object) -> str:
    """The metrics of an autoscaler, current and target: `cpu: 33%/80%`."""
    one = _with_metrics(one)
    wanted, known = items(one, "spec.metrics"), items(one, "status.currentMetrics")
    shown = [_metric(each, known[index] if index < len(known) else {}) for index, each in enumerate(wanted)]
    more = f" + {len(shown) - _SHOWN} more..." if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more if shown else NONE


def _with_metrics(one: Object) -> Object:
    """The autoscaler in the version with fields for all metrics. The first version has most of them as annotations."""
    if one.get("apiVersion") != "autoscaling/v1":
        return one
    from ...registry.autoscaler_conversion import as_v2  # late, because hardly any object needs it

    return as_v2(one)


def _metric(wanted: Object, known: Object) -> str:
    kind = as_text(wanted.get("type"))
    if kind not in _SOURCES:
        return "<unknown type>"
    described, target = as_map(wanted.get(_SOURCES[kind])), _SOURCES[kind]
    aim, current = as_map(described.get("target")), as_map(get_path(known, f"{target}.current"))
    name = f"{described.get('name')}: " if kind.endswith("Resource") else ""
    return name + _ratio(aim, current, marks_averages=kind in ("Object", "External"))


def _ratio(aim: Object, current: Object, *, marks_averages: bool) -> str:
    for field, unit in (
        ("averageValue", " (avg)" if marks_averages else ""),
        ("averageUtilization", "%"),
        ("value", ""),
    ):
        if aim.get(field) is not None:
            return f"{_amount(current.get(field), unit)}/{_amount(aim[field], unit)}{_average_mark(unit)}"
    return f"{UNKNOWN}/<auto>"


def _amount(value: Any, unit: str) -> str:
    return UNKNOWN if value is None else f"{value}{'%' if unit == '%' else ''}"


def _average_mark(unit: str) -> str:
    return "" if unit == "%" else unit
