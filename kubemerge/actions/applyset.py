"""ApplySets: a parent object lists the kinds and namespaces of its members, which carry its id.

A kind or a namespace is written to the parent before its first member is applied, so no member is ever lost. Entries
that the parent no longer needs are removed at the very end, after pruning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..cluster import ApplyConflict
from .apply import found
from .applyset_parents import (
    ID,
    KINDS,
    MEMBER,
    NAMESPACES,
    TOOLING,
    kind_name,
    kinds_in,
    namespaces_in,
    refuse_foreign,
    refuse_nowhere,
    tool,
)
from .prune import listed
from .requests import CLIENT, SERVER, uid_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ..cluster import Cluster, Object, Resource
    from .applyset_parents import Parent


class AlreadyMember(MergeError):
    """A config that sets the ApplySet membership label itself."""

    def __init__(self) -> None:
        super().__init__(f"the config already sets the label {MEMBER}. Remove it, because --applyset sets it")


@dataclass
class Contents:
    """The kinds and namespaces of the members, as the parent lists them."""

    kinds: dict[str, Resource]
    namespaces: set[str]


class ApplySet:
    """One ApplySet during an apply."""

    def __init__(self, cluster: Cluster, parent: Parent, dry_run: str) -> None:
        self._cluster, self._parent, self._dry_run = cluster, parent, dry_run
        live = found(cluster, parent.reference)
        refuse_foreign(parent, live)
        if live is None and dry_run != CLIENT:
            refuse_nowhere(parent, cluster)
        self._is_there = live is not None
        self._known = Contents({}, set())
        if live is not None:
            self._known = Contents(kinds_in(live, parent, cluster), namespaces_in(live))
        self._latest = Contents({}, set())

    def member(self, config: Object) -> Object:
        """The config with the label that makes it a member."""
        labels = config["metadata"].get("labels") or {}
        if MEMBER in labels:
            raise AlreadyMember
        metadata = {**config["metadata"], "labels": {**labels, MEMBER: self._parent.id}}
        return {**config, "metadata": metadata}

    def expect(self, resource: Resource, namespace: str | None) -> None:
        """Record in the parent that this kind will have a member in this namespace."""
        added = Contents({kind_name(resource): resource}, {namespace} if resource.namespaced and namespace else set())
        self._add(self._latest, added)
        if self._add(self._known, added) or not self._is_there:
            self._write(self._known)

    @staticmethod
    def _add(contents: Contents, added: Contents) -> bool:
        if contents.kinds.keys() >= added.kinds.keys() and contents.namespaces >= added.namespaces:
            return False
        contents.kinds |= added.kinds
        contents.namespaces |= added.namespaces
        return True

    def unneeded(self, visited: Collection[str]) -> Iterator[Object]:
        """The members whose uid is not among those visited."""
        namespaces = self._known.namespaces | ({self._parent.namespace} if self._parent.namespace else set())
        selector = f"{MEMBER}={self._parent.id}"
        for one in listed(self._cluster, list(self._known.kinds.values()), namespaces, selector):
            if uid_of(one) not in visited:
                yield one

    def finish(self) -> None:
        """Reduce the parent's lists to the objects applied now."""
        self._write(self._latest)

    def _write(self, contents: Contents) -> None:
        if self._dry_run == CLIENT:
            return
        try:
            self._send(contents, force=False)
        except ApplyConflict:  # another client has changed the parent, or has just created it
            refuse_foreign(self._parent, found(self._cluster, self._parent.reference))
            self._send(contents, force=True)
        self._is_there = self._dry_run != SERVER

    def _send(self, contents: Contents, *, force: bool) -> None:
        where = self._parent.reference
        metadata = {"name": where.name, **({"namespace": where.namespace} if where.namespace else {})}
        content = {**where.head, "metadata": {**metadata, **self._marks(contents)}}
        manager = f"{tool(self._parent.tooling)}-applyset"
        rehearsed = self._dry_run == SERVER
        self._cluster.patch(where, content, "apply", manager=manager, force=force, dry_run=rehearsed)

    def _marks(self, contents: Contents) -> dict[str, Any]:
        """The label and the annotations of the parent."""
        annotations = {
            TOOLING: self._parent.tooling,
            KINDS: ",".join(sorted(contents.kinds)),
            NAMESPACES: ",".join(sorted(contents.namespaces - {self._parent.namespace})),
        }
        return {"labels": {ID: self._parent.id}, "annotations": annotations}
