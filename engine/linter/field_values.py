"""Every field of the config, with its rule and its values in the other documents."""

from __future__ import annotations

from collections import Counter

from ..directives import is_directive
from ..tables.identity import ElementLabels, Keys
from ..values.plain import ABSENT
from .values import fields, items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from typing import Any

    from ..paths import Step, Steps
    from ..tables.rules import Rule, Type
    from ..tables.schema import Schema


class FieldValues:
    """One field in config, last-applied, live and the predicted result; `ABSENT` if a document does not have it.

    rule      the rule of the field, or None if unknown
    holder    the type of the value, if it has fields
    keys      the keys of the elements, if the value is a list whose keys are known
    replaced  true if apply replaces a parent as a whole, so nothing is merged here
    atomic    true if server-side apply owns the field or a parent as a whole
    """

    __slots__ = ("atomic", "config", "holder", "keys", "last", "live", "merged", "parent", "replaced", "rule", "steps")

    def __init__(
        self,
        steps: Steps,
        four: tuple[Any, Any, Any, Any],
        rule: Rule | None,
        holder: Type | None,
        parent: FieldValues | None,
        *,
        keys: Keys | None,
        replaced: bool,
        atomic: bool,
    ) -> None:
        self.steps, self.rule, self.holder, self.parent = steps, rule, holder, parent
        self.config, self.last, self.live, self.merged = four
        self.keys, self.replaced, self.atomic = keys, replaced, atomic

    @property
    def four(self) -> tuple[Any, Any, Any, Any]:
        """The values of config, last-applied, live and the predicted result."""
        return self.config, self.last, self.live, self.merged

    @property
    def type_name(self) -> str:
        """The type of a map without its version, such as "core.EnvVar"; empty if it has no type."""
        if self.holder is None:
            return ""
        module, _, name = self.holder.name.partition(".")
        return f"{module.partition('_v')[0]}.{name}"


class FieldWalk:
    """Walks all fields, parents first, fields sorted by name."""

    def __init__(self, schema: Schema | None, *, strategic: bool) -> None:
        self.schema, self.strategic = schema, strategic
        self._keys: dict[Rule, Keys] = {}

    def places(self, four: tuple[Any, Any, Any, Any]) -> Iterator[FieldValues]:
        """Every field, starting with the object itself. Not recursive, because documents may be deep."""
        rule = self.schema.type.rule if self.schema else None
        todo = [self._place((), four, rule, None)]
        while todo:
            place = todo.pop()
            yield place
            todo.extend(reversed(list(self._inside(place))))

    def merges(self, rule: Rule | None) -> bool:
        """True if apply merges a list with this rule element by element."""
        return self.strategic and rule is not None and rule.kind == "list" and "merge" in rule.strategies

    def _place(
        self, steps: Steps, four: tuple[Any, Any, Any, Any], rule: Rule | None, parent: FieldValues | None
    ) -> FieldValues:
        holder = self.schema.struct(rule) if self.schema else None
        atomic = parent is not None and parent.atomic
        atomic = atomic or (rule is not None and rule.kind == "map" and rule.map_type == "atomic")
        replaced = parent is not None and (parent.replaced or self._replaces(parent))
        keys = self._keys_of(rule)
        return FieldValues(steps, four, rule, holder, parent, keys=keys, replaced=replaced, atomic=atomic)

    def _replaces(self, place: FieldValues) -> bool:
        if type(place.config) is list:
            return not (self.merges(place.rule) and place.keys and place.keys.merge_key)
        return self.strategic and place.rule is not None and "replace" in place.rule.strategies

    def _keys_of(self, rule: Rule | None) -> Keys | None:
        if rule is None or not (self.merges(rule) or rule.list_type in ("map", "set")):
            return None
        known = self._keys.get(rule)
        if known is None:
            known = self._keys[rule] = Keys(rule, self.schema.types if self.schema else None)
        return known

    def _inside(self, place: FieldValues) -> Iterator[FieldValues]:
        if type(place.config) is dict and not (place.steps and is_directive(place.steps[-1])):
            yield from self._fields(place)
        elif type(place.config) is list:
            yield from self._elements(place)

    def _fields(self, place: FieldValues) -> Iterator[FieldValues]:
        maps = [fields(value) for value in place.four]
        for key in sorted({key for value in maps for key in value}):
            if not (key == "status" and self._is_object(place)):
                config, last, live, merged = (value.get(key, ABSENT) for value in maps)
                rule = self.schema.field(place.rule, key) if self.schema else None
                yield self._place((*place.steps, key), (config, last, live, merged), rule, place)

    def _is_object(self, place: FieldValues) -> bool:
        """True for a whole Kubernetes object; its status does not belong in a config."""
        return not place.steps and (self.schema is None or self.schema.kind is not None)

    def _elements(self, place: FieldValues) -> Iterator[FieldValues]:
        rule = self.schema.inside(place.rule)[0] if self.schema and place.rule and place.rule.kind == "list" else None
        lists = [items(value) for value in place.four]
        if place.keys is None or not place.keys.names:
            for at, item in enumerate(lists[0]):
                others = [other[at] if len(other) == len(lists[0]) else ABSENT for other in lists[1:]]
                yield self._place((*place.steps, at), (item, *others), rule, place)
            return
        known = [_unique(place.keys, value) for value in lists]
        labels = ElementLabels(place.keys, *lists[:3])
        for at, item in enumerate(lists[0]):
            name = place.keys.full(item)
            step: Step = (labels.of(item) or 0) if name in known[0] else at
            found = [table.get(name, ABSENT) if name in known[0] else ABSENT for table in known[1:]]
            yield self._place((*place.steps, step), (item, *found), rule, place)
        mine = {place.keys.full(item) for item in lists[0]}
        for name, item in known[1].items():
            if name not in mine:
                found = [table.get(name, ABSENT) for table in known[2:]]
                yield self._place((*place.steps, labels.of(item) or 0), (ABSENT, item, *found), rule, place)


def _unique(keys: Keys, values: list[Any]) -> dict[Hashable, Any]:
    """The elements by full identity, without those that share one or have none."""
    names = [keys.full(item) for item in values]
    times = Counter(names)
    return {name: item for name, item in zip(names, values, strict=True) if name is not None and times[name] == 1}
