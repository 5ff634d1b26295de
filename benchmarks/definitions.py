"""Benchmark of lint in a repository with many CustomResourceDefinitions: `python -m benchmarks.definitions`.

It lints 104 definitions and 2,066 custom resources of their kinds, without a cache, with an empty cache, and with a
filled one. The definitions are random, with nested schemas, CEL rules, patterns and several versions. `--folder` uses
definitions from a folder instead. It prints the median of the rounds, and exits with 1 if the processor time is above a
limit.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import yaml

from tests.conformance.custom.definitions import found_in
from tests.conformance.custom.objects import document

from .command_line import InstalledCopy
from .lint import Timing, measure

DEFINITIONS, OBJECTS, ROUNDS = 104, 2066, 3
COLD, WARM = 8.0, 0.3
"""Limits in processor seconds: without a cache, and with a filled cache."""
WORDS = ("the", "name", "of", "a", "resource", "that", "this", "field", "refers", "to", "must", "be", "set", "when")
FIELDS = ("name", "size", "mode", "labels", "items", "enabled", "template", "selector", "secretRef", "policy", "limits")
DEEPEST = 2
"""The depth below which fields are scalars. The size of a definition is then about 130 kB, as of large real ones."""
DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

Raw = dict[str, Any]


def schema(random: Random, depth: int) -> Raw:
    """A random schema of a field, with the keywords of real ones."""
    found: Raw = {"description": " ".join(random.choices(WORDS, k=random.randrange(8, 60)))}
    kind = random.choice(("string", "string", "integer", "boolean", "array", "object", "object", "object"))
    if depth > DEEPEST and kind in ("array", "object"):
        kind = "string"
    found["type"] = kind
    if kind == "string":
        found |= random.choice(
            ({}, {"pattern": "^[a-zA-Z0-9./_-]*$", "maxLength": 253}, {"enum": ["Always", "Never", "web"]})
        )
    elif kind == "integer":
        found |= {"format": "int32", "minimum": 0, "maximum": 65535}
    elif kind == "array":
        items: Raw = {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string", "maxLength": 63}},
        }
        items["properties"] |= fields(random, depth + 1)
        found |= {
            "items": items,
            "maxItems": 16,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
        }
    elif kind == "object":
        found["properties"] = fields(random, depth + 1)
    return found


def fields(random: Random, depth: int) -> Raw:
    """Random fields."""
    return {f"{random.choice(FIELDS)}{number}": schema(random, depth) for number in range(random.randrange(3, 9))}


def definition(number: int) -> Raw:
    """A random definition."""
    random = Random(number)
    spec: Raw = {"type": "object", "properties": {"replicas": {"type": "integer", "default": 1, "minimum": 0}}}
    while len(str(spec)) < random.choice((30_000, 80_000, 200_000)):
        spec["properties"][f"part{len(spec['properties'])}"] = schema(random, 0)
    spec["x-kubernetes-validations"] = [
        {"rule": "!has(self.replicas) || self.replicas < 1000", "message": "too many replicas"},
        {"rule": "!has(oldSelf.replicas) || has(self.replicas)", "message": "replicas cannot be removed"},
    ]
    root = {"type": "object", "properties": {"spec": spec, "status": {"type": "object"}}}
    names = ("v1", "v1beta1") if number % 3 == 0 else ("v1",)
    versions = [{"name": name, "served": True, "storage": name == "v1"} for name in names]
    for version in versions:
        version |= {"schema": {"openAPIV3Schema": root}, "subresources": {"status": {}}}
    kind = f"Kind{number}"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.lower()}s.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": kind, "plural": f"{kind.lower()}s", "singular": kind.lower(), "listKind": f"{kind}List"},
            "scope": "Namespaced",
            "versions": versions,
        },
    }


class _WithoutAliases(DUMPER):  # type: ignore[misc]
    """A dumper that repeats equal values instead of writing aliases, as in real files."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the signature of the library
        return True


def write(folder: Path, source: Path | None) -> int:
    """Write the definitions and objects, each to its own file, and return the size of all definitions."""
    folder.mkdir()
    found = list(found_in(source))[:DEFINITIONS] if source else [definition(number) for number in range(DEFINITIONS)]
    random, size = Random(1), 0
    for number, one in enumerate(found):
        text = yaml.dump(one, Dumper=_WithoutAliases)
        size += len(text)
        (folder / f"definition-{number:03}.yaml").write_text(text, encoding="utf-8")
    for number in range(OBJECTS):
        content = document(found[number % len(found)], random)
        content["metadata"]["name"] = f"object-{number}"
        (folder / f"object-{number:04}.yaml").write_text(yaml.dump(content, Dumper=_WithoutAliases), encoding="utf-8")
    return size


def measured(place: Path, files: Path, rounds: int) -> dict[str, Timing]:
    """The median time of each kind of run."""
    lint = InstalledCopy(place / "packages").command("lint", "-q", "--no-config", "--release=1.37", str(files))
    found: dict[str, list[Timing]] = {}
    for number in range(rounds):
        kept = {"XDG_CACHE_HOME": str(place / f"cache-{number}")}
        Path(kept["XDG_CACHE_HOME"]).mkdir(mode=0o700)
        runs = {
            "without a cache": {"KUBEMERGE_NO_CACHE": "1"},
            "with an empty cache": kept,
            "with a filled cache": kept,
        }
        for name, env in runs.items():
            found.setdefault(name, []).append(measure(lint, env, codes=(0, 1)))
    return {
        name: Timing(median(one.clock for one in times), median(one.work for one in times))
        for name, times in found.items()
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="a folder with definitions in YAML")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        size = write(Path(name, "files"), given.folder)
        found = measured(Path(name), Path(name, "files"), given.rounds)
    print(f"definitions of {size / 1e6:.1f} MB and {OBJECTS} objects, the median of {given.rounds} rounds")
    print(f"{'':22} {'clock':>8} {'work':>8}")
    for title, one in found.items():
        print(f"{title:22} {one.clock:6.2f} s {one.work:6.2f} s")
    over = [
        title for title, most in (("without a cache", COLD), ("with a filled cache", WARM)) if found[title].work > most
    ]
    for title in over:
        print(f"{title}: above the limit")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
