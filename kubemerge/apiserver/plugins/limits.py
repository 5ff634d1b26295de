"""LimitRanger: default requests and limits of containers, and the bounds of a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount, canonical

from ..errors import Forbidden
from ..pod_resources import HUGE_PAGES, together
from ..registry.feature_gates import is_on
from ..unchecked import as_map, as_text, get_path, maps

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from ..protocol import Object
    from .context import AdmissionContext

NOTE = "kubernetes.io/limit-ranger"
FIELDS = ("containers", "initContainers")


def set_pod_defaults(content: Object, context: AdmissionContext) -> Object:
    """Set default requests and limits of a new or resized Pod."""
    for one in _pod_ranges(content, context):
        content = _with_defaults(content, one)
    return content


def check_pod(content: Object, context: AdmissionContext) -> None:
    """Check the bounds of a new or resized Pod."""
    items = [item for one in _pod_ranges(content, context) for item in _items(one)]
    _raise_problems("pods", content, [why for item in items for why in _pod_problems(content, item, context.minor)])


def check_claim(content: Object, context: AdmissionContext) -> None:
    """Check the bounds of a claim."""
    asked = as_map(get_path(content, "spec.resources.requests"))
    ranges = _ranges(content, context)
    items = [item for one in ranges for item in _items(one) if item.get("type") == "PersistentVolumeClaim"]
    problems = [why for item in items for why in _bounds("PersistentVolumeClaim", item, asked, {}, both=False)]
    _raise_problems("persistentvolumeclaims", content, problems)


def _pod_ranges(content: Object, context: AdmissionContext) -> Iterator[Object]:
    return _ranges(content, context) if context.live is None or context.subresource == "resize" else iter(())


def _ranges(content: Object, context: AdmissionContext) -> Iterator[Object]:
    return context.of_kind("", "LimitRange", content["metadata"].get("namespace"))


def _items(one: Object) -> Iterator[Object]:
    return (item for _, item in maps(as_map(one.get("spec")), "limits"))


def _raise_problems(called: str, content: Object, problems: list[str]) -> None:
    if problems:
        said = problems[0] if len(problems) == 1 else f"[{', '.join(problems)}]"
        raise Forbidden(called, content["metadata"].get("name", ""), said)


# ---- defaults --------------------------------------------------------------------------------------------------------


def _with_defaults(content: Object, one: Object) -> Object:
    requests: Object = {}
    limits: Object = {}
    for item in _items(one):
        if item.get("type") == "Container":
            requests |= as_map(item.get("defaultRequest"))
            limits |= as_map(item.get("default"))
    notes: list[str] = []
    spec = dict(as_map(content.get("spec")))
    for field, kind in zip(FIELDS, ("container", "init container"), strict=True):
        if not isinstance(spec.get(field), list):
            continue
        spec[field] = [_container(each, requests, limits, kind, notes) for each in spec[field]]
    if not notes:
        return content
    annotations = {
        **as_map(content["metadata"].get("annotations")),
        NOTE: f"LimitRanger plugin set: {'; '.join(notes)}",
    }
    return {**content, "spec": spec, "metadata": {**content["metadata"], "annotations": annotations}}


def _container(one: Any, requests: Object, limits: Object, kind: str, notes: list[str]) -> Any:
    if not isinstance(one, dict):
        return one
    resources = as_map(one.get("resources"))
    made = {}
    for field, defaults in (("limits", limits), ("requests", requests)):
        given = as_map(resources.get(field))
        added = {name: value for name, value in defaults.items() if name not in given}
        if added:
            made[field] = {**given, **added}
    for field, word in (("requests", "request"), ("limits", "limit")):
        added_names = sorted(made.get(field, {}).keys() - as_map(resources.get(field)).keys())
        if added_names:
            notes.append(f"{', '.join(added_names)} {word} for {kind} {as_text(one.get('name'))}")
    return {**one, "resources": {**resources, **made}} if made else one


# ---- bounds ----------------------------------------------------------------------------------------------------------


def _pod_problems(content: Object, item: Object, minor: int) -> Iterator[str]:
    spec = as_map(content.get("spec"))
    if item.get("type") == "Container":
        for field in FIELDS:
            for _, one in maps(spec, field):
                resources = as_map(one.get("resources"))
                yield from _bounds(
                    "Container", item, as_map(resources.get("requests")), as_map(resources.get("limits"))
                )
    elif item.get("type") == "Pod":
        requests, limits = (_total(spec, which, minor) for which in ("requests", "limits"))
        yield from _bounds("Pod", item, requests, limits)


def _total(spec: Object, which: str, minor: int) -> Object:
    """The requests or limits of the whole Pod: its own, or those of its containers."""
    found = together(spec, which)
    own = as_map(as_map(spec.get("resources")).get(which))
    if own and is_on("PodLevelResources", minor):
        found |= {
            name: value for name, value in own.items() if name in ("cpu", "memory") or name.startswith(HUGE_PAGES)
        }
    return found


def _bounds(kind: str, item: Object, requests: Object, limits: Object, *, both: bool = True) -> Iterator[str]:
    for name, least in as_map(item.get("min")).items():
        yield from _least(kind, name, least, requests, limits)
    for name, most in as_map(item.get("max")).items():
        if both:
            yield from _most(kind, name, most, requests, limits)
        elif name in requests and _number(requests[name]) > _number(most):
            shown = f"{canonical(requests[name])}"
            yield f"maximum {name} usage per {kind} is {canonical(most)}, but request is {shown}"
    for name, ratio in as_map(item.get("maxLimitRequestRatio")).items():
        yield from _ratio(kind, name, ratio, requests, limits)


def _least(kind: str, name: str, least: Any, requests: Object, limits: Object) -> Iterator[str]:
    about = f"minimum {name} usage per {kind} is {canonical(least)}"
    if name not in requests:
        yield f"{about}.  No request is specified"
    elif _number(requests[name]) < _number(least):
        yield f"{about}, but request is {canonical(requests[name])}"
    elif name in limits and _number(limits[name]) < _number(least):
        yield f"{about}, but limit is {canonical(limits[name])}"


def _most(kind: str, name: str, most: Any, requests: Object, limits: Object) -> Iterator[str]:
    about = f"maximum {name} usage per {kind} is {canonical(most)}"
    if name not in limits:
        yield f"{about}.  No limit is specified"
    elif _number(limits[name]) > _number(most):
        yield f"{about}, but limit is {canonical(limits[name])}"
    elif name in requests and _number(requests[name]) > _number(most):
        yield f"{about}, but request is {canonical(requests[name])}"


def _ratio(kind: str, name: str, ratio: Any, requests: Object, limits: Object) -> Iterator[str]:
    asked, most = _number(requests.get(name, 0)), _number(limits.get(name, 0))
    about = f"{name} max limit to request ratio per {kind} is {canonical(ratio)}"
    if not asked:
        yield f"{about}, but no request is specified or request is 0"
    elif not most:
        yield f"{about}, but no limit is specified or limit is 0"
    elif most / asked > _number(ratio):
        yield f"{about}, but provided ratio is {most / asked:.6f}"


def _number(value: Any) -> Decimal:
    from decimal import Decimal

    return amount(value) or Decimal(0)
