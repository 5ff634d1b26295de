"""A real API server as a `Cluster`: each call is a request, and what the server refuses is raised in its words."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import engine
from engine import UnknownKind

from ..apiserver.errors import MEDIA_TYPES, BadRequest, ClusterError, ConnectError, NoMatch
from ..apiserver.kinds.facts import DEFINITION
from ..apiserver.protocol import MANAGER, Reference
from ..apiserver.unchecked import a_map, found, maps, text
from .access.credentials import Credentials
from .served import discovery
from .served.rules import Rules, of_release
from .wire import lists, watching
from .wire.ahead import Ahead
from .wire.answer import checked
from .wire.answers import Answers
from .wire.paths import of_delete, of_list, of_write, path_of
from .wire.transport import Transport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine import Schema, Tables

    from ..apiserver.protocol import Event, Object, Resource
    from .access.kubeconfig import Access
    from .wire.ahead import Promise

ESTABLISHED = 10.0
"""Seconds to wait for the kind of a definition that we have just written."""
PAUSE = 0.2


class RemoteCluster:
    """The API server of a context. Several threads may use it; nothing is sent until something is asked."""

    def __init__(self, access: Access, sleep: Callable[[float], None] = time.sleep) -> None:
        self.context: str = access.context
        """The name of the context."""
        self.namespace: str = access.namespace
        """The namespace of objects that name none: that of the context."""
        self._transport, self._sleep = Transport(access, Credentials(access), sleep), sleep
        self._ahead = Ahead()
        self._rules = Rules(self._transport, lambda: self.release)
        self._lock = threading.RLock()
        self._version: dict[str, Any] | None = None
        self._resources: list[Resource] | None = None
        self._found: dict[tuple[str, str], Resource] = {}
        self._written: set[tuple[str, str]] = set()
        self._promised: dict[tuple[str, str, str, str | None], Promise] = {}

    def __repr__(self) -> str:
        return f"<RemoteCluster {self.context}>"

    def __enter__(self) -> RemoteCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._ahead.close()
        self._transport.close()

    def wait_at_most(self, seconds: float | None) -> None:
        """Give up on an answer that does not begin within this time; None for the usual patience."""
        self._transport.timeout = seconds

    # ---- the server --------------------------------------------------------------------------------------------------

    @property
    def on_warning(self) -> Callable[[str], None] | None:
        """Is told what the server warns of, each time in one sentence."""
        return self._transport.on_warning

    @on_warning.setter
    def on_warning(self, told: Callable[[str], None] | None) -> None:
        self._transport.on_warning = told

    @property
    def place(self) -> str:
        """The context, as messages name it."""
        return f"the context {self.context}"

    @property
    def address(self) -> str:
        """The address of the server."""
        return self._transport.address

    @property
    def server_version(self) -> dict[str, Any]:
        """What the server says of its version."""
        with self._lock:
            if self._version is None:
                self._version = self._transport.ask("GET", "/version").map()
            return self._version

    @property
    def release(self) -> str:
        """The release of the server, as `1.37`."""
        minor = _MINOR.match(text(self.server_version.get("minor")))
        if text(self.server_version.get("major")) != "1" or not minor:
            raise ConnectError(f"{self._transport.host} does not report its Kubernetes release")
        return f"1.{minor[0]}"

    def raw(self, path: str) -> bytes:
        """What is at a path of the server, as it is."""
        return self._transport.ask("GET", path, accept="application/json, */*").body

    def answers(self) -> Answers:
        """The answers of the server by their addresses, for those who read its specification themselves."""
        return Answers(self._transport)

    # ---- kinds -------------------------------------------------------------------------------------------------------

    def resources(self) -> list[Resource]:
        """Every kind in every version; the preferred version of a kind comes first."""
        with self._lock:
            if self._resources is None:
                groups = Ahead()  # threads of its own: those of objects may be waiting for what it finds
                try:
                    known = discovery.resources(self._transport, groups, self.release)
                finally:
                    groups.close()
                self._resources = discovery.in_order(known)
                self._found = {(one.api_version, one.kind): one for one in reversed(self._resources)}
            return list(self._resources)

    def resource(self, api_version: str, kind: str) -> Resource:
        """One kind; NoMatch if the server does not serve it. One that we have just defined is waited for."""
        key, group = (api_version, kind), api_version.rpartition("/")[0]
        with self._lock:
            self.resources()
            until = time.monotonic() + ESTABLISHED
            while key not in self._found and (group, kind) in self._written and time.monotonic() < until:
                self._sleep(PAUSE)
                self._forget()
                self.resources()
            one = self._found.get(key)
            if one is None:
                raise NoMatch(_unknown(key, self.release))
            if one.scaled_by and not one.built_in:
                one = self._found[key] = replace(one, scaled_by=self._scaled_by(one))
            return one

    def _scaled_by(self, one: Resource) -> str:
        """Where a definition has the number of replicas; the usual place if we may not see definitions."""
        try:
            definition = self.get(Reference(_DEFINITIONS, DEFINITION[1], one.called))
        except ClusterError:
            return discovery.REPLICAS
        for _, version in maps(a_map(definition.get("spec")), "versions"):
            if version.get("name") == one.version:
                path = text(found(version, "subresources.scale.specReplicasPath"))
                return path.lstrip(".") or discovery.REPLICAS
        return discovery.REPLICAS

    def schema(self, api_version: str, kind: str) -> Schema | None:
        """The rules by which the kind merges; None if they are unknown."""
        return self._rules.schema(api_version, kind)

    def tables_of(self, api_version: str) -> Tables | None:
        """The rules of the kinds of an apiVersion; None if they are unknown."""
        return self._rules.tables_of(api_version)

    def tables(self) -> Tables:
        """The rules of all kinds."""
        return self._rules.tables()

    def release_tables(self) -> Tables:
        """The rules of the release of the server, or of the nearest that is known."""
        return of_release(self.release)

    def _forget(self) -> None:
        self._resources = None
        self._rules.forget()

    # ---- reading -----------------------------------------------------------------------------------------------------

    def get(self, reference: Reference, *, subresource: str | None = None) -> Object:
        """The object, or a part of it; NotFound if there is none."""
        with self._lock:
            promise = self._promised.pop(_key(reference), None) if subresource is None else None
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
        """Ask for objects that are wanted next, several at once; the answers are kept until `get` fetches them."""
        for reference in references:
            with self._lock:
                if reference.name and _key(reference) not in self._promised:
                    work = self._ahead.promise(lambda wanted=reference: self._get(wanted))  # type: ignore[misc]
                    self._promised[_key(reference)] = work

    def list(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = "", fields: str = ""
    ) -> Iterator[Object]:
        """The objects of a kind, page by page; of all namespaces unless one is given."""
        resource = self.resource(api_version, kind)
        query = of_list(selector, fields)
        return lists.objects(self._transport, self._ahead, resource, path_of(resource, namespace), query)

    def watch(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = "", fields: str = ""
    ) -> Iterator[Event | None]:
        """The objects of a kind that there are, then None, then what happens to them, without an end."""
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
        """Put the object in place of the one that is there."""
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
        """Change the object by a patch."""
        if patch_type not in MEDIA_TYPES:
            raise BadRequest(f"unsupported patch type {patch_type!r}. Use one of {', '.join(MEDIA_TYPES)}")
        resource = self.resource(reference.api_version, reference.kind)
        asked = force if patch_type == "apply" else None
        query = of_write(manager, dry_run=dry_run, field_validation=field_validation, force=asked)
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

    def ask(self, api_version: str, plural: str, content: Object, *, headers: Sequence[tuple[str, str]] = ()) -> Object:
        """The answer to a question that is never stored, as a SelfSubjectAccessReview."""
        group, _, version = api_version.rpartition("/")
        begin = f"/apis/{group}/{version}" if group else f"/api/{version}"
        answer = self._transport.ask("POST", f"{begin}/{plural}", body=content, headers=headers, harmless=True)
        return checked(answer.json(), named=False)

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
        """What a write makes us forget: what was asked ahead of the object, and the kinds where one is defined."""
        with self._lock:
            self._promised.pop(_key(reference), None)
            if reference.id.group_kind == DEFINITION:
                spec = a_map(a_map(body).get("spec"))
                self._written.add((text(spec.get("group")), text(a_map(spec.get("names")).get("kind"))))
                self._forget()

    def _answer(self, method: str, path: str, query: Any = (), *, named: bool = True, **how: Any) -> Object:
        return checked(self._transport.ask(method, path, query, **how).json(), named=named)


_MINOR = re.compile(r"[0-9]{1,4}(?![0-9])")
_DEFINITIONS = "apiextensions.k8s.io/v1"


def _key(reference: Reference) -> tuple[str, str, str, str | None]:
    return reference.api_version, reference.kind, reference.name, reference.namespace


def _unknown(key: tuple[str, str], release: str) -> UnknownKind:
    """The error of a kind that is not served, with what is known of it."""
    try:
        engine.load(release).schema(*key)
    except UnknownKind as error:
        return error
    except engine.MergeError:
        pass
    return UnknownKind(*key, release=release)
