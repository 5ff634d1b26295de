"""Read access to the embedded cluster: kinds, lists, pages and changes. `cluster` adds the writes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import engine

from .authorization.authorizer import ALWAYS_ALLOW
from .controllers.names import enabled
from .errors import Expired, NotFound
from .field_selectors import combined_selector
from .identity import DEFAULT_NAMESPACE, ObjectId
from .kinds.builtin_kinds import DEFINITION, POLICIES, WEBHOOKS, stored_in
from .kinds.deprecated import custom_deprecation, deprecation, removed_in
from .metadata import Origins
from .registry.feature_gates import gates_set
from .releases import full_version, minor_release, patch_release
from .resources import Kinds
from .selectors import parse_selector
from .storage.history import COMPACTED
from .storage.index import SERVICE, Index
from .storage.pages import ListOptions, page
from .storage.store import KINDS_CHANGED, PATCH_RELEASE, POLICIES_CHANGED, VERSION
from .unchecked import as_map
from .watching import events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from engine import Schema

    from .policies.source import PolicySet
    from .protocol import Cluster, Event, Object, Resource
    from .static_manifests.folders import StaticManifests
    from .storage.history import Change
    from .storage.pages import Page
    from .storage.store import Store
    from .webhooks.source import WebhookSet
    from .write_log import Write

PROPAGATIONS = (None, "Background", "Foreground", "Orphan")
BINDINGS = sorted(kind for kind in POLICIES if kind[1].endswith("Binding"))


def live_object(store: Store, kinds: Kinds, resource: Resource, key: ObjectId) -> Object:
    """Return the live object in this version of its kind."""
    found = store.get(key)
    if found is None:
        raise NotFound(resource.called, key.name)
    return kinds.in_version(found, resource)


class OpenCluster:
    """An open cluster file, read-only. Each call is a transaction."""

    def __init__(
        self,
        file: str,
        *,
        release: str | None = None,
        mode: str = "write",
        origins: Origins | None = None,
        controllers: str = "*",
    ) -> None:
        self._own_origins = origins or Origins()
        self._controllers = enabled(controllers)
        self.on_warning: Callable[[str], None] | None = None
        """Called with the text of each warning that an API server would send."""
        self.on_write: Callable[[Write], None] | None = None
        """Called with each write of a client that changed an object, after it is stored."""
        self._grouped: list[Write] | None = None
        """The writes of a group that is not stored yet."""
        self.authorizer = ALWAYS_ALLOW
        """Authorizes the requests of users. `use_authorization` sets it."""
        self.webhook_services: Mapping[str, str] | None = None
        """The URLs of Services that webhooks name, by `NAMESPACE/NAME`. None if no webhook is called."""
        self.static_manifests: StaticManifests | None = None
        """Policies and webhooks from folders. `use_static_manifests` sets them."""
        self._requested_release = patch_release(release)
        self._store = self._opened(file, minor_release(self._requested_release), mode)
        self._index = Index()
        self._kinds_now: tuple[int, Kinds] | None = None
        self._policies_now: tuple[Any, PolicySet | None] | None = None
        self._webhooks_now: tuple[Any, WebhookSet | None] | None = None
        self.stored_release: str = self._read_release()
        """The release that the file was created for."""
        self.patch_release: str = self._requested_release if release is not None else self._read_patch_release()
        """The release as `1.36.1`, whose merge algorithms are used; as `1.36` for the newest patch release."""
        self.release: str = minor_release(self.patch_release)
        """The release whose kinds and merge rules are served."""

    @property
    def origins(self) -> Origins:
        """The sources of the times and uids of new objects."""
        return self._origins

    @property
    def _origins(self) -> Origins:
        """The origins. All attempts of one request get the same times and uids."""
        if self.webhook_services is None:
            return self._own_origins
        from .crd.deadlines import current_request  # only servers need it

        request = current_request()
        return self._own_origins if request is None else request.origins(self._own_origins)

    def _opened(self, file: str, release: str, mode: str) -> Store:
        from .storage.opening import open_store  # SQLite, which in-memory clusters do not need

        return open_store(file, release, mode, self._populate)

    def _populate(self, store: Store) -> None:
        if minor_release(self._requested_release) != self._requested_release:
            store.set(PATCH_RELEASE, self._requested_release)
        from .controllers import bootstrap  # late, because only a new cluster needs its initial objects

        bootstrap.populate(store, self._origins, self._controllers)

    def _read_patch_release(self) -> str:
        with self._store.reading():
            return self._store.text(PATCH_RELEASE) or self.stored_release

    def _read_release(self) -> str:
        try:
            with self._store.reading():
                found = self._store.release()
                if found not in engine.releases():
                    from .storage.file_errors import unknown_release

                    raise unknown_release(self.file, found)
                return found
        except BaseException:
            self.close()
            raise

    @property
    def file(self) -> str:
        """The file as it was given."""
        return self._store.file

    @property
    def place(self) -> str:
        """The file, for messages."""
        return self._store.file

    address = file
    namespace = DEFAULT_NAMESPACE
    """The default namespace."""

    @property
    def server_version(self) -> dict[str, Any]:
        """The version of a server of the release."""
        major, _, minor = self.release.partition(".")
        return {"major": major, "minor": minor, "gitVersion": full_version(self.patch_release)}

    @property
    def closed_to_others(self) -> bool:
        """Whether opening the file has removed read permissions of other users. The file may contain Secrets."""
        return self._store.closed_to_others

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    # ---- kinds -----------------------------------------------------------------------------------------------------

    def resources(self) -> list[Resource]:
        """Return every kind in every version, the preferred version first."""
        with self._store.reading():
            return self._kinds().all()

    def resource(self, api_version: str, kind: str) -> Resource:
        """Return one kind. Raise NoMatch if it is not served."""
        with self._store.reading():
            return self._kinds().resource(api_version, kind)

    def schema(self, api_version: str, kind: str) -> Schema:
        """Return the merge rules of the kind."""
        with self._store.reading():
            kinds = self._kinds()
            return kinds.schema(kinds.resource(api_version, kind))

    def _kinds(self) -> Kinds:
        """The kinds in this transaction. Another process may have added some."""
        changed = self._store.number(KINDS_CHANGED)
        now = self._kinds_now  # read once: another thread may clear it
        if now is None or now[0] != changed:
            now = self._kinds_now = changed, self._kinds_at(changed, now)
        return now[1]

    def _kinds_at(self, changed: int, earlier: tuple[int, Kinds] | None) -> Kinds:
        """The kinds after a change of definitions. Only changed ones are read, if the history has all changes."""
        last = None
        if earlier is not None and earlier[0] < changed:
            last = self._store.changed_since(earlier[0], *DEFINITION)
        if earlier is None or last is None:
            return Kinds(self.patch_release, lambda: list(self._store.of_kind(*DEFINITION)))
        return earlier[1].after({key.name: self._store.get(key) for key in last})

    def _policies(self) -> PolicySet | None:
        """The admission policies in this transaction. None if there are none."""
        static = self.static_manifests
        changed = (self._store.text(POLICIES_CHANGED), static and static.version, *gates_set())
        now = self._policies_now
        if now is None or now[0] != changed:
            found = None
            if static or any(True for _ in chain(*(self._store.keys_of(*kind) for kind in BINDINGS))):
                from .policies.source import read_policies  # most clusters have none

                found = read_policies(self._store.of_kind, self._kinds().minor, static.of_kind if static else None)
            now = self._policies_now = changed, found
        return now[1]

    def _webhooks(self) -> WebhookSet | None:
        """The admission webhooks in this transaction. None if there are none, or none is called."""
        if self.webhook_services is None:
            return None
        static = self.static_manifests
        changed = (self._store.text(POLICIES_CHANGED), static and static.version)
        now = self._webhooks_now
        if now is None or now[0] != changed:
            found = None
            if static or any(True for _ in chain(*(self._store.keys_of(*kind) for kind in sorted(WEBHOOKS)))):
                from .webhooks.source import read_webhooks  # most clusters have none

                found = read_webhooks(self._store.of_kind, static.of_kind if static else None)
            now = self._webhooks_now = changed, found
        return now[1]

    # ---- reading ---------------------------------------------------------------------------------------------------

    def list(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = ""
    ) -> Iterator[Object]:
        """Yield the current objects of a kind by namespace and name."""
        selects = parse_selector(selector)
        with self._store.reading():
            resource = self._requested(api_version, kind)
            at = namespace if resource.namespaced else None
            found = self._store.of_kind(stored_in(resource.group, kind), kind, at)
            kinds = self._kinds()
        seen = (kinds.in_version(one, resource) for one in found)
        return (one for one in seen if selects(one["metadata"].get("labels") or {}))

    def watch(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = "", fields: str = ""
    ) -> Iterator[Event | None]:
        """Yield the existing objects of a kind, then None, then all later changes. The iterator does not end."""
        resource = self.resource(api_version, kind)
        at = namespace if resource.namespaced else None
        return events(
            self, ListOptions(resource, at, combined_selector(selector, fields, cast("Cluster", self), resource))
        )

    def snapshot(self) -> AbstractContextManager[None]:
        """Group several reads into one transaction. Writes are not possible inside it."""
        return self._store.reading()

    def kinds_changed(self) -> int:
        """The resourceVersion of the last change to CustomResourceDefinitions."""
        with self._store.reading():
            return self._store.number(KINDS_CHANGED)

    def version(self) -> int:
        """The resourceVersion of the last change."""
        with self._store.reading():
            return self._store.number(VERSION)

    def page(self, wanted: ListOptions) -> Page:
        """Return objects of a kind at one resourceVersion. Raise Expired if it is too old."""
        with self._store.reading():
            self._requested(wanted.resource.api_version, wanted.resource.kind)
            return page(self._store, self._kinds(), wanted, self._index.counts)

    def warn_of(self, resource: Resource) -> None:
        """Send the warning that servers send with requests for a kind, if any."""
        with self._store.reading():
            self._requested(resource.api_version, resource.kind)

    def changes_since(self, version: int) -> tuple[int, Sequence[Change] | None]:
        """Return the current resourceVersion, and the changes after another one. None if that is too old."""
        with self._store.reading():
            return self._store.number(VERSION), self._store.changes_since(version)

    def too_old(self, version: int) -> Expired:
        """Return the error for a watch from an expired resourceVersion. It names the oldest valid one."""
        with self._store.reading():
            return Expired(f"too old resource version: {version} ({self._store.number(COMPACTED)})")

    def in_version(self, stored: Object, resource: Resource) -> Object:
        """Convert a stored object to this version of its kind."""
        with self._store.reading():
            return self._kinds().in_version(stored, resource)

    def service(self, namespace: str, name: str) -> Object | None:
        """Return a Service that a webhook names, inside a transaction."""
        return self._store.get_shared(ObjectId(*SERVICE, namespace, name))

    def dump(self) -> Iterator[Object]:
        """Yield every object as it is stored, including kinds that the release does not serve."""
        with self._store.reading():
            return self._store.all()

    def counts(self) -> dict[tuple[str, str], int]:
        """The number of stored objects by group and kind."""
        with self._store.reading():
            return self._store.counts()

    def check(self) -> None:
        """Read the whole file. Raise StoreError if anything in it is damaged."""
        self._store.check()

    def _requested(self, api_version: str, kind: str) -> Resource:
        """Return one kind, and send its deprecation warning, as for a request."""
        found = self._kinds().resource(api_version, kind)
        if self.on_warning is not None:
            self._warn(deprecation(api_version, kind, self.release) if found.built_in else self._deprecation_of(found))
        return found

    def deprecated_until(self, resource: Resource) -> str | None:
        """Return the release that removes a deprecated version. Empty if unknown, None if it is not deprecated."""
        if resource.built_in:
            return removed_in(resource.api_version, resource.kind, self.release)
        with self._store.reading():
            return "" if self._deprecation_of(resource) else None

    def decoded(self, content: Object) -> Object:
        """Return the object of a request as a server decodes it, with default values."""
        from .creation import as_decoded  # late, because it imports all validation

        with self._store.reading():
            kinds = self._kinds()
            return as_decoded(content, kinds.resource(content["apiVersion"], content["kind"]), kinds)

    def _deprecation_of(self, resource: Resource) -> str:
        spec = as_map(as_map(self._kinds().definition(resource)).get("spec"))
        found = custom_deprecation(spec, resource.version)
        return found.warning if found else ""

    def _warn(self, text: str) -> None:
        if self.on_warning is not None and text:
            self.on_warning(text)
