"""The results of a drift repair: the drifted fields of each object, and the patch that repairs them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.paths import render

from ..manifests.objects import title as kubectl_title

if TYPE_CHECKING:
    from engine import Owner
    from engine.paths import Steps

    Object = dict[str, Any]

SYNCED, DRIFTED, MISSING, HANDED_OVER, FAILED, SKIPPED = (
    *("in sync", "drifted", "missing"),
    *("handed over", "failed", "skipped"),
)
"""States. `handed over`: other managers keep all drifted fields. `failed`: the API server rejects the repair."""
PATCH, HAND_OVER, IGNORED = "patch", "hand-over", "ignored"
"""The repair of one field: a patch, or none, because another manager or the tool's settings keep the live value."""
CHANGED, REMOVED, ADDED = "changed", "removed", "added"
"""The drift of one field in the live object. `added`: the tool applied it once, and the config no longer has it."""
CREATE, STRATEGIC, MERGE, JSON = "create", "strategic", "merge", "json"
"""The types of patches. `create`: the whole object, because it is missing."""


@dataclass(frozen=True)
class DriftedField:
    """A field whose live value is not the intended one. A missing value is None."""

    steps: Steps
    drift: str
    """`changed`, `removed` or `added`."""
    repair: str
    """`patch`, `hand-over` or `ignored`."""
    intended: Any = None
    live: Any = None
    owners: tuple[Owner, ...] = ()
    """The managers of the live value, with the time of their last write."""
    reason: str = ""

    @property
    def path(self) -> str:
        """The path, as in `spec.containers[name=web].image`."""
        return render(self.steps)


@dataclass(frozen=True)
class RepairPatch:
    """A patch that `kubectl patch` accepts as it is."""

    type: str
    """`strategic`, `merge` or `json`; `create` for a missing object."""
    body: Any
    manager: str = ""
    """The field manager to send it with, so that the tool owns the fields again."""
    resource: str = ""
    """The resource in kubectl's notation: `deployments.apps`."""
    resource_version: str | None = None
    """The version of the live object from which it was computed."""


@dataclass(frozen=True)
class ObjectRepair:
    """The drift of one object and its repair."""

    api_version: str
    kind: str
    namespace: str | None
    name: str
    state: str
    method: str = ""
    fields: tuple[DriftedField, ...] = ()
    patch: RepairPatch | None = None
    problems: tuple[str, ...] = ()
    """The reasons for which the object cannot be repaired."""
    notes: tuple[str, ...] = ()
    place: str = ""
    before: Object | None = field(default=None, repr=False)
    after: Object | None = field(default=None, repr=False)
    """The object after the patch, as the API server stores it."""
    config: Object | None = field(default=None, repr=False)

    @property
    def title(self) -> str:
        """The object in kubectl's notation: `deployment.apps/nginx`."""
        return kubectl_title({"apiVersion": self.api_version, "kind": self.kind, "metadata": {"name": self.name}})

    def of(self, repair: str) -> list[DriftedField]:
        """The fields with this repair."""
        return [one for one in self.fields if one.repair == repair]


@dataclass(frozen=True)
class Repair:
    """The repair of all objects of a config."""

    tool: str
    objects: tuple[ObjectRepair, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether an object cannot be repaired."""
        return any(one.state == FAILED for one in self.objects)

    @property
    def has_drift(self) -> bool:
        """Whether an object has drifted, is missing, or has fields that others keep."""
        return any(one.state in (DRIFTED, MISSING, HANDED_OVER) for one in self.objects)
