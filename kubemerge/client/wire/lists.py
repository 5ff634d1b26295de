"""Long lists, page by page: the next page is on its way while the objects of one are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.errors import ConnectError, Expired
from ...apiserver.unchecked import text
from . import limits
from .answer import a_map, checked, maps_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from ...apiserver.protocol import Object, Resource
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
            for page in _pages(transport, ahead, path, query, seen, limit=0 if whole else LIMIT):
                if of is not None:
                    of(text(_metadata(page).get("resourceVersion")))
                for one in maps_in(page, "items"):
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


def _pages(
    transport: Transport, ahead: Ahead, path: str, query: Query, seen: Collection[object], *, limit: int
) -> Iterator[Object]:
    """The pages of a list, whose objects are then `seen`; a server that never comes to the last one is refused."""

    def ask(rest: str) -> Object:
        more = [("limit", str(limit))] if limit else []
        more += [("continue", rest)] if rest else []
        return _page(transport.ask("GET", path, [*more, *query]).json())

    before, rest, page = len(seen), "", ask("")
    for number in range(limits.PAGES):
        last, rest = rest, text(_metadata(page).get("continue"))
        if not rest:
            yield page
            return
        if rest == last or number > limits.SPARSE_PAGES + (len(seen) - before) / limits.FULL_PAGE:
            raise ConnectError("the server repeats the same objects of a list. Check that it is an API server")
        following = ahead.promise(lambda rest=rest: ask(rest))  # type: ignore[misc]
        yield page
        page = following.result()
    raise ConnectError(f"the server sends a list of more than {limits.PAGES} pages")


def _page(content: Any) -> Object:
    """One page of a list; a ConnectError for anything else, as an empty list would be taken for an empty cluster."""
    page = a_map(content, "a list of objects")
    if not isinstance(page.get("kind"), str) or "items" not in page:
        raise ConnectError(
            "the server returned something that is not a list of objects. Check that it is an API server"
        )
    a_map(_metadata(page), "metadata")
    return page


def _metadata(page: Object) -> Any:
    return page.get("metadata") or {}


def whole_object(one: Object, resource: Resource) -> Object:
    """An object of a list with its apiVersion and kind, which lists leave out."""
    return checked({"apiVersion": resource.api_version, "kind": resource.kind, **one})


def _key(one: Object) -> tuple[str, str]:
    metadata = one["metadata"]
    return text(metadata.get("namespace")), text(metadata.get("name"))
