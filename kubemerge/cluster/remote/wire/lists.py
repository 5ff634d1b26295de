"""Long lists, page by page: the next page is on its way while the objects of one are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_list, a_map, text

from ...errors import Expired

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...protocol import Object, Resource
    from .ahead import Ahead
    from .paths import Query
    from .transport import Transport

LIMIT = 500
"""How many objects a page has, as with kubectl."""
AGAIN = 3
"""How often a list begins anew whose rest the server has forgotten."""


def objects(
    transport: Transport,
    ahead: Ahead,
    resource: Resource,
    path: str,
    query: Query,
    of: Callable[[str], None] | None = None,
) -> Iterator[Object]:
    """The objects of a list; `of` is told of which resourceVersion it is.

    If the server has forgotten the rest (410), the list begins anew, and what was seen already is left out; the last
    time without pages.
    """
    seen: set[tuple[str, str]] = set()
    for attempt in range(AGAIN + 1):
        whole = attempt == AGAIN
        try:
            for page in _pages(transport, ahead, path, query, limit=0 if whole else LIMIT):
                if of is not None:
                    of(text(a_map(page.get("metadata")).get("resourceVersion")))
                for one in a_list(page.get("items")):
                    found = whole_object(one, resource)
                    key = _key(found)
                    if key not in seen:
                        seen.add(key)
                        yield found
        except Expired:
            if whole:
                raise
            continue
        return


def _pages(transport: Transport, ahead: Ahead, path: str, query: Query, *, limit: int) -> Iterator[dict[str, Any]]:
    def ask(rest: str) -> dict[str, Any]:
        more = [("limit", str(limit))] if limit else []
        more += [("continue", rest)] if rest else []
        return a_map(transport.ask("GET", path, [*more, *query]).json())

    page = ask("")
    while True:
        rest = text(a_map(page.get("metadata")).get("continue"))
        if not rest:
            yield page
            return
        following = ahead.promise(lambda rest=rest: ask(rest))  # type: ignore[misc]
        yield page
        page = following.result()


def whole_object(one: Any, resource: Resource) -> Object:
    """An object of a list with its apiVersion and kind, which lists leave out."""
    return {"apiVersion": resource.api_version, "kind": resource.kind, **a_map(one)}


def _key(one: Object) -> tuple[str, str]:
    metadata = a_map(one.get("metadata"))
    return text(metadata.get("namespace")), text(metadata.get("name"))
