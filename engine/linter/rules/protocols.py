"""Where client-side and server-side apply treat the same list or map in different ways."""

from __future__ import annotations

from ..findings import Finding
from ..values import items
from ..wording import listing, told
from .live_only import told_strangers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..context import Case
    from ..places import Place


def replaced_lists(case: Case, place: Place) -> Iterator[Finding]:
    """KM012: server-side apply merges the list, and client-side apply replaces it with live elements in it."""
    keys = place.keys
    if keys is None or case.merges(place.rule) or place.replaced or type(place.config) is not list:
        return
    if place.rule is None or place.rule.list_type not in ("map", "set") or place.rule.derived:
        return
    known = {keys.full(item) for value in (place.config, place.last) for item in items(value)}
    lost = [told(step) for item in items(place.live) if keys.full(item) not in known and (step := keys.step(item))]
    if lost:
        message = f"Server-side apply merges this list, but client-side apply replaces it, and {listing(lost)} goes."
        yield Finding("KM012", place.steps, message)


def merged_values(case: Case, place: Place) -> Iterator[Finding]:
    """KM013: client-side apply merges the list or map, and server-side apply would replace it."""
    if place.replaced or place.rule is None or type(place.config) not in (dict, list):
        return
    if not place.atomic and not (place.rule.kind == "list" and place.rule.list_type == "atomic"):
        return
    found = told_strangers(case, place)
    if found:
        message = (
            f"Client-side apply keeps {listing(found)}, but server-side apply owns this as a whole and removes it."
        )
        yield Finding("KM013", place.steps, message)
