"""Events of the core group and of events.k8s.io: the same objects with other field names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..eras import Era
from ..problems import Problem, immutable, invalid, required
from ..unchecked import as_map, as_number, as_text, get_path
from ..validation import names
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

CORE, OWN = "v1", ("events.k8s.io/v1", "events.k8s.io/v1beta1")
CALLED = {
    "involvedObject": "regarding",
    "message": "note",
    "source": "deprecatedSource",
    "firstTimestamp": "deprecatedFirstTimestamp",
    "lastTimestamp": "deprecatedLastTimestamp",
    "count": "deprecatedCount",
    "reportingComponent": "reportingController",
}
"""The core field names, by their events.k8s.io names."""
LONGEST, LONGEST_NOTE = 128, 1024
IMMUTABLE_FIELDS = (
    "involvedObject",
    "reason",
    "message",
    "source",
    "firstTimestamp",
    "lastTimestamp",
    "count",
    "type",
    "eventTime",
    "action",
    "related",
    "reportingComponent",
    "reportingInstance",
)


def convert(content: Object, api_version: str) -> Object:
    """Convert an Event to another apiVersion."""
    if (content.get("apiVersion") == CORE) == (api_version == CORE):
        return {**content, "apiVersion": api_version}
    renamed = CALLED if api_version != CORE else {new: old for old, new in CALLED.items()}
    result = {renamed.get(field, field): value for field, value in content.items()}
    if isinstance(series := result.get("series"), dict):  # only events.k8s.io prints a count of 0
        result["series"] = _with_count(series, printed=api_version != CORE)
    if api_version == CORE:
        result = {"source": {}, "firstTimestamp": None, "lastTimestamp": None, **result}
        result.setdefault("reportingComponent", "")
        result.setdefault("reportingInstance", "")
    else:
        result = {field: value for field, value in result.items() if value != "" or not field.startswith("reporting")}
    return {**result, "apiVersion": api_version}


def _with_count(series: Object, *, printed: bool) -> Object:
    if printed:
        return {"count": 0, **series}
    return {field: value for field, value in series.items() if field != "count" or value}


def event(content: Object) -> Iterator[Problem]:
    """Validate a new Event."""
    yield from _legacy(content)
    if content.get("apiVersion") != OWN[0]:
        return
    one = convert(content, CORE)
    yield from _series(one)
    if not one.get("eventTime"):
        yield required("eventTime")
    if one.get("type") not in ("Normal", "Warning"):
        yield invalid("type", "", f"has invalid value: {as_text(one.get('type'))}")
    for field in ("firstTimestamp", "lastTimestamp", "count"):
        if one.get(field):
            yield invalid(field, "", "needs to be unset")
    source = as_map(one.get("source"))
    if source.get("component") or source.get("host"):
        yield invalid("source", "", "needs to be unset")


def _legacy(content: Object) -> Iterator[Problem]:
    one, of_core = convert(content, CORE), content.get("apiVersion") == CORE
    namespace, about = as_text(get_path(one, "metadata.namespace")), as_text(get_path(one, "involvedObject.namespace"))
    timed = bool(one.get("eventTime"))
    fits = about == namespace if about and not timed else bool(about) or namespace in _UNBOUND[timed]
    if not fits:
        yield invalid("involvedObject.namespace", about, "does not match event.namespace")
    if not timed:
        return
    controller, at = as_text(one.get("reportingComponent")), "reportingComponent" if of_core else "reportingController"
    if not controller:
        yield required(at)
    yield from (invalid(at, controller, why) for why in names.key(controller))
    for field in ("reportingInstance", "action", "reason"):
        value = as_text(one.get(field))
        if not value:
            yield required(field)
        if len(value.encode()) > LONGEST:
            yield invalid(field, "", f"can have at most {LONGEST} characters")
    if len(as_text(one.get("message")).encode()) > LONGEST_NOTE:
        yield invalid("message", "", f"can have at most {LONGEST_NOTE} characters")


_UNBOUND = {True: ("default", "kube-system"), False: ("", "default")}
"""The namespaces of events about cluster-scoped objects, by whether they have an eventTime."""


def _series(one: Object) -> Iterator[Problem]:
    series = one.get("series")
    if series is None:
        return
    if (as_number(as_map(series).get("count")) or 0) < 2:
        yield invalid("series.count", "", "should be at least 2")
    if not as_map(series).get("lastObservedTime"):
        yield required("series.lastObservedTime")


def changed_event(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of an events.k8s.io Event. Everything but its series is immutable."""
    yield from _legacy(content)
    if content.get("apiVersion") != OWN[0]:
        return
    now, then = convert(content, CORE), convert(before, CORE)
    if now.get("series") != then.get("series"):
        yield from COMPARED.limit(_series(now))
    for field in IMMUTABLE_FIELDS:
        if (now.get(field) or None) != (then.get(field) or None):
            yield from COMPARED.limit([immutable(_INTERNAL.get(field, field), _shown(field, now.get(field)))])


COMPARED = Era(since=24)
"""The releases that compare an update with the old Event, and not with itself."""


_INTERNAL = {"reportingComponent": "reportingController"}
_REFERENCE = ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")
_AS_GO = {
    "involvedObject": _REFERENCE,
    "related": _REFERENCE,
    "source": ("component", "host"),
}
"""The fields of the server's internal types, in their order."""
_NAMES = {"uid": "UID", "apiVersion": "APIVersion"}


def _shown(field: str, value: Any) -> Any:
    if field in _AS_GO and (value is not None or field != "related"):
        return {_NAMES.get(one, one[0].upper() + one[1:]): as_map(value).get(one, "") for one in _AS_GO[field]}
    if value is not None:
        return value
    return 0 if field == "count" else None if field in ("related", *_TIMES) else ""


_TIMES = ("firstTimestamp", "lastTimestamp", "eventTime")


RECORDS = (
    KindRecord(
        group="",
        kind="Event",
        versions=(CORE, *OWN),
        metadata_later=(CORE, OWN[1]),
        check=event,
        check_update=changed_event,
        converted=lambda content, api_version, _: convert(content, api_version),
    ),
)
