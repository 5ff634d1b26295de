"""Release of the usage of objects that are deleted, or use less than before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import as_map
from .admission import QUOTA, context_of, set_status
from .amounts import are_equal, only, printed, subtracted, without_zeros
from .evaluators import hard_of, is_matched, used_of
from .registry import evaluator_of
from .status import CONTROLLERS, update_status

if TYPE_CHECKING:
    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent
    from .evaluators import Evaluator


def release(changes: Changes, event: StoreEvent) -> None:
    """Update the quotas of the namespace after a change."""
    content = event.after or event.before or {}
    resource = changes.resource(content)
    evaluator = evaluator_of(resource.group, resource.plural, context_of(changes))
    if evaluator is None:
        return
    for quota in list(changes.store.of_kind(*QUOTA, event.key.namespace)):
        if not evaluator.matching(hard_of(quota)):
            continue
        if event.after is not None or event.before is None or "deletionTimestamp" in event.before["metadata"]:
            if _differs(quota, event, evaluator):
                update_status(changes, quota)
        elif is_matched(quota, event.before, evaluator):
            _subtract(changes, quota, event.before, evaluator)


def _differs(quota: Object, event: StoreEvent, evaluator: Evaluator) -> bool:
    """Whether a change may change the usage. That of a deleted Pod also ends with time."""
    if event.after is None or event.before is None:
        return True
    before, after = (
        evaluator.usage(one) if is_matched(quota, one, evaluator) else {} for one in (event.before, event.after)
    )
    return not are_equal(before, after)


def _subtract(changes: Changes, quota: Object, content: Object, evaluator: Evaluator) -> None:
    used = used_of(quota)
    less = only(without_zeros(evaluator.usage(content)), used)
    if less:
        after = {**used, **subtracted(only(used, less), less)}
        set_status(changes, quota, {**as_map(quota.get("status")), "used": printed(after)}, CONTROLLERS)
