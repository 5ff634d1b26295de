"""Declarative rules of a type in one release, from the rows in `generated/*_rules.py`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.validation.order import CONDITIONS, SHORT_CIRCUITS
from generated.enforced import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NEWEST = 1000
"""A minor release after all others."""
QUIET = ("optional", "opaqueType", "supportsSubresource", "isSubresource")
"""Rules that report no problems themselves."""
ACROSS = ("dependentRequired", "dependentForbidden", "modeDiscriminator", "ifMode")
_TYPE = re.compile(r"(\*?)(?:\[\](.+)|map\[[^\]]*\](.+)|([\w.]*)(?:~(\w+))?)$")
_ZEROS = {"string": "", "bool": False}


class GoType(NamedTuple):
    """A Go type: a pointer or not, a list or map with its elements, or a value."""

    is_pointer: bool = False
    elements: GoType | None = None
    of: str = ""
    """The type whose rules apply. Empty if it has no rules."""
    base: str = ""
    """The built-in type of a value. Empty for a struct."""
    is_named: bool = False
    """Whether the type of a value is a named type."""
    is_map: bool = False

    @property
    def zero(self) -> Any:
        """The zero value, or None for a pointer."""
        return None if self.is_pointer or not self.base else _ZEROS.get(self.base, 0)

    def fits(self, value: Any) -> bool:
        """Whether a value can be of this type. Decoding rejects other values, so they are not checked here."""
        if self.elements:
            return isinstance(value, dict if self.is_map else list)
        return value is not None and isinstance(value, str if self.base == "string" else (int, float, dict))

    def is_set(self, value: Any) -> bool:
        """Whether a field of this type has a value in Go."""
        if self.elements:
            return bool(value)
        return value is not None if self.is_pointer else not self.base or value not in (None, self.zero)


@lru_cache(maxsize=4096)
def shape_of(text: str) -> GoType:
    """Parse a Go type as in the rows, such as `[]resource_v1.DeviceRequest`. `~string` is a named string."""
    found = _TYPE.match(text)
    if not found:
        raise ValueError(text)
    pointer, items, values, name, base = found.groups(default="")
    if items or values:
        return GoType(bool(pointer), shape_of(items or values), is_map=bool(values))
    if "." in name or base:
        return GoType(bool(pointer), None, name, base, bool(base))
    return GoType(bool(pointer), None, "", name)


class DeclarativeRule(NamedTuple):
    """One rule of a field or a type."""

    name: str
    arguments: tuple[Any, ...]
    is_enforced: bool
    """False for a rule that only shadows handwritten code."""

    @property
    def inner(self) -> DeclarativeRule:
        """The rule that is the payload of this one."""
        name, *arguments = self.arguments[-1]
        return DeclarativeRule(name, tuple(arguments), self.is_enforced)

    @property
    def is_short_circuit(self) -> bool:
        """Whether a problem of this rule ends the evaluation."""
        return (self.inner.name if self.name in CONDITIONS else self.name) in SHORT_CIRCUITS


@dataclass
class FieldRules:
    """The rules of one field, in the order of evaluation."""

    name: str
    shape: GoType
    rules: list[DeclarativeRule] = field(default_factory=list)

    def named(self, *names: str) -> list[DeclarativeRule]:
        """Return the rules of these names."""
        return [rule for rule in self.rules if rule.name in names]

    @cached_property
    def in_order(self) -> list[DeclarativeRule]:
        """The rules, first those whose problems end the evaluation."""
        return sorted(self.rules, key=lambda rule: not rule.is_short_circuit)

    @cached_property
    def has_only_content(self) -> bool:
        """Whether only the rules of the type of a value apply, as to nearly all structs."""
        return not self.rules and self.shape.elements is None

    @cached_property
    def may_lack(self) -> bool:
        """Whether a field without a value is not checked."""
        return bool(self.named("optional"))

    @cached_property
    def usual(self) -> Callable[[Any], bool]:
        """A quick check for values without problems. Other values are checked by the rules."""
        rules = {rule.name: rule.arguments for rule in self.rules}
        if not rules.keys() <= {"required", "optional", "enum"} or self.shape.base != "string":
            return lambda _: False
        allowed, may_lack = rules.get("enum"), "optional" in rules
        return lambda value: may_lack if value is None else bool(value) and (allowed is None or value in allowed)

    @property
    def is_opaque(self) -> bool:
        """Whether the rules of the type of the field, or of its elements, do not apply here."""
        return any(rule.name == "opaqueType" or rule.arguments == (("opaqueType",),) for rule in self.rules)

    @property
    def keys(self) -> tuple[str, ...] | None:
        """The list map keys: empty if all fields are keys, None if elements have no identity."""
        kinds = {rule.arguments[0] for rule in self.named("listType", "unique")}
        if "map" in kinds:
            return tuple(str(rule.arguments[0]) for rule in self.named("listMapKey"))
        return () if "set" in kinds else None


@dataclass
class TypeRules:
    """The rules of one type, and those of its fields in the order of the Go type."""

    rules: list[DeclarativeRule] = field(default_factory=list)
    fields: dict[str, FieldRules] = field(default_factory=dict)

    @cached_property
    def is_crossed(self) -> bool:
        """Whether an enforced rule depends on several fields."""
        every = (rule for one in self.fields.values() for rule in one.named("unionMember", *ACROSS))
        return any(rule.is_enforced for rule in every)

    def unions(self) -> list[tuple[DeclarativeRule, list[str]]]:
        """The first rule and the members of each union, by the names of the unions."""
        found: dict[str, tuple[DeclarativeRule, list[str]]] = {}
        for one in self.fields.values():
            for rule in one.named("unionMember"):
                names: dict[str, str] = dict(one for one in rule.arguments if isinstance(one, tuple))
                found.setdefault(names.get("union", ""), (rule, []))[1].append(one.name)
        return [union for _, union in sorted(found.items())]


@lru_cache(maxsize=1024)
def rules_of(of: str, minor: int) -> TypeRules | None:
    """Return the rules that a release declares on a type, or None."""
    module, _, own = of.partition(".")
    rows: Sequence[tuple[Any, ...]] = getattr(_module(f"generated.{module}_rules"), "RULES", {}).get(own, ())
    made = TypeRules()
    for at, first, last, since, name, *arguments in rows:
        if not first <= minor <= (last or minor):
            continue
        if name == "type":
            made.fields[at] = FieldRules(at, shape_of(arguments[0]))
            continue
        rule = DeclarativeRule(name, tuple(arguments), since is not None and since <= minor)
        (made.fields[at].rules if at else made.rules).append(rule)
    return made if made.rules or made.fields else None


@lru_cache(maxsize=64)
def parse_rules_table(table: str) -> dict[str, list[tuple[int, int, FieldRules]]]:
    """Parse rules that a module states beside its code, because upstream implements them by hand.

    A line has a type, a field, its Go type and the rules of the field in the notation of tags: `maxBytes=63`,
    `enum=Always|Never`. `since=31` and `until=30` are the first and the last minor release of a rule.
    """
    found: dict[str, list[tuple[int, int, FieldRules]]] = {}
    for line in filter(None, table.split("\n")):
        of, name, shape, *words = line.split(" ")
        pairs = [(word, argument) for word, _, argument in (one.partition("=") for one in words)]
        eras = {word: int(argument) for word, argument in pairs if word in ("since", "until")}
        rules = [
            DeclarativeRule(word, _arguments(word, argument), True) for word, argument in pairs if word not in eras
        ]
        row = (eras.get("since", 0), eras.get("until", NEWEST), FieldRules(name, shape_of(shape), rules))
        found.setdefault(of, []).append(row)
    return found


@lru_cache(maxsize=256)
def rules_of_table(table: str, of: str, fields: tuple[str, ...], minor: int) -> tuple[FieldRules, ...]:
    """Return the rules of a type in such a table that a release has: of these fields, or of all."""
    rows = parse_rules_table(table)[of]
    return tuple(
        rules for first, last, rules in rows if first <= minor <= last and (rules.name in fields or not fields)
    )


def _arguments(rule: str, given: str) -> tuple[Any, ...]:
    if rule == "enum":
        return tuple(given.split("|"))
    return (int(given) if given.lstrip("-").isdigit() else given,) if given else ()


@lru_cache(maxsize=1024)
def enforced_fields(of: str, minor: int) -> tuple[FieldRules, ...]:
    """Return the fields of a type with an enforced rule, on themselves or on their content."""
    found = rules_of(of, minor)
    return tuple(one for one in found.fields.values() if _is_judged(one, minor, {of})) if found else ()


def _is_judged(one: FieldRules, minor: int, above: set[str]) -> bool:
    if any(rule.is_enforced and rule.name not in QUIET for rule in one.rules):
        return True
    of = one.shape.elements.of if one.shape.elements else one.shape.of
    found = rules_of(of, minor) if of not in above else None
    if found is None or one.is_opaque:
        return False
    own = any(rule.is_enforced and rule.name not in QUIET for rule in found.rules)
    return own or any(_is_judged(field, minor, above | {of}) for field in found.fields.values())


@lru_cache(maxsize=64)
def _module(name: str) -> Any:
    return import_module(name) if find_spec(name) else None


@lru_cache(maxsize=256)
def is_enforced(group: str, kind: str, minor: int) -> bool:
    """Whether servers of a release enforce the declarative rules of a kind. `group` is as in module names."""
    return any(row[:2] == (group, kind) and row[2] <= minor <= (row[3] or minor) for row in KINDS)
