"""One transaction: the steps that all writes of objects have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import deletion, generations, managed_fields, metadata
from .admission import admit
from .decoding import comparison
from .decoding.decoder import as_stored, decode_object
from .decoding.quantities import spelled_as
from .errors import Invalid
from .kinds.builtin_kinds import DEFINITION, NAMESPACE, facts_of
from .reading import live_object
from .registry import strategy
from .registry.feature_gates import drop_disabled
from .resources import check_definition
from .unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .decoding.field_validation import FieldValidation
    from .identity import ObjectId
    from .managed_fields import ManagedFieldsRecorder
    from .problems import Problem
    from .protocol import Object, Resource
    from .request_admission import RequestAdmission
    from .storage.changes import Changes


class Transaction:
    """The cluster as one request sees and changes it. A dry run does everything except storing."""

    def __init__(
        self,
        changes: Changes,
        recorder: ManagedFieldsRecorder,
        field_validation: FieldValidation,
        admission: RequestAdmission,
    ) -> None:
        self.changes, self.recorder, self.field_validation = changes, recorder, field_validation
        self.admission, self.authorizer = admission, admission.authorizer
        self.store, self.kinds, self.origins = changes.store, changes.kinds, changes.origins
        self.minor = self.kinds.minor

    def live(self, resource: Resource, key: ObjectId) -> Object:
        """Return the live object in this version of its kind."""
        return live_object(self.store, self.kinds, resource, key)

    def in_version(self, content: Object, resource: Resource) -> Object:
        """Return an object, which was just written, in the requested version of its kind."""
        return self.kinds.in_version(content, resource) if self.kinds.is_converted(resource) else content

    def decoded(self, live: Object, resource: Resource) -> Object:
        """Return the live object as a server reads it, with its managedFields as they are."""
        content, entries = managed_fields.split_managed_fields(live)
        return managed_fields.with_managed_fields(decode_object(content, resource, self.kinds), entries)

    def hub(self, read: Object, content: Object, resource: Resource) -> Object:
        """Return a new object in the version that is stored. `read` is the object before fields behind closed feature
        gates were dropped.
        """
        metadata_of_hub = self.kinds.hub(content, resource)["metadata"]
        kept = drop_disabled(read, content, self.minor)  # as in the content, which lacks them by now
        return {**self.kinds.hub(kept, resource), "metadata": metadata_of_hub}

    def require_version(self, resource: Resource, key: ObjectId) -> None:
        """Reject a write without resourceVersion, for a kind that requires one."""
        if not resource.built_in or facts_of(resource.group, resource.kind).needs_version:
            raise Invalid.of(resource.called, key.name, [metadata.missing_version(self.minor)])

    def admitted(
        self,
        content: Object,
        live: Object | None,
        resource: Resource,
        record: Callable[[Object], Object],
        subresource: str | None = None,
        earlier_problems: Sequence[Problem] = (),
        sent: Object | None = None,
        **options: bool,
    ) -> Object:
        """Return a changed object after defaulting and validation."""
        warn = self.field_validation.warn
        content = admit(
            content,
            live,
            resource,
            self.kinds,
            record,
            subresource,
            earlier_problems=earlier_problems,
            warn=warn,
            sent=sent,
            **options,
        )
        if (resource.group, resource.kind) == DEFINITION:
            check_definition(content, resource, self.kinds.release)
        return content

    def store_if_changed(
        self,
        key: ObjectId,
        live: Object,
        before: Object,
        content: Object,
        resource: Resource,
        subresource: str | None = None,
        sent: Object | None = None,
        read: Object | None = None,
    ) -> Object:
        """Store the object if it differs from the decoded live one, `before`.

        `sent` is the object of the request, with its empty lists and maps, and `read` is that object decoded.
        """
        content, old = as_stored(content, resource, self.kinds), before
        if resource.built_in and self.kinds.minor <= comparison.PRINTED_UNTIL:
            old = comparison.with_null_times(old, content)
        if self.kinds.is_converted(resource):
            old = self.kinds.hub(self.store.get(key) or live, resource)
            content = self.hub(read or content, content, resource)
            kept = "status" if subresource is None else "spec"  # annotations contain part of it
            content = {**content, **{field: old[field] for field in (kept,) if field in old}}
        known = spelled_as(content, old, resource, self.kinds)
        if subresource is None and generations.is_incremented(content, known, resource, self.kinds, sent):
            content = generations.incremented(content)
        elif self._is_unchanged(content, old, resource, None if subresource else sent) and not self._lacks_phase(key):
            return live
        if deletion.grace_is_over(live) and deletion.is_removable(self.changes, key, content):
            self.changes.remove(key, live)
            return self.in_version(content, resource)
        return self.in_version(self.changes.save(key, content, live), resource)

    def _is_unchanged(self, content: Object, old: Object, resource: Resource, sent: Object | None) -> bool:
        if (resource.group, resource.kind) == NAMESPACE and sent is not None:
            asked = as_map(sent.get("spec")).get("finalizers")
            if asked is not None and asked != as_map(old.get("spec")).get("finalizers"):
                return managed_fields.is_same(content, old)  # a server compares before it restores them
        schema = self.kinds.schema(resource)
        return managed_fields.is_unchanged(content, old, schema, built_in=resource.built_in)

    def _lacks_phase(self, key: ObjectId) -> bool:
        stored = self.store.get(key) if key.group_kind in strategy.PHASELESS else None
        return stored is not None and strategy.is_as_created(stored)
