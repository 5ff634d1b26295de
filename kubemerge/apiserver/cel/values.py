"""Runtime values: typed by the schema of an object, or by the libraries."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from itertools import repeat
from typing import TYPE_CHECKING, Any

from ..decoding.go_times import problem
from ..text.durations import nanoseconds, nanoseconds_of_format
from .language.tree import Uint
from .language.types import escaped, unescaped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Iterator

    from ..schemas.schemas import Schema


class CelError(Exception):
    """An expression without a value."""


class NoOverload(CelError):
    """A function call without a matching overload."""

    def __init__(self, signature: str = "") -> None:
        super().__init__(f"no such overload: {signature}" if signature else "no such overload")


class GrowingList(list[Any]):
    """The list result of a comprehension, which grows in place."""


class SetList(list[Any]):
    """The union of a list of type `set` and another list."""


class GrowingMap(dict[Any, Any]):
    """The map result of a comprehension, which grows in place."""


class Key:
    """A list or map as a key of a map, found only by identity."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def as_key(value: Any) -> Any:
    """Return a value as a key of a map."""
    return Key(value) if isinstance(value, (*LISTS, *MAPS)) else value


class Object:
    """An object with the fields of a schema."""

    __slots__ = ("raw", "schema")

    def __init__(self, raw: dict[str, Any], schema: Schema) -> None:
        self.raw, self.schema = raw, schema

    def __len__(self) -> int:
        return len(self.raw)

    def __iter__(self) -> Iterator[str]:
        return (escaped(key) or key for key in self.raw if self.schema.field(key) is not None)

    def has(self, name: str) -> bool:
        """Whether a field exists and is not null."""
        key = unescaped(name)
        return self.raw.get(key) is not None and self.schema.field(key) is not None

    def get(self, name: str) -> Any:
        """Return the value of a field."""
        key = unescaped(name)
        value = self.raw.get(key)
        inner = self.schema.field(key) if value is not None else None
        if inner is None:
            raise CelError(f"no such key: {name}")
        return wrapped(value, inner)


class LazyFields:
    """An object whose fields are evaluated on first use."""

    __slots__ = ("_evaluate", "_known", "_names")

    def __init__(self, names: Container[str], evaluate: Callable[[str], Any]) -> None:
        self._names, self._evaluate = names, evaluate
        self._known: dict[str, Any] = {}

    def has(self, name: str) -> bool:
        """Whether a field exists. Raise CelError if it has no value."""
        if name not in self._names:
            return False
        self.get(name)
        return True

    def get(self, name: str) -> Any:
        """Return the value of a field. Raise CelError if it has none."""
        if name not in self._known:
            if name not in self._names:
                raise CelError(f"no such key: {name}")
            try:
                self._known[name] = self._evaluate(name)
            except CelError as error:
                self._known[name] = error
        found = self._known[name]
        if isinstance(found, CelError):
            raise found
        return found


class Struct:
    """A message that an expression constructed, such as `Object.spec{replicas: 1}`."""

    __slots__ = ("fields", "kind")

    def __init__(self, kind: str, fields: dict[str, Any]) -> None:
        self.kind, self.fields = kind, fields

    def __len__(self) -> int:
        return len(self.fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and self.kind == other.kind and self.fields == other.fields

    __hash__ = object.__hash__


class List:
    """A list with its schema."""

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

    @property
    def holds_texts(self) -> bool:
        """Whether the elements are plain texts."""
        inner = self.schema.items if self.schema is not None else None
        return inner is not None and inner.type == "string" and inner.raw.get("format") not in FORMS


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
        """Return the value of a key."""
        return wrapped(self.raw[key], self.schema.extra if self.schema is not None else None)


class Joined:
    """Two concatenated lists, without a copy."""

    __slots__ = ("_flat", "_length", "parts")

    def __init__(self, left: Any, right: Any) -> None:
        self.parts = (left, right)
        self._length = len(left) + len(right)
        self._flat: list[Any] | None = None

    @property
    def first(self) -> Any:
        """The left list."""
        return self.parts[0]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Any]:
        todo: list[Any] = [self]
        while todo:
            one = todo.pop()
            if isinstance(one, Joined):
                todo += reversed(one.parts)
            else:
                yield from one

    def __getitem__(self, place: int) -> Any:
        if self._flat is None:
            self._flat = [*self]
        return self._flat[place]


@dataclass(frozen=True)
class Optional:
    """A value that may be missing."""

    value: Any = None
    there: bool = False

    def needed(self) -> Any:
        """Return the value, which must exist."""
        if not self.there:
            raise CelError("optional.none() dereference")
        return self.value


@dataclass(frozen=True)
class TypeValue:
    """A type as a value."""

    name: str


@dataclass(frozen=True, order=True)
class Duration:
    """A duration in nanoseconds."""

    nanos: int


@dataclass(frozen=True, order=True)
class Time:
    """A timestamp: nanoseconds since 1970, with its original offset in minutes."""

    nanos: int
    offset: int = field(default=0, compare=False)

    def in_zone(self, zone: str) -> datetime:
        """Return the local time in a time zone."""
        return datetime.fromtimestamp(self.nanos // 10**9, _zone(zone))


def _zone(name: str) -> Any:
    hours, colon, minutes = name.partition(":")
    if colon:
        offset, more = _number(hours), _number(minutes)
        offset = offset * 60 + (-more if name.startswith("-") else more)
        return timezone(timedelta(minutes=offset)) if abs(offset) < 24 * 60 else timezone.utc
    if name in ("", "UTC"):
        return timezone.utc
    if ".." in name or name[0] in "/\\":
        raise CelError("time: invalid location name")
    from zoneinfo import ZoneInfo  # late, because hardly any rule names a time zone

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise CelError(f"unknown time zone {name}") from None


def _number(text: str) -> int:
    if re.fullmatch(r"[+-]?[0-9]+", text, re.ASCII) is None:
        raise CelError(f'strconv.Atoi: parsing "{text}": invalid syntax')
    if len(text) > len(str(2**63)):
        raise CelError(f'strconv.Atoi: parsing "{text}": value out of range')
    return int(text)


def plain(value: Any) -> Any:
    """Convert a value without a schema."""
    if isinstance(value, dict):
        return Map(value, None)
    return List(value, None) if isinstance(value, list) else value


def wrapped(value: Any, schema: Schema | None, *, root: bool = False) -> Any:
    """Convert a value with its schema."""
    if value is None:
        if schema is not None and not schema.nullable:
            raise CelError("invalid data, got null for schema with nullable=false")
        return value
    if isinstance(value, bool):
        return value
    kind = schema.type if schema is not None else ""
    if isinstance(value, dict):
        if schema is None or (kind == "object" and schema.extra is not None and not root):
            return Map(value, schema)
        if kind != "object":
            return Map(value, None)
        return Object(value, schema.as_root if root or schema.embedded else schema)
    if isinstance(value, list):
        return List(value, schema)
    if isinstance(value, str):
        form = schema.raw.get("format") if schema is not None and kind == "string" else None
        return FORMS[form](value) if form in FORMS else value
    if kind == "number":
        return float(value)
    return int(value) if kind == "integer" else value


_MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d)))?", re.ASCII
)


def duration(text: str) -> Duration:
    """Parse a duration such as `1h30m`."""
    found = nanoseconds(text)
    if found is None:
        raise CelError(f'time: invalid duration "{text}"')
    return Duration(found)


def _formatted_duration(text: str) -> Duration:
    """Parse a value of the format `duration`, which also has days and weeks."""
    found = nanoseconds_of_format(text)
    if found is None:
        raise CelError(f"Invalid duration {text}: unable to parse {text} as duration")
    return Duration(found)


def moment(text: str) -> Time:
    """Parse a timestamp, or a date."""
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
    nanos = seconds * 10**9 + int((found[7] or "0").ljust(9, "0")[:9])
    return Time(nanos, offset // timedelta(minutes=1))


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise CelError("invalid base64") from None


def _formatted_time(text: str) -> Time:
    """Parse a value of the format `date-time`. The check of the format accepts more than the parser."""
    if not problem(text):
        return moment(text.replace(",", "."))
    raise CelError(f"Invalid date-time formatted string {text}: {problem(text, local=True)}")


FORMS = {"byte": _bytes, "duration": _formatted_duration, "date": moment, "date-time": _formatted_time}


class TypedMap(dict[str, Any]):
    """An object or a map with a Go type on a server. It cannot be compared with other values than maps."""


class TypedList(list[Any]):
    """A list with a Go type on a server. It cannot be compared with other values than lists."""


def typed(value: Any) -> Any:
    """Return a copy of a value that has a Go type on a server."""
    if isinstance(value, dict):
        found = TypedMap(value)
        for key, one in value.items():
            if isinstance(one, (dict, list)):
                found[key] = typed(one)
        return found
    return TypedList(map(typed, value)) if isinstance(value, list) else value


LITERALS = (list, dict, Joined)
"""Lists and maps that an expression constructs."""
LISTS = (list, List, Joined)
MAPS = (dict, Map, Object)


def unshared_size(value: Any) -> int:
    """Return the number of values in a value of an expression, where each one counts as often as it occurs.

    An expression can nest one list in itself many times, so that this number is exponential. Each is visited once.
    """
    sizes: dict[int, int] = {}

    def size(one: Any) -> int:
        parts = _parts(one)
        if not parts:
            return 1
        if id(one) not in sizes:
            sizes[id(one)] = 1 + sum([size(part) for part in parts])
        return sizes[id(one)]

    return size(value)


def depth_of(value: Any) -> int:
    """Return the levels of a value of an expression. Each list and map is visited once."""
    levels: dict[int, int] = {}

    def depth(one: Any) -> int:
        if id(one) not in levels:
            levels[id(one)] = 1 + max([depth(part) for part in _parts(one)], default=0)
        return levels[id(one)]

    return depth(value)


def _parts(value: Any) -> Collection[Any]:
    if isinstance(value, Struct):
        return value.fields.values()
    if isinstance(value, Optional):
        return (value.value,)
    if isinstance(value, Joined):
        return value.parts
    return value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()


def iterated(value: Any, *, two: bool) -> Iterable[tuple[Any, Any]]:
    """Iterate over elements or keys. With two variables, also over indexes or values."""
    if isinstance(value, LISTS):
        return enumerate(value) if two else zip(value, repeat(None))
    if isinstance(value, MAPS):
        keys: Any = value
        return [(key, value_at(value, key)) for key in keys] if two else zip(keys, repeat(None))
    kind = go_type(value)
    if two:
        raise CelError(f"unsupported comprehension range type: {kind}")
    raise CelError(f"got '{kind}', expected iterable type")


GO_TYPES: dict[type, str] = {
    int: "types.Int",
    Uint: "types.Uint",
    str: "types.String",
    bool: "types.Bool",
    float: "types.Double",
    bytes: "types.Bytes",
    type(None): "types.Null",
    Duration: "types.Duration",
    Time: "types.Timestamp",
    Optional: "*types.Optional",
    TypeValue: "*types.Type",
    **dict.fromkeys((list, GrowingList), "*types.baseList"),
    SetList: "*common.refValSetList",
    TypedList: "*common.reflectSchemalessTypedList",
    TypedMap: "*common.reflectSchemalessTypedStruct",
    Joined: "*types.concatList",
    **dict.fromkeys((dict, GrowingMap), "*types.baseMap"),
    List: "*common.unstructuredList",
    Map: "*common.unstructuredMap",
    Object: "*common.unstructuredMap",
}
LIST_TYPES = {"set": "*common.unstructuredSetList", "map": "*common.unstructuredMapList"}
GO_KINDS = {
    "net.IP": "cel.IP",
    "net.CIDR": "cel.CIDR",
    "kubernetes.URL": "cel.URL",
    "kubernetes.Quantity": "cel.Quantity",
    "kubernetes.Semver": "cel.Semver",
    "kubernetes.NamedFormat": "cel.Format",
}


def go_type(value: Any) -> str:
    """Return the Go type of a value, for error messages."""
    if type(value) is List and value.kind in LIST_TYPES:
        return LIST_TYPES[value.kind]
    if type(value) is Joined and type(value.first) is List:
        return GO_TYPES[list]
    return GO_TYPES.get(type(value)) or GO_KINDS.get(getattr(value, "kind", ""), "ref.Val")


def value_at(value: Any, key: Any) -> Any:
    """Return the value of an existing key."""
    return value[key] if isinstance(value, dict) else value.get(key)


def key_in(of: dict[Any, Any], key: Any) -> Key | None:
    """Return the equal key of a map, or None. Booleans are no numbers."""
    key = as_key(key)
    if key not in of:
        return None
    if isinstance(key, str) or (key not in (0, 1)):
        return Key(key)
    for one in of:  # in Python, 0 == False and 1 == True
        if one == key and isinstance(one, bool) == isinstance(key, bool):
            return Key(one)
    return None


def is_list(value: Any) -> bool:
    """Whether a value is a list."""
    return isinstance(value, LISTS)
