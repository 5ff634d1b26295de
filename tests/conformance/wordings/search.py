"""Search for requests that reach places without a recorded response, and record a real API server's responses.

`KUBECONFIG=FILE python -m tests.conformance.wordings.search --seconds 600 --only Pod,Service` mutates objects of these
kinds. The embedded cluster validates them first, and only those that reach a new place are sent to the server. Equal
responses go into the file `--into`, different ones into `--differing`.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import time
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from .tracing import install

TRACER = install()

import engine  # noqa: E402

from ..kinds.ask import renamed, with_status, without_owners  # noqa: E402
from ..kinds.bodies import Body, bodies, document  # noqa: E402
from ..kinds.mutate import Mutator  # noqa: E402
from ..ownership.real.server import Server, root_of  # noqa: E402
from . import replay  # noqa: E402
from .places import modules  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .replay import Case

NAMESPACE = "default"
TRIES = 4
"""The number of requests to the server about a place whose response differs."""
ADDED = ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "namespace", "selfLink")
OWNERS = {place.identity: place.module for listed in TRACER.by_module.values() for place in listed}
LONGEST = 8000
"""Longer requests are left out."""
OFTEN = 15
"""Seconds between writes of the files."""
MOST_SIGNS = 60
"""Longer constants are not used as values."""
Object = dict[str, Any]


class GuidedMutator(Mutator):
    """A mutator that also writes the words and numbers of the code it tests."""

    words: Sequence[str] = ()
    numbers: Sequence[int] = ()

    def scalar(self, of: str | None) -> Any:
        """A value of a type."""
        if of in ("integer", "number") and self.numbers and self.random.random() < 0.4:
            return self.random.choice(self.numbers) + self.random.choice((-1, 0, 1))
        if of not in ("integer", "number", "boolean", "quantity") and self.words and self.random.random() < 0.4:
            return self.random.choice(self.words)
        return super().scalar(of)


def vocabulary(names: frozenset[str]) -> tuple[list[str], list[int]]:
    """The words and numbers of some modules."""
    found = [value for name in names for value in _constants()[name]]
    words = {one for one in found if isinstance(one, str) and 0 < len(one) < MOST_SIGNS and " " not in one}
    return sorted(words), sorted({one for one in found if type(one) is int})


@cache
def _constants() -> dict[str, list[Any]]:
    return {
        name: [node.value for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.Constant)]
        for name, file in modules()
    }


class Search:
    """The search among the objects of one kind."""

    def __init__(self, server: Server, body: Body, random: Random, covered: set[str]) -> None:
        self.server, self.body, self.random, self.covered = server, body, random, covered
        self.mutator = GuidedMutator(random, engine.load(replay.RELEASE).schema(body.apiVersion, body.kind))
        self.name = random.choice(body.names) if body.names else "searched"
        self.pool = [document(body, one, self.name) for one in (body.a, body.b)]
        self.reached: set[str] = set()
        self.tries: dict[str, int] = {}
        self.live: list[Object] = []
        where = [root_of(body.apiVersion), *(() if body.cluster else ("namespaces", NAMESPACE)), body.plural]
        self.path = "/".join(where)
        self.differing: list[Case] = []

    def drawn(self) -> tuple[Case, Object]:
        parent, other = self.random.choice(self.pool[-40:]), self.random.choice(self.pool)
        chance = self.random.random()
        if self.live and chance < 0.4:
            return self.update(self.random.choice(self.live), other)
        content = self.mutator.mutated(parent, other, self.random.choice((1, 1, 2, 3)))
        if self.random.random() < 0.03:
            content["metadata"] = renamed(self.random, content.get("metadata"))
        return {"ask": {"method": "POST", "path": f"{self.path}?dryRun=All", "body": content}}, content

    def update(self, live: Object, other: Object) -> tuple[Case, Object]:
        """An update of an object that exists, or of its status."""
        path, part = f"{self.path}/{live['metadata']['name']}", ""
        if self.body.status and self.random.random() < 0.35:
            content, part = with_status(self.mutator, self.random, self.body, live), "/status"
        else:
            start = live if self.random.random() < 0.7 else {**other, "metadata": live["metadata"]}
            content = self.mutator.mutated(start, other, self.random.choice((1, 1, 2, 3)))
        content = without_owners(content)
        ask = {"method": "PUT", "path": f"{path}{part}?dryRun=All", "body": content}
        return {"load": [without_owners(live)], "ask": ask}, {key: content[key] for key in content if key != "status"}

    def step(self) -> Case | None:
        """Try one request; the case if it is worth keeping."""
        case, content = self.drawn()
        if len(json.dumps(case)) > LONGEST:
            return None
        TRACER.words.clear()
        try:
            answer = replay.ours(case)
        except Exception as error:
            answer = {"code": 0, "message": f"failed: {error!r}", "warnings": []}
        reached = TRACER.covered(replay.text_of(answer)) | set(TRACER.words)
        if not reached <= self.reached:
            self.reached |= reached
            self.pool.append(self.unsaved(content))
        new = TRACER.covered(replay.text_of(answer)) - self.covered
        new = {one for one in new if self.tries.get(one, 0) < TRIES}
        if not new and answer["code"]:
            return None
        return self.judged(case, answer, new)

    def unsaved(self, content: Object) -> Object:
        """The object as a new one, without the server's additions."""
        metadata = content.get("metadata")
        kept = {**metadata, "name": self.name} if isinstance(metadata, dict) else {"name": self.name}
        return {**content, "metadata": {key: kept[key] for key in kept if key not in ADDED}}

    def modules(self) -> frozenset[str]:
        """The modules in which places were reached."""
        return frozenset(OWNERS[identity] for identity in self.reached)

    def judged(self, case: Case, answer: Object, new: set[str]) -> Case | None:
        """Send the case to the server; return it if the responses are equal."""
        asked = case["ask"]
        try:
            found = self.server.ask(asked["method"], asked["path"], asked["body"])
        except Exception:
            return None
        real = replay.answer_of(found.code, found.body, found.warnings)
        if replay.comparable(real) != replay.comparable(answer):
            for one in new:
                self.tries[one] = self.tries.get(one, 0) + 1
            self.differing.append({**case, **real, "ours": answer, "reaches": sorted(new)})
            return None
        self.covered |= TRACER.covered(replay.text_of(real))
        return {**case, **real}

    def created(self) -> None:
        """Create objects that updates can change."""
        for content in self.pool[:2]:
            name = content["metadata"]["name"] if self.body.names else f"live-{len(self.live)}"
            whole = {**content, "metadata": {**content["metadata"], "name": name}}
            found = self.server.ask("POST", self.path, whole)
            if not found.done and found.code == 409:
                found = self.server.ask("GET", f"{self.path}/{name}")
            if found.done:
                self.live.append(found.body)


def searched(chosen: argparse.Namespace) -> Iterator[tuple[Body, Case | None, Search]]:
    """Steps of the searches of all chosen kinds, in turns."""
    server, random = Server(), Random(chosen.seed)
    covered = known(Path(chosen.into))
    kinds = [one for one in bodies() if not chosen.only or one.kind in chosen.only.split(",")]
    searches = [Search(server, body, random, covered) for body in kinds]
    for one in searches:
        one.created()
    end = time.monotonic() + chosen.seconds
    while time.monotonic() < end:
        for one in searches:
            spent = time.monotonic()
            one.mutator.words, one.mutator.numbers = vocabulary(one.modules())
            while time.monotonic() < min(end, spent + chosen.turn):
                yield one.body, one.step(), one


def known(into: Path) -> set[str]:
    """The places that are covered by the cases of a file, and of the recorded ones."""
    covered: set[str] = set()
    for case in [*replay.recorded(), *(replay.stored(into) if into.exists() else [])]:
        TRACER.words.clear()
        if replay.comparable(replay.ours(case)) == replay.comparable(case):
            covered |= TRACER.covered(replay.text_of(case))
    return covered


def main(arguments: Sequence[str] | None = None) -> int:
    """Search, and store the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.wordings.search", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--turn", type=float, default=5, help="seconds for one kind before the next")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds, separated by commas")
    parser.add_argument("--into", default="found.jsonl.gz", help="file for the cases")
    parser.add_argument("--differing", default="differing.jsonl", help="file for requests with different answers")
    chosen = parser.parse_args(arguments)
    into, saved = Path(chosen.into), time.monotonic()
    cases = replay.stored(into) if into.exists() else []
    differing: dict[int, list[Case]] = {}
    for steps, (_, case, search) in enumerate(searched(chosen), 1):
        differing[id(search)] = search.differing
        cases += [case] if case else []
        if time.monotonic() - saved > OFTEN:
            saved = time.monotonic()
            replay.store(into, cases)
            lines = [json.dumps(one) + "\n" for listed in differing.values() for one in listed]
            Path(chosen.differing).write_text("".join(lines), encoding="utf-8")
            found = f"{len(cases)} cases, {len(search.covered)} places, {len(lines)} differ"
            sys.stdout.write(f"{steps} requests, {found}\n")
            sys.stdout.flush()
    replay.store(into, cases)
    return 0


if __name__ == "__main__":
    sys.exit(main())
