"""Who owns which field of a live object, and handing fields of client-side apply over to server-side apply."""

from __future__ import annotations

from .. import aliases
from ..errors import NotAnObject
from ..paths import render
from ..values.guard import require_depth
from ..values.immutable import Immutable
from ..values.plain import copied
from . import managers
from .fields import trees
from .fields.elements import step
from .fields.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..paths import Steps
    from ..values.plain import Object
    from .fields.trees import Path


class Owner(Immutable):
    """One manager of one field.

    path         the place, as `spec.containers[name=web].image`
    manager      the name
    operation    "Apply" or "Update"
    subresource  the subresource that it wrote through, or None
    api_version  the apiVersion in which it wrote
    time         when it wrote last, as the server has it, or None; two owners may differ in it and be equal
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
        return called(self.manager, self.operation, self.subresource, self.time)


def called(manager: str, operation: str, subresource: str | None, time: str | None) -> str:
    """A manager in words: `kubectl (Apply since 2026-11-22T08:00:00Z)`."""
    through = f" through {subresource}" if subresource else ""
    since = f" since {time}" if time else ""
    return f"{manager} ({operation}{through}{since})"


def owner_of(steps: Steps, entry: managers.Entry) -> Owner:
    """The manager of an entry as the owner of the field at a place."""
    manager, operation, _, subresource = entry.identity
    return Owner(render(steps), manager, operation, subresource or None, entry.version, entry.time)


def field_owners(live: aliases.Object) -> tuple[Owner, ...]:
    """The owners of every field that has one, in the order of the document."""
    if not isinstance(live, dict):
        raise NotAnObject("live object", live)
    require_depth(live)
    owners: dict[Path, list[managers.Entry]] = {}
    for entry in managers.read(managers.of_object(live)).values():
        for path in trees.paths(entry.tree):
            owners.setdefault(path, []).append(entry)
    return tuple(
        [owner_of(tuple(map(step, path)), entry) for path in Places(live).in_order(owners) for entry in owners[path]]
    )


def upgrade_managed_fields(
    live: aliases.Object,
    from_managers: aliases.Iterable[str] = ("kubectl-client-side-apply",),
    to_manager: str = "kubectl",
    *,
    subresource: str | None = None,
) -> aliases.Object:
    """The live object with the fields of managers of client-side apply handed over to one that applies server-side.

    It is what `kubectl apply --server-side` does to an object that client-side apply made, so that what config leaves
    out later is removed, and nothing is in conflict with what the same person applied before.
    """
    if not isinstance(live, dict):
        raise NotAnObject("live object", live)
    require_depth(live)
    result: Object = copied(live)
    entries = managers.of_object(result)
    if type(entries) is list:
        managers.read(entries)
        for name in sorted(from_managers):
            entries = _upgraded(entries, name, to_manager, subresource or "")
        if entries:
            result["metadata"]["managedFields"] = entries
        else:
            result["metadata"].pop("managedFields")
    return result


def _upgraded(entries: list[Object], old: str, new: str, subresource: str) -> list[Object]:
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
    tree = trees.read(target.get("fieldsV1"))
    other = find(old, managers.UPDATE, target.get("apiVersion"))
    if other is not None:
        tree = trees.union(tree, trees.read(other.get("fieldsV1")))
    target["fieldsV1"] = trees.written(tree)
    gone = (old, managers.UPDATE, subresource)
    return [
        entry
        for entry in entries
        if (entry.get("manager") or "", entry.get("operation"), entry.get("subresource") or "") != gone
    ]
