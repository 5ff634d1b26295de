"""What identifies an element of a list: to server-side apply by all its keys, to client-side apply by one of them."""

from __future__ import annotations

from ..values.plain import ABSENT, identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

    from ..tables.rules import Rule
    from ..tables.schema import Schema


class Keys:
    """How the elements of one list are told apart.

    names      the fields of the full identity; empty where the elements are scalars that identify themselves
    merge_key  the one field that a strategic merge patch goes by, or None
    """

    __slots__ = ("_defaults", "merge_key", "names")

    def __init__(self, rule: Rule, schema: Schema) -> None:
        _, struct = schema.inside(rule)
        fields = struct.fields if struct else {}
        self.merge_key = rule.merge_key
        names = rule.map_keys or ((rule.merge_key,) if rule.merge_key else ())
        if names and rule.derived:
            # Specifications that do not state the keys yet: a field with a default is one in later ones.
            names += tuple(name for name, field in fields.items() if field.default is not None and name not in names)
        self.names = names
        self._defaults = {name: fields[name].default for name in names if name in fields}

    @property
    def finer(self) -> bool:
        """Whether elements that differ can share the merge key."""
        return self.merge_key is not None and self.names != (self.merge_key,)

    def full(self, item: Any) -> Hashable:
        """The full identity, to look up; None for an element that has none."""
        if not self.names:
            return None if type(item) in (dict, list) else identity(item)
        step = self.step(item)
        return None if step is None else tuple(identity(value) for _, value in step)

    def merged_by(self, item: Any) -> Hashable:
        """What a strategic merge patch goes by; None for an element that lacks it."""
        if self.merge_key is None:
            return self.full(item) if not self.names else None
        value = item.get(self.merge_key, ABSENT) if type(item) is dict else ABSENT
        return None if value is ABSENT or type(value) in (dict, list) else identity(value)

    def step(self, item: Any) -> tuple[tuple[str, Any], ...] | None:
        """The full identity as a step of a path, with the defaults of missing keys."""
        if not self.names:
            return None if type(item) in (dict, list) else (("", item),)
        if type(item) is not dict:
            return None
        pairs = []
        for name in self.names:
            value = item.get(name)
            value = self._defaults.get(name) if value is None else value
            if type(value) in (dict, list):
                return None
            pairs.append((name, value))
        return None if all(value is None for _, value in pairs) else tuple(pairs)

    def short_step(self, item: Any) -> tuple[tuple[str, Any], ...] | None:
        """The merge key alone as a step of a path; the full identity where there is no merge key."""
        if self.merge_key is None or type(item) is not dict or self.merged_by(item) is None:
            return self.step(item)
        return ((self.merge_key, item[self.merge_key]),)
