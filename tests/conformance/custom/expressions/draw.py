"""Random schemas, objects and rules. The rules use every overload."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.cel.language.overloads import NAMES, overloads

if TYPE_CHECKING:
    from random import Random

Raw = dict[str, Any]
Scope = list[tuple[str, str]]
"""Variables with their types."""

TEXTS = [
    "",
    "a",
    "abc",
    "a-b.c",
    "äöü",
    "x" * 40,
    "10.0.0.1",
    "::1",
    "10.0.0.0/8",
    "1Gi",
    "1.2.3",
    "https://a.b:80/c?d=e",
]
TEXTS += [
    "2024-01-01T00:00:00Z",
    "1h30m",
    "5",
    "-7",
    "true",
    "[a-z]+",
    "^(a|b)*c$",
    "a%sb",
    "A B c",
    "x\ty\n",
    '"q"',
    "😀",
]
NUMBERS = [0, 1, -1, 2, 3, 7, 100, 2**31, 2**63 - 1, -(2**63)]
FLOATS = [0.0, 1.0, -1.5, 0.1, 1234.5, 1e21, 1e-7]
SIMPLE = ("bool", "int", "string", "double")
KINDS: tuple[str, ...] = ("bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration", "quantity")
KINDS += ("ip", "cidr", "url", "semver", "format")


# ---- schemas and objects ---------------------------------------------------------------------------------------------


def schema(random: Random) -> Raw:
    """A schema with fields of all kinds."""
    fields = {f"f{number}": _field(random, 2) for number in range(random.randint(3, 8))}
    if random.random() < 0.3:
        fields["x-y"] = _field(random, 0)
    if random.random() < 0.2:
        fields["namespace"] = {"type": "string"}
    needed = [name for name in fields if random.random() < 0.3]
    return {"type": "object", "properties": fields, **({"required": needed} if needed else {})}


def _field(random: Random, depth: int) -> Raw:
    kind = random.choice(("string", "string", "integer", "number", "boolean", "array", "object", "map", "either"))
    if depth == 0 and kind in ("array", "object", "map"):
        kind = "string"
    if kind == "string":
        return _text(random)
    if kind == "either":
        return {"x-kubernetes-int-or-string": True}
    if kind == "array":
        return _list(random, depth)
    if kind == "map":
        found: Raw = {"type": "object", "additionalProperties": _field(random, depth - 1)}
        if random.random() < 0.4:
            found["maxProperties"] = random.choice((0, 3, 10, 1000))
        return found
    if kind == "object":
        fields = {f"g{number}": _field(random, depth - 1) for number in range(random.randint(1, 4))}
        return {"type": "object", "properties": fields}
    found = {"type": kind}
    if random.random() < 0.1:
        found["nullable"] = True
    return found


def _text(random: Random) -> Raw:
    found: Raw = {"type": "string"}
    if random.random() < 0.3:
        found["format"] = random.choice(("date-time", "duration", "byte", "date", "uuid"))
    elif random.random() < 0.3:
        found["enum"] = random.sample(TEXTS, 3)
    if random.random() < 0.4:
        found["maxLength"] = random.choice((0, 5, 64, 256, 10000))
    return found


def _list(random: Random, depth: int) -> Raw:
    inner = _field(random, depth - 1)
    found: Raw = {"type": "array", "items": inner}
    if random.random() < 0.4:
        found["maxItems"] = random.choice((0, 1, 5, 64, 2000))
    if random.random() < 0.2 and inner.get("type") in ("string", "integer"):
        found["x-kubernetes-list-type"] = "set"
    if random.random() < 0.3 and inner.get("properties"):
        keys = [name for name, one in inner["properties"].items() if one.get("type") in ("string", "integer")]
        if keys:
            found |= {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys[:1]}
            inner["required"] = keys[:1]
    return found


OF_FORMAT = {
    "date-time": ("2024-01-01T00:00:00Z", "2024-02-29T23:59:59.123456789+02:00"),
    "duration": ("1s", "1h30m", "-5ms"),
    "byte": ("YQ==", "AAEC", ""),
    "date": ("2024-01-01", "1999-12-31"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000",),
}


def value(random: Random, of: Raw, *, whole: bool = False) -> Any:
    """A value that a schema allows, or nearly."""
    if of.get("nullable") and random.random() < 0.3:
        return None
    if of.get("x-kubernetes-int-or-string"):
        return random.choice((*NUMBERS[:6], *TEXTS[:4]))
    kind = of["type"]
    if kind == "string":
        choices: list[str] = of.get("enum") or [*OF_FORMAT.get(of.get("format", ""), TEXTS)]
        return random.choice(choices)
    if kind == "integer":
        return random.choice(NUMBERS)
    if kind == "number":
        return random.choice(FLOATS)
    if kind == "boolean":
        return random.random() < 0.5
    if kind == "array":
        return _elements(random, of)
    if "additionalProperties" in of:
        return {name: value(random, of["additionalProperties"]) for name in random.sample(("a", "b", "x.y"), 2)}
    needed = of.get("required", ())
    there = {name for name in of["properties"] if whole or name in needed or random.random() < 0.7}
    return {name: value(random, one) for name, one in of["properties"].items() if name in there}


def _elements(random: Random, of: Raw) -> list[Any]:
    found = [value(random, of["items"]) for _ in range(random.choice((0, 1, 2, 5)))]
    if of.get("x-kubernetes-list-type") in ("set", "map"):
        keys = of.get("x-kubernetes-list-map-keys", ())
        seen: dict[str, Any] = {}
        for one in found:
            seen.setdefault(json.dumps([one.get(key) for key in keys] if keys else one), one)
        found = [*seen.values()]
    return found


# ---- types -----------------------------------------------------------------------------------------------------------


def type_of(of: Raw) -> str:
    """The type of the values of a schema."""
    if of.get("x-kubernetes-int-or-string"):
        return "dyn"
    kind = of["type"]
    if kind == "array":
        return f"list({type_of(of['items'])})"
    if kind == "object":
        return f"map(string, {type_of(of['additionalProperties'])})" if "additionalProperties" in of else "object"
    if kind == "string":
        forms = {"date-time": "timestamp", "date": "timestamp", "duration": "duration", "byte": "bytes"}
        return forms.get(of.get("format", ""), "string")
    return {"integer": "int", "number": "double", "boolean": "bool"}[kind]


def reachable(of: Raw, prefix: str = "self", depth: int = 3) -> Scope:
    """Everything that can be selected, with its type."""
    found: Scope = []
    for name, one in of.get("properties", {}).items():
        called = {"x-y": "x__dash__y"}.get(name, name)
        here = f"{prefix}.{called}"
        kind = type_of(one)
        found.append((f"{prefix}.?{called}", f"optional({kind})"))
        if kind == "object" and depth:
            found += reachable(one, here, depth - 1)
        found.append((here, kind))
        if one.get("type") == "array" and one["items"].get("properties") and depth:
            found += reachable(one["items"], f"{here}[0]", depth - 1)
    return found


@lru_cache(maxsize=1)
def made_by() -> dict[str, list[tuple[str, bool, tuple[str, ...], str]]]:
    """Overloads by the outermost name of the type of their result."""
    short = {name: key for key, name in NAMES.items() if key not in ("int64", "uint64")}

    def said(of: Any) -> str:
        name = short.get(of.name, of.name)
        return f"{name}({', '.join(map(said, of.inner))})" if of.inner else name

    found: dict[str, list[tuple[str, bool, tuple[str, ...], str]]] = {}
    for name, forms in overloads().items():
        if name.startswith(("@s", "@n", "cel.", "_?._")):
            continue
        for form in forms:
            gives = said(form.gives)
            entry = (name, form.member, tuple(map(said, form.takes)), gives)
            found.setdefault(gives.partition("(")[0], []).append(entry)
    return found


def parts_of(kind: str) -> tuple[str, list[str]]:
    """The name of a type, and the types in it."""
    name, bracket, inside = kind.partition("(")
    if not bracket:
        return name, []
    found, depth, start = [], 0, 0
    inside = inside[:-1]
    for at, char in enumerate(inside):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            found.append(inside[start:at].strip())
            start = at + 1
    return name, [*found, inside[start:].strip()]


def fit(pattern: str, wanted: str, bound: dict[str, str]) -> bool:
    """True if the result of an overload can have a type; binds its type parameters."""
    if len(pattern) == 1:
        return bound.setdefault(pattern, wanted) == wanted
    name, inner = parts_of(pattern)
    other, given = parts_of(wanted)
    if name != other or len(inner) != len(given):
        return False
    return all(fit(one, other, bound) for one, other in zip(inner, given, strict=True))


def put_in(pattern: str, bound: dict[str, str]) -> str:
    """A type with its parameters replaced."""
    if len(pattern) == 1:
        return bound.setdefault(pattern, "int")
    name, inner = parts_of(pattern)
    return f"{name}({', '.join(put_in(one, bound) for one in inner)})" if inner else name


# ---- expressions -----------------------------------------------------------------------------------------------------

OPERATORS = {"_?_:_", "_&&_", "_||_", "_[_]", "_[?_]", "@in"}


class Writer:
    """Generates expressions of a type."""

    def __init__(self, random: Random, known: Scope) -> None:
        self.random, self.known = random, known
        self.count = 0

    def rule(self) -> str:
        return self.text("bool", self.random.choice((1, 2, 3, 3, 4)))

    def text(self, kind: str, depth: int) -> str:
        """An expression of a type, sometimes with a mistake."""
        random = self.random
        if random.random() < 0.01:
            kind = random.choice(KINDS)
        if random.random() < 0.03:
            return f"dyn({self.text(random.choice(KINDS) if random.random() < 0.3 else kind, depth - 1)})"
        if depth <= 0 or random.random() < 0.1:
            return self.leaf(kind)
        if random.random() < 0.3:
            found = self.macro(kind, depth)
            if found:
                return found
        return self.call(kind, depth) or self.leaf(kind)

    def leaf(self, kind: str) -> str:
        """A variable, a field or a constant."""
        random = self.random
        there = [name for name, one in self.known if one == kind]
        if there and random.random() < 0.75:
            return random.choice(there)
        return self.constant(kind)

    def constant(self, kind: str) -> str:
        random = self.random
        name, inner = parts_of(kind)
        if name == "list":
            return "[" + ", ".join(self.element(inner[0]) for _ in range(random.choice((0, 1, 2, 3)))) + "]"
        if name == "map":
            keys = random.sample(("a", "b", "c"), random.randint(0, 2))
            wanted = inner[0] == "string"
            pairs = [
                f"{'?' * maybe}{self.quoted(key) if wanted else self.leaf(inner[0])}: "
                + self.leaf(f"optional({inner[1]})" if maybe else inner[1])
                for key in keys
                for maybe in (random.random() < 0.1,)
            ]
            return "{" + ", ".join(pairs) + "}"
        if name == "optional":
            return random.choice((f"optional.of({self.leaf(inner[0])})", "optional.none()"))
        if name == "type":
            return random.choice(("int", "string", "list", "type(self)"))
        if name in CONSTANTS:
            return random.choice(CONSTANTS[name])
        if name == "string":
            return self.quoted(random.choice(TEXTS))
        if name == "dyn":
            return f"dyn({self.leaf(random.choice(SIMPLE))})"
        return "self" if name == "object" else f"dyn({self.leaf('int')})"

    def element(self, kind: str) -> str:
        """An element of a list, sometimes optional."""
        if self.random.random() < 0.1:
            return f"?{self.leaf(f'optional({kind})')}"
        return self.leaf(kind)

    def quoted(self, text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t") + "'"

    def call(self, kind: str, depth: int) -> str:
        """A call of any function that returns the type."""
        random = self.random
        name, _ = parts_of(kind)
        choices = [*made_by().get(name, ())]
        general = [one for letter in ("A", "V", "B", "T") for one in made_by().get(letter, ())]
        if random.random() < 0.25 or not choices:
            choices = general
        random.shuffle(choices)
        for called, member, takes, gives in choices[:20]:
            bound: dict[str, str] = {}
            if not fit(gives, kind, bound):
                continue
            for letter in "ABTVK":
                bound.setdefault(letter, random.choice(("int", "string", "string", "bool", "double", "list(int)")))
            if called in ("_[_]", "_[?_]", "@in") and any("map" in one for one in takes):
                bound["A" if called == "_[_]" or called == "@in" else "K"] = "string"
            given = [self.text(put_in(one, bound), depth - 1) for one in takes]
            return self.written(called, member, given)
        return ""

    def written(self, name: str, member: bool, given: list[str]) -> str:
        """A call as text."""
        if name == "_?_:_":
            return f"({given[0]} ? {given[1]} : {given[2]})"
        if name == "@in":
            return f"({given[0]} in {given[1]})"
        if name in ("_[_]", "_[?_]"):
            return f"{given[0]}[{'?' if name == '_[?_]' else ''}{given[1]}]"
        if name in ("!_", "-_"):
            return f"{name[0]}({given[0]})"
        if name.startswith("_") and name.endswith("_"):
            return f"({given[0]} {name[1:-1]} {given[1]})"
        return f"{given[0]}.{name}({', '.join(given[1:])})" if member else f"{name}({', '.join(given)})"

    def _variable(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def _inside(self, kind: str, depth: int, *variables: tuple[str, str]) -> str:
        before = self.known
        self.known = [*variables, *variables, *before]
        try:
            return self.text(kind, depth)
        finally:
            self.known = before

    def macro(self, kind: str, depth: int) -> str:
        """A macro that returns the type; empty if there is none."""
        random = self.random
        name, inner = parts_of(kind)
        element = random.choice(("int", "string", "string", "double", "list(int)"))
        over, first = (f"list({element})", element) if random.random() < 0.7 else (f"map(string, {element})", "string")
        two = random.random() < 0.3
        one, other = self._variable(), self._variable()
        variables = [(one, first)]
        if two:
            variables = [(one, "int" if over.startswith("list") else "string"), (other, element)]
        names = ", ".join(each for each, _ in variables)
        target = self.text(over, depth - 2)
        if name == "bool":
            if random.random() < 0.2:
                fields = [each for each, _ in self.known if "." in each and "[" not in each.rpartition(".")[2]]
                return f"has({random.choice(fields)})" if fields else ""
            macro = random.choice(("all", "exists", "exists_one"))
            return f"{target}.{macro}({names}, {self._inside('bool', depth - 1, *variables)})"
        if name == "list":
            result = self._inside(inner[0], depth - 1, *variables)
            if two:
                return f"{target}.transformList({names}, {result})"
            choice = random.random()
            if choice < 0.3:
                listed = self.text(kind, depth - 1)
                return f"{listed}.filter({one}, {self._inside('bool', depth - 1, (one, inner[0]))})"
            if choice < 0.4:
                listed = self.text(kind, depth - 1)
                return f"{listed}.sortBy({one}, {self._inside('int', depth - 1, (one, inner[0]))})"
            if choice < 0.6:
                return f"{target}.map({one}, {self._inside('bool', depth - 1, *variables)}, {result})"
            return f"{target}.map({one}, {result})"
        if name == "map" and inner[0] == "string":
            entries = f"map(string, {element})"
            pair = ((one, "string"), (other, element))
            result = self._inside(inner[1], depth - 1, *pair)
            macro = random.choice(("transformMap", "transformMap", "transformMapEntry"))
            result = f"{{{one}: {result}}}" if macro == "transformMapEntry" else result
            return f"{self.text(entries, depth - 1)}.{macro}({one}, {other}, {result})"
        if name == "optional":
            element = random.choice(("int", "string"))
            target = self.text(f"optional({element})", depth - 1)
            flat = random.random() < 0.3
            result = self._inside(kind if flat else inner[0], depth - 1, (one, element))
            return f"{target}.{'optFlatMap' if flat else 'optMap'}({one}, {result})"
        if name == "string" and random.random() < 0.4:
            return self.format(depth)
        return ""

    def format(self, depth: int) -> str:
        clauses = {"s": KINDS[:8], "d": ("int", "uint"), "f": ("double",), "e": ("double",), "x": ("int", "string")}
        clauses |= {"b": ("int", "bool"), "o": ("int",), ".2f": ("double",), "z": ("int",), "%": ()}
        said, given = "", []
        for _ in range(self.random.randint(0, 3)):
            clause = self.random.choice([*clauses][: 8 if self.random.random() < 0.95 else 10])
            said += f"a%{clause}"
            if clause != "%":
                given.append(self.text(self.random.choice(clauses[clause]), depth - 1))
        return f"{self.quoted(said)}.format([{', '.join(given)}])"


CONSTANTS: dict[str, list[str]] = {
    "bool": ["true", "false"],
    "int": ["0", "1", "-1", "2", "3", "100", "9223372036854775807", "-9223372036854775808", "0x1F"],
    "uint": ["0u", "1u", "7u", "18446744073709551615u"],
    "double": ["0.0", "1.0", "-1.5", "1e3", "1234.5", "double('NaN')", "double('Infinity')"],
    "bytes": ["b''", "b'abc'", "b'\\xff'", "bytes('ä')"],
    "timestamp": ["timestamp('2024-01-01T00:00:00Z')", "timestamp('1999-12-31T23:59:59.5+01:00')", "timestamp(0)"],
    "duration": ["duration('1s')", "duration('-1h30m')", "duration('0')"],
    "quantity": ["quantity('1')", "quantity('500m')", "quantity('1Gi')", "quantity('-5')"],
    "ip": ["ip('10.0.0.1')", "ip('::1')"],
    "cidr": ["cidr('10.0.0.0/8')", "cidr('fe80::/10')", "cidr('0.0.0.0/0')"],
    "url": ["url('https://a.b:80/c?d=e')", "url('/a/b')"],
    "semver": ["semver('1.2.3')", "semver('1.0.0-a.1+b')"],
    "format": ["format.dns1123Label()", "format.uuid()", "format.uri()", "format.named('date').value()"],
    "null": ["null"],
}


def case(random: Random, rules: int = 6) -> Raw:
    """A schema with rules, an object, and sometimes an old object."""
    of = schema(random)
    known = reachable(of)
    listed: list[Raw] = []
    old = value(random, of) if random.random() < 0.4 else None
    for _ in range(rules):
        scope = [*known, *[(name.replace("self", "oldSelf"), kind) for name, kind in known]] if old else known
        rule: Raw = {"rule": Writer(random, scope).rule()}
        if random.random() < 0.15:
            rule["messageExpression"] = Writer(random, scope).text("string", 2)
        listed.append(rule)
    return {"schema": {**of, "x-kubernetes-validations": listed}, "object": value(random, of), "old": old}


def definition(random: Random) -> Raw:
    """A definition with rules at random places, and limits on some lists and maps."""
    whole = schema(random)
    places: list[tuple[Raw, bool]] = [(whole, True)]
    for one, _ in places:
        inside = [*one.get("properties", {}).values(), one.get("items"), one.get("additionalProperties")]
        places.extend((each, False) for each in inside if isinstance(each, dict))
    for place, root in places:
        if root or random.random() < 0.3:
            kind = type_of(place)
            known = reachable(place) if kind == "object" else [("self", kind)]
            listed = [{"rule": Writer(random, known).rule()} for _ in range(random.randint(1, 3))]
            if random.random() < 0.2:
                listed[0]["messageExpression"] = Writer(random, known).text("string", 2)
            place["x-kubernetes-validations"] = listed
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "as.x.io"},
        "spec": {
            "group": "x.io",
            "scope": "Namespaced",
            "names": {"plural": "as", "singular": "a", "kind": "A", "listKind": "AList"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": whole}}],
        },
    }
