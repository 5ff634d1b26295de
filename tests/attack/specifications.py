"""Hostile specifications and CRDs: they are read or rejected in one sentence, in time, and nothing in them runs."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import yaml

from ..codegen.sample_specs import bundle, components, crd
from ..conftest import NEWEST, ROOT, contents
from .commands import ended, fails_well, one_sentence
from .documents import PAINT
from .hostile import ALIASES, SCALARS, TAGS, WRONG, changed_anywhere
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from .trial import Trial, Tried

    Make = Callable[[Random], Any]

OF_EACH = 15
"""Of each kind of specification, in a full attack."""
CHANGED = 150
"""Real specifications with something wrong in them."""
DEFINED = 80
"""Definitions of kinds that a cluster stores, each with an object, which is then printed."""


def _loop(random: Random) -> Any:
    """References that lead back to themselves, by one step or by many."""
    length = random.choice((1, 2, 50))
    steps = {f"d{n}": {random.choice(["$ref", "x"]): f"#/definitions/d{(n + 1) % length}"} for n in range(length)}
    inside = random.choice([{"$ref": "#/definitions/d0"}, {"items": {"$ref": "#/definitions/d0"}, "type": "array"}])
    whole = bundle(a=inside, b={"additionalProperties": {"$ref": "#/definitions/test.v1.Thing"}, "type": "object"})
    return {**whole, "definitions": {**whole["definitions"], **steps}}


def _all_of(random: Random) -> Any:
    """Alternatives in alternatives, which double at each level."""
    schema: Any = {"type": "string"}
    for _ in range(random.choice((3, 8, 12))):
        schema = {random.choice(["allOf", "anyOf", "oneOf"]): [schema, schema]}
    return (
        components({"Thing": {"type": "object", "properties": {"a": schema}}}) if random.random() < 0.5 else crd(schema)
    )


def _shared(random: Random) -> Any:
    """Definitions, each of which refers twice to the next: two to the power of forty paths."""
    levels = random.choice((20, 40))
    both = [{"l": {"$ref": f"#/definitions/d{n + 1}"}, "r": {"$ref": f"#/definitions/d{n + 1}"}} for n in range(levels)]
    found = {f"d{n}": {"type": "object", "properties": one} for n, one in enumerate(both)}
    whole = bundle(a={"$ref": "#/definitions/d0"})
    return {**whole, "definitions": {**whole["definitions"], **found, f"d{levels}": {"type": "string"}}}


def _deep(random: Random) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(random.choice((30, 60, 95))):
        schema = {"type": "object", "properties": {"a": schema}}
    return crd(schema) if random.random() < 0.5 else bundle(a=schema)


REFS = (
    "#",
    "#/",
    "",
    "definitions/x",
    "other.json#/definitions/x",
    "file:///etc/passwd",
    "http://127.0.0.1:1/x",
    "#/definitions/%",
    "#/definitions/~2",
    "#/definitions/test.v1.Thing/properties/a",
    "#/paths/~1x",
    "\ud800",
    "#/definitions/" + "a" * 5_000,
)
MARKS: dict[str, tuple[Any, ...]] = {
    "x-kubernetes-patch-strategy": ("merge,merge", "", ",", "nonsense", 3, None, ["merge"], "retainKeys,replace"),
    "x-kubernetes-patch-merge-key": ("", 3, None, "a.b", "$patch", "a" * 9_000, "\x1b[2J"),
    "x-kubernetes-list-type": ("map", "set", "nonsense", 3, None),
    "x-kubernetes-list-map-keys": ([], ["a", "a"], "a", [3], None, [""], ["missing"]),
    "x-kubernetes-map-type": ("nonsense", 3),
    "x-kubernetes-group-version-kind": (3, [], [{}], [{"group": 3, "version": [], "kind": None}], {"kind": "../x"}),
    "x-kubernetes-preserve-unknown-fields": ("true", 3, None),
    "x-kubernetes-embedded-resource": ("yes", []),
    "type": ("nonsense", 3, ["string", "null"], [], None),
    "default": (*WRONG,),
    "items": (True, [], [{}, {}], None, {"$ref": "#/definitions/test.v1.Thing"}),
    "properties": ([], 3, {"": {}}, {"a/b~": {}}, {"__class__": {}}, {"\ud800": {}}),
    "additionalProperties": (True, False, 3, [], "object"),
}


def _marked(random: Random) -> Any:
    """A field with a mark that makes no sense there."""
    name = random.choice(list(MARKS))
    field = {
        "type": random.choice(["array", "object", "string"]),
        "items": {"type": "object"},
        name: random.choice(MARKS[name]),
    }
    return bundle(a=field) if random.random() < 0.5 else crd({"type": "object", "properties": {"a": field}})


def _text(random: Random) -> bytes:
    """YAML and JSON tricks in the place of a schema."""
    value = random.choice((*ALIASES, *TAGS, *SCALARS))
    text = random.choice(
        [
            f'swagger: "2.0"\ndefinitions: {value}\n',
            f'swagger: "2.0"\ndefinitions:\n  test.v1.Thing:\n    properties: {value}\n',
            f'{{"swagger":"2.0","definitions":{{"a":{value}}}}}',
            f'{{"swagger":"2.0","definitions":{{}},"definitions":{value}}}',
            f"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {value}\n",
            '{"definitions":' + '{"a":' * random.choice((300, 50_000)) + value,
        ]
    )
    return text.encode("utf-8", "surrogatepass")


def _packed(random: Random) -> bytes:
    """Little that unpacks to a lot, or to nothing that can be read."""
    good = gzip.compress(json.dumps(bundle(a={"type": "string"})).encode(), mtime=0)
    return random.choice(
        [
            gzip.compress(b" " * (200 << 20), 1),
            gzip.compress(gzip.compress(good)),
            good[: random.randrange(len(good))],
            good + good,
            good + b"garbage",
            b"\x1f\x8b",
            gzip.compress(b""),
        ]
    )


SPECS: dict[str, Make] = {
    "loops of references": _loop,
    "references that lead nowhere": lambda random: bundle(a={"$ref": random.choice(REFS)}),
    "alternatives in alternatives": _all_of,
    "types that are shared again and again": _shared,
    "deep schemas": _deep,
    "marks in the wrong place": _marked,
    "tricks of YAML and JSON": _text,
    "compressed": _packed,
}

PATTERNS = (
    "(a+)+$",
    "(a|a)*$",
    "(.*a){30}",
    "[",
    "(?P<x>a)(?P=x)",
    "\\p{Greek}",
    "a{99999}",
    "(?<=a)b",
    "^" + "(" * 300,
)
COLUMNS = (
    ".spec" + "..a" * 12,
    "." + "." * 8,
    "..",
    ".spec[" + "9" * 5_000 + "]",
    ".spec[-1:0:-1]",
    ".spec[?(@.a==@.b)]",
    ".spec[?(@..a=='" + "x" * 5_000 + "')]",
    "{range .spec}" * 2_000,
    ".spec['\ud800']",
    "{.spec",
    ".\x1b[2J",
    "",
    3,
    ".spec.a[*].b[*].c[*]",
    ".metadata.creationTimestamp",
)


def defined(random: Random) -> dict[str, Any]:
    """A definition of a kind with hostile patterns, columns, defaults, scale and validations."""
    text = {
        "type": "string",
        "pattern": random.choice(PATTERNS),
        "format": random.choice(["date-time", "nonsense", "byte", 3]),
        "maxLength": random.choice([-1, 10**30, 3, "x"]),
        "enum": random.choice([[], [None], ["a"] * 1_000, 3]),
        "default": random.choice(WRONG),
        "x-kubernetes-validations": random.choice([[{"rule": "self.all(x, self.all(y, x == y))"}], 3, [{"rule": "("}]]),
    }
    for name in random.sample(list(text), 5):
        del text[name]
    tree = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {
            "openAPIV3Schema": {"type": "object", "properties": {"spec": {**tree, "properties": {"text": text}}}}
        },
        "additionalPrinterColumns": [
            {
                "name": random.choice(["A", "A" * 3_000, "\x1b[2J", ""]),
                "type": "string",
                "jsonPath": random.choice(COLUMNS),
            }
        ],
        "subresources": random.choice([{}, {"status": {}}, {"scale": {"specReplicasPath": ".." * 9}}, {"scale": 3}]),
    }
    found = crd()
    metadata = {"name": "things.test.example"}
    return {**found, "metadata": metadata, "spec": {**found["spec"], "versions": [version]}}


def _tree(levels: int) -> Any:
    """A tree with many branches, for paths that go everywhere."""
    return {"a": _tree(levels - 1), "b": [_tree(levels - 1)], "c": "x" * 10} if levels else {"a": "a" * 40 + "!"}


def attack(trial: Trial) -> Tried:
    """Read each specification by some command."""
    folder = trial.new_folder()
    (folder / "good.json").write_text(json.dumps(bundle(old={"type": "string"})))
    ended(folder, "generate", "--spec", "good.json", "--out", "mine")
    for what, make in SPECS.items():
        often = trial.often(OF_EACH)
        for _ in range(often):
            read(trial, folder, make(trial.random))
        yield f"hostile specifications: {what}", often
    often = trial.often(CHANGED)
    for _ in range(often):
        read(trial, folder, changed_anywhere(trial.random.choice(real()), trial.random))
    yield "real specifications with something wrong anywhere", often
    often = trial.often(DEFINED)
    for _ in range(often):
        define(folder, defined(trial.random))
    yield "hostile definitions of kinds, with an object of each", often


def real() -> list[Any]:
    """CRDs of real projects, specifications of tests, and a part of a release."""
    files = [*(ROOT / "tests" / "data").rglob("*.yaml"), *(ROOT / "examples" / "crds").glob("*.yaml")]
    found = [one for file in sorted(files) for one in yaml.safe_load_all(file.read_text()) if one]
    whole = json.loads((ROOT / "openapi" / f"{NEWEST}.json").read_text())
    some = dict(list(whole["definitions"].items())[:30])
    return [*found, {**whole, "definitions": some, "paths": {}}]


def _data(spec: Any) -> bytes:
    return spec if isinstance(spec, bytes) else json.dumps(spec).encode()


def read(trial: Trial, folder: Path, spec: Any) -> None:
    """Let some commands read a specification. A rejected one changes nothing."""
    data = _data(spec)
    name = "spec.json.gz" if data[:2] == b"\x1f\x8b" else "spec.yaml"
    (folder / name).write_bytes(data)
    inputs = {name: data}
    before = contents(folder / "mine")
    for words in trial.random.sample(
        (
            ("generate", "--spec", name, "--out", "mine"),
            ("kinds", "--schema", name),
            ("explain", "Thing", "--schema", name),
            ("compare", "--left", name, "--right", NEWEST),
            ("compare", "--left", "good.json", "--right", name),
            ("lint", "--schema", name, "-f", "good.json"),
        ),
        2,
    ):
        said = ended(folder, *words)
        (fails_well if said.code > 1 else one_sentence)(said, (0, 1, 2), inputs)
        if words[0] == "generate" and said.code:
            insist(contents(folder / "mine") == before, "a specification that was refused changed the package", inputs)
        insist(not any(sign in said.out + said.err for sign in PAINT), f"{words[0]} obeys a specification", inputs)
        insist(not (folder / "hacked").exists(), f"{words[0]} ran code", inputs)


def define(folder: Path, definition: dict[str, Any]) -> None:
    """Store a definition and one of its objects, and print that in all ways."""
    thing = {"apiVersion": "test.example/v1", "kind": "Thing", "metadata": {"name": "t"}}
    spec = {"text": "a" * 40 + "!", **_tree(7)}
    inputs = {"crd.json": json.dumps(definition), "thing.json": json.dumps({**thing, "spec": spec})}
    for name, text in inputs.items():
        (folder / name).write_text(text)
    for words in (
        ("apply", "-f", "crd.json"),
        ("apply", "-f", "thing.json"),
        ("apply", "-f", "thing.json"),
        ("get", "things"),
        ("get", "things", "-o", "wide"),
        ("scale", "thing/t", "--replicas", "3"),
        ("diff", "-f", "thing.json"),
        ("merge", "-f", "thing.json", "--schema", "crd.json"),
        ("delete", "-f", "crd.json"),
    ):
        at = () if words[0] == "merge" else ("--cluster", "c.db")
        said = ended(folder, *words, *at)
        (fails_well if said.code > 1 else one_sentence)(said, (0, 1, 2), inputs)
        insist(not any(sign in said.out + said.err for sign in PAINT), f"{words[0]} obeys a definition", inputs)
    for left in folder.glob("c.db*"):
        left.unlink()
