"""Compare `kubemerge apply` with kubectl on a real API server of any release, on random triples.

`python -m tests.conformance.apply --count 500 --seed 1 --kubectl FILE` draws as many triples: a config is applied,
another client patches the object, and a second config is applied. The server comes from KUBECONFIG. Objects are created
in it and deleted again, so use a disposable one. `--keep FILE` stores the triples with kubectl's results.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ..ownership.real.__main__ import prepared
from ..ownership.real.server import Server, ServerUnavailable
from .compare import comparable, differing, words, written
from .draw import patch, triple
from .kubectl import Kubectl, Kubemerge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .draw import Triple

Case = dict[str, Any]
"""A triple with both results: release, seed, kind, version, first, patch, second, and `theirs` and `ours`, which have
the words and the objects of both applies.
"""
SIZE = 250
"""The number of triples in a batch."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, apply, compare and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.apply", description=__doc__)
    parser.add_argument("--count", type=int, default=125, help="number of triples")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="number of differing triples to print")
    parser.add_argument("--kubectl", default="kubectl", help="the program, of the release of the server")
    parser.add_argument("--keep", help="file to add all triples and results to")
    chosen = parser.parse_args(arguments)
    seen: Counter[str] = Counter()
    try:
        server = Server()
        prepared(server)
        with TemporaryDirectory() as name:
            for case in _cases(chosen, server, Path(name)):
                found = differing(case["ours"], case["theirs"], int(case["release"].partition(".")[2]))
                seen["objects"] += any(not one.startswith("words") for one in found)
                seen["words"] += any(one.startswith("words") for one in found)
                seen["triples"] += 1
                if found and seen["shown"] < chosen.show:
                    seen["shown"] += 1
                    print(case["seed"], case["version"], case["kind"], case["patch"].get("type", ""))
                    print(*(f"  {one}" for one in found[:12]), sep="\n", flush=True)
                if chosen.keep:
                    with Path(chosen.keep).open("a", encoding="utf-8") as file:
                        file.write(json.dumps({**case, "differs": found}) + "\n")
    except ServerUnavailable as error:
        print(error)
        return 2
    print(f"{server.release}: {seen['triples']} triples, {seen['objects']} objects and {seen['words']} words differ")
    return 1 if seen["objects"] or seen["words"] else 0


def _cases(chosen: argparse.Namespace, server: Server, folder: Path) -> Iterator[Case]:
    theirs = Kubectl(chosen.kubectl, server, folder / "cache")
    for start in range(0, chosen.count, SIZE):
        seeds = range(chosen.seed * 1_000_000 + start, chosen.seed * 1_000_000 + min(start + SIZE, chosen.count))
        triples = [triple(seed, server.release) for seed in seeds]
        ours = Kubemerge(folder / f"cluster-{start}.db", server.release)
        ours.prepare()
        yield from _batch(triples, theirs, ours, folder)
        for one in triples:
            theirs.delete(one)


def _batch(triples: list[Triple], theirs: Kubectl, ours: Kubemerge, folder: Path) -> Iterator[Case]:
    found: dict[int, Case] = {}
    release = theirs.server.release
    minor = int(release.partition(".")[2])
    for one in triples:
        case: Case = {"release": release, "seed": one.seed, "version": one.version, "kind": one.kind.kind}
        case |= {side: {"words": [], "objects": []} for side in ("theirs", "ours")}
        found[one.seed] = {**case, "first": one.first, "second": one.second}
    for number in (0, 1):
        configs = written([one.second if number else one.first for one in triples], folder / "configs")
        printed = {side: words(one.apply(configs), minor) for side, one in (("theirs", theirs), ("ours", ours))}
        for one, own in zip(triples, ours.live([one.first for one in triples]), strict=True):
            case, stored = found[one.seed], theirs.live(one)
            for side, said in printed.items():
                case[side]["words"].append(said.get(one.name, []))
            case["theirs"]["objects"].append(comparable(stored))
            case["ours"]["objects"].append(comparable(own))
            if number == 0:
                one.patch = patch(one, stored) if stored is not None else {}
                case["patch"] = one.patch
                if one.patch:
                    theirs.patch(one)
        if number == 0:
            ours.patch([(one.first, one.patch) for one in triples])
    yield from found.values()


if __name__ == "__main__":
    sys.exit(main())
