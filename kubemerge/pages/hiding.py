"""What a page may show of a Secret: which fields there are and whether they change, but no value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..showing.secrets import is_secret, masked, masked_pair

if TYPE_CHECKING:
    from engine.reasons import Change

    from ..merging.pairs import Merged

_SECRET = {"kind": "Secret"}


class Shown:
    """The documents and values of one merged object as they are to be shown."""

    def __init__(self, merged: Merged, *, show_secrets: bool) -> None:
        inputs, outcome = merged.inputs, merged.outcome
        self.hides = is_secret(inputs.config) and not show_secrets
        self.config, self.last_applied = self._alone(inputs.config), self._alone(inputs.last_applied)
        self.live, self.result = self._pair(merged.before, merged.after)
        self.patch = _masked_patch(outcome.patch) if self.hides else outcome.patch

    def values(self, change: Change) -> tuple[Any, Any]:
        """What a field was and what it is now."""
        if not self.hides or not all(isinstance(step, str) for step in change.steps):
            return change.before, change.after
        before, after = masked_pair(_placed(change.steps, change.before), _placed(change.steps, change.after))
        return _taken(change.steps, before), _taken(change.steps, after)

    def _alone(self, document: Any) -> Any:
        return masked(document) if self.hides else document

    def _pair(self, before: Any, after: Any) -> tuple[Any, Any]:
        return masked_pair(before, after) if self.hides else (before, after)


def _masked_patch(patch: dict[str, Any]) -> dict[str, Any]:
    """A patch says not what it is for; its nulls hold no value, they clear one."""
    found = masked({**patch, **_SECRET})
    return {key: _with_nulls(patch[key], found[key]) for key in patch}


def _with_nulls(value: Any, hidden: Any) -> Any:
    if isinstance(value, dict) and isinstance(hidden, dict):
        return {key: _with_nulls(item, hidden[key]) for key, item in value.items()}
    return None if value is None else hidden


def _placed(steps: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A Secret that has nothing but this value."""
    if value is None:
        return dict(_SECRET)
    for step in reversed(steps):
        value = {step: value}
    return {**value, **_SECRET}


def _taken(steps: tuple[Any, ...], document: Any) -> Any:
    for step in steps:
        if not isinstance(document, dict) or step not in document:
            return None
        document = document[step]
    return document
