"""The policies and webhooks of a cluster, applied to one request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..duplicate_owners import PATCHED, without_duplicates
from ..managed_fields import entries_problem, with_managed_fields
from ..metadata import without_status
from ..patch_identity import check_namespace
from ..registry import statuses
from ..registry.strategy import as_created, is_phaseless
from ..unchecked import as_map
from .mutating import MutatingPolicies
from .patches import printed_status
from .request import CREATE
from .source import NO_POLICIES
from .validating import validate

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from ..protocol import Object
    from ..webhooks.admission import RequestWebhooks
    from .context import PolicyContext
    from .decisions import Mutated
    from .source import Candidates

LATER = ("uid", "creationTimestamp", "generation")
"""Metadata of a new object that a server sets after mutating admission."""


UNREADABLE_MANAGERS = (
    ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating "
    "admission controller; please fix your requests: {}"
)


class RequestPolicies:
    """The policies and webhooks that may apply to one request. The server's steps call it at its place among other
    plugins.
    """

    def __init__(
        self,
        policies: Candidates | None,
        context: PolicyContext,
        before: Object | None,
        warn: Callable[[str], None],
        webhooks: RequestWebhooks | None = None,
    ) -> None:
        self._policies = policies or NO_POLICIES
        self._context, self._before, self._warn, self._webhooks = context, before, warn, webhooks

    @property
    def mutations(self) -> list[Mutated]:
        """The changes by mutating policies so far."""
        return self._context.mutations

    def mutate(self, content: Object, again: Callable[[Object], Object] = lambda content: content) -> Object:
        """Return the object after the mutating policies and webhooks. `again` runs the other mutating plugins once
        more.
        """
        request = self._context.request
        if not self._policies.mutating and (self._webhooks is None or not self._webhooks.is_mutating):
            return content
        if request.operation != CREATE:
            found = self._mutated(content, again)
            return found if found is content else self._settled(content, found)
        later = LATER if request.name else (*LATER, "name")
        kept = {name: content["metadata"][name] for name in later if name in content["metadata"]}
        sent = _without(content, later)
        if request.resource.built_in and "status" not in content and not request.subresource:
            status = printed_status(request.resource, self._context.kinds)
            sent |= {} if status is None else {"status": status}

        def repeated(one: Object) -> Object:
            return _without(again({**one, "metadata": {**one["metadata"], **kept}}), later)

        found = self._mutated(sent, repeated)
        if found is sent:
            return content
        found = self._settled(sent, found)
        if request.resource.namespaced:
            check_namespace(found["metadata"].get("namespace"), content["metadata"].get("namespace"))
        found = {**found, "metadata": {**found["metadata"], **kept}}
        return without_status(found, request.resource, self._context.kinds.minor)

    def _mutated(self, content: Object, again: Callable[[Object], Object]) -> Object:
        """The object after policies and then webhooks. Changes can make all of it necessary once more."""
        policies = MutatingPolicies(self._policies.mutating, self._context, self._before)
        hooks = self._webhooks
        found = policies.first(content)
        if hooks is not None:
            found = hooks.mutate(found)
        if not policies.patched and (hooks is None or not hooks.patched):
            return found
        found = policies.repeat(again(found))
        return found if hooks is None else hooks.mutate(found, again=True)

    def _settled(self, before: Object, after: Object) -> Object:
        """A mutated object with readable managedFields and distinct ownerReferences."""
        content = without_duplicates(after, self._context.kinds.minor, self._warn, PATCHED)
        entries, kept = (as_map(one.get("metadata")).get("managedFields") for one in (content, before))
        problem = "" if entries == kept else entries_problem(entries)
        if not problem:
            return content
        self._warn(UNREADABLE_MANAGERS.format(problem))
        return with_managed_fields(content, kept)

    def admit_deletion(self) -> None:
        """Reject a deletion that a policy or webhook denies. Mutating webhooks see it, too."""
        if self._webhooks is not None:
            self._webhooks.mutate_nothing()
        self.validate(None)

    def validate(self, content: Object | None) -> None:
        """Reject a valid object that a policy denies."""
        context = self._context
        request = context.request
        if not self._policies.validating and (self._webhooks is None or not self._webhooks.is_validating):
            return
        if not request.name and content is not None:  # it was generated in the meantime
            context.request = request = request._replace(name=content["metadata"].get("name", ""))
        if request.operation == CREATE and content is not None and not request.subresource:
            resource = request.resource
            schema = context.kinds.schema(resource)
            now = content["metadata"].get("creationTimestamp", "")
            content = statuses.with_status(content, resource, schema, now, context.kinds.minor)
            if is_phaseless((resource.group, resource.kind), context.kinds.minor):
                content = as_created(content)
        if self._policies.validating:
            validate(self._policies.validating, context, content, self._before, self._warn)
        if self._webhooks is not None:
            self._webhooks.validate(content)


def _without(content: Object, fields: Container[str]) -> Object:
    """A copy of an object without these fields of its metadata."""
    return {**content, "metadata": {name: one for name, one in content["metadata"].items() if name not in fields}}
