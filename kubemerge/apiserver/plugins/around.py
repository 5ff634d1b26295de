"""What an admission plugin can see besides the object that it looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Object = dict[str, Any]


class Around(NamedTuple):
    """The cluster, its minor release, and the object before."""

    of_kind: Callable[[str, str, str | None], Iterator[Object]]
    """The objects of a group and kind, of one namespace or of all."""
    minor: int
    live: Object | None
    """None for a new object."""
    now: Callable[[], str]
    """The time as the API writes it."""
    namespace: Callable[[str], Object | None]
    """A namespace by its name."""
    warn: Callable[[str], None] = lambda _: None
    """Is told what the server warns of."""
    subresource: str | None = None
    """The subresource that is written; None for the object itself."""
    is_whole: bool = True
    """Whether all objects of the cluster are known; else an object that is missing is no reason to reject another."""
