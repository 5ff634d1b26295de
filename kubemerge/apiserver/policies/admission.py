"""The policies of a cluster, applied to one request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..metadata import without_status
from ..registry import statuses
from ..registry.strategy import CLAIM, as_created
from .mutating import mutate
from .patches import printed_status
from .request import CREATE, DELETE
from .validating import validate

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from ..protocol import Object
    from .decisions import Mutated
    from .source import Candidates
    from .surroundings import Surroundings

LATER = ("uid", "creationTimestamp", "generation")
"""Metadata of a new object that a server sets after mutating admission."""


class RequestPolicies:
    """The policies that may apply to one request. The server's steps call it at its place among other plugins."""

    def __init__(
        self, policies: Candidates, surroundings: Surroundings, before: Object | None, warn: Callable[[str], None]
    ) -> None:
        self._policies, self._surroundings, self._before, self._warn = policies, surroundings, before, warn

    @property
    def mutations(self) -> list[Mutated]:
        """The changes by mutating policies so far."""
        return self._surroundings.mutations

    def mutate(self, content: Object, again: Callable[[Object], Object] = lambda content: content) -> Object:
        """Return the object after the mutating policies. `again` runs the other mutating plugins once more."""
        request = self._surroundings.request
        if not self._policies.mutating or request.operation == DELETE:
            return content
        if request.operation != CREATE:
            return mutate(self._policies.mutating, self._surroundings, content, self._before, again)
        later = LATER if request.name else (*LATER, "name")
        kept = {name: content["metadata"][name] for name in later if name in content["metadata"]}
        sent = _without(content, later)
        if request.resource.built_in and "status" not in content and not request.subresource:
            status = printed_status(request.resource, self._surroundings.kinds)
            sent |= {} if status is None else {"status": status}

        def repeated(one: Object) -> Object:
            return _without(again({**one, "metadata": {**one["metadata"], **kept}}), later)

        found = mutate(self._policies.mutating, self._surroundings, sent, None, repeated)
        if found is sent:
            return content
        return without_status({**found, "metadata": {**found["metadata"], **kept}}, request.resource)

    def validate(self, content: Object | None) -> None:
        """Reject a valid object that a policy denies."""
        around = self._surroundings
        request = around.request
        if not self._policies.validating:
            return
        if not request.name and content is not None:  # it was generated in the meantime
            around.request = request = request._replace(name=content["metadata"].get("name", ""))
        if request.operation == CREATE and content is not None and not request.subresource:
            resource = request.resource
            schema = around.kinds.schema(resource)
            now = content["metadata"].get("creationTimestamp", "")
            content = statuses.with_status(content, resource, schema, now, around.kinds.minor)
            if (resource.group, resource.kind) == CLAIM:
                content = as_created(content)
        validate(self._policies.validating, around, content, self._before, self._warn)


def _without(content: Object, fields: Container[str]) -> Object:
    """A copy of an object without these fields of its metadata."""
    return {**content, "metadata": {name: one for name, one in content["metadata"].items() if name not in fields}}
