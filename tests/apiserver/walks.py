"""Random walks: a config is applied, other clients write to the object, and a config is applied again.

`python -m tests.apiserver.walks --count N --seed S`, with the environment of record.py, plays walks on kubectl with a
real API server and on kubemerge, and prints differences. `--record` records them for the tests instead.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from ..conformance.ownership.real import draw
from ..conformance.ownership.real.kinds import Kind, by_name, kinds
from ..conformance.ownership.real.server import Server, path_of
from ..conftest import read_yaml
from .kubectl import Kubectl
from .ours import Kubemerge
from .play import differences, played
from .record import reset
from .scenarios import HERE, Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORDED = HERE / "recorded" / "walks.jsonl.gz"
DIFFER = HERE / "walks_differ.yaml"
"""Differences in the recorded walks, each with the reason."""
UNUSUAL = ("APIService", "CertificateSigningRequest", "Namespace", "Node")
"""Kinds that are not drawn: a CertificateSigningRequest contains its user, and the others are not applied."""
KINDS = [kind for kind in kinds() if not kind.custom and kind.kind not in UNUSUAL]
FOREIGN = ("label", "annotate", "merge", "strategic", "json", "replace", "server-side", "scale", "status")


class Drawer(draw.Drawer):
    """Draws objects without ownerReferences, because missing owners would get them collected."""

    metadatas = draw.METADATA[:2]


def walk(seed: int) -> Scenario:
    """The walk of a seed."""
    random = Random(seed)
    kind = random.choice(KINDS)
    drawer = Drawer(random, kind, "w")
    first = drawer.document(kind.apiVersion)
    files = {"0.json": first}
    steps = ["apply -f 0.json"]
    for number in range(1, random.choice((2, 2, 3))):
        for letter in "abc"[: random.randint(1, 2)]:
            line, content = _foreign(random, drawer, kind, first, f"{number}{letter}.json")
            steps.append(line)
            if content is not None:
                files[f"{number}{letter}.json"] = content
        files[f"{number}.json"] = drawer.document(kind.apiVersion) if random.random() < 0.8 else first
        steps.append(f"apply -f {number}.json")
    steps.append(f"get {_type(kind)} w")
    texts = {name: json.dumps(content) for name, content in files.items()}
    return Scenario(f"{seed} {kind.kind}", "", steps, texts)


def _type(kind: Kind) -> str:
    group, _, _ = kind.apiVersion.rpartition("/")
    return f"{kind.plural}.{group}" if group else kind.plural


def _foreign(random: Random, drawer: Drawer, kind: Kind, first: Any, file: str) -> tuple[str, Any]:
    """A write of another client, and its file."""
    way = random.choice(FOREIGN)
    if (way == "scale" and not kind.scale) or (way == "status" and not kind.status):
        way = "merge"
    if way in ("label", "annotate"):
        change = random.choice(("a=1", "b=2 app-", "app=z --overwrite"))
        return f"{way} {_type(kind)} w {change}", None
    if way == "scale":
        return f"scale {_type(kind)} w --replicas={random.randint(0, 4)}", None
    if way == "status":
        patch = {"status": drawer.status(kind.apiVersion)["status"]}
        return f"patch {_type(kind)} w --subresource=status --type=merge --patch-file {file}", patch
    if way == "replace":
        return f"replace -f {file}", drawer.document(kind.apiVersion)
    if way == "server-side":
        force = random.choice(("", " --force-conflicts"))
        return f"apply --server-side --field-manager=other{force} -f {file}", drawer.document(kind.apiVersion, 0.5)
    drawn = drawer.operations if way == "json" else drawer.patch
    return f"patch {_type(kind)} w --type={way} --patch-file {file}", drawn(first, kind.apiVersion)


def recorded() -> dict[str, tuple[Scenario, list[dict[str, Any]]]]:
    """The recorded walks by name, each with the output."""
    rows = [json.loads(line) for line in gzip.decompress(RECORDED.read_bytes()).decode().splitlines()]
    listed = read_yaml(DIFFER)
    scenarios = [Scenario(**row["scenario"], area="", differs=listed.get(row["scenario"]["name"], {})) for row in rows]
    return {one.name: (one, row["steps"]) for one, row in zip(scenarios, rows, strict=True)}


def _record(seeds: range) -> None:
    lines = []
    with tempfile.TemporaryDirectory() as cache:
        real = _Real(cache)
        for one in map(walk, seeds):
            scenario = {"name": one.name, "steps": one.steps, "files": one.files}
            lines.append(json.dumps({"scenario": scenario, "steps": real.answers(one)}, separators=(",", ":")))
    RECORDED.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


class _Real(Kubectl):
    """kubectl with a real API server. The object of the walk is read directly from that server."""

    def __init__(self, cache: str) -> None:
        super().__init__(cache)
        self._server = Server()
        self.kind = ""

    def look(self, namespace: str, names: list[str]) -> list[dict[str, Any]]:
        """The object of the walk, if it exists."""
        kind = by_name()[self.kind]
        answer = self._server.ask("GET", path_of(kind, kind.apiVersion, "w", namespace=namespace))
        return [answer.body] if answer.done and names else []

    def answers(self, scenario: Scenario) -> list[dict[str, Any]]:
        """The output of a walk, on a new cluster."""
        self.kind = scenario.name.split()[1]
        reset()
        return played(scenario, self)


def _both(seeds: range) -> Iterator[tuple[Scenario, dict[str, tuple[Any, Any]]]]:
    with tempfile.TemporaryDirectory() as cache:
        real = _Real(cache)
        for seed in seeds:
            scenario = walk(seed)
            yield scenario, differences(played(scenario, Kubemerge()), real.answers(scenario))


def main(words: list[str]) -> None:
    """Play or record random walks."""
    parser = argparse.ArgumentParser(prog="python -m tests.apiserver.walks")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="how many walks that differ are shown")
    parser.add_argument("--keep", type=Path, help="a file for those that differ")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args(words)
    seeds = range(given.seed, given.seed + given.count)
    if given.record:
        _record(seeds)
        return
    figures, of_kinds, kept = Counter[str](), Counter[str](), []
    for scenario, found in _both(seeds):
        parts = {part.split(" ", 1)[1].rpartition(" ")[2] for part in found}
        figures.update(parts or {"equal"})
        if parts & {"content", "out", "code"}:
            figures["walks with an object or output that differs"] += 1
        if found:
            of_kinds[scenario.name.split()[1]] += 1
            kept.append({"name": scenario.name, "steps": scenario.steps, "files": scenario.files, "found": found})
            if len(kept) <= given.show:
                sys.stdout.write(json.dumps(kept[-1], indent=1)[:6000] + "\n")
    sys.stdout.write(f"{given.count} walks: {dict(figures)}; differ: {dict(of_kinds.most_common())}\n")
    if given.keep:
        given.keep.write_text(json.dumps(kept), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
