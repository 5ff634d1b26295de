"""Malicious texts: YAML and JSON made to hang, crash or mislead a reader."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    Make = Callable[[Random], str | bytes]

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n"
"""The start of a manifest in YAML. The text after it is indented."""
WIDE = (100, 201, 1_000, 30_000)


def _json(value: str, key: str = '"a"') -> str:
    """A JSON manifest with a raw value, or a raw key."""
    return f'{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"m"}},"data":{{{key}:{value}}}}}'


def _yaml(value: str) -> str:
    return f"{HEAD}  a: {value}\n"


def _deep(random: Random) -> str:
    levels = random.choice(WIDE)
    opened, closed = random.choice([('{"a":', "}"), ("[", "]"), ('[{"a":', "}]")])
    return random.choice([_json, _yaml])(opened * levels + "1" + closed * levels)


def _deep_block(random: Random) -> str:
    return HEAD + "".join(f"{' ' * (2 + level)}a:\n" for level in range(random.choice((100, 300, 1_500))))


def _not_closed(random: Random) -> str:
    return random.choice([_json, _yaml])(
        random.choice(["[", "{", '{"a":', "'", '"', "!", "&", "*", "|", "? "]) * random.choice(WIDE)
    )


def _bomb(random: Random) -> str:
    """Aliases that multiply: few lines that are thousands of millions of values."""
    levels, width = random.choice([(9, 9), (30, 2), (5, 60), (200, 2)])
    lines = ["  a0: &a0 [x, x]"] + [f"  a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    return HEAD + "\n".join(lines) + "\n"


def _text_bomb(random: Random) -> str:
    return f"{HEAD}  a: &a {'x' * 100_000}\n" + "".join(f"  b{n}: *a\n" for n in range(random.choice((10, 3_000))))


ALIASES = (
    "&a [*a]",
    "&a {b: *a}",
    "*nowhere",
    "&a &b c",
    "{? &a [x] : *a}",
    "{<<: &a {<<: *a}}",
    "{<<: 3}",
    "{<<: [3, {a: b}]}",
    "{<<: [{a: b}, {a: c}], a: d}",
    "{<<: {a: b}, <<: {a: c}}",
    "{<<: null}",
    "{'<<': {a: b}}",
    "&é x",
    "&a",
    "!!str &a x",
)
TAGS = (
    '!!python/object/apply:os.system ["touch hacked"]',
    "!!python/name:os.system",
    "!!python/object/new:os.system [touch hacked]",
    "!!binary aGVsbG8=",
    "!!binary '***'",
    "!!set {a, b}",
    "!!omap [a: b]",
    "!!pairs [a: b]",
    "!!timestamp 2001-12-14",
    "!!timestamp nonsense",
    "!!int nonsense",
    "!!float nonsense",
    "!!bool nonsense",
    "!!null nonsense",
    "!!map [a]",
    "!!seq {a: b}",
    "!!str {a: b}",
    "!foo bar",
    "!<tag:x,2000:y> z",
    "!e!x y",
    "! x",
    "!!merge <<",
    "!!value =",
)
SCALARS = (
    "1e400",
    "-1e400",
    "1e-400",
    "-0.0",
    "9" * 6_000,
    "0." + "9" * 6_000,
    "1e" + "9" * 50,
    "0x" + "f" * 5_000,
    "0b11",
    "0o777",
    "0777",
    "1_000_000",
    "190:20:30",
    ".inf",
    "-.INF",
    ".nan",
    "NaN",
    "Infinity",
    "18446744073709551616",
    "9223372036854775808",
    "-9223372036854775809",
    "2001-12-14t21:59:43.10-05:00",
    "9999-99-99",
    "yes",
    "~",
    "=",
    "<<",
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ud83d\\ude00"',
    '"\\u0000"',
    '"\\x1b[2J\\u202e"',
    '"\\U00110000"',
    '"\\q"',
    "'\u2028\u2029\u0085'",
    "\ufffe",
    "\x7f",
    "\x1b[2J",
    "\u202eevil",
    "\u009b2J",
    "@x",
    "`x",
    "%x",
    "- - - x",
    "? x",
    ": x",
    "|99\n  x",
    "|-+\n  x",
    ">1\n\n\n   x\n  y",
    "{a: b: c}",
    "[a, , b]",
    "{a, b}",
    "a: b: c",
    "# x",
    "x #y",
    "\t x",
)
KEYS = (
    "? [a]\n  : b",
    "? {a: b}\n  : c",
    "null: x",
    "~: x",
    "true: x",
    "1: x",
    "1.5: x",
    "1e400: x",
    ".nan: x",
    "0x10: x",
    "2001-12-14: x",
    "? |\n    a\n  : b",
    "'': x",
    '"\\ud800": x',
    '"\\u0000": x',
    "a: x\n  a: y",
    "a: x\n  'a': y",
    'a: x\n  "a": y',
    "1: x\n  '1': y",
    f"{'k' * 200_000}: x",
    "a/b~c: x",
    "../../x: y",
    "{{ 7 * 7 }}: x",
    "%s: x",
    "$patch: delete",
    "$setElementOrder/x: [a]",
    "$retainKeys: [a]",
    "$deleteFromPrimitiveList/x: [a]",
    "__proto__: x",
)
JSON_KEYS = (
    '"\\ud800"',
    '"a":1,"a"',
    '"a":1,"\\u0061"',
    '""',
    "a",
    "1",
    "null",
    '"a\\\n"',
    '"$patch":"replace","a"',
    '"\x00"',
    '"\x1b"',
)
WHOLE = (
    "",
    " ",
    "null",
    "[]",
    "3",
    '"text"',
    "---\n---\n---\n",
    "...\n",
    "%YAML 9.9\n---\na: b\n",
    "%TAG ! tag:x:\n---\n!x y\n",
    "%FOO bar\n---\na: b\n",
    "--- |\n text\n--- x\n",
    "{}",
    "a: b",
    "apiVersion: v1",
    "kind: ConfigMap",
    "apiVersion: []\nkind: {}\n",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: 3\n",
    "apiVersion: v1\nkind: List\nitems: 3\n",
    "apiVersion: v1\nkind: List\nitems: [3, null, [], {}]\n",
    "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items: []\n",
    "apiVersion: a/b/c/d\nkind: X\nmetadata: {name: x}\n",
    "apiVersion: ../../etc\nkind: ../passwd\nmetadata: {name: ../../x}\n",
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "a\\nb\\e[2J"}\n',
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{x}}', namespace: '%s%n'}\n",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: 3}\n",
    "<html>",
    "<?xml version='1.0'?><a/>",
    "PK\x03\x04",
    "\x1f\x8b\x08\x00garbage",
    "a" * 300_000,
    "- " * 3_000,
    "? " * 3_000,
    "---\n" * 5_000,
    "# x\n" * 50_000,
    "[" + "1," * 100_000 + "1]",
    _json("1") * 300,
    _json("1") + "garbage",
    "{" + _json("1"),
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig", "cp1252")


def _encoded(random: Random) -> bytes:
    return _yaml("é").encode(random.choice(ENCODINGS))


def _bytes(random: Random) -> bytes:
    """A manifest with bytes that are no text, or that no text should have."""
    good = _yaml("x").encode()
    at = random.randrange(len(good))
    return (
        good[:at]
        + random.choice([b"\0", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x85", b"\r", b"\x0c"])
        + good[at:]
    )


def _layers(random: Random) -> str:
    """A List in a List in a List."""
    levels = random.choice((3, 90, 300))
    item = '{"apiVersion":"v1","kind":"List","items":['
    return item * levels + "]}" * levels


ANNOTATIONS: tuple[str, ...] = (
    "{",
    "[]",
    "3",
    "null",
    "{}",
    '"text"',
    '{"a":' * 3_000 + "1" + "}" * 3_000,
    '{"data":3}',
    '{"data":{"a":"\\ud800"}}',
    '{"data":{"a":1e400}}',
    '{"kind":[]}',
    '{"metadata":3}',
    '{"metadata":{"annotations":[]}}',
    "\x00",
    "\ufeff{}",
)


def _annotated(random: Random) -> str:
    name = "kubectl.kubernetes.io/last-applied-configuration"
    metadata = {"name": "m", "annotations": {name: random.choice(ANNOTATIONS)}}
    return json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "b"}})


TEXTS: dict[str, Make] = {
    "deep": _deep,
    "deep, in block style": _deep_block,
    "not closed": _not_closed,
    "alias bombs": _bomb,
    "text bombs": _text_bomb,
    "aliases and merges": lambda random: _yaml(random.choice(ALIASES)),
    "tags": lambda random: _yaml(random.choice(TAGS)),
    "scalars in YAML": lambda random: _yaml(random.choice(SCALARS)),
    "scalars in JSON": lambda random: _json(random.choice(SCALARS)),
    "keys in YAML": lambda random: f"{HEAD}  {random.choice(KEYS)}\n",
    "keys in JSON": lambda random: _json("1", random.choice(JSON_KEYS)),
    "whole documents": lambda random: random.choice(WHOLE),
    "encodings": _encoded,
    "bytes": _bytes,
    "lists in lists": _layers,
    "annotations of the last apply": _annotated,
}

WRONG: tuple[Any, ...] = (
    None,
    True,
    3,
    -1,
    2**63,
    2**64,
    1.5,
    1e300,
    "",
    "text",
    "x" * 70_000,
    "\ud800",
    "\0",
    "\x1b[2J\u202e\u009b",
    "{{ 1 }} %s ${x} $(y)",
    "../../etc/passwd",
    [],
    [None],
    [3, "a", {}],
    [[[]]],
    {},
    {"": ""},
    {"a": {"b": {"c": None}}},
    {"$patch": "replace"},
    {"$ref": "#/definitions/x"},
    "#",
    "#/",
    "#/definitions/../..",
    ["a"] * 3_000,
    {f"k{n}": n for n in range(2_000)},
)
"""Values that hardly any place takes."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a document."""
    yield path
    for key, inside in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places(inside, (*path, key))


def changed_anywhere(document: Any, random: Random) -> Any:
    """A copy of a document with something wrong in one to three places."""
    whole = copy.deepcopy(document)
    for _ in range(random.choice((1, 1, 2, 3))):
        paths = [path for path in places(whole) if path]
        if not paths:
            return copy.deepcopy(random.choice(WRONG))
        *above, last = random.choice(paths)
        holder = whole
        for step in above:
            holder = holder[step]
        choice = random.random()
        if choice < 0.7:
            holder[last] = copy.deepcopy(random.choice(WRONG))
        elif choice < 0.85:
            del holder[last]
        elif isinstance(holder, list):
            holder.insert(last, copy.deepcopy(holder[last]))
        else:
            holder[str(random.choice(WRONG))] = holder.pop(last)
    return whole
