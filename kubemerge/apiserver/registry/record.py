"""The record of a kind: what a server fills in, allows, resets and warns of, when it writes an object of the kind."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from ..defaulting.rules import Group, Place
    from ..problems import Problem
    from ..unchecked import Object

    Check = Callable[[Object], Iterator[Problem]]
    ReleaseCheck = Callable[[Object, int], Iterator[Problem]]
    UpdateCheck = Callable[[Object, Object], Iterator[Problem]]
    ReleaseUpdateCheck = Callable[[Object, Object, int], Iterator[Problem]]
    Change = Callable[[Object], Object]
    UpdateChange = Callable[[Object, Object], Object]


class Late:
    """A module of checks that is imported when one of them is called: many commands only need default values."""

    def __init__(self, module: str) -> None:
        self._module = f"{__package__.rpartition('.')[0]}.{module}"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def check(*given: Any) -> Any:
            return getattr(import_module(self._module), name)(*given)

        return check


class Part(NamedTuple):
    """A subresource through which some fields of the object itself are written."""

    written: UpdateChange
    """The object with what the subresource may change, and all else as before."""
    check: UpdateCheck
    since: int
    """The minor release since which servers have it."""


class KindRecord(NamedTuple):
    """What is particular of one kind. The metadata of all kinds is checked before, in `validation.problems`.

    Checks yield problems in the order and the words of the server. Objects come with their default values; `before` is
    the object that is replaced. A change returns an object, and leaves the one it was given as it is.
    """

    group: str
    """The group that its objects are stored in."""
    kind: str
    versions: tuple[str, ...]
    """Every apiVersion that the record holds for, the preferred one first."""
    defaults: tuple[Group, ...] = ()
    """Default values of its own types; those of types that many kinds share are in `defaulting`."""
    places: Mapping[str, tuple[Place, ...]] = {}
    """By type, from the kind down, the types that stand in it."""
    nulls: bool = True
    """Whether a null is kept where the object has one; servers keep some, which they left when they read the object."""
    check: Check | None = None
    """What is wrong with a new object."""
    check_in: ReleaseCheck | None = None
    """The same, where it depends on the minor release of the server; takes precedence over `check`."""
    metadata_later: tuple[str, ...] = ()
    """The apiVersions in which the metadata of a new object is only judged if nothing else is wrong."""
    any_prefix: bool = False
    """Whether a generateName is not judged, but the name that is made of it."""
    named_again: bool = False
    """Whether a replacement is judged by its generateName, as a new object is."""
    check_update: UpdateCheck | None = None
    """What is wrong with an object that replaces another; if there is no such check, that of a new one is used."""
    check_status: UpdateCheck | None = None
    """What is wrong with an object whose status was written."""
    check_status_in: ReleaseUpdateCheck | None = None
    """The same, where it depends on the minor release of the server; takes precedence over `check_status`."""
    check_approval: UpdateCheck | None = None
    """What is wrong with one that was decided on; only such a kind has the subresource approval."""
    parts: Mapping[str, Part] = {}
    """Its subresources besides status, scale and approval, through which fields are written."""
    created: Change | None = None
    """What the server makes of a new object before it is checked."""
    updated: UpdateChange | None = None
    """What it makes of an object that replaces another."""
    status_updated: UpdateChange | None = None
    """What it makes of an object whose status was written: by default, everything but the status is as before."""
    keeps_status: bool = False
    """Whether a new object keeps the status that was sent."""
    warnings: Callable[[Object, Object], Iterable[str]] | None = None
    """What the server warns of, but allows; `before` is empty for a new object."""
    converted: Callable[[Object, str], Object] | None = None
    """The object as another apiVersion shows it; without, only the apiVersion differs."""


def unjudged(_: Object, __: Object) -> Iterator[Problem]:
    """The update check of a kind whose updates only declared rules restrict."""
    return iter(())


def also(check: Check, *updates: UpdateCheck) -> UpdateCheck:
    """The check of a replacement that is judged like a new object, and then for what has changed."""

    def problems(content: Object, before: Object) -> Iterator[Problem]:
        yield from check(content)
        for update in updates:
            yield from update(content, before)

    return problems
