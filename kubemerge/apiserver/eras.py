"""Eras: the first and the last minor release whose servers report a problem or send a warning."""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

NO_END = 10_000
"""The last minor release of something that goes on."""


@cache
def minor_of(release: str | None) -> int:
    """Return 31 for 1.31 and 1.31.4, and a number after the newest minor release for none."""
    return int(release.split(".")[1]) if release else NO_END


class Dated(Protocol):
    """A named tuple with the releases that have it."""

    @property
    def since(self) -> int: ...
    @property
    def until(self) -> int: ...
    @property
    def _replace(self) -> Callable[..., Any]: ...


T = TypeVar("T", bound=Dated)

ASKED: ContextVar[int | None] = ContextVar("ASKED", default=None)
"""The minor release of `in_release`. Texts that take long to compute are only made for this release. None: for all."""


class Era(NamedTuple):
    """The first and the last minor release of some problems or warnings."""

    since: int = 0
    until: int = NO_END

    def has(self, minor: int) -> bool:
        """Whether a minor release belongs to the era."""
        return self.since <= minor <= self.until

    def limit(self, found: Iterable[T]) -> Iterator[T]:
        """Return problems or warnings, with their releases limited to this era."""
        asked = ASKED.get()
        if asked is not None and not self.has(asked):
            return
        for one in found:
            yield one._replace(since=max(one.since, self.since), until=min(one.until, self.until))


class AskedFor:
    """A context in which `ASKED` is a minor release."""

    __slots__ = ("_minor", "_token")

    def __init__(self, minor: int) -> None:
        self._minor = minor

    def __enter__(self) -> None:
        self._token = ASKED.set(self._minor)

    def __exit__(self, *_: object) -> None:
        ASKED.reset(self._token)


def asked_minor() -> int:
    """The minor release whose texts are computed. That of the newest release for all."""
    asked = ASKED.get()
    return NO_END if asked is None else asked


def in_release(found: Iterable[T], minor: int) -> list[T]:
    """Return what servers of a minor release have. While `found` is computed, `ASKED` is the release."""
    if ASKED.get() != minor:
        with AskedFor(minor):
            return in_release(found, minor)
    return [one for one in found if one.since <= minor <= one.until]
