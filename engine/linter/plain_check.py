"""Fast check for new objects of built-in kinds without anything unusual: only a few rules can have findings on them.

Most configs are such objects. The check visits each value once instead of running two applies. Other configs get the
full check, so a false negative is harmless: an odd type, a null, or a list with two similar elements.
"""

from __future__ import annotations

from functools import lru_cache

from ..tables.schema import Schema
from .context import ConfigContext
from .rules.definitions import LIST_WITHOUT_KEYS
from .rules.unwanted_fields import NEVER_ACCEPTED, REFUSED
from .rules.whole_object import ANNOTATIONS_TOO_LARGE, WARN_FROM
from .unions import CHOSEN_BY, ONE_OF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .. import aliases
    from ..tables.rules import Rule
    from .findings import Finding
    from .unions import Discriminator

_SCALARS: dict[str | None, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int,),
    "boolean": (bool,),
    "int-or-string": (int, str),
}
_ODD = frozenset(REFUSED) | frozenset(NEVER_ACCEPTED)
DEFINITION = "CustomResourceDefinition"
_LARGEST_INTEGER, _DEEPEST, _LONGEST_QUANTITY = 2**53, 60, 20
_FIRST_SURROGATE = chr(0xD800)
_BYTES_OF_CHARACTER, _BYTES_OF_VALUE = 6, 80
"""The maximum size in JSON of a character, and of a value other than text with the name of its field."""
_CHECKS = [(rule, rule.check) for rule in (ANNOTATIONS_TOO_LARGE, LIST_WITHOUT_KEYS) if rule.check]


def findings_if_plain(config: aliases.Document, schema: Schema) -> list[Finding] | None:
    """The findings on a new object whose fields are all known and have the right types. None: it needs the full check.

    They are about its size, and about the schemas of a definition.
    """
    is_definition = schema.kind == DEFINITION
    look = _Traversal(schema, open_kinds=is_definition)
    if schema.kind == "Secret" or not _is_usual(config, look):
        return None
    if not is_definition and look.most_bytes() < WARN_FROM:
        return []
    context: Any = ConfigContext(config)
    return [rule.finding(problem) for rule, check in _CHECKS for problem in check(context)]


def _is_usual(config: aliases.Document, look: _Traversal) -> bool:
    """True for a new object with a name and without fields of the server, whose fields all have the right types."""
    schema = look.schema
    if type(config) is not dict or not schema.built_in or schema.kind is None:
        return False
    metadata = config.get("metadata")
    if config.get("kind") != schema.kind or config.get("apiVersion") != schema.api_version or "status" in config:
        return False
    if type(metadata) is not dict or not metadata.get("name") or not _ODD.isdisjoint(metadata):
        return False
    return look.at_fields(config, schema.type.name, 0)


class _Traversal:
    """One traversal of an object. It counts characters of text, and values.

    With `open_kinds`, a value whose kind the schema leaves open may be anything that an apply keeps as it is.
    """

    __slots__ = ("characters", "open_kinds", "schema", "values")

    def __init__(self, schema: Schema, *, open_kinds: bool = False) -> None:
        self.schema, self.open_kinds = schema, open_kinds
        self.characters = self.values = 0

    def most_bytes(self) -> int:
        """The maximum size of the annotations after an apply, which hold the config, and its own annotations again."""
        return 2 * (self.characters * _BYTES_OF_CHARACTER + self.values * _BYTES_OF_VALUE)

    def at_fields(self, value: dict[str, Any], owner: str, depth: int) -> bool:
        fields = self.schema.types[owner].fields
        if depth > _DEEPEST or not value.keys() <= fields.keys() or _has_choice(owner, value):
            return False
        self.values += len(value)
        for name, inner in value.items():
            rule = fields[name]
            if type(inner) is str and rule.of == "string" and rule.kind == "primitive" and inner.isascii():
                self.characters += len(inner)  # most values, so without a call
            elif not self._at(inner, rule, depth):
                return False
        return True

    def _at(self, value: Any, rule: Rule, depth: int) -> bool:
        kind = rule.kind
        if kind == "primitive":
            if rule.of == "quantity":
                is_short = type(value) is str and len(value) <= _LONGEST_QUANTITY
                return is_short and value.isascii() and value.rstrip("mkMGTKi").isdecimal()
            return type(value) in _SCALARS.get(rule.of, ()) and self._is_small(value)
        if kind == "list":
            return type(value) is list and self._at_list(value, rule, depth + 1)
        if kind == "any" or (self.open_kinds and rule.of is None and "replace" not in rule.strategies):
            return self.open_kinds and self._is_kept(value, depth + 1)
        if kind != "map" or type(value) is not dict or rule.of is None or rule.open or "replace" in rule.strategies:
            return False
        if not rule.free_keys:
            return self.at_fields(value, rule.of, depth + 1)
        inside = self.schema.inside(rule)[0]
        self.values += len(value)
        for key, inner in value.items():
            if (
                type(key) is not str
                or key[:1] == "$"
                or not self._is_small(key)
                or not self._at(inner, inside, depth + 1)
            ):
                return False
        return True

    def _is_kept(self, value: Any, depth: int) -> bool:
        """True if an apply keeps a value as it is: no nulls, directives or fractions."""
        if depth > _DEEPEST:
            return False
        if type(value) is dict:
            names = [type(key) is str and key[:1] != "$" and self._is_small(key) for key in value]
            return all(names) and all(self._is_kept(inner, depth + 1) for inner in value.values())
        if type(value) is list:
            return all(self._is_kept(inner, depth + 1) for inner in value)
        return type(value) in (str, int, bool) and self._is_small(value)

    def _at_list(self, value: list[Any], rule: Rule, depth: int) -> bool:
        inside = self.schema.inside(rule)[0]
        self.values += len(value)
        for item in value:
            if not self._at(item, inside, depth):
                return False
        if rule.merge_key is not None:
            return _all_differ([item.get(rule.merge_key) for item in value])
        if "merge" in rule.strategies:
            return len(value) < 2
        if rule.list_type == "set":
            return inside.kind == "primitive" and _all_differ(value)
        return rule.list_type != "map" or len(value) < 2

    def _is_small(self, value: Any) -> bool:
        if type(value) is not str:
            return bool(-_LARGEST_INTEGER < value < _LARGEST_INTEGER)
        self.characters += len(value)
        ordinary: bool = value.isascii() or max(value) < _FIRST_SURROGATE
        return ordinary


def _has_choice(owner: str, value: dict[str, Any]) -> bool:
    """True if fields are set that may exclude each other."""
    choice, group = _choices(owner)
    if choice is not None:
        chosen = value.get(choice.by)
        own = choice.members.get(chosen) if type(chosen) is str else None
        return any(one in value for one in choice.members.values() if one != own)
    return group is not None and sum(one in value for one in group) > 1


@lru_cache(maxsize=4096)
def _choices(owner: str) -> tuple[Discriminator | None, tuple[str, ...] | None]:
    module, _, name = owner.partition(".")
    bare = f"{module.partition('_v')[0]}.{name}"
    return CHOSEN_BY.get(bare), ONE_OF.get(bare)


def _all_differ(values: list[Any]) -> bool:
    """True if all values are present and no two are similar."""
    return None not in values and len(values) == len({str(one) for one in values})
