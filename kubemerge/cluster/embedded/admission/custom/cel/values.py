"""Values while an expression is evaluated: those of an object as its schema has them, and those of the libraries."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from ..ratcheting import key_of
from .language.types import escaped, unescaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..schemas import Schema


class CelError(Exception):
    """An expression has no value."""


class NoOverload(CelError):
    """A function was called with values that it does not take."""

    def __init__(self) -> None:
        super().__init__("no such overload")


class TooExpensive(CelError):
    """An expression does more work than a server allows."""

    def __init__(self) -> None:
        super().__init__("operation cancelled: actual cost limit exceeded")


class Object:
    """An object with the fields of a schema."""

    __slots__ = ("raw", "root", "schema")

    def __init__(self, raw: dict[str, Any], schema: Schema, *, root: bool = False) -> None:
        self.raw, self.schema, self.root = raw, schema, root

    def has(self, name: str) -> bool:
        """Whether a field is there."""
        return self._key(name) in self.raw

    def get(self, name: str) -> Any:
        """The value of a field."""
        key = self._key(name)
        if key not in self.raw:
            raise CelError(f"no such key: {name}")
        value = self.raw[key]
        if self.root and key in ("kind", "apiVersion", "metadata"):
            return plain(value)
        return wrapped(value, self.schema.field(key))

    def _key(self, name: str) -> str:
        return unescaped(name) if not self.root or name not in ("kind", "apiVersion") else name


class List:
    """A list as a schema has it."""

    __slots__ = ("raw", "schema")

    def __init__(self, raw: list[Any], schema: Schema | None) -> None:
        self.raw, self.schema = raw, schema

    def __len__(self) -> int:
        return len(self.raw)

    def __iter__(self) -> Iterator[Any]:
        inner = self.schema.items if self.schema is not None else None
        return (wrapped(item, inner) for item in self.raw)

    def __getitem__(self, place: int) -> Any:
        return wrapped(self.raw[place], self.schema.items if self.schema is not None else None)

    @property
    def kind(self) -> str | None:
        """`set`, `map`, or anything else."""
        return self.schema.list_type if self.schema is not None else None

    def by_keys(self) -> dict[str | None, Any]:
        """The elements of a map by their keys."""
        keys = self.schema.map_keys if self.schema is not None else ()
        return {key_of(item, keys): item for item in self.raw}


class Map:
    """A map with any keys."""

    __slots__ = ("raw", "schema")

    def __init__(self, raw: dict[str, Any], schema: Schema | None) -> None:
        self.raw, self.schema = raw, schema

    def __len__(self) -> int:
        return len(self.raw)

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in self.raw

    def get(self, key: str) -> Any:
        """The value of a key."""
        return wrapped(self.raw[key], self.schema.extra if self.schema is not None else None)


@dataclass(frozen=True)
class Optional:
    """A value that may be missing."""

    value: Any = None
    there: bool = False

    def needed(self) -> Any:
        """The value."""
        if not self.there:
            raise CelError("optional.none() dereference")
        return self.value


@dataclass(frozen=True)
class TypeValue:
    """A type as a value."""

    name: str


@dataclass(frozen=True, order=True)
class Duration:
    """A length of time in nanoseconds."""

    nanos: int


@dataclass(frozen=True, order=True)
class Time:
    """A moment: nanoseconds since 1970."""

    nanos: int

    def in_zone(self, zone: str) -> datetime:
        """The moment on the clocks of a place."""
        found: Any = timezone.utc
        offset = re.fullmatch(r"([+-]?)([0-9]{2}):([0-9]{2})", zone)
        if offset:
            minutes = (int(offset[2]) * 60 + int(offset[3])) * (-1 if offset[1] == "-" else 1)
            found = timezone(timedelta(minutes=minutes))
        elif zone not in ("", "UTC"):
            from zoneinfo import ZoneInfo

            try:
                found = ZoneInfo(zone)
            except (KeyError, ValueError, OSError):
                raise CelError(f"unknown time zone {zone}") from None
        return datetime.fromtimestamp(self.nanos // 10**9, found)


def plain(value: Any) -> Any:
    """A value that no schema tells the type of."""
    if isinstance(value, dict):
        return Map(value, None)
    return List(value, None) if isinstance(value, list) else value


def wrapped(value: Any, schema: Schema | None, *, root: bool = False) -> Any:
    """A value as its schema has it."""
    if value is None or isinstance(value, bool):
        return value
    kind = schema.type if schema is not None else ""
    if isinstance(value, dict):
        if schema is None or (kind == "object" and schema.extra is not None and not root):
            return Map(value, schema)
        return Object(value, schema, root=root or schema.embedded) if kind == "object" else Map(value, None)
    if isinstance(value, list):
        return List(value, schema)
    if isinstance(value, str):
        form = schema.raw.get("format") if schema is not None and kind == "string" else None
        return FORMS[form](value) if form in FORMS else value
    if kind == "number":
        return float(value)
    return int(value) if kind == "integer" else value


_UNITS = {"ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_PART = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)")
_MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d)))?", re.ASCII
)


def duration(text: str) -> Duration:
    """A length of time such as `1h30m`."""
    sign = -1 if text.startswith("-") else 1
    rest = text[1:] if text[:1] in ("+", "-") else text
    parts = _PART.findall(rest)
    if (not parts and rest != "0") or "".join(number + unit for number, unit in parts) != (rest if parts else ""):
        raise CelError(f'time: invalid duration "{text}"')
    total = 0
    for number, unit in parts:
        whole, _, fraction = number.partition(".")
        total += int(whole or 0) * _UNITS[unit] + int(fraction or 0) * _UNITS[unit] // 10 ** len(fraction)
    if total >= 2**63:
        raise CelError(f'time: invalid duration "{text}"')
    return Duration(sign * total)


def moment(text: str) -> Time:
    """A moment, or the beginning of a day."""
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise CelError(f'parsing time "{text}" as "2006-01-02T15:04:05Z07:00": cannot parse "{text}" as "2006"')
    year, month, day, hour, minute, second = (int(found[place] or 0) for place in range(1, 7))
    try:
        offset = timedelta(hours=int(found[9] or 0), minutes=int(found[10] or 0)) * (-1 if found[8] == "-" else 1)
        at = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc) - offset
    except (ValueError, OverflowError):
        raise CelError(f'parsing time "{text}": day out of range') from None
    seconds = (at - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(seconds=1)
    return Time(seconds * 10**9 + int((found[7] or "0").ljust(9, "0")[:9]))


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise CelError("invalid base64") from None


FORMS = {"byte": _bytes, "duration": duration, "date": moment, "date-time": moment}


def items(value: Any) -> list[Any]:
    """The elements of a list, or the keys of a map or an object."""
    if isinstance(value, Object):
        return [escaped(key) or key for key in value.raw]
    if isinstance(value, (list, List, dict, Map)):
        return [*value]
    raise NoOverload


def is_list(value: Any) -> bool:
    """Whether a value is a list."""
    return isinstance(value, (list, List))
