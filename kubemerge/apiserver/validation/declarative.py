"""Declarative validation by the rules on Go types, in the order and the words of a server.

This follows the code that upstream's `validation-gen` generates. Rules that only shadow handwritten code are evaluated,
because they may end the evaluation of a field. Their problems are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from codegen.validation.order import CONDITIONS, INLINE

from ..problems import FORBIDDEN, INVALID, NO_PATH, Problem, forbidden, immutable, required, unsupported
from . import declarative_values as values
from .declarative_rules import (
    NEWEST,
    DeclarativeRule,
    FieldRules,
    TypeRules,
    enforced_fields,
    is_enforced,
    rules_of,
    rules_of_table,
    shape_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

OPTIONS = {"HPAScaleToZero": True}
"""The feature gates of rules that are on by default."""
_CHANGES = {
    "NoSet": (False, True, "field cannot be set once created"),
    "NoUnset": (True, False, "field cannot be cleared once set"),
    "NoModify": (True, True, "field cannot be modified once set"),
}
"""Forbidden updates: the field was set, the field is set, and the message."""


def problems(
    type_: str, content: Object, before: Object | None, minor: int, subresource: str | None = None
) -> list[Problem] | None:
    """Return the problems of an object. None if the release enforces no declarative rules for the kind.

    `type_` is the name of the type in the tables. A write to a subresource is only checked where the type declares it.
    """
    module, _, kind = type_.partition(".")
    if not is_enforced(module.rpartition("_")[0], kind, minor):
        return None
    rules = rules_of(type_, minor)
    served = [rule.arguments for rule in rules.rules if rule.name == "supportsSubresource"] if rules else []
    if subresource and (f"/{subresource}",) not in served:
        return None
    how = Validation(minor, before is not None, OPTIONS)
    return [one._replace(path=one.path or NO_PATH, declared=True) for one in how.of_type("", type_, content, before)]


def by_table(table: str, of: str, at: str, value: Object, *fields: str, minor: int = NEWEST) -> Iterator[Problem]:
    """Validate a value by the rules that a module states for its type, see `declarative_rules.parse_rules_table`.

    With `fields`, only these fields are checked. A server may check others in between.
    """
    how = Validation(minor, is_update=False)
    for rules in rules_of_table(table, of, fields, minor):
        if not rules.usual(value.get(rules.name)):
            yield from Case(how, _join(at, rules.name), rules, value.get(rules.name), None).problems()


@dataclass(slots=True)
class Validation:
    """The validation of one object: release, create or update, and the options of its kind."""

    minor: int
    is_update: bool
    options: Mapping[str, bool] = field(default_factory=dict)
    everything: bool = False
    """Whether to report problems that shadow handwritten code, as upstream's tests do."""

    def counted(self, rule: DeclarativeRule, found: Iterable[Problem]) -> Iterator[Problem]:
        """Yield the problems of a rule if it is enforced."""
        if rule.is_enforced or self.everything:
            yield from found

    def of_type(self, at: str, of: str, value: Any, old: Any) -> Iterator[Problem]:
        """Validate a value by the rules of its type."""
        found = rules_of(of, self.minor)
        if found is None or value is None:
            return
        for rule in found.rules:
            if rule.name == "enum" and value not in rule.arguments:
                yield from self.counted(rule, [unsupported(at, value, sorted(rule.arguments))])
        if not isinstance(value, dict):
            return
        former = old if isinstance(old, dict) else None
        if found.is_crossed or self.everything:
            yield from self._across(at, found, value, former)
        for one in found.fields.values() if self.everything else enforced_fields(of, self.minor):
            if one.name == INLINE:
                case = Case(self, at, one, value, former)
            elif former is None and one.may_lack and value.get(one.name) is None:
                continue
            elif former is None and one.has_only_content:
                yield from self.of_type(_join(at, one.name), one.shape.of, value.get(one.name), None)
                continue
            else:
                case = Case(self, _join(at, one.name), one, value.get(one.name), (former or {}).get(one.name))
            if not (former is not None and self.is_update and same(case.value, case.old)):
                yield from case.problems()

    def _across(self, at: str, rules: TypeRules, value: Object, old: Object | None) -> Iterator[Problem]:
        """The problems of rules that are declared on fields and evaluated by their struct."""

        def is_set(name: str, owner: Object | None) -> bool:
            return owner is not None and rules.fields[name].shape.is_set(owner.get(name))

        for rule, members in rules.unions():
            given, former = ([one for one in members if is_set(one, side)] for side in (value, old))
            if not (self.is_update and old is not None and given == former):
                yield from self.counted(rule, values.union(at, members, given))
        for one in rules.fields.values():
            for rule in one.named("dependentRequired", "dependentForbidden"):
                other = str(rule.arguments[0])
                now, then = ((is_set(one.name, side), is_set(other, side)) for side in (value, old))
                if not (self.is_update and old is not None and now == then):
                    yield from self.counted(rule, values.dependent(rule.name, _join(at, other), one.name, *now))
        yield from self._modes(at, rules, value, old)

    def _modes(self, at: str, rules: TypeRules, value: Object, old: Object | None) -> Iterator[Problem]:
        """The problems of fields whose rules depend on the value of another field."""
        mode = next((name for name, one in rules.fields.items() if one.named("modeDiscriminator")), "")
        for name in sorted(name for name, one in rules.fields.items() if one.named("ifMode")):
            case = Case(self, _join(at, name), rules.fields[name], value.get(name), (old or {}).get(name))
            chosen = value.get(mode)
            if old is not None and chosen == old.get(mode) and same(case.value, case.old):
                continue
            own = case.rules.named("ifMode")
            meant = [rule.inner for rule in own if rule.arguments[0] == chosen]
            for rule in meant or [DeclarativeRule("forbidden", (), all(rule.is_enforced for rule in own))]:
                yield from self.counted(rule, case.found(rule) or ())


@dataclass(slots=True)
class Case:
    """A field with its rules, path, value, and old value."""

    how: Validation
    at: str
    rules: FieldRules
    value: Any
    old: Any

    def problems(self) -> Iterator[Problem]:
        """Validate the field and its content."""
        stops, ended = False, set[Any]()
        for rule in self.rules.in_order:
            if stops and not rule.is_short_circuit:
                break
            cohort = rule.arguments[0] if rule.name == "subfield" else None
            if cohort in ended:
                continue
            found = self.found(rule)
            if found is None and cohort:
                ended.add(cohort)
            listed = list(found or ())
            stops = stops or (rule.is_short_circuit and (found is None or bool(listed)))
            yield from self.how.counted(rule, listed)
        if not stops and not self.rules.is_opaque:
            elements = self.rules.shape.elements
            if elements is None:
                yield from self.how.of_type(self.at, self.rules.shape.of, self.value, self.old)
            elif elements.of:
                for at, value, old in self.elements():
                    yield from self.how.of_type(at, elements.of, value, old)

    def elements(self) -> Iterator[tuple[str, Any, Any]]:
        """Yield the elements of a list or map that an update changes: path, value and old value."""
        is_update = self.how.is_update
        if isinstance(self.value, dict):
            before = self.old if isinstance(self.old, dict) else {}
            for key, one in self.value.items():
                if not (is_update and key in before and same(one, before[key])):
                    yield f"{self.at}[{key}]", one, before.get(key)
        elif isinstance(self.value, list):
            former = Elements(self, self.old or ())
            for index, one in enumerate(self.value):
                match = former.match(one)
                if not (is_update and match is not None and same(one, match)):
                    yield f"{self.at}[{index}]", one, match

    def matches(self, one: Any, other: Any) -> bool:
        """Whether two elements of the list have the same keys."""
        keys = self.rules.keys
        if not keys or not isinstance(one, dict) or not isinstance(other, dict):
            return keys is not None and same(one, other)
        return all(one.get(key) == other.get(key) for key in keys)

    def found(self, rule: DeclarativeRule) -> Iterable[Problem] | None:
        """Return the problems of one rule. None if the field has no value, so that no other rule applies."""
        shape = self.rules.shape
        if rule.name in ("optional", "forbidden") and not shape.is_set(self.value):
            return None
        if rule.name in CONDITIONS:
            return (
                self.found(rule.inner)
                if self.how.options.get(rule.arguments[0], False) is (rule.name == "ifEnabled")
                else ()
            )
        if rule.name == "eachVal" and shape.elements:
            inner = FieldRules("", shape.elements)
            cases = [replace(self, at=at, rules=inner, value=one, old=old) for at, one, old in self.elements()]
            return [problem for case in cases for problem in case.found(rule.inner) or ()]
        if rule.name == "eachKey":
            inner, former = FieldRules("", shape_of("string")), self.old or {} if self.how.is_update else {}
            keys = [key for key in self.value if key not in former] if shape.fits(self.value) else []
            cases = [replace(self, rules=inner, value=key) for key in keys]
            return [problem for case in cases for problem in case.found(rule.inner) or ()]
        if rule.name == "subfield":
            return self._subfield(rule)
        if rule.name in values.JUDGES:
            value = shape.zero if self.value is None else self.value
            return values.JUDGES[rule.name](self.at, value, rule.arguments[0], shape) if shape.fits(value) else ()
        return _RULES[rule.name](self, rule) if rule.name in _RULES else ()

    def _subfield(self, rule: DeclarativeRule) -> Iterable[Problem] | None:
        name, known = str(rule.arguments[0]), rules_of(self.rules.shape.of, self.how.minor)
        declared = known.fields.get(name) if known else None
        new, former = (one.get(name) if isinstance(one, dict) else None for one in (self.value, self.old))
        if self.how.is_update and self.old is not None and same(new, former):
            return ()
        rules = FieldRules(name, declared.shape if declared else shape_of("string"))
        return replace(self, at=f"{self.at}.{name}", rules=rules, value=new, old=former).found(rule.inner)


class Elements:
    """The elements of a list, found by their keys or values as `Case.matches` compares them."""

    def __init__(self, case: Case, items: Sequence[Any]) -> None:
        self._case, self._items = case, items
        self._places: dict[Hashable, list[int]] = {}
        """The positions of elements that may match, by their common values."""

    def match(self, one: Any) -> Any:
        """The first element that matches a value. None without one."""
        found = self.position(one)
        return None if found is None else self._items[found]

    def position(self, one: Any) -> int | None:
        """The position of the first element that matches a value."""
        items, matches = self._items, self._case.matches
        places = self._candidates(one) if len(items) > _FEW else range(len(items))
        return next((at for at in places if matches(one, items[at])), None)

    def _candidates(self, one: Any) -> Sequence[int]:
        keys = self._case.rules.keys
        if keys is None:
            return ()
        if not self._places:
            for at, item in enumerate(self._items):
                self._places.setdefault(_comparable(item, keys), []).append(at)
        return self._places.get(_comparable(one, keys), ())


_FEW = 4
"""The length of lists up to which comparing all elements takes less time than an index."""


def _comparable(one: Any, keys: tuple[str, ...] = ()) -> Hashable:
    """A form of an element that is equal for all elements that match."""
    if not keys:
        return _plain(one)
    if isinstance(one, dict):
        return tuple([_plain(one.get(key)) for key in keys])
    plain = _plain(one)
    return (plain,) * len(keys) if plain is None else plain


def _plain(value: Any) -> Hashable:
    """A hashable form of a value, which is equal for values that are the `same`."""
    if isinstance(value, dict):
        parts = [(key, _plain(inner)) for key, inner in value.items()]
        return frozenset([part for part in parts if part[1] is not None])
    if isinstance(value, list):
        return tuple([_plain(inner) for inner in value]) or None
    return value  # type: ignore[no-any-return]


def _join(at: str, name: str) -> str:
    return f"{at}.{name}" if at else name


def same(one: Any, other: Any) -> bool:
    """Whether Kubernetes treats two values as equal. An empty list equals none.

    An empty map is a struct, because decoding drops all others, and differs from none.
    """
    if one == other:  # as nearly always, and quickly compared
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return all(same(one.get(key), other.get(key)) for key in one.keys() | other.keys())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one in (None, []) and other in (None, [])


def _required(case: Case, _: DeclarativeRule) -> Iterator[Problem]:
    if not case.rules.shape.is_set(case.value):
        yield required(case.at)


def _enum(case: Case, rule: DeclarativeRule) -> Iterator[Problem]:
    if case.value not in rule.arguments:
        yield unsupported(case.at, case.value, rule.arguments)


def _forbidden(case: Case, _: DeclarativeRule) -> Iterator[Problem]:
    yield forbidden(case.at)


def _immutable(case: Case, _: DeclarativeRule) -> Iterator[Problem]:
    if case.how.is_update:
        yield immutable(case.at, None)


def _update(case: Case, rule: DeclarativeRule) -> Iterator[Problem]:
    change, shape = rule.arguments[0], case.rules.shape
    if not case.how.is_update:
        return
    if change in _CHANGES:
        *wanted, detail = _CHANGES[change]
        if wanted == [shape.is_set(case.old), shape.is_set(case.value)]:
            yield Problem(INVALID, case.at, None, detail, origin="update")
        return
    new, former = case.value or [], case.old or []
    if change == "NoAddItem":
        there = Elements(case, former)
        for index, one in enumerate(new):
            if there.position(one) is None:
                yield Problem(FORBIDDEN, f"{case.at}[{index}]", detail="item may not be added", origin="update")
    elif change == "NoRemoveItem":
        there = Elements(case, new)
        for one in former:
            if there.position(one) is None:
                yield Problem(FORBIDDEN, case.at, detail="item may not be removed", origin="update")


def _unique(case: Case, rule: DeclarativeRule) -> Iterator[Problem]:
    if rule.arguments[0] == "atomic" or case.rules.named("customUnique") or not isinstance(case.value, list):
        return
    of = case.rules.shape.elements.of if case.rules.shape.elements else ""
    elements = Elements(case, case.value)
    for index, one in enumerate(case.value):
        first = elements.position(one)
        if first is not None and first < index:
            yield values.duplicate(f"{case.at}[{index}]", one, of)


def _item(case: Case, rule: DeclarativeRule) -> Iterator[Problem]:
    own = [one for one in case.rules.named("item") if one.arguments[-1] == ("zeroOrOneOfMember",)]
    if not own or rule != own[0]:
        return  # the first one stands for all
    members = sorted(one.arguments[:-1] for one in own)
    given, former = ([_has_item(side, keys) for keys in members] for side in (case.value, case.old))
    if sum(given) > 1 and not (case.how.is_update and case.old and given == former):
        yield values.at_most_one(case.at, members, given)


def _has_item(items: Iterable[Object] | None, keys: Iterable[tuple[str, Any]]) -> bool:
    return any(all(one.get(key) == value for key, value in keys) for one in items or () if isinstance(one, dict))


def _monotonic(case: Case, _: DeclarativeRule) -> Iterator[Problem]:
    value, old = case.value, case.old
    if case.how.is_update and isinstance(value, int) and isinstance(old, int) and value < old:
        yield Problem(INVALID, case.at, value, f"may not be decreased from {old}", origin="monotonic")


_RULES: dict[str, Callable[[Case, DeclarativeRule], Iterable[Problem]]] = {
    "required": _required,
    "enum": _enum,
    "forbidden": _forbidden,
    "immutable": _immutable,
    "update": _update,
    "listType": _unique,
    "unique": _unique,
    "item": _item,
    "monotonic": _monotonic,
}
