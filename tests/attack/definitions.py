"""Hostile CustomResourceDefinitions: random rules, patterns, schemas, formats and numbers, and objects of them.

Every request ends in a Status or an object, never in 5xx or a trace. Rules cost no more than a server allows, which is
counted and not timed.
"""

from __future__ import annotations

import json
import logging
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.cel.meter import MAX_COST, Meter
from kubemerge.apiserver.cluster import EmbeddedCluster
from kubemerge.apiserver.crd import rules
from kubemerge.apiserver.http import asgi
from kubemerge.apiserver.http.messages import Request

from ..conformance.custom.expressions import draw
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from .trial import Trial, Tried

    Raw = dict[str, Any]

DEFINITIONS = 1500
PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
OBJECTS = "/apis/x.io/v1/namespaces/default/as"
JSON = {"content-type": "application/json"}
DEPTHS = (3, 100, 248, 252, 400, 3000)
NUMBERS = ("9" * 5000, "-1", "0", "1e999", "1e-999", "9223372036854775808", "18446744073709551616", "0.5", "1" * 400)
PATTERNS = ["(", "[", "(?=a)", "a{1001}", "(a*)*b", "((a{100}){100}){100}", "\\", "(?P<a>a)(?P<a>b)", "[z-a]", "\\pL"]
PATTERNS += ["(" * 300 + ")" * 300, "a|" * 5000, "(a|aa)+$", "[[:word:]]{1000}", "(?i)\u017f", "\x00", "😀{3,}"]
PATTERNS += [".{0,1000}x" * 3, "(" * 2000 + ")" * 2000, "\\p{Greek}"]
FORMATS = ["date-time", "duration", "byte", "int32", "uuid", "x" * 5000, "ipv4", "\n", "😀"]


class _Counted(Meter):
    """A meter that is remembered."""

    made: list[Meter] = []  # noqa: RUF012 - all meters of one request

    def __init__(self, most: int = MAX_COST) -> None:
        super().__init__(most)
        self.made.append(self)


class _Records(logging.Handler):
    """The errors that were logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep an error."""
        self.found.append(self.format(record))


def attack(trial: Trial) -> Tried:
    """Define kinds that no person would define, and create objects of them."""
    times = trial.often(DEFINITIONS)
    made = accepted = 0
    with served() as (application, records):
        for _ in range(times):
            one = hostile(trial.random)
            code = tried(application, records, "POST", PATH, one)
            if code == 201:
                accepted += 1
                for _ in range(3):
                    made += 1
                    tried(application, records, "POST", OBJECTS, content(trial.random, one))
                tried(application, records, "DELETE", f"{PATH}/as.x.io", b"")
    yield f"hostile definitions ({accepted} accepted, {made} objects of them)", times


@contextmanager
def served() -> Iterator[tuple[asgi.Application, _Records]]:
    """A server in this process, and its log records."""
    records = _Records()
    asgi.LOG.addHandler(records)
    vars(rules)["Meter"] = _Counted
    try:
        with closing(EmbeddedCluster(":memory:")) as cluster:
            yield asgi.Application(cluster), records
    finally:
        vars(rules)["Meter"] = Meter
        asgi.LOG.removeHandler(records)


def tried(application: asgi.Application, records: _Records, method: str, path: str, body: bytes) -> int:
    """The code of the response, which must be valid for a server."""
    _Counted.made.clear()
    found = application.answer(Request(method, path, {}, JSON, body))
    inputs = {"request.json": body}
    insist(found.status < 500, f"{method} {path}: {found.status} {found.body[:300]!r}", inputs)  # type: ignore[index]
    insist(not records.found, f"{method} {path}: a trace: {records.found[-1:]}", inputs)
    spent = sum(one.spent for one in _Counted.made)
    insist(spent <= rules.BUDGET + MAX_COST, f"{method} {path}: rules cost {spent}", inputs)
    answer = json.loads(found.body)  # type: ignore[arg-type]
    insist(found.status < 400 or answer["kind"] == "Status", f"{method} {path}: no Status: {answer}", inputs)
    return found.status


# ---- what is sent ----------------------------------------------------------------------------------------------------


def hostile(random: Random) -> bytes:
    """A definition as JSON, in which numbers may be of any length."""
    schema = draw.schema(random)
    schema["x-kubernetes-validations"] = [_rule(random, schema) for _ in range(random.randint(0, 4))]
    for _ in range(random.randint(0, 3)):
        _spoil(random, schema)
    return defined(schema)


def defined(schema: Raw) -> bytes:
    """A definition with this schema."""
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "as.x.io"},
        "spec": {
            "group": "x.io",
            "scope": "Namespaced",
            "names": {"plural": "as", "singular": "a", "kind": "A", "listKind": "AList"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }
    return _with_numbers(definition)


def _with_numbers(content: Raw) -> bytes:
    """JSON in which `@` and a place stand for numbers that Python does not write."""
    text = json.dumps(content)
    for place, number in enumerate(NUMBERS):
        text = text.replace(f'"@{place}"', number)
    return text.encode()


def _number(random: Random) -> str:
    return f"@{random.randrange(len(NUMBERS))}"


def _rule(random: Random, schema: Raw) -> Raw:
    if random.random() < 0.5:
        return {"rule": draw.Writer(random, draw.reachable(schema)).rule()}
    return {"rule": random.choice(SHAPES)(random.choice(DEPTHS))}


SHAPES = (
    lambda depth: "(" * depth + "true" + ")" * depth,
    lambda depth: " && ".join(["true"] * depth),
    lambda depth: "[" * depth + "]" * depth + " == []",
    lambda depth: "!" * depth + "true",
    lambda depth: "true ? true : " * depth + "true",
    lambda depth: "self" + ".f0" * depth + " == 1",
    lambda depth: "dyn(" * depth + "self" + ")" * depth + " == self",
    lambda depth: "optional.of(1)" + ".optMap(x, x)" * min(depth, 30) + ".hasValue()",
    lambda depth: "[1].map(x, " * min(depth, 200) + "1" + ")" * min(depth, 200) + " == [1]",
    lambda depth: f"'%.{10 ** min(depth, 20)}f'.format([1.0]) == ''",
    lambda depth: f"duration('{'9' * depth}h') == duration('1s')",
    lambda depth: f"{'9' * depth} == 1",
    lambda depth: f"int('{'9' * depth}') == 1",
    lambda depth: f"'{'a' * depth}'.matches('{'(' * depth}a{')' * depth}')",
    lambda depth: f"lists.range({10 ** min(depth, 7)}).all(x, x >= 0)",
    lambda depth: "'" + "\\x41" * depth + "' == ''",
    lambda depth: "{" * depth,
    lambda depth: "{'a': " * depth + "1" + "}" * depth + " == {}",
    lambda depth: "self.`a" + "b" * depth + "` == 1",
    lambda _: "\ud800 == 1",
    lambda _: "\x00",
)


def _spoil(random: Random, schema: Raw) -> None:
    """Put something hostile at a random place."""
    places = [schema]
    for one in places:
        inside = [*one.get("properties", {}).values(), one.get("items"), one.get("additionalProperties")]
        places.extend(each for each in inside if isinstance(each, dict))
    place = random.choice(places)
    word = random.choice([*SPOILED])
    place[word] = SPOILED[word](random)


def _deep(random: Random) -> Raw:
    found: Raw = {"type": "string"}
    for _ in range(random.choice((1, 50, 140))):
        found = random.choice(({"type": "array", "items": found}, {"type": "object", "properties": {"a": found}}))
    return found


SPOILED: dict[str, Any] = {
    "pattern": lambda random: random.choice(PATTERNS),
    "format": lambda random: random.choice(FORMATS),
    "maxLength": _number,
    "minLength": _number,
    "maxItems": _number,
    "maximum": _number,
    "multipleOf": _number,
    "maxProperties": _number,
    "default": lambda random: random.choice((_number(random), {"a": [1]}, "x" * 10_000, None)),
    "enum": lambda random: [_number(random), "a", None],
    "items": _deep,
    "additionalProperties": _deep,
    "allOf": lambda random: [{"pattern": random.choice(PATTERNS)}] * random.choice((1, 50)),
    "required": lambda _: ["x" * 100_000],
}


def content(random: Random, definition: bytes) -> bytes:
    """An object of a definition, with hostile values here and there."""
    try:
        of = json.loads(definition)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
        made = draw.value(random, of)
    except (KeyError, ValueError, TypeError, IndexError):
        made = {}
    found = {**(made if isinstance(made, dict) else {}), "apiVersion": "x.io/v1", "kind": "A"}
    found["metadata"] = {"name": f"a{random.randrange(10**9)}"}
    for name in [*found]:
        if name.startswith("f") and random.random() < 0.3:
            found[name] = random.choice(VALUES)
    return _with_numbers(found)


VALUES: tuple[Any, ...] = (
    None,
    "x" * 20_000,
    [1] * 5000,
    "@0",
    "@3",
    "9" * 5000 + "h",
    [["a"] * 500] * 20,
    {"a": {"b": {}}},
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
    -1,
    1e300,
    "\x00",
    "😀" * 1000,
)
