"""Strategic merge patches on custom resources, with lists merged by all keys of the definition.

The exact merge supports one merge key. Therefore each element gets an extra field, a mark that stands for all of its
keys with their defaults. The lists merge by the mark, with all directives. Then the marks are removed.
"""

from __future__ import annotations

from ..directives import ORDER, PATCH, REPLACE, RETAIN
from ..errors import MergeError
from ..strategic.fast import APPLY
from ..tables.identity import Keys
from ..tables.patch_schema import patch_schema
from ..tables.rules import Rule, Type
from ..tables.types import Types
from ..values.guard import run
from .lists import merging_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

    from ..paths import Step
    from ..tables.schema import Schema
    from ..values.plain import Object

MARK = "\0keys"
"""The name of the mark field; no real field has this name."""


def apply_patch_by_all_keys(target: Object, patch: Object, schema: Schema) -> Object:
    """The target after a strategic patch, with lists merged by the keys of the schema."""
    merging = merging_lists(schema)
    marked = merging.of_types(merging.types.once("marked", _MarkedTypes, merging.types))

    def work(target: Object, patch: Object) -> Object:
        marks = _Marks(merging)
        try:
            whole, change = (marks.maps(one, merging.type.rule, strict=one is patch) for one in (target, patch))
            merged: Object = _remove_marks(APPLY.maps(whole, change, patch_schema(marked)))
        except MergeError as error:
            error.steps = tuple(marks.step(step) for step in error.steps)
            raise
        return merged

    return run(work, target=target, patch=patch)


class _MarkedTypes(Types):
    """Types whose rules merge lists by the marks of their elements."""

    def __init__(self, types: Types) -> None:
        super().__init__(types.data, types.minor, None, types.patch)
        self._types = types

    def __missing__(self, name: str) -> Type:
        found = self._types[name]
        fields = {field: _by_mark(rule) for field, rule in found.fields.items()}
        return self.setdefault(name, Type(name, _by_mark(found.rule), fields))


def _by_mark(rule: Rule) -> Rule:
    """The rule, with the mark as merge key if its elements are marked."""
    return Rule("list", rule.of, ",".join(rule.strategies), MARK) if _is_marked(rule) else rule


def _is_marked(rule: Rule) -> bool:
    """True for a list whose elements are marked: its merge key is one of its map keys."""
    return rule.list_type == "map" and rule.merge_key in rule.map_keys


class _Marks:
    """Marks for the elements of several documents. Elements with equal keys get the same mark."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._marks: dict[Hashable, str] = {}
        self._steps: dict[str, Step] = {}

    def maps(self, value: Object, rule: Rule, *, strict: bool) -> Object:
        """A copy of a map with marked elements. An element without keys is an error if `strict`, else unique."""
        result: Object = {}
        for key, item in value.items():
            field = self._schema.field(rule, key.removeprefix(f"{ORDER}/"))
            try:
                result[key] = self._value(item, field, strict)
            except MergeError as error:
                error.within(key)
                raise
        return result

    def _value(self, value: Any, rule: Rule | None, strict: bool) -> Any:
        if rule is not None and type(value) is dict:
            return self.maps(value, rule, strict=strict)
        if rule is None or rule.kind != "list" or type(value) is not list:
            return value
        element = self._schema.inside(rule)[0]
        items = [self._value(item, element, strict) for item in value]
        if _is_marked(rule):
            keys = Keys(rule, self._schema.types)
            for item in items:
                if type(item) is dict and item.get(PATCH) != REPLACE:
                    self._mark(item, keys, strict)
        return items

    def _mark(self, element: Object, keys: Keys, strict: bool) -> None:
        try:
            name = keys.required(element)
        except MergeError:
            if strict:
                raise
            name = id(element)
        mark = self._marks.setdefault(name, str(len(self._marks)))
        self._steps.setdefault(mark, keys.step(element) or ())
        element[MARK] = mark
        if type(element.get(RETAIN)) is list:
            element[RETAIN] = [*element[RETAIN], MARK]

    def step(self, step: Step) -> Step:
        """A path step with the keys instead of the mark."""
        if type(step) is tuple and step[0][0] == MARK:
            return self._steps.get(str(step[0][1]), step)
        return step


def _remove_marks(value: Any) -> Any:
    if type(value) is dict:
        return {key: _remove_marks(item) for key, item in value.items() if key != MARK}
    return [_remove_marks(item) for item in value if item != MARK] if type(value) is list else value
