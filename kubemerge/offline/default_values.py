"""Which fields that only live has are default values of the server, for the reasons that people read."""

from __future__ import annotations

from engine.clientside.change import Change
from engine.clientside.reasons import KEPT
from engine.values.plain import ABSENT, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from engine.paths import Step, Steps

    from .pairs import Merged

BY_DEFAULT = "kept: only in live, a default value of the server"


def told_apart(merged: Merged, changes: Iterable[Change]) -> Iterator[Change]:
    """The changes, where a field that apply keeps is a default value or was set by somebody else.

    What is known of default values are the tables of the embedded cluster: of a field that they do not have, nobody can
    say more than that somebody else has set it.
    """
    filled: Any = None
    for change in changes:
        if change.reason == KEPT:
            filled = filled or _filled(merged)
            if same(_at(filled, change.steps), change.before):
                yield Change(change.steps, change.action, change.before, change.after, BY_DEFAULT, change.rule)
                continue
        yield change


def _filled(merged: Merged) -> Any:
    """The config as a server would store it, if it were new."""
    from ..cluster.embedded.admission.defaults.fill import fill  # the tables are rarely needed

    schema = merged.inputs.schema
    return fill(merged.inputs.config, None, schema.release if schema else None)


def _at(value: Any, steps: Steps) -> Any:
    for step in steps:
        value = _below(value, step)
    return value


def _below(value: Any, step: Step) -> Any:
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step, ABSENT)
    if isinstance(value, list) and isinstance(step, tuple):
        return next((item for item in value if _is_called(item, dict(step))), ABSENT)
    return ABSENT


def _is_called(item: Any, keys: dict[Any, Any]) -> bool:
    return isinstance(item, dict) and all(same(item.get(key, ABSENT), wanted) for key, wanted in keys.items())
