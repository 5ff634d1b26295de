"""A cluster instead of files with live objects: what an apply of a config starts from, and what it would result in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..actions import prune
from ..actions.apply import found
from ..actions.create import without_version
from ..actions.requests import asked_ahead, placed, uid_of
from ..actions.serverside.managers import APPLY
from ..apiserver.identity import DRAWN
from ..cluster import Forbidden, Reference
from ..manifests.objects import Manifest
from .pairs import Inputs, Merged, OnServer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..cluster import Cluster, Object, Resource
    from .tables import Schemas


_NO_RIGHT = re.compile(r' cannot (patch|create) resource "')
"""How a server refuses a request for want of a right, and not for what is in it."""


class LiveCluster:
    """The live objects of a cluster, beside those of a config."""

    def __init__(self, cluster: Cluster, namespace: str | None, schemas: Schemas | None) -> None:
        self._cluster, self._namespace, self._schemas = cluster, namespace, schemas
        self._uids: set[str] = set()
        self._namespaces = {namespace} if namespace else set()
        self.only_reads = ""
        """How the cluster refused a rehearsal to somebody who may only read."""

    def asked_ahead(self, manifests: Iterable[Manifest]) -> Iterator[Manifest]:
        """The same objects, whose live ones have been asked for where that takes a while."""
        return asked_ahead(self._cluster, manifests, self._namespace)

    def of(self, manifest: Manifest) -> Inputs:
        """An object of a config with its live object, and the rules of the cluster."""
        resource = self._cluster.resource(*manifest.key)
        config = placed(manifest.content, resource, self._namespace, self._cluster.namespace)
        live = found(self._cluster, Reference.of(config))
        if resource.namespaced:
            self._namespaces.add(config["metadata"]["namespace"])
        if live is not None:
            self._uids.add(uid_of(live))
        return Inputs(
            manifest.with_content(config),
            None if live is None else Manifest(self._cluster.place, live),
            self._schema(manifest.key),
        )

    def _schema(self, key: tuple[str, str]) -> Any:
        found = self._schemas.of(key) if self._schemas is not None else None
        return found if found is not None else self._cluster.schema(*key)

    def prunable(self, allowlist: Sequence[str]) -> list[Resource]:
        """The kinds that may be pruned."""
        return prune.allowed(self._cluster, allowlist)

    def unneeded(self, kinds: Sequence[Resource], selector: str) -> Iterator[Object]:
        """What an apply of the objects that were asked for would prune."""
        return prune.unneeded(self._cluster, kinds, self._namespaces, selector, self._uids)

    def answered(self, merged: Merged, by: OnServer | None = None) -> Merged:
        """The same with the cluster's answer to the request: default values filled in, or a refusal.

        Who may only read may not rehearse either; then it stays the merge as it is made here, and `only_reads` says it.
        """
        try:
            return self._answered(merged, by)
        except Forbidden as error:
            if not _NO_RIGHT.search(str(error)):
                raise
            self.only_reads = str(error)
            return merged

    def _answered(self, merged: Merged, by: OnServer | None) -> Merged:
        outcome = merged.outcome
        if by is not None:
            answer = self._applied(merged.inputs.config, by)
            return Merged(merged.inputs, outcome, _without_identity(answer) if merged.before is None else answer)
        if outcome.patch_type == "none":
            return merged
        if outcome.patch_type == "create":
            return Merged(merged.inputs, outcome, _without_identity(self._created(outcome.patch)))
        reference = Reference.of(merged.inputs.config)
        answer = self._cluster.patch(reference, outcome.patch, outcome.patch_type, manager=APPLY, dry_run=True)
        return Merged(merged.inputs, outcome, answer)

    def _created(self, content: Object) -> Object:
        return self._cluster.create(without_version(content), manager=APPLY, dry_run=True)

    def _applied(self, config: Object, by: OnServer) -> Object:
        where = Reference.of(config)
        return self._cluster.patch(where, config, "apply", manager=by.manager, force=by.force, dry_run=True)


def _without_identity(content: dict[str, Any]) -> dict[str, Any]:
    """A new object without uid, creation time and resourceVersion, which would differ each time."""
    metadata = {key: value for key, value in content["metadata"].items() if key not in DRAWN}
    return {**content, "metadata": metadata}
