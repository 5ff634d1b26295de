"""Long lists, page by page. The next page is requested while the objects of one are processed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.errors import ConnectError, Expired
from ...apiserver.unchecked import as_text
from . import limits
from .response import check_object, require_map, require_maps

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from ...apiserver.protocol import Object, Resource
    from .paths import Query
    from .transport import Transport
    from .work_queue import WorkQueue

LIMIT = 500
"""The number of objects in a page, as with kubectl."""
AGAIN = 3
"""The number of restarts of a list whose continue token has expired."""


def objects(
    transport: Transport,
    ahead: WorkQueue,
    resource: Resource,
    path: str,
    query: Query,
    of: Callable[[str], None] | None = None,
) -> Iterator[Object]:
    """Yield the objects of a list. `of` is called with its resourceVersion.

    If the continue token has expired (410), the list is requested again, without objects that were yielded already. The
    last attempt is without pages.
    """
    seen: set[tuple[str, str]] = set()
    for attempt in range(AGAIN + 1):
        whole = attempt == AGAIN
        try:
            for page in _pages(transport, ahead, path, query, seen, limit=0 if whole else LIMIT):
                if of is not None:
                    of(as_text(_metadata(page).get("resourceVersion")))
                for one in require_maps(page, "items"):
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
    transport: Transport, ahead: WorkQueue, path: str, query: Query, seen: Collection[object], *, limit: int
) -> Iterator[Object]:
    """The pages of a list, whose objects are added to `seen`. A server without a last page is rejected."""

    def ask(rest: str) -> Object:
        more = [("limit", str(limit))] if limit else []
        more += [("continue", rest)] if rest else []
        return _page(transport.ask("GET", path, [*more, *query]).json())

    before, rest, page = len(seen), "", ask("")
    for number in range(limits.PAGES):
        last, rest = rest, as_text(_metadata(page).get("continue"))
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
    """One page of a list. ConnectError for anything else, because an empty list would look like an empty cluster."""
    page = require_map(content, "a list of objects")
    if not isinstance(page.get("kind"), str) or "items" not in page:
        raise ConnectError(
            "the server returned something that is not a list of objects. Check that it is an API server"
        )
    require_map(_metadata(page), "metadata")
    return page


def _metadata(page: Object) -> Any:
    return page.get("metadata") or {}


def whole_object(one: Object, resource: Resource) -> Object:
    """Return an object of a list with its apiVersion and kind, which lists leave out."""
    return check_object({"apiVersion": resource.api_version, "kind": resource.kind, **one})


def _key(one: Object) -> tuple[str, str]:
    metadata = one["metadata"]
    return as_text(metadata.get("namespace")), as_text(metadata.get("name"))
