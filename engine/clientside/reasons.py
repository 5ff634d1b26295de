"""Why every field has its value: derived from the three documents and the merged object, after the merge.

The merge itself keeps no reasons, so that it stays fast.
"""

from __future__ import annotations

from collections import Counter

from ..directives import ANNOTATION
from ..paths import render
from ..tables.identity import Keys, told_apart
from ..tables.schema import ANYTHING
from ..values.plain import ABSENT, kind_name, same
from .change import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from ..paths import Steps
    from ..tables.rules import Rule
    from ..tables.schema import Schema
    from ..values.plain import Object

    Four: TypeAlias = tuple[Any, Any, Any, Any]
    """The values of one place in config, last applied, live and merged; `ABSENT` if missing."""


KEPT = "kept: only in live, set by another writer"
"""The server is somebody else, too: its default values are known in higher rooms."""
DRIFTED = "set: live had drifted from config"
DIFFERS = "set: config differs from live"
"""Somebody else has set another value in live, or the config has a new one."""
_APPLIED = "apply stores the config here"


def explain(
    config: Object,
    last: Object | None,
    live: Object | None,
    schema: Schema | None,
    merged: Object,
    *,
    merges_lists: bool,
    all_keys: bool = False,
) -> tuple[Change, ...]:
    """Why every field of the merged object has its value, and why others were removed; sorted by path.

    `merges_lists`: lists were merged by the rules of the schema. `all_keys`: by all keys, not the merge key alone.
    """
    reasons = _Reasons(schema, merges_lists, all_keys)
    four = (config, {} if last is None else last, {} if live is None else live, merged)
    rule = schema.type.rule if schema else None
    return tuple(reasons.fields((), four, rule, retained=False))


class _Reasons:
    def __init__(self, schema: Schema | None, merges_lists: bool, all_keys: bool) -> None:
        self.schema, self.merges_lists, self.all_keys = schema, merges_lists, all_keys

    def fields(self, steps: Steps, four: Four, rule: Rule | None, *, retained: bool) -> Iterator[Change]:
        """The reasons for all fields of a map."""
        maps = [value if type(value) is dict else {} for value in four]
        for key in sorted({key for value in maps for key in value}):
            inner = self.schema.field(rule, key) if self.schema else None
            values = tuple(value.get(key, ABSENT) for value in maps)
            yield from self.value((*steps, key), values, inner, retained=retained)

    def value(self, steps: Steps, four: Four, rule: Rule | None, *, retained: bool = False) -> Iterator[Change]:
        """The reasons for one value and everything in it."""
        config, last, live, merged = four
        if merged is ABSENT:
            if live is not ABSENT or config is None:
                yield Change(steps, "cleared", live, ABSENT, self._cleared(config, last, retained), rule)
        elif live is ABSENT:
            yield Change(steps, "added", ABSENT, merged, self._added(steps, config), rule)
        elif config is ABSENT and last is ABSENT and same(live, merged):
            yield Change(steps, "kept", live, merged, KEPT, rule)
        elif type(live) is dict and type(merged) is dict and not self._has(rule, "replace"):
            inner = tuple(self.fields(steps, four, rule, retained=self._has(rule, "retainKeys")))
            yield from inner or (self._whole(steps, four, rule),)
        elif type(live) is list and type(merged) is list and (live or merged) and self._has(rule, "merge"):
            yield from self._merged_list(steps, four, rule)
        else:
            yield self._whole(steps, four, rule)

    def _whole(self, steps: Steps, four: Four, rule: Rule | None) -> Change:
        """The reason for a value that merges as a whole."""
        config, _, live, merged = four
        if same(live, merged):
            if config is ABSENT:
                return Change(steps, "kept", live, merged, "kept: not in config, and nothing cleared it", rule)
            return Change(steps, "unchanged", live, merged, "unchanged: config and live agree", rule)
        return Change(steps, "changed", live, merged, self._changed(steps, four), rule)

    def _changed(self, steps: Steps, four: Four) -> str:
        config, last, live, merged = four
        if steps[-1:] == (ANNOTATION,):
            return f"changed: {_APPLIED}"
        if config is ABSENT:
            return "changed: by a patch directive"
        if type(live) is not type(merged):
            return f"replaced: live has {kind_name(live)}, config has {kind_name(merged)}"
        if type(merged) is list:
            if not self.merges_lists:
                return "list replaced: a JSON merge patch replaces lists"
            return "list replaced: no merge strategy"
        if type(merged) is dict:
            return "map replaced: its patch strategy is replace"
        if last is not ABSENT and same(last, config):
            return DRIFTED
        return DIFFERS

    def _added(self, steps: Steps, config: Any) -> str:
        if steps[-1:] == (ANNOTATION,) or (type(config) is dict and [*config] == [ANNOTATION]):
            return f"added: {_APPLIED}"
        return "added: in config, not in live" if config is not ABSENT else "added: by a patch directive"

    def _cleared(self, config: Any, last: Any, retained: bool) -> str:
        if config is None:
            return "cleared: null in config"
        if config is ABSENT and last is not ABSENT:
            return "cleared: in last-applied, not in config"
        if config is ABSENT and retained:
            return "dropped by $retainKeys: not in config"
        return "cleared: by a patch directive"

    def _merged_list(self, steps: Steps, four: Four, rule: Rule | None) -> Iterator[Change]:
        """The reasons for the elements of a list that merges by key or by value."""
        keys = self._keys(rule)
        name_of, step_of = (keys.full, keys.step) if self.all_keys else (keys.merged_by, keys.short_step)
        tables = [told_apart(value, name_of) if type(value) is list else {} for value in four]
        live, merged = tables[2], tables[3]
        if any(table is None for table in tables) or live is None or merged is None:
            yield self._whole_list(steps, four, rule, _lost(four[0], four[3], name_of, step_of) if keys.names else "")
            return
        element = self._element(rule)
        for name in {**merged, **live}:
            values = tuple(table.get(name, ABSENT) for table in tables if table is not None)
            known = next(value for value in reversed(values) if value is not ABSENT)
            yield from self._one_element((*steps, step_of(known) or 0), values, element, rule)
        before = [name for name in live if name in merged]
        if before != [name for name in merged if name in live]:
            yield Change(steps, "reordered", four[2], four[3], "reordered: elements of config come first", rule)

    def _whole_list(self, steps: Steps, four: Four, rule: Rule | None, lost: str) -> Change:
        _, _, live, merged = four
        if same(live, merged):
            reason = f"unchanged: {lost or 'the merge did not change it'}"
            return Change(steps, "unchanged", live, merged, reason, rule)
        reason = f"merged: {lost or 'elements share an identity or have none, so they cannot be distinguished'}"
        return Change(steps, "changed", live, merged, reason, rule)

    def _one_element(self, steps: Steps, four: Four, element: Rule | None, rule: Rule | None) -> Iterator[Change]:
        config, _, live, merged = four
        if rule and rule.merge_key and config is not ABSENT and live is not ABSENT and merged is not ABSENT:
            name = render(steps[-1:])[1:-1]
            yield Change(steps, "matched", live, merged, f"element matched by {name}", element)
            yield from self.fields(steps, four, element, retained=self._has(rule, "retainKeys"))
        else:
            yield from self.value(steps, four, element)

    def _keys(self, rule: Rule | None) -> Keys:
        return Keys(rule or ANYTHING, self.schema.types if self.schema else None)

    def _has(self, rule: Rule | None, strategy: str) -> bool:
        return self.merges_lists and rule is not None and strategy in rule.strategies

    def _element(self, rule: Rule | None) -> Rule | None:
        return self.schema.inside(rule)[0] if self.schema and rule else None


def _lost(config: Any, merged: list[Any], name_of: Callable[[Any], Any], step_of: Callable[[Any], Any]) -> str:
    """A sentence on elements that were lost because they share their keys; empty if none were."""
    if type(config) is not list:
        return ""
    wanted, left = Counter(map(name_of, config)), Counter(map(name_of, merged))
    for item in config:
        name = name_of(item)
        if name is not None and wanted[name] > max(left[name], 1):
            called = render((step_of(item),))[1:-1]
            counts = f"config has {wanted[name]} elements with {called} and the result {left[name]}"
            return f"{counts}: the merge cannot distinguish them"
    return ""
