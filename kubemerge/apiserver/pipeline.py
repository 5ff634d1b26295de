"""What a server of one release stores for a write, computed without a cluster.

A server in memory handles the write as a dry run: decoding, defaulting, admission plugins, validation and managedFields
are those of every other request. The objects that it is given stay in it; everything else is undone.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine.clientside.apply import READ
from engine.values.plain import same

from .creation import new_object, placed
from .decoding import typed, unknown
from .drawn import ORIGINS, without_drawn
from .errors import BadRequest, ClusterError, Invalid, NoMatch
from .identity import Reference
from .metadata import received, shaped, with_field
from .plugins.around import Around
from .problems import Problem, verbatim
from .protocol import MANAGER
from .resources import Kinds, defined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .held import HeldCluster
    from .protocol import Object

VERSION = "resourceVersion"


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
    unknown: tuple[str, ...] = ()
    """Paths of the fields that the kind does not have, if the object was judged."""


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
        raise BadRequest("policies are not evaluated yet. Omit `policies`")
    server = Server(release)
    config = received(config)
    if namespace and server.has_namespaces(config):
        config["metadata"].setdefault("namespace", namespace)
    if live is None:
        return server.create(config, manager=manager)
    return server.kubectl_apply(config, received(live), manager=manager)


@cache
def server_of(release: str) -> Server:
    """A server of a release without other objects."""
    return Server(release)


class Server:
    """A server of one release, which handles one write after another. No write is kept.

    `definitions` and `objects` are the other objects of its cluster; those that it rejects are left out. Only if it
    `is_whole` is an object rejected because another one is missing. With `echoes`, a result is the response that
    `kubectl diff` gets: the patch is for this state of the object, and a selfLink is in it, although no server stores
    one.
    """

    def __init__(
        self,
        release: str | None = None,
        definitions: Iterable[Object] = (),
        objects: Iterable[Object] = (),
        *,
        echoes: bool = False,
        is_whole: bool = False,
    ) -> None:
        self._definitions: Sequence[Object] = tuple(definitions)
        self._objects, self._echoes, self._is_whole = objects, echoes, is_whole
        self.release = str(engine.load(release).release)
        self.kinds = Kinds(self.release, self._stored_definitions)

    @cached_property
    def _cluster(self) -> HeldCluster:
        from .held import HeldCluster  # which most objects that are judged do without

        return HeldCluster(self.kinds, self._objects, is_whole=self._is_whole)

    def _stored_definitions(self) -> list[Object]:
        """The definitions as they are stored, without those that the server rejects."""
        found = []
        every, self._definitions = self._definitions, ()  # none of them defines the kind of another one
        for one in every:
            with suppress(engine.MergeError, AttributeError, KeyError, TypeError, ValueError):
                given = received(one)
                self.require(given["apiVersion"], given["kind"])
                definition = given if "uid" in given["metadata"] else self.judge(given).object
                if definition is not None:
                    list(defined(definition, self.release))
                    found.append(definition)
        self._definitions = every
        return found

    def require(self, api_version: str, kind: str) -> None:
        """Raise NoMatch if the server does not have a kind."""
        self.kinds.resource(api_version, kind)

    def has_namespaces(self, content: Object) -> bool:
        """Whether objects of the kind are in namespaces; False if the server does not have the kind."""
        try:
            return self.kinds.resource(content["apiVersion"], content["kind"]).namespaced
        except NoMatch:
            return False

    def schema(self, content: Object) -> engine.Schema:
        """The merge rules of the kind of an object."""
        return self.kinds.schema(self.kinds.resource(content["apiVersion"], content["kind"]))

    def judge(self, content: Object, *, fields: bool = True, values: bool = True) -> Stored:
        """The result of creating an object, as far as it follows from the object alone.

        It takes a third of the time of `create`, which adds managedFields, a status and allocated values. Without
        `fields`, unknown fields are not looked for, and without `values`, values are not validated.
        """
        warnings: list[str] = []
        dropped: Sequence[str] = ()
        try:
            resource = self.kinds.resource(content["apiVersion"], content["kind"])
            content = _unversioned(content)
            typed.check(content, resource, self.kinds)
            dropped = unknown.unknown(content, resource, self.kinds) if fields else ()
            content = placed(content, resource, ORIGINS, lambda prefix: f"{prefix}{ORIGINS.suffix()}")
            minor = int(self.release.partition(".")[2])
            around = Around(_nothing, minor, None, ORIGINS.now, _no_namespace, warnings.append, is_whole=False)
            found, _ = new_object(_with_account(content), resource, self.kinds, ORIGINS, around, checks=values)
        except ClusterError as error:
            return _rejected(error, warnings)._replace(unknown=tuple(dropped))
        found, left_out = without_drawn(_with_account_of(content, found), None, content, owners=False)
        found["metadata"].pop("generation", None)  # which is about writes
        return Stored(found, (), tuple(warnings), left_out, unknown=tuple(dropped))

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

    def create(self, content: Object, *, manager: str = MANAGER) -> Stored:
        """The result of creating an object, whatever version of it the content names."""

        def send() -> Object:
            return self._cluster.create(_unversioned(content), manager=manager, dry_run=True)

        return self._handle(None, content, send)

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

    def kubectl_apply(self, config: Object, live: Object, *, manager: str, last_applied: Any = READ) -> Stored:
        """The result of `kubectl apply` of a config to a live object."""
        outcome = engine.apply(config, live, self.schema(config), last_applied=last_applied)
        if outcome.patch_type == "none":
            return Stored(live)
        return self.patch(live, config, outcome.patch, outcome.patch_type, manager=manager)

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
            resource = self.kinds.resource(content["apiVersion"], content["kind"])
            with self._cluster.holding(live, resource, content):
                answer = send()
        except ClusterError as error:
            return _rejected(error, warnings)
        found, left_out = without_drawn(answer, live, content, owners=owners)
        if not self._echoes and "selfLink" not in (live or {}).get("metadata", {}):
            found["metadata"].pop("selfLink", None)
        return Stored(found, (), tuple(warnings), left_out)


def _rejected(error: ClusterError, warnings: Sequence[str]) -> Stored:
    problems = error.problems if isinstance(error, Invalid) else ()
    return Stored(None, problems or (verbatim(str(error)),), tuple(warnings), error=error)


def _unversioned(content: Object) -> Object:
    """The object with metadata as a server reads it, and without the version that it was taken from."""
    metadata = {field: value for field, value in shaped(content.get("metadata")).items() if field != VERSION}
    return {**content, "metadata": metadata}


def _with_account(content: Object) -> Object:
    """The object as it is validated: most servers give a Pod the service account of its namespace before."""
    spec = content.get("spec")
    if content["kind"] != "Pod" or not isinstance(spec, dict) or spec.get("serviceAccountName"):
        return content
    return {**content, "spec": {**spec, "serviceAccountName": "default"}}


def _with_account_of(content: Object, found: Object) -> Object:
    """The Pod with its own service account again, and every other object as it is."""
    if _with_account(content) is content:
        return found
    accounts = ("serviceAccountName", "serviceAccount")
    return {**found, "spec": {field: value for field, value in found["spec"].items() if field not in accounts}}


def _nothing(_group: str, _kind: str, _namespace: str | None) -> Iterator[Object]:
    return iter(())


def _no_namespace(_name: str) -> Object | None:
    return None


def _pinned(patch: Any, live: Object, *, always: bool) -> Any:
    """The patch for this state of the object. An apply of a config that asks for another state is a conflict."""
    version = live["metadata"].get("resourceVersion")
    asked = patch.get("metadata")
    if version is None or (asked is not None and not isinstance(asked, dict)):
        return patch
    if asked and asked.get("resourceVersion") and not always:
        return patch
    return {**patch, "metadata": {**(asked or {}), "resourceVersion": version}}
