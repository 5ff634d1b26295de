"""The plan of a tool: its effects on each object, with conflicts, stuck fields and fixes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.paths import render

from ..manifests.objects import title as kubectl_title

if TYPE_CHECKING:
    from engine import Owner
    from engine.paths import Steps

    Object = dict[str, Any]

CLIENT_SIDE, SERVER_SIDE, REPLACE, DELETE, NONE = "client-side", "server-side", "replace", "delete", "none"
"""The methods: the request that a tool sends for an object."""

CREATED, CHANGED, UNCHANGED, DELETED, REFUSED = "created", "changed", "unchanged", "deleted", "refused"
KEPT, SKIPPED = "kept", "skipped"
"""Actions: an object that stays although it is gone from the config, and one that the tool never reaches."""


@dataclass(frozen=True)
class Advice:
    """A fix: a sentence, with a command if possible."""

    text: str
    command: str = ""


@dataclass(frozen=True)
class FieldChange:
    """A field before and after the tool's write. A missing value is None.

    `owners` are the other managers that own it in the live object.
    """

    steps: Steps
    action: str
    """`added`, `changed` or `removed`."""
    before: Any = None
    after: Any = None
    owners: tuple[Owner, ...] = ()

    @property
    def path(self) -> str:
        """The path, as in `spec.containers[name=web].image`."""
        return render(self.steps)


@dataclass(frozen=True)
class FieldConflict:
    """A field that another manager owns with another value."""

    steps: Steps
    manager: str
    operation: str = ""
    subresource: str | None = None
    api_version: str = ""
    since: str | None = None
    """The time of the manager's last write."""
    config: Any = None
    live: Any = None
    advice: tuple[Advice, ...] = ()
    """Alternative fixes. Each is sufficient."""

    @property
    def path(self) -> str:
        """The path, as in `spec.containers[name=web].image`."""
        return render(self.steps)


@dataclass(frozen=True)
class StuckField:
    """A field that still differs from the config after the write, with the reason."""

    steps: Steps
    reason: str
    config: Any = None
    live: Any = None
    owners: tuple[Owner, ...] = ()

    @property
    def path(self) -> str:
        """The path, as in `spec.containers[name=web].image`."""
        return render(self.steps)


@dataclass(frozen=True)
class PlannedObject:
    """The effect of a tool on one object.

    - `method`: the request: client-side, server-side, replace, delete or none
    - `action`: created, changed, unchanged, deleted, refused, kept or skipped
    - `changes`: the fields that change, with both values
    - `conflicts`: fields of other managers for which the server rejects the apply
    - `overwritten`: fields of other managers that the write takes over
    - `stuck`: fields that still differ from the config after the write
    - `problems`: the server's messages if it rejects the request for another reason than conflicts
    - `notes`: facts about this object that explain the result
    - `before` and `after`: the live object, and the object that the server stores; None if there is none
    - `config`: the object as the tool sends it
    """

    api_version: str
    kind: str
    namespace: str | None
    name: str
    method: str
    action: str
    manager: str = ""
    changes: tuple[FieldChange, ...] = ()
    conflicts: tuple[FieldConflict, ...] = ()
    overwritten: tuple[FieldConflict, ...] = ()
    stuck: tuple[StuckField, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    before: Object | None = field(default=None, repr=False)
    after: Object | None = field(default=None, repr=False)
    config: Object | None = field(default=None, repr=False)
    status: str = ""
    """The sync status that Argo CD shows: `OutOfSync`, `Synced` or `Unknown`."""
    place: str = ""
    """The file and line of the config, or the source of an object that is not in the config."""

    @property
    def title(self) -> str:
        """The object in kubectl's notation: `deployment.apps/nginx`."""
        return kubectl_title({"apiVersion": self.api_version, "kind": self.kind, "metadata": {"name": self.name}})

    @property
    def removed(self) -> tuple[str, ...]:
        """The paths of the fields that the write removes."""
        return tuple([one.path for one in self.changes if one.action == "removed"])

    @property
    def kept(self) -> tuple[str, ...]:
        """The paths of the fields in `stuck`."""
        return tuple([one.path for one in self.stuck])


@dataclass(frozen=True)
class Plan:
    """The effects of a tool on all objects, in the order in which the tool sends them.

    `error` is the tool's error, if it fails before or between the requests. `fails` is true if the tool exits with an
    error for any reason.
    """

    tool: str
    title: str
    """The tool with its version: `Helm 4`."""
    method: str
    objects: tuple[PlannedObject, ...] = ()
    notes: tuple[str, ...] = ()
    error: str = ""
    advice: tuple[Advice, ...] = ()

    @property
    def removed(self) -> tuple[PlannedObject, ...]:
        """The objects that the tool deletes."""
        return tuple([one for one in self.objects if one.action == DELETED])

    @property
    def kept(self) -> tuple[PlannedObject, ...]:
        """The objects that the tool leaves in place although they are gone from the config."""
        return tuple([one for one in self.objects if one.action == KEPT])

    @property
    def has_conflicts(self) -> bool:
        """Whether any object has a conflict."""
        return any(one.conflicts for one in self.objects)

    @property
    def fails(self) -> bool:
        """Whether the tool exits with an error."""
        return bool(self.error) or any(one.action == REFUSED for one in self.objects)
