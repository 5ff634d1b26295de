"""A real API server as a `Cluster`: each call is a request, and server errors are raised with their messages."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import engine
from engine import UnknownKind

from ..apiserver.errors import MEDIA_TYPES, BadRequest, ClusterError, ConnectError, NoMatch
from ..apiserver.kinds.builtin_kinds import DEFINITION
from ..apiserver.protocol import MANAGER, Reference
from ..apiserver.unchecked import as_map, as_text, get_path, maps
from .access.credentials import Credentials
from .served import discovery
from .served.rules import Rules, of_release
from .wire import lists, watching
from .wire.documents import Documents
from .wire.paths import of_delete, of_list, of_write, path_of
from .wire.response import check_object
from .wire.transport import Transport
from .wire.work_queue import WorkQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine import Schema, Tables

    from ..apiserver.protocol import Event, Object, Resource
    from .access.kubeconfig import Access
    from .wire.work_queue import Future

ESTABLISHED_TIMEOUT = 10.0
"""Seconds to wait until the server serves the kind of a CustomResourceDefinition that was just written."""
POLL_INTERVAL = 0.2
"""Seconds between two attempts."""


class RemoteCluster:
    """The API server of a context. Thread-safe. It sends no request before the first call."""

    def __init__(self, access: Access, sleep: Callable[[float], None] = time.sleep) -> None:
        self.context: str = access.context
        """The name of the context."""
        self.namespace: str = access.namespace
        """The default namespace, from the context."""
        self._transport, self._sleep = Transport(access, Credentials(access), sleep), sleep
        self._ahead = WorkQueue()
        self._rules = Rules(self._transport, lambda: self.release)
        self._lock = threading.RLock()
        self._version: dict[str, Any] | None = None
        self._resources: list[Resource] | None = None
        self._found: dict[tuple[str, str], Resource] = {}
        self._written: set[tuple[str, str]] = set()
        self._prefetched: dict[tuple[str, str, str, str | None], Future] = {}

    def __repr__(self) -> str:
        return f"<RemoteCluster {self.context}>"

    def __enter__(self) -> RemoteCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._ahead.close()
        self._transport.close()

    def wait_at_most(self, seconds: float | None) -> None:
        """Set a timeout for the start of responses. None for the default."""
        self._transport.timeout = seconds

    def forbid_writes(self) -> None:
        """Reject all requests but GET from now on, before they are sent. A dry run is rejected, too."""
        self._transport.only_reads = True

    # ---- the server --------------------------------------------------------------------------------------------------

    @property
    def on_warning(self) -> Callable[[str], None] | None:
        """Called with each warning of the server, one sentence each."""
        return self._transport.on_warning

    @on_warning.setter
    def on_warning(self, callback: Callable[[str], None] | None) -> None:
        self._transport.on_warning = callback

    @property
    def place(self) -> str:
        """The context, for messages."""
        return f"the context {self.context}"

    @property
    def address(self) -> str:
        """The URL of the server."""
        return self._transport.address

    @property
    def server_version(self) -> dict[str, Any]:
        """The version of the server."""
        with self._lock:
            if self._version is None:
                self._version = self._transport.ask("GET", "/version").map()
            return self._version

    @property
    def release(self) -> str:
        """The release of the server, as `1.37`."""
        minor = _MINOR.match(as_text(self.server_version.get("minor")))
        if as_text(self.server_version.get("major")) != "1" or not minor:
            raise ConnectError(f"{self._transport.host} does not report its Kubernetes release")
        return f"1.{minor[0]}"

    def raw(self, path: str) -> bytes:
        """Return the body at a path of the server, unchanged."""
        return self._transport.ask("GET", path, accept="application/json, */*").body

    def documents(self) -> Documents:
        """Return a reader of the server's documents by URL, for its specification."""
        return Documents(self._transport)

    # ---- kinds -------------------------------------------------------------------------------------------------------

    def resources(self) -> list[Resource]:
        """Return every kind in every version, the preferred version first."""
        with self._lock:
            if self._resources is None:
                groups = WorkQueue()  # its own threads, because those of objects may wait for its results
                try:
                    known = discovery.resources(self._transport, groups, self.release)
                finally:
                    groups.close()
                self._resources = discovery.group_by_kind(known)
                self._found = {(one.api_version, one.kind): one for one in reversed(self._resources)}
            return list(self._resources)

    def resource(self, api_version: str, kind: str) -> Resource:
        """Return one kind. Raise NoMatch if the server does not serve it. Wait for a kind that was just defined."""
        key, group = (api_version, kind), api_version.rpartition("/")[0]
        with self._lock:
            self.resources()
            deadline = time.monotonic() + ESTABLISHED_TIMEOUT
            while key not in self._found and (group, kind) in self._written and time.monotonic() < deadline:
                self._sleep(POLL_INTERVAL)
                self._forget()
                self.resources()
            one = self._found.get(key)
            if one is None:
                raise NoMatch(_unknown(key, self.release))
            if one.scaled_by and not one.built_in:
                one = self._found[key] = replace(one, scaled_by=self._scaled_by(one))
            return one

    def _scaled_by(self, one: Resource) -> str:
        """`specReplicasPath` of a custom resource, or `spec.replicas` if its definition is not readable."""
        try:
            definition = self.get(Reference(_DEFINITIONS, DEFINITION[1], one.called))
        except ClusterError:
            return discovery.REPLICAS
        for _, version in maps(as_map(definition.get("spec")), "versions"):
            if version.get("name") == one.version:
                path = as_text(get_path(version, "subresources.scale.specReplicasPath"))
                return path.lstrip(".") or discovery.REPLICAS
        return discovery.REPLICAS

    def schema(self, api_version: str, kind: str) -> Schema | None:
        """Return the merge rules of the kind, or None if they are unknown."""
        return self._rules.schema(api_version, kind)

    def tables_of(self, api_version: str) -> Tables | None:
        """Return the merge rules of an apiVersion, or None if they are unknown."""
        return self._rules.tables_of(api_version)

    def tables(self) -> Tables:
        """Return the merge rules of all kinds."""
        return self._rules.tables()

    def release_tables(self) -> Tables:
        """Return the merge rules of the server's release, or of the nearest known one."""
        return of_release(self.release)

    def _forget(self) -> None:
        self._resources = None
        self._rules.forget()

    # ---- reading -----------------------------------------------------------------------------------------------------

    def get(self, reference: Reference, *, subresource: str | None = None) -> Object:
        """Return the object, or a subresource. Raise NotFound if it does not exist."""
        with self._lock:
            promise = self._prefetched.pop(_key(reference), None) if subresource is None else None
        if promise is not None:
            return dict(promise.result())
        return self._get(reference, subresource)

    def _get(self, reference: Reference, subresource: str | None = None) -> Object:
        resource = self.resource(reference.api_version, reference.kind)
        found = self._answer("GET", self._path(resource, reference, subresource))
        if subresource is None and found["kind"] != resource.kind:
            raise ConnectError(f"the server returned a {found['kind']} instead of a {resource.kind}")
        return found

    def ahead(self, references: Iterable[Reference]) -> None:
        """Prefetch several objects at once. `get` returns the prefetched ones."""
        for reference in references:
            with self._lock:
                if reference.name and _key(reference) not in self._prefetched:
                    work = self._ahead.promise(lambda wanted=reference: self._get(wanted))  # type: ignore[misc]
                    self._prefetched[_key(reference)] = work

    def list(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = "", fields: str = ""
    ) -> Iterator[Object]:
        """Yield the objects of a kind, page by page, of all namespaces by default."""
        resource = self.resource(api_version, kind)
        query = of_list(selector, fields)
        return lists.objects(self._transport, self._ahead, resource, path_of(resource, namespace), query)

    def watch(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = "", fields: str = ""
    ) -> Iterator[Event | None]:
        """Yield the existing objects of a kind, then None, then every change, without an end."""
        resource = self.resource(api_version, kind)
        query = of_list(selector, fields)
        return watching.events(self._transport, self._ahead, resource, path_of(resource, namespace), query)

    def _path(self, resource: Resource, reference: Reference, part: str | None = None) -> str:
        return path_of(resource, reference.namespace or self.namespace, reference.name, part)

    # ---- writing -----------------------------------------------------------------------------------------------------

    def create(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Create a new object."""
        resource, reference = self._of(content)
        query = of_write(manager, dry_run=dry_run, field_validation=field_validation)
        path = path_of(resource, reference.namespace or self.namespace)
        return self._write("POST", path, reference, query, content, dry_run=dry_run)

    def replace(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        subresource: str | None = None,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Replace the object."""
        resource, reference = self._of(content)
        query = of_write(manager, dry_run=dry_run, field_validation=field_validation)
        path = self._path(resource, reference, subresource)
        return self._write("PUT", path, reference, query, content, dry_run=dry_run)

    def patch(
        self,
        reference: Reference,
        patch: Object | Sequence[Object],
        patch_type: str,
        *,
        manager: str = MANAGER,
        force: bool = False,
        subresource: str | None = None,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Patch the object."""
        if patch_type not in MEDIA_TYPES:
            raise BadRequest(f"unsupported patch type {patch_type!r}. Use one of {', '.join(MEDIA_TYPES)}")
        resource = self.resource(reference.api_version, reference.kind)
        forced = force if patch_type == "apply" else None
        query = of_write(manager, dry_run=dry_run, field_validation=field_validation, force=forced)
        path, form = self._path(resource, reference, subresource), MEDIA_TYPES[patch_type]
        return self._write("PATCH", path, reference, query, patch, dry_run=dry_run, content_type=form)

    def delete(
        self,
        reference: Reference,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        propagation: str | None = None,
        grace_period: int | None = None,
        dry_run: bool = False,
    ) -> Object:
        """Delete the object."""
        resource = self.resource(reference.api_version, reference.kind)
        options = of_delete(
            uid=uid,
            resource_version=resource_version,
            propagation=propagation,
            grace_period=grace_period,
            dry_run=dry_run,
        )
        answer = self._write(
            "DELETE", self._path(resource, reference), reference, [], options, dry_run=dry_run, named=False
        )
        return reference.head if answer["kind"] == "Status" else answer

    def _of(self, content: Object) -> tuple[Resource, Reference]:
        if not isinstance(content.get("metadata"), dict) or not content.get("apiVersion") or not content.get("kind"):
            raise BadRequest("an object requires apiVersion, kind and metadata")
        reference = Reference.of(content)
        return self.resource(reference.api_version, reference.kind), reference

    def _write(
        self, method: str, path: str, reference: Reference, query: Any, body: Any, *, dry_run: bool, **how: Any
    ) -> Object:
        if not dry_run:
            self._note(reference, body)
        return self._answer(method, path, query, body=body, harmless=dry_run, **how)

    def _note(self, reference: Reference, body: Any) -> None:
        """Drop cached data after a write: prefetched objects, and kinds if one is defined."""
        with self._lock:
            self._prefetched.pop(_key(reference), None)
            if reference.id.group_kind == DEFINITION:
                spec = as_map(as_map(body).get("spec"))
                self._written.add((as_text(spec.get("group")), as_text(as_map(spec.get("names")).get("kind"))))
                self._forget()

    def _answer(self, method: str, path: str, query: Any = (), *, named: bool = True, **how: Any) -> Object:
        return check_object(self._transport.ask(method, path, query, **how).json(), named=named)


_MINOR = re.compile(r"[0-9]{1,4}(?![0-9])")
_DEFINITIONS = "apiextensions.k8s.io/v1"


def _key(reference: Reference) -> tuple[str, str, str, str | None]:
    return reference.api_version, reference.kind, reference.name, reference.namespace


def _unknown(key: tuple[str, str], release: str) -> UnknownKind:
    """The error for a kind that is not served, with hints."""
    try:
        engine.load(release).schema(*key)
    except UnknownKind as error:
        return error
    except engine.MergeError:
        pass
    return UnknownKind(*key, release=release)
