"""What a server of one release stores for a write, computed without a cluster.

A server in memory handles the write as a dry run: decoding, defaulting, admission plugins, validation and managedFields
are those of every other request. The objects that it is given stay in it; everything else is undone.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine.paths import render
from engine.values.plain import same

from .cluster import EmbeddedCluster
from .decoding import typed
from .decoding.decoded import as_stored, decoded
from .defaulting.fill import filled
from .dumps import hold
from .errors import BadRequest, ClusterError, Invalid, NoMatch
from .identity import DRAWN, Reference
from .managed_fields import apart, with_managed_fields
from .metadata import Origins, received, with_field
from .problems import Problem, verbatim
from .protocol import MANAGER
from .registry import service_allocation
from .resources import key_for
from .storage.index import SERVICE, Index
from .storage.memory import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine.paths import Steps

    from .identity import ObjectId
    from .protocol import Object
    from .storage.store import Store

ADDRESSES = ("clusterIP", "clusterIPs", "healthCheckNodePort")
NOW = "2001-02-03T04:05:06Z"
UID = "00000000-0000-0000-0000-000000000000"
"""The time and the uid that the server in memory draws, so that they are found in the object."""


class Stored(NamedTuple):
    """The object that a server stores for a write. Values that only a server can choose are left out."""

    object: Object | None
    """None if the server rejects the write."""
    problems: tuple[Problem, ...] = ()
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
    config = received(config)
    if namespace and server.has_namespaces(config):
        config["metadata"].setdefault("namespace", namespace)
    if live is None:
        return server.create(config, manager=manager)
    live = received(live)
    schema = server.schema(config)
    outcome = engine.apply(config, live, schema)
    if outcome.patch_type == "none":
        return Stored(live)
    return server.patch(live, config, outcome.patch, outcome.patch_type, manager=manager)


class _Cluster(EmbeddedCluster):
    """A cluster in memory in which a live object can be held for one request."""

    def _opened(self, file: str, release: str, mode: str) -> Store:  # noqa: ARG002
        store = MemoryStore(release)
        self._populate(store)
        return store

    @contextmanager
    def holding(self, live: Object | None, key: ObjectId) -> Iterator[None]:
        """A context with the live object, or without one, and with its namespace; all of it is undone at its end."""
        with suppress(_Undo), self._store.together():
            with self._store.writing():
                if live is None and self._store.has(key):
                    self._store.remove(key, self._store.next_version())
                hold(self._store, self._kinds(), self._origins, live, key.namespace)
            self._index = Index()
            try:
                yield
            finally:
                self._index = Index()
            raise _Undo

    def read(self, live: Object) -> Object:
        """The object as it is read from the store."""
        with self._store.reading():
            kinds = self._kinds()
            resource = kinds.resource(live["apiVersion"], live["kind"])
            content, entries = apart(live)
            if typed.unreadable(content, resource, kinds)[0]:
                return live
            definition = kinds.definition(resource)
            if definition is not None:
                return kinds.seen(kinds.stored(live), resource)
            found = filled(decoded(content, resource, kinds), kinds.release, definition)
            if (resource.group, resource.kind) == SERVICE:
                found = service_allocation.as_read(found, int(kinds.release.partition(".")[2]))
            return with_managed_fields(as_stored(found, resource, kinds), entries)


class _Undo(Exception):
    """Ends a transaction without its changes."""


class Server:
    """A server of one release, which handles one write after another. No write is kept.

    `objects` are the other objects of its cluster; those that cannot be stored are left out. With `echoes`, a
    result is the response that `kubectl diff` gets: the patch is for this state of the object, and a selfLink is in it,
    although no server stores one.
    """

    def __init__(
        self,
        release: str | None = None,
        definitions: Iterable[Object] = (),
        objects: Iterable[Object] = (),
        *,
        echoes: bool = False,
    ) -> None:
        self._echoes = echoes
        origins = Origins(lambda: datetime(2001, 2, 3, 4, 5, 6, tzinfo=timezone.utc), lambda: UID, lambda: "xxxxx")
        self._cluster = _Cluster(":memory:", release=release, controllers="-*", origins=origins)
        for one in (*definitions, *objects):
            with suppress(engine.MergeError):
                self._cluster.load([one])

    def require(self, api_version: str, kind: str) -> None:
        """Raise NoMatch if the server does not have a kind."""
        self._cluster.resource(api_version, kind)

    def has_namespaces(self, content: Object) -> bool:
        """Whether objects of the kind are in namespaces; False if the server does not have the kind."""
        try:
            return self._cluster.resource(content["apiVersion"], content["kind"]).namespaced
        except NoMatch:
            return False

    def schema(self, content: Object) -> engine.Schema:
        """The merge rules of the kind of an object."""
        return self._cluster.schema(content["apiVersion"], content["kind"])

    def read(self, live: Object) -> Object:
        """A live object as a server of the release returns it.

        A file may lack default values and what admission plugins add, so an object that is incomplete is written once.
        """
        try:
            read = self._cluster.read(live)
        except engine.MergeError:  # which a write reports
            return live
        if same(read, live):
            return live
        written = self.patch(read, read, {"metadata": {}}, "merge", manager=MANAGER).object
        if written is None:
            return read
        metadata = written["metadata"]
        for field in ("generation", "managedFields"):  # nobody has written it
            metadata = with_field(field, read["metadata"], metadata)
        return {**written, "metadata": metadata}

    def create(self, content: Object, *, manager: str) -> Stored:
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
        manager: str,
    ) -> Stored:
        """The result of a patch that was computed for a config."""
        where = Reference.of(config)
        pinned = _pinned(patch, live, always=self._echoes)
        return self._handle(
            live, config, lambda: self._cluster.patch(where, pinned, patch_type, manager=manager, dry_run=True)
        )

    def apply(self, live: Object | None, config: Object, *, manager: str, force: bool = False) -> Stored:
        """The result of a server-side apply."""
        where = Reference.of(config)
        return self._handle(
            live,
            config,
            lambda: self._cluster.patch(where, config, "apply", manager=manager, force=force, dry_run=True),
            owners=True,
        )

    def _handle(
        self, live: Object | None, content: Object, send: Callable[[], Object], *, owners: bool = False
    ) -> Stored:
        warnings: list[str] = []
        self._cluster.on_warning = warnings.append
        try:
            key = key_for(self._cluster.resource(content["apiVersion"], content["kind"]), Reference.of(content))
            with self._cluster.holding(live, key):
                answer = send()
        except Invalid as error:
            return Stored(None, error.problems or (verbatim(str(error)),), tuple(warnings), error=error)
        except ClusterError as error:
            return Stored(None, (verbatim(str(error)),), tuple(warnings), error=error)
        found, left_out = without_drawn(answer, live, content, owners=owners)
        if not self._echoes and "selfLink" not in (live or {}).get("metadata", {}):
            found["metadata"].pop("selfLink", None)
        return Stored(found, (), tuple(warnings), left_out)


def _pinned(patch: Any, live: Object, *, always: bool) -> Any:
    """The patch for this state of the object. An apply of a config that asks for another state is a conflict."""
    version = live["metadata"].get("resourceVersion")
    asked = patch.get("metadata")
    if version is None or (asked is not None and not isinstance(asked, dict)):
        return patch
    if asked and asked.get("resourceVersion") and not always:
        return patch
    return {**patch, "metadata": {**(asked or {}), "resourceVersion": version}}


# ---- values that only a server can choose ----------------------------------------------------------------------------


def without_drawn(
    answer: Object, live: Object | None, config: Object, *, owners: bool
) -> tuple[Object, tuple[str, ...]]:
    """The object without the values that only a server can choose, and the paths of those.

    Without `owners`, managedFields are only there if live has them.
    """
    known: Any = (live or {}).get("metadata") or {}
    metadata = {**answer["metadata"]}
    drawn = [field for field in DRAWN if field in metadata and field not in known]
    left_out = [f"metadata.{field}" for field in drawn] if live is None else []
    for field in drawn:
        del metadata[field]
    if live is not None and "uid" not in known:  # a file that no server has written
        for field in ("generation", "namespace"):
            if field not in known and field not in (config.get("metadata") or {}):
                metadata.pop(field, None)
    if "managedFields" in metadata and "managedFields" not in known and not owners:
        del metadata["managedFields"]
    found = _without((), {**answer, "metadata": metadata}, {} if live is None else live, left_out)
    if (answer["apiVersion"], answer["kind"]) == ("v1", "Service"):
        found = _without_addresses(found, (live, config), left_out)
    return found, tuple(left_out)


def _without(steps: Steps, value: Any, live: Any, left_out: list[str]) -> Any:
    """A copy without drawn times and uids. An empty map stays only where there was one."""
    if type(value) is dict:
        found: Object = {}
        for key, inner in value.items():
            there = live.get(key) if type(live) is dict else None
            if inner in (NOW, UID) and inner != there:
                if "managedFields" not in steps:
                    left_out.append(render((*steps, key)))
                continue
            kept = _without((*steps, key), inner, there, left_out)
            if kept != {} or inner == {}:
                found[key] = kept
        return found
    if type(value) is list:
        others = live if type(live) is list and len(live) == len(value) else [None] * len(value)
        return [
            _without((*steps, index), one, other, left_out)
            for index, (one, other) in enumerate(zip(value, others, strict=True))
        ]
    return value


def _without_addresses(service: Object, given: Sequence[Object | None], left_out: list[str]) -> Object:
    """A Service without the addresses and node ports that were allocated to it just now, and that nobody gave."""
    before: list[Any] = [one["spec"] for one in given if one and isinstance(one.get("spec"), dict)]
    spec: Any = {**(service.get("spec") or {})}
    for field in ADDRESSES:
        if field in spec and spec[field] not in ("None", ["None"], *(one.get(field) for one in before)):
            left_out.append(f"spec.{field}")
            del spec[field]
    ports_before = [port for one in before for port in one.get("ports") or () if isinstance(port, dict)]
    taken = [port.get("nodePort") for port in ports_before]
    ports: list[Any] = []
    for index, port in enumerate(spec.get("ports") or ()):
        if "nodePort" in port and port["nodePort"] not in taken:
            left_out.append(f"spec.ports[{index}].nodePort")
            port = {field: value for field, value in port.items() if field != "nodePort"}  # noqa: PLW2901
        ports.append(port)
    if "ports" in spec:
        spec["ports"] = ports
    return {**service, "spec": spec}
