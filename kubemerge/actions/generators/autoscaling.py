"""The HorizontalPodAutoscaler of `autoscale`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.values.quantities import BadQuantity, canonical

from .parts import BadOptions, given, head

if TYPE_CHECKING:
    from ...cluster import Object, Resource

_UNITS = {"cpu": "m", "memory": "Mi"}
"""What a number without a unit is."""


@dataclass(frozen=True)
class Autoscaling:
    """What `autoscale` was asked for."""

    name: str
    least: int
    most: int
    cpu_percent: int
    cpu: str
    memory: str


def check(wanted: Autoscaling) -> None:
    """Refuse limits and targets that make no sense."""
    if wanted.most < 1:
        raise BadOptions(f"--max=MAXPODS is required and must be at least 1, max: {wanted.most}")
    if wanted.most < wanted.least:
        limits = f"max: {wanted.most}, min: {wanted.least}"
        raise BadOptions(f"--max=MAXPODS must be larger or equal to --min=MINPODS, {limits}")
    if wanted.cpu_percent > 0 and wanted.cpu:
        raise BadOptions("--cpu-percent and --cpu are mutually exclusive")
    _targets(wanted)


def autoscaler(live: Object, resource: Resource, wanted: Autoscaling) -> Object:
    """The HorizontalPodAutoscaler for an object."""
    if resource.scaled_by is None:
        called = f"{resource.group}/{resource.version}, Resource={resource.plural}"
        why = f"could not find scale subresource for {called} in discovery information"
        raise BadOptions(f"cannot autoscale a {resource.kind}: {why}")
    name = live["metadata"]["name"]
    target = {"kind": resource.kind, "name": name, "apiVersion": resource.api_version}
    least = {"minReplicas": wanted.least} if wanted.least > 0 else {}
    spec = {"scaleTargetRef": target, **least, "maxReplicas": wanted.most, **given({"metrics": _targets(wanted)})}
    zeros = {"desiredReplicas": 0, "currentMetrics": None}
    whole = head("autoscaling/v2", "HorizontalPodAutoscaler", wanted.name or name)
    return {**whole, "spec": spec, "status": zeros}


def _targets(wanted: Autoscaling) -> list[Object]:
    found = [("cpu", f"{wanted.cpu_percent}%" if wanted.cpu_percent > 0 else wanted.cpu), ("memory", wanted.memory)]
    return [
        {"type": "Resource", "resource": {"name": name, "target": _target(name, text.strip())}}
        for name, text in found
        if text
    ]


def _target(name: str, text: str) -> Object:
    if text.endswith("%"):
        number = text.removesuffix("%")
        if not re.fullmatch(r"\+?\d+", number) or int(number) >= 2**31:
            raise BadOptions(f"invalid percentage value: {number}")
        return {"type": "Utilization", "averageUtilization": int(number)}
    try:
        number = f"{float(text):g}{_UNITS[name]}"
    except ValueError:
        number = text
    try:
        return {"type": "AverageValue", "averageValue": canonical(number)}
    except BadQuantity:
        raise BadOptions(f"invalid resource {name} value: {text}") from None


def why_not_older(wanted: Autoscaling) -> str:
    """Why the older version of the API cannot hold this one, as kubectl says it after a refusal; empty if it can."""
    if wanted.cpu_percent >= 0 and not wanted.memory:
        return ""
    if not wanted.cpu:
        return "empty input"
    return "" if wanted.cpu.strip().endswith("%") and not wanted.memory else "%!w(<nil>)"
