"""The protobuf messages of Kubernetes with their fields, from the table `messages.txt`.

A line is a message: its name, the groups and versions that have a kind of that name, and its fields. A field is
`number:name in JSON:type`, followed by its Go name unless that is the JSON name with a capital letter. Before the type
stand `!` (printed even if empty), `0` (left out if zero, though it is a struct), `&` (its fields are those of the
message around it), `*` (a pointer), `[]` (a list) and `{}` (a map).
"""

from __future__ import annotations

import re
import struct
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.guard import MAX_DEPTH

from .values import FOLDED, MESSAGES, READERS, only_list
from .wire import CLOSES, EIGHT_BYTES, ENDED, NUMBER, SIZED, BadMessage, signed, sized, skipped, text, varint

if TYPE_CHECKING:
    from collections.abc import Callable

    from .values import Reader

_FIELD = re.compile(r"(\d+):([^:]*):([!0&]?)(\*?)(\[\]|\{\})?([\w.]+)(?::(\w+))?")
_NUMBERS: dict[str, Callable[[int], Any]] = {
    "bool": bool,
    "int32": lambda value: signed(value, 32),
    "int64": signed,
}
ANY_GROUP = "*"
ONE, DROPS_ZERO, LIST, PACKED, MAP, STRUCT, INLINE = range(7)
"""The ways to store the value of a field."""


class Field(NamedTuple):
    """A field of a message, for decoding."""

    name: str
    form: int
    read: Any
    """The decoder of its value, the message for a message field, or the decoder of a map's values."""
    zero: Any = None


class Content(NamedTuple):
    """The fields of a message."""

    fields: dict[int, Field]
    """By their tags: number and wire type."""
    go_names: dict[int, str]
    """Go names by field number."""
    always: list[tuple[str, Any]]
    """Fields that are present even if they were not sent. A message stands for its own such fields."""


class Message:
    """A message whose fields are looked up on first use."""

    def __init__(self, line: str) -> None:
        self.name, groups, *self.rows = line.split(" ")
        self.groups = groups.split(",")
        self._content: Content | None = None
        is_list = bool(self.rows) and self.rows[0].startswith("1::[]")
        self._fold = only_list if is_list else FOLDED.get(self.name.rpartition(".")[2])

    @property
    def folded(self) -> bool:
        """Whether its JSON is the JSON of one field."""
        return self._fold is not None

    @property
    def content(self) -> Content:
        """Its fields."""
        if self._content is None:
            self._content = _content(self)
        return self._content

    def read(self, data: bytes, at: int, stop: int, depth: int) -> Any:
        """Return the JSON of the message in these bytes."""
        found: dict[str, Any] = {}
        self.fill(found, data, at, stop, depth)
        return self._fold(found) if self._fold else found

    def fill(self, found: dict[str, Any], data: bytes, at: int, stop: int, depth: int) -> None:
        """Add the fields in these bytes to a partly decoded message."""
        if depth > MAX_DEPTH:
            raise BadMessage(f"the object has more than {MAX_DEPTH} levels")
        known, go_names, always = self._content or self.content
        while at < stop:
            start, tag = at, data[at]
            at += 1
            if tag > 0x7F:
                tag, at = varint(data, start)
            field = known.get(tag)
            if field is None:
                at = self._skipped(tag, go_names, data, start, stop) if at <= stop else at
            elif tag & 7 == SIZED:
                begins, at = sized(data, at, stop) if data[at] > 0x7F else (at + 1, at + 1 + data[at])
                if at > stop:
                    raise BadMessage(ENDED)
                _put(found, field, data, begins, at, depth)
            elif tag & 7 == NUMBER:
                value, at = varint(data, at) if data[at] > 0x7F else (data[at], at + 1)
                _set(found, field, field.read(value))
            else:
                _set(found, field, _double(data, at))
                at += 8
        if at > stop:
            raise BadMessage(ENDED)
        for name, zero in always:
            if name not in found:
                found[name] = zero.read(b"", 0, 0, depth + 1) if type(zero) is Message else zero

    def _skipped(self, tag: int, go_names: dict[int, str], data: bytes, at: int, stop: int) -> int:
        """The end of an unknown field. A known field here has the wrong wire type."""
        wire, number, called = tag & 7, signed(tag >> 3, 32), self.name.rpartition(".")[2]
        if wire == CLOSES:
            raise BadMessage(f"proto: {called}: wiretype end group for non-group")
        if number <= 0:
            raise BadMessage(f"proto: {called}: illegal tag {number} (wire type {tag})")
        if number in go_names:
            raise BadMessage(f"proto: wrong wireType = {wire} for field {go_names[number]}")
        return skipped(data, at, stop)


def _put(found: dict[str, Any], field: Field, data: bytes, at: int, stop: int, depth: int) -> None:
    name, form, read, _ = field
    if form == STRUCT:
        inner = found.get(name)
        if inner is None:
            found[name] = inner = {}
        read.fill(inner, data, at, stop, depth + 1)
    elif form == LIST:
        value = read(data, at, stop, depth + 1)
        if name in found:
            found[name].append(value)
        else:
            found[name] = [value]
    elif form == MAP:
        key, value = _entry(read, data, at, stop, depth + 1)
        found.setdefault(name, {})[key] = value
    elif form == INLINE:
        read.fill(found, data, at, stop, depth)
    elif form == PACKED:
        while at < stop:
            value, at = varint(data, at)
            found.setdefault(name, []).append(read(value))
    else:
        _set(found, field, read(data, at, stop, depth + 1))


def _set(found: dict[str, Any], field: Field, value: Any) -> None:
    if field.form == ONE:
        found[field.name] = value
    elif field.form == PACKED:
        found.setdefault(field.name, []).append(value)
    elif value == field.zero:
        found.pop(field.name, None)
    else:
        found[field.name] = value


def _entry(read: tuple[Reader, Any], data: bytes, at: int, stop: int, depth: int) -> tuple[str, Any]:
    reader, zero = read
    key, value = "", zero
    is_given = False
    while at < stop:
        tag, after = varint(data, at)
        if tag >> 3 == 1:
            begins, at = sized(data, after, stop)
            key = text(data, begins, at)
        elif tag >> 3 == 2:
            begins, at = sized(data, after, stop)
            value, is_given = reader(data, begins, at, depth), True
        else:
            at = skipped(data, at, stop)
    if not is_given and type(zero) is Message:
        value = zero.read(b"", 0, 0, depth)
    return key, value


def _double(data: bytes, at: int) -> Any:
    """A float. JSON does not distinguish floats without a fraction from integers."""
    value = struct.unpack_from("<d", data, at)[0] if at + 8 <= len(data) else 0.0
    if not isfinite(value):
        raise BadMessage(f"json: unsupported value: {value}")
    return int(value) if value.is_integer() and abs(value) < 1e21 else value


# ---- the table -------------------------------------------------------------------------------------------------------

_SCALARS = {"bool": False, "bytes": "", "double": 0, "int32": 0, "int64": 0, "string": ""}


def _content(owner: Message) -> Content:
    found = Content({}, {}, [])
    for row in owner.rows:
        _add(found, owner.name, row)
    return found


def _add(found: Content, owner: str, row: str) -> None:
    parts = _FIELD.fullmatch(row)
    if parts is None:
        raise ValueError(f"{owner}: {row} is not a field")
    digits, name, flag, pointer, many, type_, go_name = (part or "" for part in parts.groups())
    number = int(digits)
    type_ = owner.rpartition(".")[0] + type_ if type_[0] == "." else type_
    field = _field(name, flag, pointer, many, type_)
    found.go_names[number] = go_name or name[:1].upper() + name[1:]
    found.fields[number << 3 | _wire(type_)] = field
    if field.form == PACKED:
        found.fields[number << 3 | SIZED] = field
    if flag == "&":
        found.always.extend(field.read.content.always)
    elif flag == "!" and (pointer or many or type_ == "bytes"):
        found.always.append((name, None))
    elif not pointer and not many and (flag == "!" or (type_ not in _SCALARS and type_ not in READERS and flag != "0")):
        found.always.append((name, _zero(type_)))


def _wire(type_: str) -> int:
    return NUMBER if type_ in _NUMBERS else EIGHT_BYTES if type_ == "double" else SIZED


def _field(name: str, flag: str, pointer: str, many: str, type_: str) -> Field:
    if type_ in _NUMBERS and many:
        return Field(name, PACKED, _NUMBERS[type_])
    if type_ in _NUMBERS or type_ == "double":
        form = ONE if flag == "!" or pointer else DROPS_ZERO
        return Field(name, form, _NUMBERS.get(type_), _SCALARS[type_])
    if type_ in READERS:
        read, zero = READERS[type_], _SCALARS.get(type_)
        form = DROPS_ZERO if flag != "!" and not pointer and type_ in _SCALARS else ONE
    else:
        inner = message(type_)
        read, zero = inner.read, inner
        form = INLINE if flag == "&" else ONE if inner.folded else STRUCT
    if many:
        return Field(name, LIST, read) if many == "[]" else Field(name, MAP, (read, zero))
    if form in (INLINE, STRUCT):
        return Field(name, form, zero)
    if flag == "0":
        form, zero = DROPS_ZERO, read(b"", 0, 0, 0)
    return Field(name, form, read, zero)


def _zero(type_: str) -> Any:
    return _SCALARS[type_] if type_ in _SCALARS else message(type_)


@lru_cache(maxsize=1)
def _table() -> dict[str, Message]:
    text = Path(__file__).with_name("messages.txt").read_text(encoding="ascii")
    return {made.name: made for made in map(Message, (text + MESSAGES).splitlines())}


@lru_cache(maxsize=1)
def _kinds() -> tuple[dict[tuple[str, str], Message], set[str]]:
    known = {(group, one.name.rpartition(".")[2]): one for one in _table().values() for group in one.groups}
    return known, {group for group, _ in known}


def message(name: str) -> Message:
    """Return a message by its name: `core.v1.Container`."""
    return _table()[name]


def message_of(api_version: str, kind: str) -> Message | None:
    """Return the message of a kind, or None if it has no protobuf."""
    known, groups = _kinds()
    return known.get((api_version, kind)) or (known.get((ANY_GROUP, kind)) if api_version in groups else None)
