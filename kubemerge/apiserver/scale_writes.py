"""Writes to the scale subresource of an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import managed_fields, metadata, scale
from .errors import NoResource
from .patch_identity import check_identity, scale_config

if TYPE_CHECKING:
    from collections.abc import Callable

    from .identity import ObjectId
    from .policies.admission import RequestPolicies
    from .protocol import Object, Resource
    from .transaction import Transaction


class ScaleWrite:
    """A write to the Scale of one object. It changes only the number of replicas."""

    def __init__(self, transaction: Transaction, resource: Resource, key: ObjectId) -> None:
        if resource.scaled_by is None:
            raise NoResource
        self._transaction, self._resource, self._key = transaction, resource, key
        self._definition = transaction.kinds.definition(resource)
        self._live = transaction.live(resource, key)
        self._before = transaction.decoded(self._live, resource)
        self._old = self._scale_of(self._before)

    def update(self, change: Callable[[Object], Object]) -> Object:
        """Return the Scale after a change to it."""
        transaction, key, resource = self._transaction, self._key, self._resource
        policies = self._policies()
        wanted = change(self._old)
        given = metadata.check_types(wanted.get("metadata"))
        check_identity({"metadata": {"name": key.name, **given}}, resource, key, transaction.minor)
        dry_run = transaction.changes.dry_run
        if policies is not None:
            wanted = policies.mutate(wanted)
        if resource.built_in:
            scale.check_replicas(wanted, key.name)
        metadata.require_same_object(given, self._live["metadata"], resource, part="scale", dry_run=dry_run)
        if given.get("resourceVersion") and metadata.requested_version(given) is None:
            transaction.require_version(resource, key)
        after = transaction.recorder.scaled(self._before, scale.replicas_of(wanted), resource)
        return self._stored(after, policies)

    def apply(self, config: object) -> Object:
        """Return the Scale after a server-side apply of a Scale."""
        transaction, resource = self._transaction, self._resource
        wanted = scale_config(config, resource, self._key, transaction.minor)
        applied = transaction.recorder.applied(wanted, self._before, resource, "scale")
        transaction.field_validation.check_repeated()
        return self._stored(applied, self._policies())

    def _scale_of(self, content: Object) -> Object:
        return scale.scale_of(content, self._resource, self._definition)

    def _policies(self) -> RequestPolicies | None:
        return self._transaction.admission.policies_for(
            "UPDATE", self._resource, self._key, self._old, "scale", kind=scale.KIND
        )

    def _stored(self, after: Object, policies: RequestPolicies | None) -> Object:
        """Store the scaled object. It is not decoded again, so that no defaults are applied."""
        content, entries = managed_fields.split_managed_fields(after)

        def record(full: Object) -> Object:
            return managed_fields.with_managed_fields(full, entries)

        content = self._transaction.admitted(content, self._live, self._resource, record, as_is=True)
        if policies is not None:
            policies.validate(self._scale_of(content))
        stored = self._transaction.store_if_changed(self._key, self._live, self._before, content, self._resource)
        return self._scale_of(stored)
