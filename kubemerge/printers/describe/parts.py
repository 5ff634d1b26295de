"""Parts of descriptions: times, selectors, conditions, controllers and Events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ...apiserver.printers.ages import age, moment
from ...apiserver.unchecked import as_list, as_map, get_path
from .page import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ...cluster import Object
    from .page import Page


class ClusterView(Protocol):
    """The cluster's other objects, as far as a description needs them."""

    def get(self, api_version: str, kind: str, namespace: str | None, name: str) -> Object | None:
        """An object; None if it does not exist."""

    def all(self, api_version: str, kind: str, namespace: str | None) -> Iterator[Object]:
        """The objects of a kind."""

    def events(self, one: Object) -> Sequence[Object] | None:
        """The Events about an object. None if they are not requested."""


ZERO_TIME = "Mon, 01 Jan 0001 00:00:00 +0000"


def time(text: object) -> str:
    """A time in kubectl's format: `Sun, 22 Nov 2026 12:00:00 +0000`."""
    then = moment(text)
    return then.astimezone().strftime("%a, %d %b %Y %H:%M:%S %z") if then else ZERO_TIME


def truth(value: object) -> str:
    """`True` or `False`."""
    return "True" if value else "False"


def go(value: Any) -> str:
    """A value as Go prints it: `true`, `[a b]`, `map[a:b]`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{' '.join(map(go, value))}]"
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{go(item)}' for key, item in sorted(value.items()))}]"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return "<nil>" if value is None else str(value)


def head(page: Page, one: Object, *, namespaced: bool = True) -> None:
    """The name, the namespace, the labels and the annotations."""
    page.field("Name", one["metadata"]["name"])
    if namespaced:
        page.field("Namespace", one["metadata"].get("namespace", ""))
    marks(page, one)


def marks(page: Page, one: Object) -> None:
    """The labels and the annotations."""
    page.labels("Labels", one["metadata"].get("labels"))
    page.annotations("Annotations", one["metadata"].get("annotations"))


def joined(labels: Mapping[str, Any] | None) -> str:
    """Labels on one line: `a=1,b=2`."""
    return ",".join(f"{key}={value}" for key, value in sorted((labels or {}).items())) or NONE


_SIGNS = {"In": "in", "NotIn": "notin"}


def selector(value: Any) -> str:
    """A label selector on one line. Empty if it has no rules."""
    rules = [(key, f"{key}={text}") for key, text in as_map(as_map(value).get("matchLabels")).items()]
    for one in as_list(as_map(value).get("matchExpressions")):
        key, sign = one["key"], one["operator"]
        if sign in _SIGNS:
            values = ",".join(sorted(map(str, as_list(one.get("values")))))
            rules.append((key, f"{key} {_SIGNS[sign]} ({values})"))
        else:
            rules.append((key, key if sign == "Exists" else f"!{key}"))
    return ",".join(text for _, text in sorted(rules, key=lambda rule: rule[0]))


def controller(one: Object) -> str:
    """The controller of an object, as `ReplicaSet/web-1`."""
    owners = as_list(one["metadata"].get("ownerReferences"))
    return next((f"{owner['kind']}/{owner['name']}" for owner in owners if owner.get("controller")), "")


def controlled(page: Page, one: Object) -> None:
    """Add a line with the controller of an object, if it has one."""
    page.fields(0, {"Controlled By": controller(one)})


def status_of(one: Object) -> str:
    """The phase, or that the object is terminating."""
    gone = one["metadata"].get("deletionTimestamp")
    return f"Terminating (lasts {age(gone)})" if gone else str(get_path(one, "status.phase") or "")


def number(one: Object, path: str) -> int:
    """A number; 0 if there is none."""
    value = get_path(one, path)
    return value if isinstance(value, int) else 0


def conditions(page: Page, one: Object) -> None:
    """The conditions of a workload."""
    known = as_list(get_path(one, "status.conditions"))
    if known:
        page.line(0, "Conditions:")
        rows = ((f"{each.get('type')} ", each.get("status", ""), each.get("reason", "")) for each in known)
        page.table(1, ("Type", "Status", "Reason"), rows)


def pods_status(page: Page, one: Object, around: ClusterView) -> None:
    """Add the number of a workload's Pods in each phase."""
    phases: dict[str, int] = {}
    for pod in around.all("v1", "Pod", one["metadata"].get("namespace")):
        owners = as_list(pod["metadata"].get("ownerReferences"))
        uid = one["metadata"].get("uid")
        if any(owner.get("controller") and owner.get("uid") == uid for owner in owners):
            phase = str(get_path(pod, "status.phase") or "")
            phases[phase] = phases.get(phase, 0) + 1
    names = {"Running": "Running", "Pending": "Waiting", "Succeeded": "Succeeded", "Failed": "Failed"}
    phase_counts = " / ".join(f"{phases.get(phase, 0)} {name}" for phase, name in names.items())
    page.field("Pods Status", phase_counts)


def events(page: Page, found_events: Sequence[Object] | None) -> None:
    """The Events, the latest last."""
    if found_events is None:
        return
    if not found_events:
        page.field("Events", NONE)
        return
    page.flush()
    page.line(0, "Events:")
    titles = ("Type", "Reason", "Age", "From", "Message")
    page.line(1, "\t".join(titles))
    page.line(1, "\t".join(("----", "------", "----", "----", "-------")))
    for one in _by_last_seen(found_events):
        source = get_path(one, "source.component") or one.get("reportingComponent") or ""
        place = get_path(one, "involvedObject.fieldPath")
        message = str(one.get("message") or "").strip()
        cells = (one.get("type", ""), one.get("reason", ""), _when(one), source)
        page.line(1, "\t".join(map(str, (*cells, f"{place}: {message}" if place else message))))


def _by_last_seen(events: Iterable[Object]) -> list[Object]:
    """The events by when they were last seen."""
    return sorted(events, key=lambda one: _seen(one) or "")


def _seen(one: Object) -> str:
    when = get_path(one, "series.lastObservedTime") or one.get("lastTimestamp") or one.get("eventTime")
    known = moment(when)
    return known.isoformat() if known else ""


def _when(one: Object) -> str:
    """The time of the last occurrence, and the count."""
    first = age(one.get("eventTime") or one.get("firstTimestamp"))
    series = one.get("series")
    if series:
        return f"{age(series.get('lastObservedTime'))} (x{series.get('count', 0)} over {first})"
    if (one.get("count") or 0) > 1:
        return f"{age(one.get('lastTimestamp'))} (x{one['count']} over {first})"
    return first
