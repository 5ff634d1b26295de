"""Live objects from a cluster instead of files: the inputs of an apply of a config, and its result."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.clientside.last_applied import without_last_applied

from ..actions import prune
from ..actions.apply import found
from ..actions.create import without_version
from ..actions.requests import placed, prefetched, uid_of
from ..actions.serverside.managers import APPLY
from ..apiserver.errors import BadRequest, ClusterError, Invalid, NoMatch, NotFound
from ..apiserver.identity import SYSTEM_FIELDS
from ..apiserver.kinds.builtin_kinds import DEFINITION
from ..apiserver.system_fields import without_system_fields
from ..cluster import Forbidden, Reference
from ..manifests.objects import Manifest
from .pairs import Inputs, Merged, OnServer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..cluster import Cluster, Object, Resource
    from .tables import Schemas


_NO_RIGHT = re.compile(r' cannot (patch|create) resource "')
"""The words of a server that rejects a request for lack of a permission, and not because of the object."""
_NO_DRY_RUN = "does not support dry run"
"""The words of a server that rejects a dry run because of a webhook."""


class Answer(NamedTuple):
    """The result of a dry run."""

    merged: Merged
    left_out: tuple[str, ...] = ()
    """Paths of the values that only the server can choose."""
    no_dry_run: ClusterError | None = None
    """The error of a server that allows no dry run. The result is the bare merge then."""
    rejection: ClusterError | None = None
    """The error of a server that rejects the object. The result is the bare merge then, too."""


class LiveCluster:
    """The live objects of a cluster, beside those of a config."""

    def __init__(self, cluster: Cluster, namespace: str | None, schemas: Schemas | None) -> None:
        self._cluster, self._namespace, self.schemas = cluster, namespace, schemas
        self._uids: set[str] = set()
        self._namespaces = {namespace} if namespace else set()

    def prefetched(self, manifests: Iterable[Manifest]) -> Iterator[Manifest]:
        """The same objects; their live objects are requested ahead if that is slow."""
        return prefetched(self._cluster, manifests, self._namespace)

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
        found = self.schemas.of(key) if self.schemas is not None else None
        return found if found is not None else self._cluster.schema(*key)

    @property
    def release(self) -> str:
        """The cluster's Kubernetes release."""
        return self._cluster.release

    def require(self, api_version: str, kind: str) -> None:
        """Raise NoMatch if the cluster does not serve a kind."""
        self._cluster.resource(api_version, kind)

    def listed(self, api_version: str, kind: str, namespace: str | None) -> list[Object]:
        """The objects of a kind."""
        return [*self._cluster.list(api_version, kind, namespace=namespace)]

    def definitions_of(self, manifests: Iterable[Manifest]) -> Iterator[Object]:
        """The CustomResourceDefinitions of the cluster for the kinds of these objects."""
        names: dict[str, None] = {}
        for one in manifests:
            with suppress(NoMatch):
                resource = self._cluster.resource(*one.key)
                if not resource.built_in:
                    names[f"{resource.plural}.{resource.group}"] = None
        for name in names:
            with suppress(Forbidden):
                definition = found(self._cluster, Reference("apiextensions.k8s.io/v1", DEFINITION[1], name))
                if definition is not None:
                    yield definition

    def neighbours(self, manifests: Iterable[Manifest]) -> Iterator[Object]:
        """The objects that affect validation and defaults of these objects, if they may be read."""
        namespaces = sorted({one.content["metadata"].get("namespace") or "" for one in manifests} | self._namespaces)
        for namespace in filter(None, namespaces):
            with suppress(Forbidden, NoMatch):
                yield from self._cluster.list("v1", "LimitRange", namespace=namespace)
            with suppress(Forbidden, NoMatch):
                there = found(self._cluster, Reference("v1", "Namespace", namespace))
                if there is not None:
                    yield there

    def prunable(self, allowlist: Sequence[str]) -> list[Resource]:
        """The kinds that may be pruned."""
        return prune.allowed(self._cluster, allowlist)

    def unneeded(self, kinds: Sequence[Resource], selector: str) -> Iterator[Object]:
        """The objects that an apply of the given objects would prune."""
        return prune.unneeded(self._cluster, kinds, self._namespaces, selector, self._uids)

    def answered(self, merged: Merged, by: OnServer | None = None, *, as_diff: bool = False) -> Answer:
        """The object that the cluster returns for a dry run of the request.

        With `as_diff`, it is the object that `kubectl diff` shows, and a rejection is raised. The request then has no
        last-applied annotation, which may be too large. Otherwise, values that only the server can choose are left out.
        """
        try:
            found = self._sent(merged, by, as_diff=as_diff)
        except ClusterError as error:
            if _allows_no_dry_run(error, as_diff=as_diff):
                return Answer(merged, no_dry_run=error)
            if as_diff or not isinstance(error, (BadRequest, Forbidden, Invalid)):
                raise
            return Answer(merged, rejection=error)
        if found is None:
            return Answer(merged)
        left_out: tuple[str, ...] = ()
        if not as_diff:
            found, left_out = without_system_fields(found, merged.before, merged.inputs.config, owners=by is not None)
        elif merged.before is None:
            found = _without_identity(found)
        return Answer(Merged(merged.inputs, merged.outcome, found), left_out)

    def _sent(self, merged: Merged, by: OnServer | None, *, as_diff: bool) -> Object | None:
        """The response to a dry run; None if an apply sends nothing."""
        outcome = merged.outcome
        if by is not None:
            return self._applied(merged.inputs.config, by)
        if outcome.patch_type == "none":
            return None
        patch = without_last_applied(outcome.patch) if as_diff else outcome.patch
        if outcome.patch_type == "create":
            return self._created(patch)
        if not patch:
            return merged.before
        reference = Reference.of(merged.inputs.config)
        return self._cluster.patch(reference, patch, outcome.patch_type, manager=APPLY, dry_run=True)

    def _created(self, content: Object) -> Object:
        return self._cluster.create(without_version(content), manager=APPLY, dry_run=True)

    def _applied(self, config: Object, by: OnServer) -> Object:
        where = Reference.of(config)
        return self._cluster.patch(where, config, "apply", manager=by.manager, force=by.force, dry_run=True)


def _allows_no_dry_run(error: ClusterError, *, as_diff: bool) -> bool:
    """Whether an error is about the dry run, and not about the object. `kubectl diff` fails without webhooks."""
    if isinstance(error, Forbidden):
        return bool(_NO_RIGHT.search(str(error)))
    if as_diff:
        return False
    if isinstance(error, BadRequest):
        return _NO_DRY_RUN in str(error)
    return isinstance(error, NotFound) and error.called == "namespaces"  # the apply may create it before


def _without_identity(content: dict[str, Any]) -> dict[str, Any]:
    """A new object without uid, creation time and resourceVersion, which would differ each time."""
    metadata = {key: value for key, value in content["metadata"].items() if key not in SYSTEM_FIELDS}
    return {**content, "metadata": metadata}
