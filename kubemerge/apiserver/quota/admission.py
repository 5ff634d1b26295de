"""The ResourceQuota admission plugin: checks a request against the quotas of its namespace, and charges them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..controllers.bootstrap import SERVER
from ..errors import Forbidden
from ..identity import ObjectId
from ..managed_fields import ManagedFieldsRecorder
from ..unchecked import as_map
from ..validation.values.quantities import size
from .amounts import added, are_equal, in_words, names_in_words, only, printed, subtracted, without_zeros
from .evaluators import UPDATE, QuotaContext, hard_of, is_in_scopes, is_matched, used_of
from .registry import evaluator_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..protocol import Object, Resource
    from ..storage.changes import Changes
    from .evaluators import Evaluator

QUOTA = ("", "ResourceQuota")
RESOURCES_NAMED_SINCE = 15
"""The first minor release that names the resources of a quota without a status."""
SEVERAL_DELTAS_SINCE = 33
"""The first minor release that charges all of an object that an update moves into the scopes of a quota."""


class QuotaRequest(NamedTuple):
    """A request as the plugin sees it: the new object and, for an update, the one before."""

    operation: str
    resource: Resource
    name: str
    content: Object
    before: Object | None = None
    subresource: str = ""


def context_of(changes: Changes) -> QuotaContext:
    """Return what the evaluators read of the cluster."""
    return QuotaContext(changes.kinds.minor, changes.origins.clock, changes.store.of_kind)


def charge(changes: Changes, request: QuotaRequest, namespace: str) -> None:
    """Reject a request that exceeds a quota. Else add its usage to the status of the quotas."""
    resource = request.resource
    evaluator = evaluator_of(resource.group, resource.plural, context_of(changes))
    if evaluator is None:
        return
    if not evaluator.handles(request.operation, request.content, request.before, request.subresource):
        return
    quotas = list(changes.store.of_kind(*QUOTA, namespace))
    for quota, used in _charged(quotas, request, evaluator, changes.kinds.minor):
        if not are_equal(used, used_of(quota)):
            set_status(changes, quota, {**as_map(quota.get("status")), "used": printed(used)}, SERVER)


def set_status(changes: Changes, quota: Object, status: Object, manager: str) -> None:
    """Store the status of a quota. A dry run stores nothing."""
    metadata = quota["metadata"]
    recorder = ManagedFieldsRecorder(manager, changes.kinds, changes.origins)
    content = recorder.updated(quota, {**quota, "status": status}, changes.resource(quota), "status")
    changes.save(ObjectId(*QUOTA, metadata["namespace"], metadata["name"]), content, quota)


def _charged(
    quotas: list[Object], request: QuotaRequest, evaluator: Evaluator, minor: int
) -> list[tuple[Object, dict[str, Any]]]:
    """Return the quotas that a request changes, each with its new usage. Raise Forbidden if it exceeds one."""
    matched = [one for one in quotas if is_matched(one, request.content, evaluator)]
    for quota in matched:
        _require_status(quota, request, evaluator, minor)
    usage = evaluator.usage(request.content)
    negative = [name for name, value in usage.items() if size(value) < 0]
    if negative:
        raise _forbidden(request, f"quota usage is negative for resource(s): {names_in_words(negative)}")
    return [(quota, used) for quota in matched for used in _after(quota, usage, request, evaluator, minor)]


def _require_status(quota: Object, request: QuotaRequest, evaluator: Evaluator, minor: int) -> None:
    """Reject an object without a required amount, and any object of a quota whose usage is not known yet."""
    name, restricted = quota["metadata"]["name"], evaluator.matching(hard_of(quota))
    missing = evaluator.missing(restricted, request.content)
    if missing:
        raise _forbidden(request, f"failed quota: {name}: {missing}")
    if any(one not in used_of(quota) for one in restricted):
        resources = f", resources: {names_in_words(restricted)}" if minor >= RESOURCES_NAMED_SINCE else ""
        raise _forbidden(request, f"status unknown for quota: {name}{resources}")


def _after(
    quota: Object, usage: dict[str, Any], request: QuotaRequest, evaluator: Evaluator, minor: int
) -> Iterator[dict[str, Any]]:
    """Yield the usage of a quota after the request, if it changes."""
    before = request.before
    if (
        request.operation == UPDATE
        and before
        and (minor < SEVERAL_DELTAS_SINCE or is_in_scopes(quota, before, evaluator))
    ):
        usage = subtracted(usage, evaluator.usage(before))
    hard, used = hard_of(quota), used_of(quota)
    asked = only(without_zeros(usage), hard)
    if not asked:
        return
    after = added(used, asked)
    exceeded = [name for name in asked if size(after[name]) > size(hard[name])]
    if exceeded and request.subresource != "status":
        parts = [f"{word}: {in_words(only(of, exceeded))}" for word, of in (("requested", asked), ("used", used))]
        limited = f"limited: {in_words(only(hard, exceeded))}"
        name = quota["metadata"]["name"]
        raise _forbidden(request, f"exceeded quota: {name}, {', '.join(parts)}, {limited}")
    yield after


def _forbidden(request: QuotaRequest, why: str) -> Forbidden:
    return Forbidden(request.resource.called, request.name, why)
