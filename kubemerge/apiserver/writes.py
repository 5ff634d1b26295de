"""Creating, updating and deleting objects inside one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.directives import ANNOTATION
from engine.serverside.fields import trees
from engine.serverside.fields.reset_fields import reset_fields
from engine.values.plain import same

from . import deletion, generations, managed_fields, metadata, plugins, scale
from .binding import bind
from .controllers import bootstrap
from .controllers.reconcile import reconcile
from .creation import new_object, with_name_and_namespace
from .decoding.decoder import Empties, as_stored, decode_object
from .decoding.quantities import spelled_as
from .defaulting.fill import apply_defaults, with_allocated
from .duplicate_owners import PATCHED, SENT, without_duplicates
from .errors import (
    AlreadyExists,
    Conflict,
    CorruptObject,
    Forbidden,
    NoResource,
    NotFound,
    UnknownReason,
)
from .identity import ObjectId
from .kinds.builtin_kinds import DEFINITION, NAMESPACE, RBAC_GROUP, facts_of, named_in
from .patch_identity import check_identity, check_name, config_of
from .patching import patched, patched_scale
from .plugins import base64_data
from .plugins.context import AdmissionContext
from .registry import service_allocation, statuses, strategy
from .registry.service_addresses import IP_ADDRESS
from .resources import key_of
from .scale_writes import ScaleWrite
from .transaction import Transaction
from .unchecked import as_map
from .user import current_user

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.serverside.fields.trees import Tree

    from .protocol import Object, Resource
    from .registry.record import FieldsSubresource
    from .write_log import Write

IMMORTAL = frozenset({"default", "kube-public", "kube-system"})
"""Namespaces that cannot be deleted."""
METADATA_BY_STATUS_SINCE = 21
"""The first minor release in which a write to a definition's status changes its metadata, without owning it."""
RESET_METADATA = ("f:labels", "f:annotations", "f:finalizers", "f:ownerReferences")
"""The metadata that a write to the status resets. A changed generateName is stored."""
FLOW_CONTROL = "flowcontrol.apiserver.k8s.io"
"""The group of kinds whose metadata is reset as a whole."""
RESOURCE_CLAIM = ("resource.k8s.io", "ResourceClaim")
"""The kind whose metadata is reset in all releases. Until 1.35, its reset fields lack the metadata."""
STATUS_RECORDED_UNTIL = 20
"""The last minor release in which a write to the object owns the status that it sends, which is then reset."""
SIGNING_REQUEST = ("certificates.k8s.io", "CertificateSigningRequest")
"""Validating plugins also check the subresources of this kind."""
SERVICES_CHECKED_FIRST_UNTIL = 22
"""The last minor release in which an update of a Service is validated before its uid is compared."""
SERVICE, PRIORITY_CLASS = ("", "Service"), ("scheduling.k8s.io", "PriorityClass")
MAX_PREFIX = 58
"""The number of characters of generateName that are used. The generated name then fits into a DNS label."""
MAX_TRIES = 8
"""The number of names tried before AlreadyExists."""


class Writes(Transaction):
    """The writes of one transaction, all by one manager."""

    created = False
    """Whether the request creates its object."""

    def settle(self) -> None:
        """Run the controllers on the changes of all writes."""
        self.changes.admit = self.admission.admit_deletion
        reconcile(self.changes)
        self.changes.admit = None  # otherwise the two refer to each other until the garbage collector runs

    def written(self, verb: str, subresource: str | None) -> list[Write]:
        """Return the writes of this transaction so far."""
        from .write_log import write_of  # hardly any cluster records them

        manager, part = self.recorder.manager, subresource or ""
        return [
            write_of(event, self.kinds, self.changes.resource(event.after), manager, verb, part)
            for event in self.changes.events
            if event.after is not None
        ]

    def part(self, resource: Resource, key: ObjectId, subresource: str) -> Object:
        """Return the response to a read of a subresource: the Scale, or the whole object for other subresources."""
        if subresource == "scale" and resource.scaled_by is not None:
            return scale.scale_of(self.live(resource, key), resource, self.kinds.definition(resource))
        if not self._serves(resource, subresource):
            raise NoResource
        return self.live(resource, key)

    def _serves(self, resource: Resource, subresource: str) -> bool:
        if subresource == "status":
            return resource.has_status
        if subresource == "approval":
            return resource.built_in and _has_approval(resource)
        part = _part_of(resource, subresource)
        return part is not None and part.since <= self.minor

    def create(self, content: Object, resource: Resource, *, applied: bool = False, by_update: bool = False) -> Object:
        """Create an object. `applied`: a server-side apply has already recorded its managedFields. `by_update`: the
        request is a PUT or an apply, not a POST.
        """
        self.field_validation.check(content, resource)
        self.created = True
        sent, sent_name = content, content["metadata"].get("name") or ""
        content = with_name_and_namespace(
            content, resource, self.origins, lambda prefix: self._generated_name(prefix, content, resource)
        )
        key = key_of(resource, content["metadata"]["name"], content["metadata"].get("namespace"))
        if resource.namespaced:
            self._require_active_namespace(key, resource)
        self._without_escalation(sent, None, key, is_named=by_update)
        content, read = new_object(
            content,
            resource,
            self.kinds,
            self.origins,
            self.admission.context(None)._replace(
                policies=self.admission.policies_for("CREATE", resource, key, name=sent_name)
            ),
            record=lambda whole: whole if applied else self.recorder.created(whole, resource),
            allocate=lambda whole: self._allocated(whole, None, key),
            applied=applied,
        )
        if by_update and self.authorizer.decides:
            self._require_create(resource, key)
        self.admission.charge("CREATE", resource, key, content)
        if metadata.is_version(content["metadata"].get("resourceVersion")) and not self.changes.dry_run:
            said = "resourceVersion should not be set on objects to be created"
            raise UnknownReason(said, advice="remove it from the metadata")
        existing = self.store.get(key)
        if existing is not None:
            raise AlreadyExists(resource.called, key.name, deleted=deletion.grace_is_over(existing))
        schema = self.kinds.schema(resource)
        made = statuses.with_status(content, resource, schema, self.origins.now(), self.kinds.minor)
        made = as_stored(made, resource, self.kinds)
        if self.kinds.is_converted(resource):
            made = self.hub(read, made, resource)
            if resource.has_status:  # annotations contained part of it
                made = self.kinds.hub({**made, "status": {}}, resource)
        if strategy.is_phaseless(key.group_kind, self.kinds.minor):
            return strategy.as_read(self.changes.save(key, strategy.as_created(made), None))
        return self.in_version(self.changes.save(key, made, None), resource)

    def _without_escalation(
        self, content: Object, live: Object | None, key: ObjectId, *, is_named: bool = True
    ) -> Object:
        """Reject a role or binding that grants more than its author holds. `is_named`: the URL has the name."""
        if self.authorizer.decides and key.group == RBAC_GROUP:
            from .authorization.escalation import EscalationCheck  # only needed for authorization by RBAC

            name = key.name if is_named else ""
            EscalationCheck(self.authorizer, current_user(), key.kind, key.namespace, name).check(content, live)
        return content

    def _require_create(self, resource: Resource, key: ObjectId) -> None:
        """Reject a PUT or apply that creates its object, unless the user may create it."""
        from .authorization.attributes import Attributes, denied

        asked = Attributes(current_user(), "create", resource.group, resource.plural, "", key.name, key.namespace)
        decision = self.authorizer.authorize(asked)
        if not decision.allowed:
            raise denied(asked, decision.reason)

    def _generated_name(self, prefix: str, content: Object, resource: Resource) -> str:
        namespace = content["metadata"].get("namespace")
        for _ in range(MAX_TRIES):
            name = prefix[:MAX_PREFIX] + self.origins.suffix()
            if self.store.get(key_of(resource, name, namespace)) is None:
                break
        return name

    def _require_active_namespace(self, key: ObjectId, resource: Resource) -> None:
        namespace = self.store.get_shared(ObjectId(*NAMESPACE, "", key.namespace))
        if namespace is None and self.store.is_complete:
            raise NotFound("namespaces", key.namespace)
        if namespace is not None and "deletionTimestamp" in namespace["metadata"]:
            why = f"unable to create new content in namespace {key.namespace} because it is being terminated"
            raise Forbidden(resource.called, key.name, why, [_terminating(key.namespace)])

    def replace(self, resource: Resource, key: ObjectId, content: Object, *, subresource: str | None = None) -> Object:
        """Replace an object. Objects of some kinds need not exist."""
        by_put = resource.built_in and facts_of(resource.group, resource.kind).created_by_put
        if by_put and not self.store.has(key):
            return self._create_by_put(resource, key, content)
        self.field_validation.check(content, resource)
        base64_data.check(content)
        existing = self.store.get(key)
        if existing is not None and key.group_kind == SERVICE and self.minor <= SERVICES_CHECKED_FIRST_UNTIL:
            metadata.check_service(content["metadata"], existing["metadata"])
        if existing is not None and metadata.requested_version(content["metadata"]) is None:
            metadata.require_same_object(
                content["metadata"], existing["metadata"], resource, dry_run=self.changes.dry_run
            )  # compares the uid
            self.require_version(resource, key)
        return self.update(resource, key, lambda _: content, subresource=subresource)

    def _create_by_put(self, resource: Resource, key: ObjectId, content: Object) -> Object:
        """Create an object with PUT, ignoring its resourceVersion. A uid is a conflict: its object does not exist."""
        found = dict(content["metadata"])
        if not self.changes.dry_run:
            found.pop("resourceVersion", None)
        if found.get("uid"):
            dry_run = self.changes.dry_run
            new = {"namespace": key.namespace if resource.namespaced else None, "name": key.name}
            raise Conflict(
                resource.called, key.name, metadata.uid_mismatch(found["uid"], new, resource, dry_run=dry_run)
            )
        return self.create({**content, "metadata": found}, resource, by_update=True)

    def patch(
        self,
        resource: Resource,
        key: ObjectId,
        patch: Object | Sequence[Object],
        patch_type: str,
        *,
        subresource: str | None = None,
    ) -> Object:
        """Return the object after a patch, server-side apply included. `subresource` may be `scale`."""
        if subresource == "scale":
            write = ScaleWrite(self, resource, key)
            if patch_type == "apply":
                return write.apply(patch)
            return write.update(
                lambda live: patched_scale(live, patch, patch_type, resource, self.kinds, self.field_validation)
            )
        if patch_type == "apply":
            return self.apply(resource, key, patch, subresource=subresource)

        def change(live: Object) -> Object:
            return patched(live, patch, patch_type, resource, self.kinds, subresource, self.field_validation)

        return self.update(resource, key, change, subresource=subresource, guarded=False)

    def apply(self, resource: Resource, key: ObjectId, patch: object, *, subresource: str | None = None) -> Object:
        """Return the object after a server-side apply, which may create it."""
        is_new = not self.store.has(key)
        if is_new and subresource is not None:
            raise NotFound(resource.called, key.name)
        config = config_of(patch, resource, key)
        if subresource is None and is_new:
            made = metadata.copy_as_json(self.recorder.applied(config, None, resource, None))
            self.field_validation.check_repeated()
            if config["metadata"].get("uid"):
                why = f"uid mismatch: the provided object specified uid {config['metadata']['uid']}"
                raise Conflict(resource.called, key.name, f"{why}, and no existing object was found")
            check_name(as_map(as_map(patch).get("metadata")).get("name"), key.name)
            check_identity(config, resource, key, self.kinds.minor)
            # a new object also has the reset fields of the config, which no manager owns
            dropped = {"status"} if resource.has_status else set()
            made |= {field: value for field, value in config.items() if field not in {*made, *dropped}}
            made["metadata"].pop("resourceVersion", None)
            if resource.namespaced:
                made["metadata"]["namespace"] = key.namespace
            return self._read_back(self.create(made, resource, applied=True, by_update=True), resource)

        def change(live: Object) -> Object:
            found = self.recorder.applied(config, live, resource, subresource)
            self.field_validation.check_repeated()
            check_identity(config, resource, key, self.kinds.minor)
            given = metadata.check_types(config["metadata"])
            if subresource == "status" and not resource.built_in:  # such a write keeps the metadata
                given = {field: value for field, value in given.items() if field != "uid"}
                found = {**found, "metadata": {**found["metadata"], "uid": live["metadata"]["uid"]}}
            metadata.require_same_object({**given, "uid": None}, live["metadata"], resource)
            if "resourceVersion" in config["metadata"] and metadata.requested_version(given) is None:
                self.require_version(resource, key)
            return found

        found = self.update(resource, key, change, subresource=subresource, applied=config, guarded=False)
        return self._read_back(found, resource)

    def _read_back(self, content: Object, resource: Resource) -> Object:
        """Return an applied object as a later read returns it: a custom resource without its nulls."""
        return content if resource.built_in else self.kinds.in_version(self.kinds.stored(content), resource)

    def update(
        self,
        resource: Resource,
        key: ObjectId,
        change: Callable[[Object], Object],
        *,
        subresource: str | None = None,
        applied: Object | None = None,
        guarded: bool = True,
    ) -> Object:
        """Return the object after a change. An unchanged object is not written. `applied` is the config of an apply."""
        live = self._live_to_update(resource, key, subresource)
        before = self.decoded(live, resource)  # an imported object stays as it was imported
        wanted = self._without_escalation(managed_fields.as_reset_request(change(live), resource), live, key)
        whole_object = subresource is None or _part_of(resource, subresource) is not None
        reset, part = ({}, None) if whole_object else (self._reset_values(resource, subresource), subresource)
        content, reset_later = self._prepared(wanted, live, resource, subresource, part, guarded=guarded)
        earlier_problems = metadata.update_problems(wanted, live, reset, resource, subresource, self.minor)
        read, entries = managed_fields.split_managed_fields(content)
        entries = managed_fields.with_read_operations(entries, self.minor) if whole_object else entries
        context = self._context_of_update(live, before, resource, key, subresource)
        earlier_problems += plugins.problems_of_status(content, *key.group_kind, context)

        def record(full: Object) -> Object:
            nonlocal read
            read = full
            whole = managed_fields.with_managed_fields(self._read(full, live, key), entries)
            if applied is None:
                whole = self._recorded(before, whole, resource, subresource, sent)
                earlier_problems.extend(managed_fields.operation_problems(whole))
            whole = metadata.with_deletion_fields(whole, live)
            whole = metadata.with_field("status", live, whole) if reset_later else whole
            if whole_object:
                admitted = _mutated(whole, resource, key, context._replace(live=known))
                read = full if admitted is whole else managed_fields.split_managed_fields(admitted)[0]
                return self._allocated(admitted, known, key)
            whole = plugins.admit(whole, "", "", context)
            whole, recorded = managed_fields.split_managed_fields(whole)
            whole = metadata.prepare_status_update(whole, managed_fields.split_managed_fields(live)[0], resource, reset)
            return statuses.with_times(managed_fields.with_managed_fields(whole, recorded), live, self.origins.now())

        sent, content = read, decode_object(read, resource, self.kinds, Empties.SENT)
        options = {"applied": applied is not None, "as_is": (as_is := _is_merged_as_is(applied, wanted, live))}
        known = spelled_as(content, live, resource, self.kinds)
        content = self.admitted(content, known, resource, record, subresource, earlier_problems, sent, **options)
        own = whole_object or key.group_kind == SIGNING_REQUEST
        seen = content if context.policies is None or part else self._incremented(content, before, resource, sent)
        self._validate_update(seen, before, resource, key, context, *(key.group_kind if own else ("", "")))
        read = (self.store.get(key) if as_is else None) or read  # without a change, nothing was converted
        return self.store_if_changed(key, live, before, content, resource, part, sent, read)

    def _prepared(
        self, wanted: Object, live: Object, resource: Resource, subresource: str | None, part: str | None, guarded: bool
    ) -> tuple[Object, bool]:
        """Return the updated object, with the live values of fields that the request cannot change. Also return whether
        its status is reset later.
        """
        dry_run = self.changes.dry_run
        wanted = without_duplicates(wanted, self.minor, self.field_validation.warn, SENT if guarded else PATCHED)
        content = metadata.prepare_update(wanted, live, resource, part, dry_run=dry_run, guarded=guarded)
        reset_later = subresource is None and resource.has_status and self._records_status(resource)
        is_whole = subresource is None and strategy.writes_status(resource.group, resource.kind, self.minor)
        if reset_later or is_whole or (part is None and subresource and "status" in wanted):
            content = metadata.with_field("status", wanted, content)  # it is recorded, and then mostly reset
        return content, reset_later

    def _reset_values(self, resource: Resource, subresource: str | None) -> Tree:
        """The fields that a write to a subresource resets."""
        found = reset_fields(self.kinds.schema(resource), subresource)
        kind = resource.group, resource.kind
        if kind == DEFINITION and self.kinds.minor >= METADATA_BY_STATUS_SINCE:
            return {field: inner for field, inner in found.items() if field != "f:metadata"}
        is_reset = found.get("f:metadata") == trees.LEAF or kind == RESOURCE_CLAIM
        if is_reset and resource.built_in and resource.group != FLOW_CONTROL and subresource == strategy.STATUS:
            return {**found, "f:metadata": dict.fromkeys(RESET_METADATA, trees.LEAF)}
        return found

    def _recorded(
        self, before: Object, content: Object, resource: Resource, subresource: str | None, sent: Object
    ) -> Object:
        old = self._with_new_defaults(before, resource)
        return self.recorder.updated(old, content, resource, subresource, sent)

    def _live_to_update(self, resource: Resource, key: ObjectId, subresource: str | None) -> Object:
        if subresource is not None and not self._serves(resource, subresource):
            raise NoResource
        try:
            return self.live(resource, key)
        except CorruptObject as error:  # an update reads the object in another way than a get
            raise UnknownReason(error.problem) from None

    def _incremented(self, content: Object, before: Object, resource: Resource, sent: Object) -> Object:
        """The updated object with its new generation, for validating policies and webhooks."""
        stored = as_stored(content, resource, self.kinds)
        known = spelled_as(stored, before, resource, self.kinds)
        is_next = generations.is_incremented(stored, known, resource, self.kinds, sent)
        return generations.incremented(content) if is_next else content

    def _validate_update(
        self,
        content: Object,
        before: Object,
        resource: Resource,
        key: ObjectId,
        context: AdmissionContext,
        group: str,
        kind: str,
    ) -> None:
        """Run the validating plugins. `group` and `kind` select the plugins that check one kind only."""
        plugins.validate(content, group, kind, context)
        self.admission.charge("UPDATE", resource, key, content, before, context.subresource or "")

    def _is_converted(self, resource: Resource) -> bool:
        return not resource.built_in or self.kinds.is_converted(resource)

    def _records_status(self, resource: Resource) -> bool:
        return self._is_converted(resource) or self.minor <= STATUS_RECORDED_UNTIL

    def _context_of_update(
        self, live: Object, before: Object, resource: Resource, key: ObjectId, subresource: str | None
    ) -> AdmissionContext:
        policies = self.admission.policies_for("UPDATE", resource, key, before, subresource or "")
        return self.admission.context(live, subresource)._replace(policies=policies)

    def _read(self, content: Object, live: Object | None, key: ObjectId) -> Object:
        return plugins.read(content, *key.group_kind, self.admission.context(live))

    def admit_subresource(
        self,
        resource: Resource,
        key: ObjectId,
        content: Object,
        subresource: str,
        kind: tuple[str, str],
        *,
        dry_run: bool = False,
        check: Callable[[Object], None] | None = None,
    ) -> Object:
        """Return an object that is sent to a subresource, after mutation and validation by admission policies.

        `check` is called after the mutation.
        """
        policies = self.admission.policies_for("CREATE", resource, key, None, subresource, kind=kind, dry_run=dry_run)
        if policies is not None:
            content = policies.mutate({"apiVersion": kind[0], "kind": kind[1], "metadata": {}, **content})
        if check is not None:
            check(content)
        if policies is not None:
            policies.validate(content)
        return content

    def _allocated(self, content: Object, live: Object | None, key: ObjectId) -> Object:
        if key.group_kind != SERVICE:
            return content
        content = with_allocated(content, live, self.kinds.release)
        taken = self.changes.index.taken(self.store)
        cluster = service_allocation.AllocatedAddresses(
            taken,
            dry_run=self.changes.dry_run,
            is_complete=self.store.is_complete,
            is_reserved=lambda address: self.store.has(ObjectId(*IP_ADDRESS, "", address)),
        )
        return service_allocation.allocate(content, live, key, cluster, self.minor)

    def _with_new_defaults(self, before: Object, resource: Resource) -> Object:
        """Return the live object with the defaults of the served release. The file may be of another release."""
        if self.store.release() == self.kinds.release:
            return before
        content, entries = managed_fields.split_managed_fields(before)
        definition = self.kinds.definition(resource)
        return managed_fields.with_managed_fields(apply_defaults(content, self.kinds.release, definition), entries)

    def bind(self, resource: Resource, key: ObjectId, binding: Object) -> Object:
        """Return a Pod after a Binding. It is stored without defaulting."""
        return bind(self.changes, key, self.live(resource, key), binding)

    def delete(
        self,
        resource: Resource,
        key: ObjectId,
        options: deletion.DeleteOptions,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        admission: deletion.DeleteAdmission = deletion.DeleteAdmission.ONE,
    ) -> Object:
        """Delete an object. It stays while it has finalizers."""
        live = self.live(resource, key)
        found = live["metadata"]
        title = ".".join(filter(None, (key.kind, named_in(key.group, key.kind, self.minor))))
        if uid is not None and uid != found["uid"]:
            why = f"the UID in the precondition ({uid}) does not match the UID in record ({found['uid']})"
            raise Conflict(title, key.name, f"{why}. The object might have been deleted and then recreated")
        if resource_version is not None and resource_version != found["resourceVersion"]:
            known = f"the ResourceVersion in record ({found['resourceVersion']})"
            why = f"the ResourceVersion in the precondition ({resource_version}) does not match {known}"
            raise Conflict(title, key.name, f"{why}. The object might have been modified")
        if key.group_kind == NAMESPACE and key.name in IMMORTAL:
            raise Forbidden("namespaces", key.name, "this namespace may not be deleted")
        if key.group_kind == PRIORITY_CLASS and key.name in bootstrap.PRIORITIES:
            why = "this is a system priority class and cannot be deleted"
            raise Forbidden(resource.called, key.name, why)
        if admission is not deletion.DeleteAdmission.EVICTION:
            name = key.name if admission is deletion.DeleteAdmission.ONE else ""
            given = deletion.as_sent(options, uid, resource_version)
            policies = self.admission.policies_for("DELETE", resource, key, live, name=name, options=given)
            if policies is not None:
                policies.admit_deletion()
        elif not self.changes.dry_run:
            live = self.changes.save(key, statuses.disrupted(live, self.origins.now(), self.minor), live)
        if self.kinds.is_converted(resource):  # mark the stored object, not its conversion to this version
            live = self.store.get(key) or live
        return self.in_version(deletion.delete(self.changes, key, live, options), resource)


def _terminating(namespace: str) -> dict[str, str]:
    """The cause of the rejection of a new object in a terminating namespace."""
    said = f"namespace {namespace} is being terminated"
    return {"reason": "NamespaceTerminating", "message": said, "field": "metadata.namespace"}


def _mutated(content: Object, resource: Resource, key: ObjectId, context: AdmissionContext) -> Object:
    """An updated object after mutating admission."""
    admitted = plugins.admit(content, *key.group_kind, context)
    if context.policies is None or admitted is content:
        return admitted
    return metadata.after_mutation(admitted, content, resource)


def _is_merged_as_is(config: Object | None, wanted: Object, live: Object) -> bool:
    """Whether an apply changes only managedFields and a last-applied annotation, which a server updates."""
    if config is None:
        return False
    given = _last_applied(config)
    if given is not None and given != _last_applied(live):
        return False
    return same(_without_annotation(wanted), _without_annotation(live))


def _last_applied(content: Object) -> Any:
    return as_map(as_map(content.get("metadata")).get("annotations")).get(ANNOTATION)


def _without_annotation(content: Object) -> Object:
    bare = managed_fields.split_managed_fields(content)[0]
    annotations = bare["metadata"].get("annotations") or {}
    left = {key: value for key, value in annotations.items() if key != ANNOTATION}
    return {**bare, "metadata": {**bare["metadata"], "annotations": left}}


def _part_of(resource: Resource, subresource: str) -> FieldsSubresource | None:
    return strategy.part_of(resource.api_version, resource.kind, subresource) if resource.built_in else None


def _has_approval(resource: Resource) -> bool:
    from .registry.table import find  # late, because hardly any write needs it

    record = find(resource.api_version, resource.kind)
    return record is not None and record.check_approval is not None
