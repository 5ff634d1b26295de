"""Fields that API servers begin or stop to store, because a feature gate is on or off by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tables.served import is_of_kubernetes

from ..apiserver.eras import minor_of
from ..apiserver.registry.feature_gates import closed_fields, on_since
from .aspects import SEVERITY
from .model import RuleChange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema

    from ..apiserver.registry.feature_gates import GatedPlace


def gate_changes(left: Schema, right: Schema) -> Iterator[RuleChange]:
    """The fields of a kind that only one of two releases stores by default, of those that both specify."""
    if not (left.release and right.release and left.key and right.key and is_of_kubernetes(right.key[0])):
        return
    before, after = _closed(left), _closed(right)
    for path in sorted(before.keys() ^ after.keys()):
        rules = left.rule(path), right.rule(path)
        if None in rules:
            continue
        if path in before:
            aspect, gate, effect = "stored", before[path], _stored(before[path].gate, left.release)
        else:
            aspect, gate, effect = "not stored", after[path], _dropped(after[path].gate)
        yield RuleChange(*right.key, path, (aspect,), SEVERITY[aspect], *rules, effect, gate.place)


def _closed(schema: Schema) -> dict[str, GatedPlace]:
    return {one.path: one for one in closed_fields(schema)}


def _stored(gate: str, release: str) -> str:
    since = on_since(gate, minor_of(release))
    when = f" since 1.{since}" if since else ""
    return f"the API server now stores the field, because the feature gate {gate} is on by default{when}"


def _dropped(gate: str) -> str:
    return f"the API server drops the field, because the feature gate {gate} is off by default"
