"""The strategy of one kind as a record: defaults, preparation of writes, validation, warnings and conversion."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from ..defaulting.rules import Group, TypePosition
    from ..problems import Problem
    from ..unchecked import Object
    from ..warnings.eras import DatedWarning

    Check = Callable[[Object], Iterator[Problem]]
    ReleaseCheck = Callable[[Object, int], Iterator[Problem]]
    UpdateCheck = Callable[[Object, Object], Iterator[Problem]]
    ReleaseUpdateCheck = Callable[[Object, Object, int], Iterator[Problem]]
    Change = Callable[[Object], Object]
    UpdateChange = Callable[[Object, Object], Object]


class LazyModule:
    """A validation module that is imported on first use, because many commands only need defaults."""

    def __init__(self, module: str) -> None:
        self._module = f"{__package__.rpartition('.')[0]}.{module}"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def check(*given: Any) -> Any:
            return getattr(import_module(self._module), name)(*given)

        return check


class FieldsSubresource(NamedTuple):
    """A subresource that writes some fields of the object itself."""

    written: Callable[[Object, Object, int], Object]
    """Return the object with the fields that the subresource may change, and the rest as before."""
    check: UpdateCheck
    since: int
    """The first minor release with the subresource."""


class KindRecord(NamedTuple):
    """The strategy of one kind. `validation.problems` checks the metadata of all kinds before.

    Checks yield problems in the order and the words of the server. Objects have their defaults. `before` is the object
    before the update. A change returns a new object.
    """

    group: str
    """The group in which its objects are stored."""
    kind: str
    versions: tuple[str, ...]
    """Every apiVersion of the record, the preferred one first."""
    defaults: tuple[Group, ...] = ()
    """Defaults of the kind's types. Shared types are in `defaulting`."""
    places: Mapping[str, tuple[TypePosition, ...]] = {}
    """The types of fields by the type that contains them, from the kind down."""
    nulls: bool = True
    """Whether an object may keep a null that a server keeps when it decodes the object."""
    check: Check | None = None
    """Validates a new object."""
    check_in: ReleaseCheck | None = None
    """Validates a new object by the minor release of the server. Takes precedence over `check`."""
    metadata_later: tuple[str, ...] = ()
    """The apiVersions in which metadata of a new object is only checked if nothing else is wrong."""
    any_prefix: bool = False
    """Whether the generated name is checked, not generateName."""
    named_again: bool = False
    """Whether an update also checks generateName."""
    check_update: UpdateCheck | None = None
    """Validates an update. By default, `check` is used."""
    check_status: UpdateCheck | None = None
    """Validates an update of the status."""
    check_status_in: ReleaseUpdateCheck | None = None
    """Validates an update of the status by the minor release of the server. Takes precedence over `check_status`."""
    check_approval: UpdateCheck | None = None
    """Validates an approval. Only such a kind has the subresource approval."""
    parts: Mapping[str, FieldsSubresource] = {}
    """Further subresources that write fields, besides status, scale and approval."""
    created: Change | None = None
    """Prepares a new object before validation, like `PrepareForCreate` of upstream."""
    created_in: Callable[[Object, int], Object] | None = None
    """Prepares a new object by the minor release of the server. Takes precedence over `created`."""
    updated: UpdateChange | None = None
    """Prepares an update before validation, like `PrepareForUpdate` of upstream."""
    updated_since: int = 0
    """The first minor release that prepares an update so."""
    status_updated: UpdateChange | None = None
    """Prepares an update of the status. By default, everything except the status is as before."""
    status_updated_in: Callable[[Object, Object, int], Object] | None = None
    """Prepares an update of the status by the minor release of the server. Takes precedence over `status_updated`."""
    approved: UpdateChange | None = None
    """Prepares an approval."""
    keeps_status: bool = False
    """Whether a new object keeps its status."""
    warnings: Callable[[Object, Object], Iterable[DatedWarning]] | None = None
    """Returns the warnings of all releases, like `WarningsOnCreate` and `WarningsOnUpdate`. `before` is empty for a new
    object.
    """
    converted: Callable[[Object, str, int], Object] | None = None
    """Converts the object to another apiVersion, in a minor release. By default, only the apiVersion changes."""
    hubs: tuple[str, ...] = ()
    """The apiVersions that keep all fields, for a kind with `converted`. A server uses the first that it serves."""
    read_back: Callable[[Object, int], Object] | None = None
    """Returns the object as a server of a minor release reads it from its storage, if that changes it."""


def before_create_check(check: Check, *updates: UpdateCheck) -> UpdateCheck:
    """Return a check of updates that validates the object like a new one last."""

    def problems(content: Object, before: Object) -> Iterator[Problem]:
        for update in updates:
            yield from update(content, before)
        yield from check(content)

    return problems


def after_create_check(check: Check, *updates: UpdateCheck) -> UpdateCheck:
    """Return a check of updates that validates the object like a new one first."""

    def problems(content: Object, before: Object) -> Iterator[Problem]:
        yield from check(content)
        for update in updates:
            yield from update(content, before)

    return problems
