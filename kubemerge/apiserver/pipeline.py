"""What a server of one release stores for a write, computed without a cluster.

A server in memory handles the write as a dry run: decoding, defaulting, admission plugins, validation and managedFields
are those of every other request. The objects that it is given stay in it; everything else is undone.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import engine

from .cluster import EmbeddedCluster
from .dumps import hold
from .errors import BadRequest, ClusterError, Invalid
from .identity import Reference
from .kinds.facts import DEFINITION, facts_of
from .metadata import received
from .resources import key_for
from .storage.index import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .protocol import Object

CLIENT_SIDE = "kubectl-client-side-apply"
"""The field manager of `kubectl apply` without --server-side."""
DRAWN = ("uid", "creationTimestamp", "resourceVersion")
"""Fields of metadata whose values only a server can choose."""
ADDRESSES = ("clusterIP", "clusterIPs", "healthCheckNodePort")
JOB_UID = ("controller-uid", "batch.kubernetes.io/controller-uid")


class Stored(NamedTuple):
    """The object that a server stores for a write. Values that only a server can choose are left out."""

    object: Object | None
    """None if the server rejects the write."""
    problems: tuple[Any, ...] = ()
    """The reasons why it is rejected."""
    warnings: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Paths of the values that only a server can choose."""
    error: ClusterError | None = None


def stored(
    config: Object,
    *,
    release: str | None = None,
    live: Object | None = None,
    namespace: str | None = None,
    manager: str = "kubectl",
    policies: Sequence[Object] = (),
) -> Stored:
    """The object that a server of a release stores for an apply of a config to a live object, or for a new object.

    An apply sends the patch that `kubectl apply` computes from the live object. Without one, the config is created.
    """
    if policies:
        raise BadRequest("policies are not evaluated yet; leave out `policies`")
    server = Server(release)
    config = _in_namespace(received(config), namespace or "default")
    if live is None:
        return server.create(config, manager=manager)
    live = received(live)
    schema = server.schema(config)
    outcome = engine.apply(config, live, schema)
    if outcome.patch_type == "none":
        return Stored(live)
    return server.patch(live, config, outcome.patch, outcome.patch_type, manager=manager)


def _in_namespace(content: Object, namespace: str) -> Object:
    group = content["apiVersion"].rpartition("/")[0]
    if not facts_of(group, content["kind"]).namespaced or content["metadata"].get("namespace"):
        return content
    return {**content, "metadata": {**content["metadata"], "namespace": namespace}}


class _Cluster(EmbeddedCluster):
    """A cluster in memory in which a live object can be held for one request."""

    @contextmanager
    def holding(self, live: Object | None, namespace: str | None) -> Iterator[None]:
        """A context in which the live object, and a namespace, are there; all of it is undone at its end."""
        with suppress(_Undo), self._store.together():
            with self._store.writing():
                hold(self._store, self._kinds(), self._origins, live, namespace)
            self._index = Index()
            try:
                yield
            finally:
                self._index = Index()
            raise _Undo


class _Undo(Exception):
    """Ends a transaction without its changes."""


class Server:
    """A server of one release, which handles one write after another. No write is kept.

    `objects` are the other objects of its cluster; those that cannot be stored are left out.
    """

    def __init__(
        self, release: str | None = None, definitions: Iterable[Object] = (), objects: Iterable[Object] = ()
    ) -> None:
        self._cluster = _Cluster(":memory:", release=release, controllers="-*")
        for one in (*definitions, *objects):
            with suppress(engine.MergeError):
                self._cluster.load([one])

    def serves(self, api_version: str, kind: str) -> bool:
        """Whether the server has a kind."""
        try:
            self._cluster.resource(api_version, kind)
        except ClusterError:
            return False
        return True

    def schema(self, content: Object) -> engine.Schema:
        """The merge rules of the kind of an object."""
        return self._cluster.schema(content["apiVersion"], content["kind"])

    def create(self, content: Object, *, manager: str = CLIENT_SIDE) -> Stored:
        """The result of creating an object."""
        bare = {**content, "metadata": {**content["metadata"]}}
        bare["metadata"].pop("resourceVersion", None)
        return self._handle(None, content, lambda: self._cluster.create(bare, manager=manager, dry_run=True))

    def patch(
        self,
        live: Object,
        config: Object,
        patch: Any,
        patch_type: str,
        *,
        manager: str = CLIENT_SIDE,
    ) -> Stored:
        """The result of a patch that was computed for a config."""
        where = Reference.of(config)
        return self._handle(
            live, config, lambda: self._cluster.patch(where, patch, patch_type, manager=manager, dry_run=True)
        )

    def apply(self, live: Object | None, config: Object, *, manager: str, force: bool = False) -> Stored:
        """The result of a server-side apply."""
        where = Reference.of(config)
        return self._handle(
            live,
            config,
            lambda: self._cluster.patch(where, config, "apply", manager=manager, force=force, dry_run=True),
        )

    def _handle(self, live: Object | None, content: Object, send: Callable[[], Object]) -> Stored:
        warnings: list[str] = []
        self._cluster.on_warning = warnings.append
        try:
            resource = self._cluster.resource(content["apiVersion"], content["kind"])
            where = key_for(resource, Reference.of(content)).namespace if resource.namespaced else None
            with self._cluster.holding(live, where):
                answer = send()
        except Invalid as error:
            return Stored(None, error.problems or (str(error),), tuple(warnings), error=error)
        except ClusterError as error:
            return Stored(None, (str(error),), tuple(warnings), error=error)
        found, left_out = without_drawn(answer, live)
        return Stored(found, (), tuple(warnings), left_out)


def is_definition(content: Object) -> bool:
    """Whether an object is a CustomResourceDefinition."""
    return Reference.of(content).id.group_kind == DEFINITION


# ---- values that only a server can choose ----------------------------------------------------------------------------


def without_drawn(answer: Object, live: Object | None) -> tuple[Object, tuple[str, ...]]:
    """The object without the values that only a server can choose, unless live has them; and the paths of those."""
    known: Any = (live or {}).get("metadata") or {}
    metadata = {**answer["metadata"]}
    left_out = [f"metadata.{field}" for field in DRAWN if field in metadata and field not in known]
    for path in left_out:
        del metadata[path.removeprefix("metadata.")]
    if "managedFields" in metadata and "managedFields" not in known:
        del metadata["managedFields"]
    found = {**answer, "metadata": metadata}
    if live is None and answer["kind"] == "Service" and answer["apiVersion"] == "v1":
        found, more = _without_addresses(found)
        left_out += more
    if live is None and answer["kind"] == "Job" and answer["apiVersion"] == "batch/v1":
        found, more = _without_uid(found)
        left_out += more
    return found, tuple(left_out)


def _without_addresses(service: Object) -> tuple[Object, list[str]]:
    spec: Any = service.get("spec") or {}
    drawn = [field for field in ADDRESSES if field in spec and spec[field] not in ("None", ["None"])]
    left = {field: value for field, value in spec.items() if field not in drawn}
    paths = [f"spec.{field}" for field in drawn]
    ports: list[Any] = []
    for index, port in enumerate(spec.get("ports") or ()):
        if "nodePort" in port:
            paths.append(f"spec.ports[{index}].nodePort")
        ports.append({field: value for field, value in port.items() if field != "nodePort"})
    if "ports" in left:
        left["ports"] = ports
    return {**service, "spec": left}, paths


def _without_uid(job: Object) -> tuple[Object, list[str]]:
    """A Job without the labels that repeat its uid."""
    spec: Any = {**job["spec"]}
    places = [("spec.selector.matchLabels", ("selector", "matchLabels")), ("spec.template.metadata.labels", None)]
    paths: list[str] = []
    labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels") or {}
    for path, _ in places:
        at: Any = labels if path.endswith("labels") else ((spec.get("selector") or {}).get("matchLabels") or {})
        paths += [f'{path}["{key}"]' for key in JOB_UID if key in at]
    if labels:
        left = {key: value for key, value in labels.items() if key not in JOB_UID}
        template = {**spec["template"], "metadata": {**spec["template"]["metadata"], "labels": left}}
        spec["template"] = template
    if spec.get("selector", {}).get("matchLabels"):
        kept = {key: value for key, value in spec["selector"]["matchLabels"].items() if key not in JOB_UID}
        spec["selector"] = {**spec["selector"], "matchLabels": kept}
        if not kept:
            del spec["selector"]
    return {**job, "spec": spec}, paths
