"""Compare `kubemerge apply` with kubectl on a real API server of any release, on random triples.

`python -m tests.conformance.apply --count 500 --seed 1 --kubectl FILE` draws as many triples: a config is applied,
another client patches the object, and a second config is applied. The server comes from KUBECONFIG. Objects are created
in it and deleted again, so use a disposable one. `--keep FILE` stores the triples with kubectl's results.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ..ownership.real.__main__ import prepared
from ..ownership.real.server import Server, ServerUnavailable
from .compare import VALIDATING, comparable, differences, words
from .draw import patch, triple
from .kubectl import Kubectl, Kubemerge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .draw import Triple

Case = dict[str, Any]
"""A triple with both results: seed, kind, first, patch, second, and `theirs` and `ours` (words twice, objects twice)."""
SIZE = 125
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
                found = differing(case)
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


def differing(case: Case) -> list[str]:
    """The differences between both results."""
    ours, theirs = case["ours"], case["theirs"]
    found: list[str] = []
    if VALIDATING in str(theirs["words"]):
        return found
    for number in (0, 1):
        found += [f"object {number + 1}: {one}" for one in differences(ours["objects"][number], theirs["objects"][number])]
        if ours["words"][number] != theirs["words"][number]:
            found.append(f"words {number + 1}: ours {ours['words'][number]}\n    theirs {theirs['words'][number]}")
    return found


def _cases(chosen: argparse.Namespace, server: Server, folder: Path) -> Iterator[Case]:
    theirs = Kubectl(chosen.kubectl, server, folder / "cache")
    for start in range(0, chosen.count, SIZE):
        seeds = range(chosen.seed * 1_000_000 + start, chosen.seed * 1_000_000 + min(start + SIZE, chosen.count))
        triples = [triple(seed, server.release) for seed in seeds]
        ours = Kubemerge(folder / f"cluster-{start}.db", server.release)
        yield from _batch(triples, theirs, ours, folder)
        for one in triples:
            theirs.delete(one)


def _batch(triples: list[Triple], theirs: Kubectl, ours: Kubemerge, folder: Path) -> Iterator[Case]:
    found: dict[int, Case] = {}
    for one in triples:
        empty: Case = {"words": [], "objects": []}
        found[one.seed] = {"seed": one.seed, "version": one.version, "kind": one.kind.kind, "first": one.first}
        found[one.seed] |= {"second": one.second, "theirs": empty, "ours": {"words": [], "objects": []}}
    for number in (0, 1):
        configs = _written(triples, folder / "configs", second=bool(number))
        minor = int(theirs.server.release.partition(".")[2])
        printed = {side: words(one.apply(configs), minor) for side, one in (("theirs", theirs), ("ours", ours))}
        live = ours.live(triples)
        for one in triples:
            case, stored = found[one.seed], theirs.live(one)
            for side, said in printed.items():
                case[side]["words"].append(said.get(one.name, []))
            case["theirs"]["objects"].append(comparable(stored))
            case["ours"]["objects"].append(comparable(live.get(one.seed)))
            if number == 0:
                one.patch = patch(one, stored) if stored is not None else {}
                case["patch"] = one.patch
                if one.patch:
                    theirs.patch(one)
        if number == 0:
            ours.patch(triples)
    yield from found.values()


def _written(triples: list[Triple], folder: Path, *, second: bool) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for one in triples:
        text = json.dumps(one.second if second else one.first)
        (folder / f"{one.name}.json").write_text(text, encoding="utf-8")
    return folder


if __name__ == "__main__":
    sys.exit(main())
