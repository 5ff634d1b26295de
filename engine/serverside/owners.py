"""Field owners of a live object, and the upgrade of its managedFields from client-side apply."""

from __future__ import annotations

from .. import aliases
from ..errors import NotAnObject
from ..paths import render
from ..values.guard import require_depth
from ..values.immutable import Immutable
from ..values.plain import copied
from . import managers
from .fields import trees
from .fields.locator import PathLocator
from .fields.path_elements import to_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..paths import Steps
    from ..values.plain import Object
    from .fields.trees import Path


class Owner(Immutable):
    """One manager of one field.

    path         the path, such as `spec.containers[name=web].image`
    manager      the manager's name
    operation    "Apply" or "Update"
    subresource  the subresource of the write, or None
    api_version  the apiVersion of the write
    time         the time of the last write as stored, or None; not part of equality
    """

    __slots__ = ("path", "manager", "operation", "subresource", "api_version", "time")  # noqa: RUF023 - for reading

    path: str
    manager: str
    operation: str
    subresource: str | None
    api_version: str
    time: str | None

    def __init__(
        self,
        path: str,
        manager: str,
        operation: str,
        subresource: str | None,
        api_version: str,
        time: str | None = None,
    ) -> None:
        self._fill(path, manager, operation, subresource, api_version, time)

    def _facts(self) -> tuple[Any, ...]:
        return self.path, self.manager, self.operation, self.subresource, self.api_version

    def __str__(self) -> str:
        return manager_text(self.manager, self.operation, self.subresource, self.time)


def is_autoscaler(owner: Owner) -> bool:
    """True for a manager that sets replicas through `scale`, but not for kubectl: `kubectl scale` is a person."""
    return owner.subresource == "scale" and not owner.manager.startswith("kubectl")


def manager_text(manager: str, operation: str, subresource: str | None, time: str | None) -> str:
    """A manager in words: `kubectl (Apply since 2026-11-22T08:00:00Z)`."""
    through = f" through {subresource}" if subresource else ""
    since = f" since {time}" if time else ""
    return f"{manager} ({operation}{through}{since})"


def owner_of(steps: Steps, entry: managers.ManagedFieldsEntry) -> Owner:
    """The manager of an entry as the owner of a field."""
    manager, operation, _, subresource = entry.identity
    return Owner(render(steps), manager, operation, subresource or None, entry.version, entry.time)


def field_owners(live: aliases.Object) -> tuple[Owner, ...]:
    """The owners of every owned field, in document order."""
    if not isinstance(live, dict):
        raise NotAnObject("live object", live)
    require_depth(live)
    owners: dict[Path, list[managers.ManagedFieldsEntry]] = {}
    for entry in managers.parse_entries(managers.managed_fields_of(live)).values():
        for path in trees.paths(entry.tree):
            owners.setdefault(path, []).append(entry)
    return tuple(
        [
            owner_of(tuple(map(to_step, path)), entry)
            for path in PathLocator(live).in_order(owners)
            for entry in owners[path]
        ]
    )


def upgrade_managed_fields(
    live: aliases.Object,
    from_managers: aliases.Iterable[str] = ("kubectl-client-side-apply",),
    to_manager: str = "kubectl",
    *,
    subresource: str | None = None,
) -> aliases.Object:
    """The live object after fields of client-side managers were handed over to a server-side manager.

    `kubectl apply --server-side` does the same to an object that client-side apply created. Later applies then remove
    fields that config leaves out, and do not conflict with the user's own earlier applies.
    """
    if not isinstance(live, dict):
        raise NotAnObject("live object", live)
    require_depth(live)
    result: Object = copied(live)
    entries = managers.managed_fields_of(result)
    if type(entries) is list:
        managers.parse_entries(entries)
        for name in sorted(from_managers):
            entries = _upgrade(entries, name, to_manager, subresource or "")
        if entries:
            result["metadata"]["managedFields"] = entries
        else:
            result["metadata"].pop("managedFields")
    return result


def _upgrade(entries: list[Object], old: str, new: str, subresource: str) -> list[Object]:
    def find(manager: str, operation: str, version: Any = None) -> Object | None:
        wanted = (manager, operation, subresource)
        for entry in entries:
            known = (entry.get("manager") or "", entry.get("operation"), entry.get("subresource") or "")
            if known == wanted and (version is None or entry.get("apiVersion") == version):
                return entry
        return None

    target = find(new, managers.APPLY)
    if target is None:
        target = find(old, managers.UPDATE)
        if target is None:
            return entries
        target["manager"], target["operation"] = new, managers.APPLY
    tree = trees.parse(target.get("fieldsV1"))
    other = find(old, managers.UPDATE, target.get("apiVersion"))
    if other is not None:
        tree = trees.union(tree, trees.parse(other.get("fieldsV1")))
    target["fieldsV1"] = trees.to_fields_v1(tree)
    gone = (old, managers.UPDATE, subresource)
    return [
        entry
        for entry in entries
        if (entry.get("manager") or "", entry.get("operation"), entry.get("subresource") or "") != gone
    ]
