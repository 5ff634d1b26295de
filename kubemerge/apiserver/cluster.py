"""The embedded cluster: an API server's storage and checks in one file, without the server."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .authorization.authorizer import ALWAYS_ALLOW, MODES
from .deletion import DeleteAdmission, DeleteOptions
from .errors import BadRequest
from .metadata import copy_as_json
from .protocol import MANAGER, Reference
from .reading import OpenCluster, live_object
from .request_options import SentTypes, check_directive
from .resources import key_for, key_of
from .storage.changes import Changes
from .storage.index import Index
from .storage.store import POLICIES_CHANGED, TOKEN_KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .authorization.authorizer import Authorizer
    from .authorization.role_index import RoleIndex
    from .decoding.field_validation import FieldValidation
    from .dumps import Loaded
    from .managed_fields import ManagedFieldsRecorder
    from .protocol import Object, Resource
    from .request_admission import RequestAdmission
    from .write_log import Write
    from .writes import Writes

PROPAGATIONS = (None, "Background", "Foreground", "Orphan")
KEY_BYTES = 32


class _Classes(NamedTuple):
    FieldValidation: type[FieldValidation]
    ManagedFieldsRecorder: type[ManagedFieldsRecorder]
    RequestAdmission: type[RequestAdmission]
    Writes: type[Writes]


@cache
def _classes_of_a_write() -> _Classes:
    """Import the classes late, because a command that only reads needs none, and once, because it takes a while."""
    from .decoding.field_validation import FieldValidation
    from .managed_fields import ManagedFieldsRecorder
    from .request_admission import RequestAdmission
    from .writes import Writes

    return _Classes(FieldValidation, ManagedFieldsRecorder, RequestAdmission, Writes)


class EmbeddedCluster(OpenCluster):
    """A cluster in a file: a `Cluster` with more methods. Each call is a transaction: its result is on disk."""

    def __enter__(self) -> EmbeddedCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, reference: Reference, *, subresource: str | None = None) -> Object:
        """Return the object, or its Scale. Raise NotFound if it does not exist."""
        if subresource is None:
            with self._store.reading():
                resource = self._requested(reference.api_version, reference.kind)
                return live_object(self._store, self._kinds(), resource, key_for(resource, reference))
        with self._transaction(MANAGER, dry_run=True) as writes:
            resource = self._requested(reference.api_version, reference.kind)
            return writes.part(resource, key_for(resource, reference), subresource)

    # ---- writing ---------------------------------------------------------------------------------------------------

    def check_fields(
        self,
        content: Object,
        resource: Resource,
        field_validation: str | None,
        types: SentTypes,
        repeated: Sequence[str] = (),
    ) -> None:
        """Warn about fields of an object that is not written, or reject it. `create` has the other parameters."""
        with self._store.reading():
            classes = _classes_of_a_write()
            validation = classes.FieldValidation(self._kinds(), field_validation, self._warn, repeated, types)
            validation.check(content, resource)

    def create(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        dry_run: bool = False,
        field_validation: str | None = None,
        types: SentTypes = SentTypes.UNCHECKED,
        repeated: Sequence[str] = (),
    ) -> Object:
        """Store a new object. `types` is the result of an earlier check of its types.

        `repeated` are the messages of a strict reader about duplicate keys.
        """
        check_directive("CreateOptions", field_validation)
        content = copy_as_json(content)
        asked: dict[str, Any] = {"dry_run": dry_run, "field_validation": field_validation, "types": types}
        asked["repeated"] = repeated
        with self._transaction(manager, "create", **asked) as writes:
            return writes.create(content, self._requested(content["apiVersion"], content["kind"]))

    def replace(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        subresource: str | None = None,
        dry_run: bool = False,
        field_validation: str | None = None,
        on_create: Callable[[], None] | None = None,
        types: SentTypes = SentTypes.UNCHECKED,
        repeated: Sequence[str] = (),
    ) -> Object:
        """Replace the object. If it does not exist, create it and call `on_create`.

        `types` and `repeated` are as in `create`.
        """
        check_directive("UpdateOptions", field_validation)
        content = copy_as_json(content)
        asked: dict[str, Any] = {"dry_run": dry_run, "field_validation": field_validation, "on_create": on_create}
        asked |= {"types": types, "repeated": repeated}
        with self._transaction(manager, "update", subresource, **asked) as writes:
            resource = self._requested(content["apiVersion"], content["kind"])
            key = key_for(resource, Reference.of(content))
            metadata = {field: value for field, value in content["metadata"].items() if field != "namespace"}
            whole = {
                **content,
                "metadata": {**metadata, **({"namespace": key.namespace} if resource.namespaced else {})},
            }
            return writes.replace(resource, key, whole, subresource=subresource)

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
        repeated: Sequence[str] = (),
        on_create: Callable[[], None] | None = None,
    ) -> Object:
        """Patch the object. If an apply creates it, call `on_create`.

        `repeated` are the messages of a strict reader about duplicate keys.
        """
        check_directive("PatchOptions", field_validation)
        asked: dict[str, Any] = {"force": force, "dry_run": dry_run, "field_validation": field_validation}
        asked |= {"repeated": repeated, "on_create": on_create}
        with self._transaction(manager, "patch", subresource, **asked) as writes:
            resource = self._requested(reference.api_version, reference.kind)
            return writes.patch(resource, key_for(resource, reference), patch, patch_type, subresource=subresource)

    def delete(
        self,
        reference: Reference,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        propagation: str | None = None,
        grace_period: int | None = None,
        dry_run: bool = False,
        admission: DeleteAdmission = DeleteAdmission.ONE,
    ) -> Object:
        """Delete the object. `propagation` or its kind decides about its dependents."""
        if propagation not in PROPAGATIONS:
            raise BadRequest(f"invalid propagation {propagation!r}. Use Background, Foreground or Orphan")
        with self._transaction(MANAGER, dry_run=dry_run) as writes:
            resource = self._requested(reference.api_version, reference.kind)
            key, options = key_for(resource, reference), DeleteOptions(propagation, grace_period)
            return writes.delete(
                resource, key, options, uid=uid, resource_version=resource_version, admission=admission
            )

    def admit_subresource(
        self,
        resource: Resource,
        reference: Reference,
        content: Object,
        subresource: str,
        kind: tuple[str, str],
        *,
        dry_run: bool = False,
        check: Callable[[Object], None] | None = None,
    ) -> Object:
        """Return the object that a request sends to a subresource, after the admission policies.

        `check` is called between mutation and validation. A Binding may have no name.
        """
        with self._transaction(MANAGER, dry_run=True) as writes:
            key = key_of(resource, reference.name, reference.namespace)
            return writes.admit_subresource(resource, key, content, subresource, kind, dry_run=dry_run, check=check)

    def bind(
        self, reference: Reference, target: Object, *, metadata: Object | None = None, dry_run: bool = False
    ) -> Object:
        """Bind a Pod to the Node that is the `target` of a Binding. `metadata` is that of the Binding."""
        with self._transaction(MANAGER, dry_run=dry_run) as writes:
            resource = self._requested(reference.api_version, reference.kind)
            binding = {"metadata": metadata or {}, "target": target}
            return writes.bind(resource, key_for(resource, reference), binding)

    def recreate(
        self,
        content: Object,
        *,
        uid: str | None = None,
        manager: str = MANAGER,
        field_validation: str | None = None,
    ) -> Object | None:
        """Delete the object and store a new one in its place, in one transaction. Return None while finalizers keep the
        old one.

        The old one then has a deletionTimestamp, as after any other delete.
        """
        content = copy_as_json(content)
        where = Reference.of(content)
        with self._transaction(manager) as writes:
            resource = self._requested(where.api_version, where.kind)
            key = key_for(resource, where)
            writes.delete(resource, key, DeleteOptions("Background", 0), uid=uid)
            writes.settle()
            if self._store.has(key):
                return None
            again = self._writes(manager, dry_run=False, field_validation=field_validation)
            made = again.create(content, resource)
            again.settle()
            return made

    @contextmanager
    def _transaction(
        self,
        manager: str,
        verb: str = "",
        subresource: str | None = None,
        *,
        force: bool = False,
        dry_run: bool = False,
        field_validation: str | None = None,
        repeated: Sequence[str] = (),
        on_create: Callable[[], None] | None = None,
        types: SentTypes = SentTypes.UNCHECKED,
    ) -> Iterator[Writes]:
        """A transaction with writes of a manager. With a verb, they are reported to `on_write`."""
        done: list[Write] = []
        with self._store.reading() if dry_run else self._writing():
            writes = self._writes(
                manager, force=force, dry_run=dry_run, field_validation=field_validation, repeated=repeated, types=types
            )
            yield writes
            if verb and self.on_write is not None and not dry_run:
                done = writes.written(verb, subresource)
            writes.settle()
        if writes.created and on_create is not None:
            on_create()
        self._report(done)

    def _report(self, done: Sequence[Write]) -> None:
        if self._grouped is not None:
            self._grouped += done
        elif self.on_write is not None:
            for one in done:
                self.on_write(one)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Group several requests, each with its own result, into one write to disk. Report none of them before the
        block ends.
        """
        self._grouped = []
        try:
            with self._store.together():
                yield
        except BaseException:
            self._grouped = None
            self._forget()
            raise
        done, self._grouped = self._grouped, None
        self._report(done)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        before = self._kinds_now, self._policies_now, self._webhooks_now
        try:
            with self._store.writing():
                yield
        except BaseException as error:
            from .crd.deadlines import Unfinished  # only requests to a server stop

            self._forget()
            if isinstance(error, Unfinished):  # a request that stopped to wait has changed none of them
                self._kinds_now, self._policies_now, self._webhooks_now = before
            raise

    def _forget(self) -> None:
        """Drop the caches. They may contain definitions and policies that were never stored."""
        self._kinds_now = self._policies_now = self._webhooks_now = None
        self._index = Index()

    def _writes(
        self,
        manager: str,
        *,
        force: bool = False,
        dry_run: bool,
        field_validation: str | None = None,
        repeated: Sequence[str] = (),
        types: SentTypes = SentTypes.UNCHECKED,
    ) -> Writes:
        if self.static_manifests is not None:
            self.static_manifests.refresh()
        classes, changes = _classes_of_a_write(), self._changes(dry_run=dry_run)
        recorder = classes.ManagedFieldsRecorder(manager, changes.kinds, changes.origins, force=force)
        validation = classes.FieldValidation(changes.kinds, field_validation, self._warn, repeated, types)
        asked = {"fieldManager": "" if manager == MANAGER else manager, "fieldValidation": field_validation}
        options = {name: one for name, one in asked.items() if one}
        hooks = self._webhooks(), self.webhook_services or {}
        admission = classes.RequestAdmission(
            changes, self._policies, *hooks, self._authorizer_inside(), validation.warn, options
        )
        return classes.Writes(changes, recorder, validation, admission)

    def _changes(self, *, dry_run: bool) -> Changes:
        return Changes(self._store, self._kinds(), self._origins, self._index, self._controllers, dry_run=dry_run)

    def _authorizer_inside(self) -> Authorizer:
        """The authorizer for use inside a transaction, which sees its changes."""
        if not self.authorizer.decides:
            return self.authorizer
        from .authorization.rbac import RBAC

        return RBAC(lambda: self._index.roles(self._store), self._kinds().minor)

    def use_static_manifests(self, folders: Sequence[str], report: Callable[[str], None] | None = None) -> None:
        """Evaluate the policies and webhooks in folders, as in `staticManifestsDir` of kube-apiserver.

        Each folder has the objects of one admission plugin. A changed folder is loaded again before the next write.
        If it is invalid then, `report` is called, and the last valid objects stay in effect. Raise BadRequest now.
        """
        from .static_manifests.folders import StaticManifests  # most clusters have none

        self.static_manifests = StaticManifests(folders, self.release, report) if folders else None

    def run_post_start_hooks(self) -> None:
        """Create the objects that a server creates at its start, if they are missing."""
        from .controllers import post_start_hooks  # only servers need it

        with self._writing():
            post_start_hooks.ensure_objects(self._changes(dry_run=False))

    def use_authorization(self, mode: str) -> None:
        """Set the authorization mode: `always-allow` (the default) or `rbac`. RBAC creates its initial objects."""
        if mode not in MODES:
            raise BadRequest(f"there is no authorization mode {mode!r}. Use {' or '.join(MODES)}")
        if mode == MODES[0]:
            self.authorizer = ALWAYS_ALLOW
            return
        from .authorization.bootstrap import ensure_objects  # only needed for authorization by RBAC
        from .authorization.rbac import RBAC
        from .controllers.bootstrap import SERVER
        from .controllers.reconcile import reconcile
        from .managed_fields import ManagedFieldsRecorder

        with self._writing():
            recorder = ManagedFieldsRecorder(SERVER, self._kinds(), self._origins)
            changes = self._changes(dry_run=False)
            ensure_objects(changes, recorder)
            reconcile(changes)
            minor = changes.kinds.minor
        self.authorizer = RBAC(self._roles, minor)

    def _roles(self) -> RoleIndex:
        with self._store.reading():
            return self._index.roles(self._store)

    def token_key(self) -> bytes:
        """The key that signs the cluster's ServiceAccount tokens. It is generated on first use."""
        with self._store.reading():
            found = self._store.text(TOKEN_KEY)
        if found is None:
            with self._writing():
                found = self._store.text(TOKEN_KEY)  # another process may have stored one first
                if found is None:
                    found = os.urandom(KEY_BYTES).hex()
                    self._store.set(TOKEN_KEY, found)
        return bytes.fromhex(found)

    # ---- import and reset ------------------------------------------------------------------------------------------

    def load(self, objects: Sequence[Object]) -> Loaded:
        """Import all objects of another cluster, or none, with their uid, resourceVersion and status."""
        from .dumps import load  # late, because no other command needs it

        with self._writing():
            loaded = load(self._store, self._kinds, objects, self._origins)
            self._store.forget_history()
            return loaded

    def reset(self) -> None:
        """Remove every object. The resourceVersion counter continues."""
        with self._writing():
            self._store.clear()
            self._populate(self._store)
            self._policies_now = self._webhooks_now = None
            self._store.set(POLICIES_CHANGED, str(self._store.next_version()))
            self._store.forget_history()
