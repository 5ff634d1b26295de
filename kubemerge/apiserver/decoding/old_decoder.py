"""The JSON decoder of servers until 1.22, and its words: `v1.ConfigMap.Data: ReadString: expects " or n, but found 1`.

It reads a type as Go's json-iterator does: an error does not end the reading, so that types and fields around the
place, and fields behind it, add their names. The message has the bytes around the place. The input is valid
JSON, so errors about its syntax are only possible behind a number with an exponent.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from engine.values.guard import with_room

from . import go_bytes, go_types, old_go_types
from .go_kinds import JSON_TYPES, go_type
from .go_times import problem as problem_of_time
from .go_types import BYTES, MICRO_TIME, TIME

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema
    from engine.tables.rules import Rule

_NEAR, _FAR = 10, 50
"""The numbers of bytes before and behind the place that a message shows."""
_AT_ONCE, _LOOKS_AHEAD = 7, 10
"""The number of digits that are read at once, if this number of bytes follows."""
_FEW = 10
"""Types with at most this number of fields have other words for a missing end."""
_SPACE = b" \n\t\r"
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = re.compile(rb"[-+.\w]+")
_END = "EOF"
_FOUND = re.compile(r"(but found|unexpected char|overflow:) .*", re.DOTALL)
"""The part of a message that has a character of the value."""


def old_decoding_error(data: bytes, schema: Schema, *, hidden: bool = False) -> str:
    """Return the error of such a server for an object in JSON. Empty if it can read the object.

    `hidden` bytes are not in the message: a server also shows those of Secrets, but this does not.
    """
    reader = _Reader(data, schema, hidden=hidden)
    with_room(lambda: reader.value(schema.type.rule, ""))
    return reader.error if reader.failed else ""


class _Reader:
    """The bytes, a place in them, and the error. The methods follow Go's iterator and its decoders."""

    def __init__(self, data: bytes, schema: Schema, *, hidden: bool) -> None:
        self.data, self.schema, self.hidden = data, schema, hidden
        self.at = 0
        self.error = ""
        self.scalars: dict[str | None, Callable[[str], None]] = {
            "string": self._text,
            "integer": self._integer,
            "boolean": self._boolean,
            "int-or-string": self._int_or_string,
            "quantity": self._quantity,
        }

    @property
    def failed(self) -> bool:
        return self.error not in ("", _END)

    def report(self, operation: str, why: str) -> None:
        """Keep the first error, with the bytes around the place."""
        if self.failed:
            return
        start = max(self.at - _NEAR, 0)
        near = self.data[start : self.at + _NEAR].decode(errors="replace")
        far = self.data[max(self.at - _FAR, 0) : self.at + _FAR].decode(errors="replace")
        if self.hidden:
            near, far, why = "...", "...", _FOUND.sub(r"\1 ...", why)
        found = f"error found in #{self.at - start} byte of ...|{near}|..., bigger context ...|{far}|..."
        self.error = f"{operation}: {why}, {found}"

    def token(self) -> str:
        """Return the next character that is no space, and go behind it. Empty at the end."""
        while self.at < len(self.data):
            self.at += 1
            if self.data[self.at - 1] not in _SPACE:
                return chr(self.data[self.at - 1])
        self.error = self.error or _END
        return ""

    def back(self) -> None:
        """Go back by one byte, which Go's iterator does not do after an error."""
        if not self.error:
            self.at -= 1

    def _is_null(self) -> bool:
        if self.token() == "n":
            self._rest("ull")
            return True
        self.back()
        return False

    def _rest(self, word: str) -> None:
        """Go behind the rest of a word, or behind the first byte that differs."""
        for letter in word:
            self.at += 1
            if self.data[self.at - 1 : self.at] != letter.encode():
                break

    def _skipped(self) -> bytes:
        """Go behind a value, and return its bytes. Behind an error, that is its first token, or the first two."""
        opening = self.token()
        if self.error and opening not in ('"', "-", *"0123456789"):
            self._rest({"n": "ull", "t": "rue", "f": "alse"}.get(opening, ""))
            if opening in ("{", "["):
                self.token()
            return b""
        self.at = start = self.at - 1
        depth = 0
        while self.at < len(self.data):
            character = self.data[self.at : self.at + 1]
            found = _STRING.match(self.data, self.at) or _WORD.match(self.data, self.at)
            depth += (character in (b"{", b"[")) - (character in (b"}", b"]"))
            self.at = found.end() if found else self.at + 1
            if depth <= 0 and character not in (b",", b":") and character not in _SPACE:
                break
        return self.data[start : self.at]

    # ---- values ------------------------------------------------------------------------------------------------------

    def value(self, rule: Rule, go: str) -> None:
        """Read a value of a type. `go` is its Go type, if that does not follow from the rule."""
        if rule.kind == "primitive" and rule.of in self.scalars:
            self.scalars[rule.of](go)
        elif rule.kind == "list":
            self._list(rule, go)
        elif rule.kind != "map" or rule.of is None:
            self._skipped()
        elif rule.free_keys:
            self._map(rule, go)
        else:
            self._struct(str(rule.of))

    def _struct(self, owner: str) -> None:
        opening = self.token()
        if opening == "n":
            self._rest("ull")
        elif opening != "{":
            self.report("readObjectStart", f"expect {{ or n, but found {opening}")
        elif self.token() != "}":
            self.back()
            following = ","
            while following == ",":
                self._field(owner)
                following = self.token()
            if following != "}" and len(self.schema.types[owner].fields) <= _FEW:
                self.report("isObjectEnd", f"object ended prematurely, unexpected char {following}")
            if self.failed:
                module, _, name = owner.rpartition(".")
                self.error = f"{module.rpartition('_')[2]}.{name}.{self.error}"
            if following != "}":
                self.report("struct Decode", f"expect }}, but found {following}")

    def _field(self, owner: str) -> None:
        field = self._string()
        self.token()
        fields = self.schema.types[owner].fields
        if field not in fields:
            self._skipped()
            return
        if not (old_go_types.is_pointer(owner, field) and self._is_null()):
            self.value(fields[field], go_types.types_of(owner).get(field, ""))
        if self.failed:
            for name in old_go_types.steps_to(owner, field, fields, fields[field].of):
                self.error = f"{name}: {self.error}"

    def _map(self, rule: Rule, go: str) -> None:
        opening = self.token()
        if opening == "n":
            self._rest("ull")
        elif opening != "{":
            self.report("ReadMapCB", f"expect {{ or n, but found {opening}")
        elif self.token() != "}":
            self.back()
            following = ","
            while following == ",":
                self._string()
                if self.token() != ":":
                    return
                self.value(self.schema.inside(rule)[0], go_types.element(go))
                following = self.token()

    def _list(self, rule: Rule, go: str) -> None:
        self._elements(lambda: self.value(self.schema.inside(rule)[0], go_types.element(go)))
        if self.failed:
            self.error = f"{go.partition('=')[0] or go_type(rule, self.schema)}: {self.error}"

    def _elements(self, read: Callable[[], None]) -> None:
        opening = self.token()
        if opening == "n":
            self._rest("ull")
        elif opening != "[":
            self.report("decode slice", f"expect [ or n, but found {opening}")
        elif self.token() != "]":
            self.back()
            following = ","
            while following == ",":
                read()
                following = self.token()
            if following != "]":
                self.report("decode slice", f"expect ], but found {following}")

    # ---- scalars -----------------------------------------------------------------------------------------------------

    def _string(self) -> str:
        opening = self.token()
        if opening == "n":
            self._rest("ull")
        elif opening != '"':
            self.report("ReadString", f'expects " or n, but found {opening}')
        elif found := _STRING.match(self.data, self.at - 1):
            self.at = found.end()
            text: str = json.loads(found[0], strict=False)
            return text
        else:
            self.at = len(self.data)
        return ""

    def _text(self, go: str) -> None:
        if go in (TIME, MICRO_TIME):
            self._unmarshal(_time if go == TIME else _micro_time)
        elif go == BYTES:
            self._bytes()
        else:
            self._string()

    def _bytes(self) -> None:
        if self._is_null():
            return
        opening = self.token()
        self.back()
        if opening == '"':
            wrong = go_bytes.problem(self._string())
            if wrong:
                self.report("decode base64", wrong)
        elif opening == "[":
            self._elements(lambda: self._integer("uint8"))
            if self.failed:
                self.error = f"[]uint8: {self.error}"
        else:
            self.report("base64Codec", "invalid input")

    def _boolean(self, _: str) -> None:
        if self._is_null():
            return
        found = self.token()
        if found in ("t", "f"):
            self._rest("rue" if found == "t" else "alse")
        else:
            self.report("ReadBool", f"expect t or f, but found {found}")

    def _integer(self, go: str) -> None:
        if self._is_null():
            return
        name = go if go in go_types.RANGES else "int32"
        least, end = go_types.RANGES[name]
        wide = "64" if name == "int64" else "32"
        first = self.token()
        sign = first if first == "-" and least else ""
        first = self.token() if sign else first
        if not first.isdigit():
            self.report(f"readUint{wide}", "unexpected character: \ufffd")
            return
        digits, start = first, self.at
        while first != "0" and self.at < len(self.data) and chr(self.data[self.at]).isdigit():
            digits += chr(self.data[self.at])
            self.at += 1
            if int(digits) >= 1 << int(wide):
                self.at = start + _AT_ONCE if len(self.data) - start > _LOOKS_AHEAD else start
                self.report(f"readUint{wide}", "overflow")
                return
        if self.data[self.at : self.at + 1] == b".":
            self.report("assertInteger", "can not decode float as int")
        elif not (int(digits) <= -least if sign else int(digits) < end):
            self.report(f"Read{name[0].upper()}{name[1:]}", f"overflow: {digits}")

    def _int_or_string(self, _: str) -> None:
        self._unmarshal(_int_or_string)

    def _quantity(self, _: str) -> None:
        self._unmarshal(_quantity)

    def _unmarshal(self, problem: Callable[[Any, str], str]) -> None:
        """Read a type that has a separate decoder, with errors of another package."""
        self.token()
        self.back()
        text = self._skipped().decode(errors="replace")
        try:
            value = json.loads(text)
        except ValueError:  # behind an error, the place is no value's
            return
        why = "" if value is None else problem(value, text)
        if why:
            self.report("unmarshalerDecoder", why)


def _time(value: Any, _: str) -> str:
    return problem_of_time(value) if isinstance(value, str) else _not_of("string", value)


def _micro_time(value: Any, _: str) -> str:
    return problem_of_time(value, micro=True) if isinstance(value, str) else _not_of("string", value)


def _int_or_string(value: Any, text: str) -> str:
    least, end = go_types.RANGES["int32"]
    if isinstance(value, str) or (type(value) is int and least <= value < end):
        return ""
    return _not_of("int32", value, "" if isinstance(value, (bool, dict, list)) else f" {text}")


def _not_of(type_: str, value: Any, digits: str = "") -> str:
    return f"json: cannot unmarshal {JSON_TYPES[type(value)]}{digits} into Go value of type {type_}"


def _quantity(value: Any, _: str) -> str:
    from engine.values import quantities  # late, because decimals are slow to import

    return quantities.problem(value)
