"""A replay as it may be shown: the values of a Secret are masked."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..showing.secrets import AFTER, BEFORE, is_secret, masked

if TYPE_CHECKING:
    from .model import Group, Replay, Split


def hidden(replay: Replay) -> Replay:
    """The replay, its values masked if it is of a Secret."""
    if not is_secret(replay.config):
        return replay
    return replace(
        replay,
        config=masked(replay.config),
        live=masked(replay.live),
        last_applied=masked(replay.last_applied),
        groups=tuple(map(_group, replay.groups)),
        splits=tuple(map(_split, replay.splits)),
    )


def _group(group: Group) -> Group:
    if group.outcome is None:
        return group
    outcome = copy.copy(group.outcome)
    outcome.merged, outcome.patch = masked(outcome.merged), _patch(outcome.patch)
    return replace(group, outcome=outcome)


def _patch(patch: dict[str, Any]) -> dict[str, Any]:
    """A patch need not say of which kind it is."""
    found = masked({**patch, "kind": "Secret"})
    return {key: found[key] for key in patch}


def _split(split: Split) -> Split:
    differences = [
        replace(one, before=_known(one.before, BEFORE), after=_known(one.after, AFTER)) for one in split.differences
    ]
    return replace(split, differences=tuple(differences))


def _known(value: Any, mask: str) -> str | None:
    """Whether there is a value, and no more of it."""
    return None if value is None else mask
