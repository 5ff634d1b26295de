"""A cluster in one file: what an API server stores and checks, without the server."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import engine
from engine.values.unchecked import a_map, maps, text

from ...kinds.deprecated import deprecation
from ...kinds.facts import DEFINITION, stored_in
from ...manifests.identity import DEFAULT_NAMESPACE
from ..errors import BadRequest
from ..patches.patch_types import patched
from ..protocol import MANAGER, Reference
from ..selectors import selector as selected_by
from .admission.fields.reading import Reading, check_directive, shown
from .assigning import bind, finalize
from .dumps import Loaded, load
from .file_errors import unknown_release
from .kinds import Kinds, key_for
from .life import start
from .life.changes import Changes
from .life.deletion import How
from .life.index import Index
from .metadata import Origins, received
from .opening import open_store
from .owners.booking import Booking, apart, says_nothing_of_managers, with_managed_fields
from .pages import page
from .patch_identity import config_of, still_itself
from .scale import KIND as SCALE
from .store import KINDS_CHANGED, VERSION
from .writes import Writes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import Schema

    from ..protocol import Object, Resource
    from .history import Change
    from .pages import Page, Wanted

PROPAGATIONS = (None, "Background", "Foreground", "Orphan")


class EmbeddedCluster:
    """The cluster in a file: a `Cluster` with more methods. Each call is a transaction: what it returns is on disk."""

    def __init__(
        self, file: str, *, release: str | None = None, mode: str = "write", origins: Origins | None = None
    ) -> None:
        self._origins = origins or Origins()
        self.on_warning: Callable[[str], None] | None = None
        """Is told what an API server warns of, each time in one sentence."""
        wanted = str(engine.load(release).release)
        self._store = open_store(file, wanted, mode, lambda store: start.populate(store, self._origins))
        self._index = Index()
        self._kinds_now: tuple[int, Kinds] | None = None
        self.stored_release: str = self._read_release()
        """The release that the file was made for."""
        self.release: str = wanted if release is not None else self.stored_release
        """The release whose kinds are served, with its merge rules."""

    def _read_release(self) -> str:
        try:
            with self._store.reading():
                found = self._store.release()
                if found not in engine.releases():
                    raise unknown_release(self.file, found)
                return found
        except BaseException:
            self.close()
            raise

    @property
    def file(self) -> str:
        """The file, as it was given."""
        return self._store.file

    @property
    def place(self) -> str:
        """The file, for messages."""
        return self._store.file

    address = file
    namespace = DEFAULT_NAMESPACE
    """The namespace of objects that name none."""

    @property
    def server_version(self) -> dict[str, Any]:
        """What a server of the release says of its version."""
        major, _, minor = self.release.partition(".")
        return {"major": major, "minor": minor, "gitVersion": f"v{self.release}.0"}

    @property
    def closed_to_others(self) -> bool:
        """Whether others could read the file, which may hold Secrets, until it was opened just now."""
        return self._store.closed_to_others

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def __enter__(self) -> EmbeddedCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- kinds -----------------------------------------------------------------------------------------------------

    def resources(self) -> list[Resource]:
        """Every kind in every version; the preferred version of a kind comes first."""
        with self._store.reading():
            return self._kinds().all()

    def resource(self, api_version: str, kind: str) -> Resource:
        """One kind; NoMatch if it is not served."""
        with self._store.reading():
            return self._kinds().resource(api_version, kind)

    def schema(self, api_version: str, kind: str) -> Schema:
        """The rules by which the kind merges."""
        with self._store.reading():
            kinds = self._kinds()
            return kinds.schema(kinds.resource(api_version, kind))

    def _kinds(self) -> Kinds:
        """The kinds as this transaction sees them; another process may have added some."""
        changed = self._store.number(KINDS_CHANGED)
        now = self._kinds_now  # read once: another thread may clear it
        if now is None or now[0] != changed:
            now = changed, Kinds(self.release, lambda: list(self._store.of_kind(*DEFINITION)))
            self._kinds_now = now
        return now[1]

    # ---- reading ---------------------------------------------------------------------------------------------------

    def get(self, reference: Reference, *, subresource: str | None = None) -> Object:
        """The object, or the Scale of it; NotFound if there is none."""
        with self._transaction(MANAGER, dry_run=True) as writes:
            resource = self._asked(reference.api_version, reference.kind)
            key = key_for(resource, reference)
            return writes.part(resource, key, subresource) if subresource else writes.live(resource, key)

    def list(
        self, api_version: str, kind: str, *, namespace: str | None = None, selector: str = ""
    ) -> Iterator[Object]:
        """The objects of a kind as they are now, by namespace and name."""
        selects = selected_by(selector)
        with self._store.reading():
            resource = self._asked(api_version, kind)
            at = namespace if resource.namespaced else None
            found = self._store.of_kind(stored_in(resource.group, kind), kind, at)
            kinds = self._kinds()
        seen = (kinds.seen(one, resource) for one in found)
        return (one for one in seen if selects(one["metadata"].get("labels") or {}))

    def kinds_changed(self) -> int:
        """The resourceVersion at which the definitions of custom resources last changed."""
        with self._store.reading():
            return self._store.number(KINDS_CHANGED)

    def version(self) -> int:
        """The resourceVersion of the last change."""
        with self._store.reading():
            return self._store.number(VERSION)

    def page(self, wanted: Wanted) -> Page:
        """Some objects of a kind, all as they were at one moment; Expired if that was too long ago."""
        with self._store.reading():
            return page(self._store, self._kinds(), wanted)

    def changes_since(self, version: int) -> tuple[int, Sequence[Change] | None]:
        """The resourceVersion of now, and the changes after another one; None if that is too long ago."""
        with self._store.reading():
            return self._store.number(VERSION), self._store.changes_since(version)

    def seen(self, stored: Object, resource: Resource) -> Object:
        """A stored object as this version of its kind sees it."""
        with self._store.reading():
            return self._kinds().seen(stored, resource)

    # ---- writing ---------------------------------------------------------------------------------------------------

    def create(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Store a new object."""
        check_directive("CreateOptions", field_validation)
        content = received(content)
        with self._transaction(manager, dry_run=dry_run, field_validation=field_validation) as writes:
            return writes.create(content, self._asked(content["apiVersion"], content["kind"]))

    def replace(
        self,
        content: Object,
        *,
        manager: str = MANAGER,
        subresource: str | None = None,
        dry_run: bool = False,
        field_validation: str | None = None,
    ) -> Object:
        """Store the object in place of the one that is there."""
        check_directive("UpdateOptions", field_validation)
        content = received(content)
        with self._transaction(manager, dry_run=dry_run, field_validation=field_validation) as writes:
            resource = self._asked(content["apiVersion"], content["kind"])
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
    ) -> Object:
        """Change the object by a patch."""
        check_directive("PatchOptions", field_validation)
        asked = {"force": force, "dry_run": dry_run, "field_validation": field_validation}
        with self._transaction(manager, **asked) as writes:  # type: ignore[arg-type]
            kinds = self._kinds()
            resource = self._asked(reference.api_version, reference.kind)
            key = key_for(resource, reference)
            if patch_type == "apply":
                return writes.apply(resource, key, config_of(patch, resource, key), subresource=subresource)

            def change(live: Object) -> Object:
                bare, entries = apart(live) if says_nothing_of_managers(patch) else (live, None)
                made = patched(bare, patch, patch_type, resource, lambda: kinds.schema(resource))

                def whole() -> str:
                    return shown(made, entries, patch, patch_type, resource)

                after = still_itself(made, live, resource, kinds, patch_type, whole)
                writes.reading.check_patched(after, resource, whole, strategic=patch_type == "strategic")
                return with_managed_fields(after, entries) if entries else after

            def of_scale(scale: Object) -> Object:
                schema = engine.load().schema(*SCALE)
                made = patched(scale, patch, patch_type, resource, lambda: schema)
                strategic = patch_type == "strategic"
                whole = partial(shown, made, None, patch, patch_type, resource)
                writes.reading.check_scale(made, schema, whole, strategic=strategic)
                return made

            if subresource == "scale":
                return writes.scale(resource, key, of_scale)
            return writes.update(resource, key, change, subresource=subresource)

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
        """Delete the object; what becomes of its dependents is up to `propagation`, or to its kind."""
        if propagation not in PROPAGATIONS:
            raise BadRequest(f"there is no propagation {propagation!r}; it may be Background, Foreground or Orphan")
        with self._transaction(MANAGER, dry_run=dry_run) as writes:
            resource = self._asked(reference.api_version, reference.kind)
            key, how = key_for(resource, reference), How(propagation, grace_period)
            return writes.delete(resource, key, how, uid=uid, resource_version=resource_version)

    def bind(self, reference: Reference, target: Object, *, dry_run: bool = False) -> Object:
        """Put a Pod on the Node that a Binding names as its `target`."""
        with self._transaction(MANAGER, dry_run=dry_run) as writes:
            resource = self._asked(reference.api_version, reference.kind)
            return writes.assigned(resource, key_for(resource, reference), target, bind)

    def finalize(self, wanted: Object, *, dry_run: bool = False) -> Object:
        """Leave a Namespace the finalizers that this one has in its spec."""
        wanted = received(wanted)
        reference = Reference.of(wanted)
        with self._transaction(MANAGER, dry_run=dry_run) as writes:
            resource = self._asked(reference.api_version, reference.kind)
            return writes.assigned(resource, key_for(resource, reference), wanted, finalize)

    def recreate(
        self,
        content: Object,
        *,
        uid: str | None = None,
        manager: str = MANAGER,
        field_validation: str | None = None,
    ) -> Object | None:
        """Delete the object and store a new one in its place, both or neither; None while finalizers keep the old one.

        The old one then has a deletionTimestamp, as after any other delete.
        """
        content = received(content)
        where = Reference.of(content)
        with self._transaction(manager) as writes:
            resource = self._asked(where.api_version, where.kind)
            key = key_for(resource, where)
            writes.delete(resource, key, How("Background", 0), uid=uid)
            writes.settle()
            if self._store.get(key) is not None:
                return None
            by = Booking(manager, self._kinds(), self._origins)
            again = self._writes(by, dry_run=False, field_validation=field_validation)
            made = again.create(content, resource)
            again.settle()
            return made

    @contextmanager
    def _transaction(
        self, manager: str, *, force: bool = False, dry_run: bool = False, field_validation: str | None = None
    ) -> Iterator[Writes]:
        with self._store.reading() if dry_run else self._writing():
            by = Booking(manager, self._kinds(), self._origins, force=force)
            writes = self._writes(by, dry_run=dry_run, field_validation=field_validation)
            yield writes
            writes.settle()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with self._store.writing():
                yield
        except BaseException:
            self._kinds_now = None  # it may know definitions that were never stored
            self._index = Index()
            raise

    def _writes(self, by: Booking, *, dry_run: bool, field_validation: str | None = None) -> Writes:
        changes = Changes(self._store, self._kinds(), self._origins, self._index, dry_run=dry_run)
        return Writes(changes, by, Reading(self._kinds(), field_validation, self._warn))

    def _asked(self, api_version: str, kind: str) -> Resource:
        """A kind that a request is about; servers warn of one that is deprecated."""
        found = self._kinds().resource(api_version, kind)
        if self.on_warning is not None:
            self._warn(deprecation(api_version, kind, self.release) if found.built_in else self._deprecation_of(found))
        return found

    def _deprecation_of(self, resource: Resource) -> str:
        """What the definition of a custom resource says of a version that is deprecated."""
        spec = a_map(a_map(self._kinds().definition(resource)).get("spec"))
        for _, version in maps(spec, "versions"):
            if version.get("name") == resource.version and version.get("deprecated") is True:
                said = f"{resource.api_version} {resource.kind} is deprecated"
                return text(version.get("deprecationWarning")) or said
        return ""

    def _warn(self, text: str) -> None:
        if self.on_warning is not None and text:
            self.on_warning(text)

    # ---- the whole -------------------------------------------------------------------------------------------------

    def load(self, objects: Sequence[Object]) -> Loaded:
        """Import objects as another cluster had them, with uid, resourceVersion and status: all of them, or none."""
        with self._writing():
            loaded = load(self._store, self._kinds, objects, self._origins)
            self._store.forget_history()
            return loaded

    def dump(self) -> Iterator[Object]:
        """Every object as it is stored, including those of kinds that the release does not serve."""
        with self._store.reading():
            return self._store.all()

    def reset(self) -> None:
        """Remove every object. The counter of resourceVersions keeps counting."""
        with self._writing():
            self._store.clear()
            start.populate(self._store, self._origins)
            self._store.forget_history()

    def check(self) -> None:
        """Read the whole file; a StoreError says if anything in it is damaged."""
        self._store.check()
