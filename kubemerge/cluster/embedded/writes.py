"""Creating, changing and deleting objects inside one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kinds.facts import DEFINITION, NAMESPACE, facts_of, stored_in
from ...manifests.identity import DEFAULT_NAMESPACE, ObjectId
from ..errors import AlreadyExists, BadRequest, Conflict, Forbidden, Invalid, NoResource, NotFound
from . import generations, metadata, scale
from .admission import admitted
from .admission.defaults.fill import filled
from .admission.fields.decoded import decoded
from .kinds import check_definition
from .owners import booking
from .store import KINDS_CHANGED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..protocol import Object, Reference, Resource
    from .admission.fields.reading import Reading
    from .kinds import Kinds
    from .metadata import Origins
    from .owners.booking import Booking
    from .store import Store

IMMORTAL = frozenset({"default", "kube-public", "kube-system"})
"""Namespaces that cannot be deleted."""
LONGEST_PREFIX = 58
"""How much of a generateName is used: the generated name must fit into a part of a domain name."""
TRIES = 8
"""How many names are tried before an AlreadyExists."""


class Writes:
    """The writes of one transaction, all by one writer. A dry run does everything but store."""

    def __init__(
        self, store: Store, kinds: Kinds, origins: Origins, by: Booking, reading: Reading, *, dry_run: bool
    ) -> None:
        self._store, self._kinds, self._origins, self._by, self._dry_run = store, kinds, origins, by, dry_run
        self.reading = reading

    def live(self, resource: Resource, key: ObjectId) -> Object:
        """The object as this version of its kind sees it."""
        found = self._store.get(key)
        if found is None:
            raise NotFound(resource.called, key.name)
        return {**found, "apiVersion": resource.api_version}

    def create(self, content: Object, resource: Resource, *, applied: bool = False) -> Object:
        """A new object; one that was applied says already who owns what."""
        self.reading.check(content, resource)
        key, content = self._placed(content, resource)
        if content["metadata"].get("resourceVersion"):
            raise BadRequest("resourceVersion should not be set on objects to be created; remove it")
        if resource.namespaced:
            self._refuse_bad_namespace(key, resource)
        content, entries = booking.apart(content)
        content = decoded(content, resource, self._kinds)
        content = metadata.created(content, resource, self._kinds.release, self._origins)
        if key.group_kind == NAMESPACE:
            content = metadata.with_name_as_label(content, self._kinds.release)

        def book(full: Object) -> Object:
            whole = booking.with_managed_fields(full, entries)
            return whole if applied else self._by.created(whole, resource)

        content = self._admitted(content, None, resource, book)
        if key.group_kind == NAMESPACE:
            content = metadata.as_active(content)
        if self._store.get(key) is not None:
            raise AlreadyExists(resource.called, key.name)
        return self._save(key, content)

    def _placed(self, content: Object, resource: Resource) -> tuple[ObjectId, Object]:
        """The object with its namespace and its name, which may have to be generated."""
        given = content["metadata"]
        at = {"namespace": given.get("namespace") or DEFAULT_NAMESPACE} if resource.namespaced else {}
        rest = {field: value for field, value in given.items() if field != "namespace"}
        if not given.get("name"):
            rest["name"] = self._made_up(given.get("generateName"), at.get("namespace", ""), resource)
        content = {**content, "metadata": {**rest, **at}}
        return key_of(resource, rest["name"], at.get("namespace")), content

    def _made_up(self, prefix: str | None, namespace: str, resource: Resource) -> str:
        if not prefix:
            problem = "metadata.name: Required value: name or generateName is required"
            raise Invalid.of(resource.title, "", [problem])
        name = ""
        for _ in range(TRIES):
            name = prefix[:LONGEST_PREFIX] + self._origins.suffix()
            if self._store.get(key_of(resource, name, namespace)) is None:
                break
        return name

    def _refuse_bad_namespace(self, key: ObjectId, resource: Resource) -> None:
        namespace = self._store.get(ObjectId(*NAMESPACE, "", key.namespace))
        if namespace is None:
            raise NotFound("namespaces", key.namespace)
        if "deletionTimestamp" in namespace["metadata"]:
            why = f"unable to create new content in namespace {key.namespace} because it is being terminated"
            raise Forbidden(resource.called, key.name, why)

    def replace(self, resource: Resource, key: ObjectId, content: Object, *, subresource: str | None = None) -> Object:
        """Replace an object; for some kinds it need not exist."""
        by_put = resource.built_in and facts_of(resource.group, resource.kind).created_by_put
        if by_put and self._store.get(key) is None:
            return self._put(resource, key, content)
        self.reading.check(content, resource)
        return self.update(resource, key, lambda _: content, subresource=subresource)

    def _put(self, resource: Resource, key: ObjectId, content: Object) -> Object:
        """A new object, whatever its resourceVersion; with a uid it was meant for one that is gone."""
        found = {field: value for field, value in content["metadata"].items() if field != "resourceVersion"}
        if found.get("uid"):
            raise Conflict(resource.called, key.name, metadata.uid_mismatch(found["uid"], ""))
        return self.create({**content, "metadata": found}, resource)

    def apply(self, resource: Resource, key: ObjectId, config: Object, *, subresource: str | None = None) -> Object:
        """The object after a server-side apply, which may create it."""
        if subresource is None and self._store.get(key) is None:
            made = metadata.received(self._by.applied(config, None, resource, None))
            made["metadata"].pop("resourceVersion", None)
            return self.create(made, resource, applied=True)

        def change(live: Object) -> Object:
            metadata.refuse_other_uid(config["metadata"], live["metadata"], resource)
            return self._by.applied(config, live, resource, subresource)

        return self.update(resource, key, change, subresource=subresource, applied=True)

    def update(
        self,
        resource: Resource,
        key: ObjectId,
        change: Callable[[Object], Object],
        *,
        subresource: str | None = None,
        applied: bool = False,
    ) -> Object:
        """The object after a change; if nothing changes, it is not written."""
        if subresource is not None and not (subresource == "status" and resource.has_status):
            raise NoResource
        live = self.live(resource, key)
        before = self._decoded(live, resource)  # an imported object stays as it was imported
        content = booking.forgetting(change(live))
        content = metadata.updated(content, live, resource, status_only=subresource is not None)
        content, entries = booking.apart(content)

        def book(full: Object) -> Object:
            whole = booking.with_managed_fields(full, entries)
            if applied:
                return whole
            return self._by.updated(self._with_new_defaults(before, resource), whole, resource, subresource)

        content = self._admitted(decoded(content, resource, self._kinds), live, resource, book)
        return self._changed(key, live, before, content, resource)

    def _with_new_defaults(self, before: Object, resource: Resource) -> Object:
        """The live object as a server of this release reads it: with default values that its own release lacked."""
        if self._store.release() == self._kinds.release:
            return before
        content, entries = booking.apart(before)
        definition = self._kinds.definition(resource)
        return booking.with_managed_fields(filled(content, self._kinds.release, definition), entries)

    def _decoded(self, live: Object, resource: Resource) -> Object:
        """The live object as a server reads it."""
        content, entries = booking.apart(live)
        return booking.with_managed_fields(decoded(content, resource, self._kinds), entries)

    def scale(self, resource: Resource, key: ObjectId, change: Callable[[Object], Object]) -> Object:
        """The Scale of an object after a change to it."""
        if resource.scaled_by is None:
            raise NoResource
        live = self.live(resource, key)
        before = self._decoded(live, resource)
        definition = self._kinds.definition(resource)
        wanted = change(scale.scale_of(before, resource, definition))
        metadata.refuse_another(metadata.shaped(wanted.get("metadata")), live["metadata"], resource)
        content, entries = booking.apart(self._by.scaled(before, scale.replicas_of(wanted), resource))
        content = self._admitted(content, live, resource, lambda full: booking.with_managed_fields(full, entries))
        return scale.scale_of(self._changed(key, live, before, content, resource), resource, definition)

    def _changed(self, key: ObjectId, live: Object, before: Object, content: Object, resource: Resource) -> Object:
        """The object after it was stored, if anything has changed; `before` is the live one as a server reads it."""
        if booking.same_but_times(content, before):
            return live
        content = generations.raised(content, before, resource, self._kinds.release)
        content = self._save(key, content)
        if "deletionTimestamp" in live["metadata"] and self._can_go(key, content):
            self._remove(key)
        return content

    def _admitted(
        self, content: Object, live: Object | None, resource: Resource, book: Callable[[Object], Object]
    ) -> Object:
        content = admitted(content, live, resource, self._kinds, book)
        if (resource.group, resource.kind) == DEFINITION:
            check_definition(content, resource, self._kinds.release)
        return content

    def delete(self, resource: Resource, key: ObjectId, *, uid: str | None, resource_version: str | None) -> Object:
        """Delete an object and what it holds; it stays while it, or something in it, has finalizers."""
        live = self.live(resource, key)
        found = live["metadata"]
        if uid is not None and uid != found["uid"]:
            raise Conflict(resource.called, key.name, metadata.uid_mismatch(uid, found["uid"]))
        if resource_version is not None and resource_version != found["resourceVersion"]:
            raise Conflict(resource.called, key.name)
        if key.group_kind == NAMESPACE and key.name in IMMORTAL:
            raise Forbidden("namespaces", key.name, "this namespace may not be deleted")
        return self._doomed(key, live)

    def _doomed(self, key: ObjectId, live: Object) -> Object:
        """Delete the object itself: it is gone, or marked for deletion until its finalizers are."""
        for inner in list(self._held_by(key, live)):
            inside = self._store.get(inner)
            if inside is not None:
                self._doomed(inner, inside)
        if self._can_go(key, live):
            self._remove(key)
            return live
        if "deletionTimestamp" in live["metadata"]:
            return live
        return self._save(key, self._marked(key, live))

    def _marked(self, key: ObjectId, live: Object) -> Object:
        found = {**live["metadata"], "deletionTimestamp": self._origins.now(), "deletionGracePeriodSeconds": 0}
        marked = {**live, "metadata": generations.marked(found, *key.group_kind)}
        if key.group_kind == NAMESPACE:
            marked["status"] = {**live.get("status", {}), "phase": "Terminating"}
        return marked

    def _can_go(self, key: ObjectId, content: Object) -> bool:
        return not content["metadata"].get("finalizers") and not any(
            self._stays(inner) for inner in self._held_by(key, content)
        )

    def _stays(self, key: ObjectId) -> bool:
        found = self._store.get(key)
        return found is not None and bool(found["metadata"].get("finalizers"))

    def _held_by(self, key: ObjectId, content: Object) -> Iterator[ObjectId]:
        """What cannot exist without the object: all in a namespace, all of a defined kind."""
        if key.group_kind == NAMESPACE:
            return self._store.keys_in(key.name)
        if key.group_kind == DEFINITION:
            return self._store.keys_of(content["spec"]["group"], content["spec"]["names"]["kind"])
        return iter(())

    def _save(self, key: ObjectId, content: Object) -> Object:
        if self._dry_run:
            return content
        version = self._store.next_version()
        content = {**content, "metadata": {**content["metadata"], "resourceVersion": str(version)}}
        self._store.put(key, content)
        self._note(key, version)
        return content

    def _remove(self, key: ObjectId) -> None:
        """Remove an object, and what was only waiting for that."""
        if self._dry_run:
            return
        self._store.remove(key)
        self._note(key, self._store.next_version())
        for holder in self._holders(key):
            found = self._store.get(holder)
            if found is not None and "deletionTimestamp" in found["metadata"] and self._can_go(holder, found):
                self._remove(holder)

    def _holders(self, key: ObjectId) -> Iterator[ObjectId]:
        if key.namespace:
            yield ObjectId(*NAMESPACE, "", key.namespace)
        definition = self._kinds.definition_of(*key.group_kind)
        if definition is not None:
            yield ObjectId(*DEFINITION, "", definition["metadata"]["name"])

    def _note(self, key: ObjectId, version: int) -> None:
        """Let every process know that the kinds have changed."""
        if key.group_kind == DEFINITION:
            self._store.set(KINDS_CHANGED, version)


def key_of(resource: Resource, name: str, namespace: str | None) -> ObjectId:
    """The key under which an object of the kind is stored."""
    at = (namespace or DEFAULT_NAMESPACE) if resource.namespaced else ""
    return ObjectId(stored_in(resource.group, resource.kind), resource.kind, at, name)


def key_for(resource: Resource, reference: Reference) -> ObjectId:
    """The key under which the referenced object is stored."""
    if not isinstance(reference.name, str) or not reference.name:
        raise BadRequest("resource name may not be empty; give the name of the object")
    return key_of(resource, reference.name, reference.namespace)
