"""Validation of values by their schema, in the order and the words of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.guard import with_room
from engine.values.plain import same

from ..eras import NO_END
from ..problems import NO_PATH, Problem, body, required, too_long, too_many
from ..regex.matching import compile_pattern
from ..regex.syntax import BadPattern, UnknownPattern
from ..schemas import formats
from ..schemas.problems import by_schema, invalid, unsupported, wrong_type
from ..text.go_text import quoted
from . import numbers
from .numbers import is_number, is_whole, place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..schemas.schemas import Schema
    from .ratcheting import Correlated

NAMES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}


class ValueProblems:
    """The distinct problems of a value, and the number of checks made. The best of several schemas has the
    most checks.
    """

    __slots__ = ("checks", "problems")

    def __init__(self) -> None:
        self.problems: dict[str, Problem] = {}
        self.checks = 0

    def add(self, problems: Iterable[Problem]) -> None:
        """Add new problems."""
        for one in problems:
            self.problems.setdefault(_duplicate_key(one), one)

    def merge(self, other: ValueProblems) -> None:
        """Add the problems and checks of another result."""
        if other.problems:
            for key, one in other.problems.items():
                self.problems.setdefault(key, one)
        self.checks += other.checks


INDEXES_SINCE = 24
"""The first minor release whose messages have the indexes of list elements."""


NUMBER_FORMATS, NUMBER_FORMATS_SINCE = ("int32", "int64", "float", "double"), 36
"""The formats of numbers, and the first minor release with them."""


class ValueValidator:
    """Validates values as a minor release, and collects patterns that are too complex to evaluate."""

    def __init__(self, minor: int = NO_END) -> None:
        self._has_indexes = minor >= INDEXES_SINCE
        self._has_number_formats = minor >= NUMBER_FORMATS_SINCE
        self.unjudged: dict[str, None] = {}

    def problems(self, value: Any, schema: Schema, old: Correlated | None = None, at: str = "") -> list[Problem]:
        """Return every problem of a value. Problems unchanged since `old` are accepted."""
        found = with_room(lambda: self._forgiving(at, value, schema, old))
        return list(found.problems.values())

    def _forgiving(self, at: str, value: Any, schema: Schema, old: Correlated | None) -> ValueProblems:
        found = self._look(at, value, schema, old)
        if found.problems and old is not None and old.is_equal():
            found.problems = {}
        return found

    def _look(self, at: str, value: Any, schema: Schema, old: Correlated | None) -> ValueProblems:
        found = ValueProblems()
        if value is None:
            _null(found, at, schema)
            return found
        if schema.types or schema.format:
            wrong = _type(at, value, schema, has_number_formats=self._has_number_formats)
            found.checks += 1 if wrong else 2
            found.add((wrong,) if wrong else ())
        if schema.choices:
            self._choices(found, at, value, schema, old)
        found.checks += 2  # alternatives count even where there are none
        self._by_kind(found, at, value, schema, old)
        if schema.enum:
            found.add(_enum(at, value, schema))
        found.checks += 1
        if type(value) is dict:
            self._fields(found, at, value, schema, old)
            found.checks += 1
        found.checks += 1
        return found

    def _by_kind(self, found: ValueProblems, at: str, value: Any, schema: Schema, old: Correlated | None) -> None:
        """Check texts, numbers and lists."""
        kind = type(value)
        if kind is str:
            if schema.texts:
                self._text(found, at, value, schema)
            found.checks += 1
            if schema.format and schema.format not in formats.OF_NUMBERS:
                if not formats.has_format(value, schema.format):
                    found.add((_wrong(at, schema.format, value),))
                found.checks += 1
        elif kind is int or kind is float:
            found.add(numbers.problems(at, value, schema))
            found.checks += 2
        elif kind is list:
            self._elements(found, at, value, schema, old)

    # ---- texts -----------------------------------------------------------------------------------------------------

    def _text(self, found: ValueProblems, at: str, value: str, schema: Schema) -> None:
        raw = schema.raw
        most, least, wanted = raw.get("maxLength"), raw.get("minLength"), raw.get("pattern")
        if most is not None and len(value) > most:
            found.problems.setdefault(f"{at} {most} too long", by_schema(too_long(place(at), int(most))))
        elif least is not None and len(value) < least:
            found.add((invalid(place(at), value, f"{at} in body should be at least {least} chars long"),))
        elif wanted and not self._matches(value, wanted):
            found.add((invalid(place(at), value, f"{at} in body should match '{wanted}'"),))

    def _matches(self, value: str, wanted: str) -> bool:
        try:
            return compile_pattern(wanted).matches(value)
        except UnknownPattern:
            self.unjudged[wanted] = None
            return True
        except BadPattern:  # only in an imported definition
            return False

    # ---- lists -----------------------------------------------------------------------------------------------------

    def _elements(
        self, found: ValueProblems, at: str, value: list[Any], schema: Schema, old: Correlated | None
    ) -> None:
        inner = schema.items
        if inner is not None:
            for index, item in enumerate(value):
                before = old.index(index) if old is not None else None
                found.merge(self._forgiving(f"{at}[{index}]" if self._has_indexes else at, item, inner, before))
        least, most = schema.raw.get("minItems"), schema.raw.get("maxItems")
        if least is not None and len(value) < least:
            found.add((invalid(place(at), len(value), f"{at} in body should have at least {least} items"),))
        if most is not None and len(value) > most:
            found.problems.setdefault(f"{at} {most} too many", too_many(place(at), len(value), int(most)))
        if schema.raw.get("uniqueItems") is True and _has_twins(value):
            found.add((invalid(place(at), "", f"{at} in body shouldn't contain duplicates"),))
        found.checks += 2

    # ---- maps ------------------------------------------------------------------------------------------------------

    def _fields(
        self, found: ValueProblems, at: str, value: dict[str, Any], schema: Schema, old: Correlated | None
    ) -> None:
        if schema.counts:
            least, most = schema.raw.get("minProperties"), schema.raw.get("maxProperties")
            if least is not None and len(value) < least:
                found.add((invalid(place(at), len(value), f"{at} in body should have at least {least} properties"),))
            if most is not None and len(value) > most:
                found.problems.setdefault(f"{at} {most} too many", too_many(place(at), len(value), int(most)))
        properties, extra = schema.properties, schema.extra
        for key, inner in value.items():
            if key in properties:
                continue
            if not schema.extra_allowed:
                found.add((invalid(place(at), key, f"{at}.{key} in body is a forbidden property"),))
            elif extra is not None:
                found.merge(self._field(at, key, inner, extra, old, f"{at}.{key}"))
        for key, inner in value.items():
            known = schema.field(key)
            if known is not None:
                found.merge(self._field(at, key, inner, known, old, f"{at}.{key}" if at else key))
        for key in schema.required:
            if key not in value:
                found.problems.setdefault(f"{at}.{key} required", required(place(f"{at}.{key}")))

    def _field(
        self, at: str, key: str, value: Any, schema: Schema, old: Correlated | None, inner: str
    ) -> ValueProblems:
        before = old.key(key) if old is not None else None
        if not at and key in ("apiVersion", "kind"):
            before = None
        return self._forgiving(inner, value, schema, before)

    # ---- several schemas ---------------------------------------------------------------------------------------------

    def _choices(self, found: ValueProblems, at: str, value: Any, schema: Schema, old: Correlated | None) -> None:
        name = quoted(at)
        if schema.any_of:
            self._any(found, name, (self._look(at, value, one, old) for one in schema.any_of))
        if schema.one_of:
            self._one(found, name, [self._look(at, value, one, old) for one in schema.one_of])
        if schema.all_of:
            results = [self._look(at, value, one, old) for one in schema.all_of]
            for one in results:
                found.merge(one)
            valid = sum(not one.problems for one in results)
            if valid != len(results):
                none = "" if valid else ". None validated"
                found.add((invalid(NO_PATH, "", f"{name} must validate all the schemas (allOf){none}"),))
        if schema.none_of is not None and not self._look(at, value, schema.none_of, old).problems:
            found.add((invalid(NO_PATH, "", f"{name} must not validate the schema (not)"),))

    @staticmethod
    def _any(found: ValueProblems, name: str, results: Iterable[ValueProblems]) -> None:
        best: ValueProblems | None = None
        for one in results:
            if not one.problems:
                found.merge(one)
                return
            best = one if best is None or one.checks > best.checks else best
        found.add((invalid(NO_PATH, "", f"{name} must validate at least one schema (anyOf)"),))
        found.merge(best or ValueProblems())

    @staticmethod
    def _one(found: ValueProblems, name: str, results: list[ValueProblems]) -> None:
        valid = [one for one in results if not one.problems]
        if len(valid) == 1:
            found.merge(valid[0])
            return
        said = f"Found {len(valid)} valid alternatives" if valid else "Found none valid"
        found.add((invalid(NO_PATH, "", f"{name} must validate one and only one schema (oneOf). {said}"),))
        if not valid:
            found.merge(max(results, key=lambda one: one.checks))


def _null(found: ValueProblems, at: str, schema: Schema) -> None:
    if schema.types and not schema.nullable:
        found.add((_wrong(at, ",".join(schema.types), "null"),))
    else:
        found.checks += 1
    if schema.enum:
        found.add(_enum(at, None, schema))


def _type(at: str, value: Any, schema: Schema, *, has_number_formats: bool) -> Problem | None:
    types, form = schema.types, schema.format
    kind = type(value)
    found = NAMES[kind]
    fits = (
        found in types
        or (kind is float and "integer" in types and is_whole(value))
        or (kind is int and "number" in types)
    )
    if form and kind is not str and kind is not list:
        natural = "int64" if kind is int else "float64" if kind is float else ""
        if not (fits or natural == form):
            is_known = has_number_formats or form not in NUMBER_FORMATS
            return _wrong(at, form, natural) if is_known else _wrong(at, ",".join(types), found)
    if form and kind in (str, list) and "number" not in types and "integer" not in types:
        return None
    return None if fits else _wrong(at, ",".join(types), found)


def _wrong(at: str, wanted: str, found: str) -> Problem:
    return wrong_type(place(at), found, f"{at} in body must be of type {wanted}: {quoted(found)}")


def _enum(at: str, value: Any, schema: Schema) -> tuple[Problem, ...]:
    if any(_is_one(value, one) for one in schema.enum):
        return ()
    allowed = [one if isinstance(one, str) else _json(one) for one in schema.enum]
    return (unsupported(place(at), value, allowed),)


def _json(value: Any) -> str:
    from engine.values.go_json import encode

    return encode(value)


def _is_one(value: Any, allowed: Any) -> bool:
    """Whether Go's conversion of a value to the type of an allowed one equals the allowed one."""
    if value is None or allowed is None:
        return False
    if is_number(value) and is_number(allowed):
        return bool((int(value) if isinstance(allowed, int) else float(value)) == allowed)
    if isinstance(value, int) and not isinstance(value, bool) and isinstance(allowed, str):
        return value in range(0x110000) and chr(value) == allowed
    return bool(same(value, allowed))


def _has_twins(value: list[Any]) -> bool:
    from engine.values.go_json import encode

    seen = {f"{type(item).__name__} {encode(item)}" for item in value}
    return len(seen) < len(value)


def _duplicate_key(one: Problem) -> str:
    """Go's key for duplicate problems: the message without the value."""
    return f"{one.path} {body(one)}"
