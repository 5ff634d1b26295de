"""The status of a quota: its limits, and the usage of all objects of its namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..kinds.builtin_kinds import DEFINITION, stored_in
from ..unchecked import as_map, get_path
from .admission import context_of, set_status
from .amounts import added, are_equal, only, printed
from .evaluators import ALIASES, is_in_scopes, used_of
from .registry import SPECIAL, evaluator_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..protocol import Object
    from ..storage.changes import Changes
    from .evaluators import Evaluator

COUNT = "count/"
CONTROLLERS = "kube-controller-manager"


def update_status(changes: Changes, quota: Object) -> None:
    """Store the limits and the usage of a quota, if they differ from its status."""
    hard = printed(as_map(get_path(quota, "spec.hard")))
    used = printed(only({**used_of(quota), **_usage(changes, quota, hard)}, hard))
    status = as_map(quota.get("status"))
    if not (are_equal(hard, as_map(status.get("hard"))) and are_equal(used, as_map(status.get("used")))):
        wanted = {field: value for field, value in (("hard", hard), ("used", used)) if value}
        set_status(changes, quota, wanted, CONTROLLERS)


def _usage(changes: Changes, quota: Object, hard: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    namespace = quota["metadata"]["namespace"]
    for evaluator, kind in _evaluators(changes, hard):
        names = evaluator.matching(hard)
        used: dict[str, Any] = dict.fromkeys(names, "0")
        stored = stored_in(evaluator.group, kind), kind
        for one in changes.store.of_kind(*stored, namespace) if names else ():
            if is_in_scopes(quota, one, evaluator):
                used = added(used, only(evaluator.usage(one), used))
        found = added(found, used)
    return found


def _evaluators(changes: Changes, hard: dict[str, str]) -> Iterator[tuple[Evaluator, str]]:
    """Yield the evaluators of a quota, each with its kind."""
    context = context_of(changes)
    wanted = dict.fromkeys(SPECIAL) | dict.fromkeys(one for one, alias in ALIASES.items() if alias in hard)
    for name in hard:
        if name.startswith(COUNT):
            plural, _, group = name[len(COUNT) :].partition(".")
            wanted[group, plural] = None
    kinds = {resource: kind for resource, (kind, _) in SPECIAL.items()}
    if wanted.keys() - kinds.keys():
        kinds |= {(one.group, one.plural): one.kind for one in changes.kinds.all() if one.namespaced}
        specs = (one["spec"] for one in changes.store.of_kind(*DEFINITION))  # some may be new in this transaction
        kinds |= {(one["group"], one["names"]["plural"]): one["names"]["kind"] for one in specs}
    for resource in wanted:
        evaluator = evaluator_of(*resource, context) if resource in kinds else None
        if evaluator is not None:
            yield evaluator, kinds[resource]
