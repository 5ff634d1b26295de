"""Events as `kubectl events` prints them, oldest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..apiserver.printers.ages import age, moment
from ..apiserver.unchecked import as_map, get_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..cluster import Object

TITLES = ("LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE")


def in_order(events: Iterable[Object]) -> list[Object]:
    """The events by when they were last seen."""
    return sorted(events, key=lambda one: _seen(one) or "")


def _seen(one: Object) -> str:
    when = get_path(one, "series.lastObservedTime") or one.get("lastTimestamp") or one.get("eventTime")
    known = moment(when)
    return known.isoformat() if known else ""


def is_about(one: Object, api_version: str, kind: str, name: str) -> bool:
    """Whether an event is about this object."""
    involved = as_map(one.get("involvedObject"))
    return (involved.get("apiVersion"), involved.get("kind"), involved.get("name")) == (api_version, kind, name)


def when(one: Object) -> str:
    """When it was seen, and how often."""
    first = age(one.get("eventTime") or one.get("firstTimestamp"))
    series = one.get("series")
    if series:
        return f"{age(series.get('lastObservedTime'))} (x{series.get('count', 0)} over {first})"
    if (one.get("count") or 0) > 1:
        return f"{age(one.get('lastTimestamp'))} (x{one['count']} over {first})"
    return first


def rows(events: Sequence[Object], *, namespaces: bool, headers: bool) -> list[list[str]]:
    """The rows of a table."""
    made = [["NAMESPACE", *TITLES] if namespaces else [*TITLES]] if headers else []
    for one in events:
        about = f"{get_path(one, 'involvedObject.kind') or ''}/{get_path(one, 'involvedObject.name') or ''}"
        message = str(one.get("message") or "").strip()
        cells = [when(one), str(one.get("type") or ""), str(one.get("reason") or ""), about, message]
        made.append([str(one["metadata"].get("namespace") or ""), *cells] if namespaces else cells)
    return made
