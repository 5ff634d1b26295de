"""YAML as kubectl reads it: a stream of documents, each scalar resolved by the rules of Go's YAML library.

The parser is that of libyaml if PyYAML has it. The values are built here from its events, without recursion, so that
depth, repeated keys and aliases are checked, and nothing becomes a date or a Python object.
"""

from __future__ import annotations

import base64
import binascii
import math
import re

import yaml

from .limits import MAX_DEPTH, MAX_NODES
from .problems import BadDocument, bad_character, in_plain_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_INT = r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))\Z"
_FLOAT = r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z"
_OF_NUMBERS = frozenset("+-._0123456789abcdefABCDEFxXoO")
"""The characters of numbers: most texts have others, and so need no expression."""
_NOT_FINITE = frozenset(sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")) | frozenset(
    (".nan", ".NaN", ".NAN")
)
_TAGGED: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,), "null": (type(None),)}
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
}


QUOTE_IT = "if it is meant to be text, put it in quotes"
"""What is written there is not repeated: it may be a password that begins with such a sign."""


class YamlError(BadDocument):
    """Text that is not YAML as Kubernetes reads it, with the place and what to do."""

    def __init__(self, problem: str, mark: Any = None, way_out: str = "correct the YAML there") -> None:
        super().__init__(problem, mark, way_out)


def documents(text: str | bytes) -> Iterator[Any]:
    """Every document of a YAML stream; an empty document is None."""
    return (document for _, document in located(text))


def located(text: str | bytes) -> Iterator[tuple[int, Any]]:
    """Every document of a YAML stream with the line where its content starts."""
    loader = None
    try:
        loader = Loader(text)
        while loader.check_event():
            event = loader.get_event()
            if isinstance(event, yaml.DocumentStartEvent):
                found = _Document(loader)
                document = found.read()
                yield found.line, document
    except yaml.MarkedYAMLError as error:
        problem, way_out, place = in_plain_words(error, text)
        raise YamlError(problem, place, way_out) from None
    except yaml.reader.ReaderError as error:
        problem, way_out, place = bad_character(error, text)
        raise YamlError(problem, place, way_out) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise YamlError(" ".join(str(error).split())) from None
    finally:
        if loader is not None:
            loader.dispose()


def resolve(text: str) -> Any:
    """The value of a plain scalar as kubectl reads it: never a date, never a number in base 60."""
    if text in _WORDS:
        return _WORDS[text]
    if text in _NOT_FINITE:
        raise YamlError(f"{text} is not a number that JSON can hold")
    if text[0] not in "+-.0123456789":
        return text
    if not _OF_NUMBERS.issuperset(text):
        return text
    if text.isdecimal() and (text[0] != "0" or text == "0") and len(text) < 19:
        return int(text)
    plain = text.replace("_", "")
    found = re.match(_INT, plain)
    if found:
        sign, *bases = found.groups()
        digits, base = next((part, base) for part, base in zip(bases, (16, 2, 8, 10), strict=True) if part is not None)
        value = _whole(digits, base, negative=sign == "-")
        if value is not None:
            return value
    if re.match(_FLOAT, plain):
        return _number(plain, text)
    return text


def _whole(digits: str, base: int, *, negative: bool) -> int | float | None:
    """An integer if it fits into 64 bits, a float if it fits into 64 unsigned bits, else None."""
    if base == 10 and len(digits) > 20:
        return None
    value = int(digits, base) * (-1 if negative else 1)
    if -(2**63) <= value < 2**63:
        return value
    return float(value) if 0 < value < 2**64 else None


def _number(plain: str, text: str) -> Any:
    value = float(plain)
    if math.isinf(value):
        return text
    if not value.is_integer() or abs(value) >= 1e21:
        return value
    from decimal import Decimal

    # kubectl converts YAML to JSON, where 1.0 is printed as 1, and a large float with the digits of its repr.
    whole = int(Decimal(repr(value)))
    return whole if -(2**63) <= whole < 2**63 else value


class _Document:
    """A document that is being built: open collections on a stack, anchors by name."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.open: list[_Collection] = []
        self.nodes = 0
        self.root: Any = None
        self.line = 0

    def read(self) -> Any:
        while True:
            event = self.loader.get_event()
            self.line = self.line or event.start_mark.line + 1
            if isinstance(event, yaml.DocumentEndEvent):
                return self.root
            self._take(event)

    def _take(self, event: Any) -> None:
        if isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.ScalarEvent):
            self._count(1, event)
            value = _scalar(event)
            self._anchor(event.anchor, value, 1)
            self._put(value, event)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if len(self.open) >= MAX_DEPTH:
                problem = f"nested deeper than {MAX_DEPTH} levels"
                raise YamlError(problem, event.start_mark, "keep the deep part as text")
            self._count(1, event)
            mapping = isinstance(event, yaml.MappingStartEvent)
            self.open.append(_Collection(mapping, event, self.nodes))
        else:
            done = self.open.pop()
            self._anchor(done.start.anchor, done.value, self.nodes - done.nodes_before + 1)
            self._put(done.value, done.start)

    def _alias(self, event: Any) -> None:
        if event.anchor not in self.anchors:
            raise YamlError("an alias (*name) stands here for an anchor that is not known", event.start_mark, QUOTE_IT)
        value, nodes = self.anchors[event.anchor]
        self._count(nodes, event)
        self._put(value, event)

    def _count(self, nodes: int, event: Any) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            problem = f"more than {MAX_NODES:,} values once aliases are written out"
            raise YamlError(problem, event.start_mark, "split the document")

    def _anchor(self, name: str | None, value: Any, nodes: int) -> None:
        if name is not None:
            self.anchors[name] = (value, nodes)

    def _put(self, value: Any, event: Any) -> None:
        if self.open:
            self.open[-1].put(value, event)
        else:
            self.root = value


class _Collection:
    """A mapping or a sequence that is still open."""

    def __init__(self, mapping: bool, start: Any, nodes_before: int) -> None:
        self.start, self.nodes_before = start, nodes_before
        self.value: Any = {} if mapping else []
        self._own_keys: set[str] = set()
        self._key: str | None = None
        self._merging = False
        self._mapping = mapping

    def put(self, value: Any, event: Any) -> None:
        if not self._mapping:
            self.value.append(value)
        elif self._merging:
            self._merge(value, event)
        elif self._key is None:
            self._begin(value, event)
        else:
            self.value[self._key] = value
            self._key = None

    def _begin(self, key: Any, event: Any) -> None:
        if key == "<<" and isinstance(event, yaml.ScalarEvent) and not event.style and event.tag is None:
            self._merging = True
            return
        if key is None or isinstance(key, (dict, list)):
            raise YamlError("a key must be a scalar, and not null", event.start_mark)
        name = key if isinstance(key, str) else _key_text(key)
        if name in self._own_keys:
            raise YamlError(f"the key {name!r} is twice in one mapping", event.start_mark, "remove one of them")
        self._own_keys.add(name)
        self._key = name

    def _merge(self, value: Any, event: Any) -> None:
        """`<<: *anchor` overrides earlier keys, and later keys override it, as in kubectl; in lists, the first wins."""
        self._merging = False
        for source in reversed(value) if isinstance(value, list) else [value]:
            if not isinstance(source, dict):
                raise YamlError("a merge key (<<) needs a mapping or a list of mappings", event.start_mark)
            self.value.update(source)


def _key_text(key: Any) -> str:
    return str(key).lower() if isinstance(key, bool) else repr(key)


def _scalar(event: Any) -> Any:
    try:
        if event.tag == "!":
            return event.value
        if event.tag is None or event.implicit[0]:
            return resolve(event.value) if event.implicit[0] and not event.style else event.value
        return _tagged(event.tag.removeprefix("tag:yaml.org,2002:"), event.value)
    except YamlError as error:
        raise YamlError(error.problem, event.start_mark, error.way_out) from None


def _tagged(tag: str, text: str) -> Any:
    if tag == "str":
        return text
    if tag == "binary":
        try:
            return base64.b64decode(text, validate=False).decode()
        except (binascii.Error, UnicodeDecodeError):
            raise YamlError("!!binary does not hold text in base64") from None
    value = resolve(text)
    wanted = _TAGGED.get(tag)
    if wanted is None:
        return text if tag == "timestamp" else _unknown_tag()
    if not isinstance(value, wanted) or (tag in ("int", "float") and isinstance(value, bool)):
        raise YamlError(f"this is not a !!{tag}")
    return value


def _unknown_tag() -> Any:
    raise YamlError("a tag (!name) stands here that means nothing in a Kubernetes document", way_out=QUOTE_IT)
