"""Compare random objects of real definitions on a real API server and on the embedded cluster; print differences.

`python -m tests.conformance.custom --count 1000 --seed 1 [FOLDER ...]`: the definitions come from the recorded
cases or the folders. The server comes from KUBECONFIG. It is filled with objects, so use a disposable one.
`--record` keeps the responses as test cases.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.conformance.ownership.real.server import Server, ServerUnavailable

from . import cases, definitions, objects
from .judge import EmbeddedServer, RealServer, timeless

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Raw = dict[str, Any]


def asked(real: RealServer, definition: Raw, count: int, random: Random) -> Iterator[Raw]:
    """Objects of a definition, new or in place of another one, each with the server's response."""
    base: Raw | None = None
    for number in range(count):
        content = objects.document(definition, random)
        if number % 3:
            content = objects.changed(content, random)
        if base is not None and number % 4 == 3:
            wanted = objects.changed(base, random)
            yield {"base": base, "object": wanted, "said": real.replace(definition, wanted)}
            continue
        if base is not None:
            content["metadata"]["name"] = "two"
        said = real.create(definition, content)
        yield {"object": content, "said": said}
        if "object" in said and base is None:
            made = real.create(definition, content, dry=False)
            base = content if "object" in made else None
    if base is not None:
        real.delete(definition, base)


def ours_to(ours: EmbeddedServer, case: Raw, state: Raw) -> Raw:
    """The cluster's response; the object to replace is created before."""
    if "base" not in case:
        return ours.create(case["object"])
    if state.get("base") != case["base"]:
        ours.create(case["base"], dry=False)
        state["base"] = case["base"]
    return ours.replace(case["object"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print the differences."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.custom", description=__doc__)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--most", type=int, default=1000, help="definitions of one group")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args(arguments)
    try:
        real = RealServer(Server())
    except ServerUnavailable as error:
        print(error, file=sys.stderr)
        return 2
    found = [definitions.reduced(one) for folder in options.folders for one in definitions.found_in(Path(folder))]
    found = [*{one["metadata"]["name"]: one for one in found}.values()] or cases.definitions()
    found = _few_of_each(found, options.most)
    return _compared(real, found, options)


def _few_of_each(found: list[Raw], most: int) -> list[Raw]:
    """The first definitions of each group."""
    seen: dict[str, int] = {}
    kept = []
    for one in found:
        group = one["spec"]["group"]
        seen[group] = seen.get(group, 0) + 1
        if seen[group] <= most:
            kept.append(one)
    return kept


def _compared(real: RealServer, found: list[Raw], options: Any) -> int:
    each, shown, different, total, kept = max(1, options.count // max(len(found), 1)), 0, 0, 0, []
    for definition in found:
        name = definition["metadata"]["name"]
        random = Random(f"{options.seed} {name}")
        ours = EmbeddedServer()
        state: Raw = {}
        theirs, mine = real.define(definition), ours.define(definition)
        if "object" in theirs and "object" in mine:
            theirs["status"] = timeless(real.status_of(definition))
            mine["status"] = timeless(ours.status_of(definition))
        total += 1
        if theirs != mine:
            different += 1
            print(f"definition {name}:\n  real {_short(theirs)}\n  ours {_short(mine)}")
        if "object" not in theirs or "object" not in mine:
            continue
        listed = []
        for case in asked(real, definition, each, random):
            listed.append(case)
            total += 1
            said = ours_to(ours, case, state)
            if said != case["said"]:
                different += 1
                if shown < options.show:
                    shown += 1
                    print(_told(name, case, said))
        kept.append({"definition": definition, "defined": theirs, "cases": listed})
    print(f"{total} answers of {len(found)} definitions, {different} different")
    if options.record:
        cases.keep(kept)
    return 1 if different else 0


def _told(name: str, case: Raw, said: Raw) -> str:
    theirs = case["said"]
    if "invalid" in theirs and "invalid" in said:
        one, other = set(theirs["invalid"]), set(said["invalid"])
        theirs, said = {"only": sorted(one - other)}, {"only": sorted(other - one)}
    which = "update" if "base" in case else "create"
    return f"{which} {name}: {_short(case['object'])}\n  real {_short(theirs)}\n  ours {_short(said)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) < 1500 else f"{text[:1500]}..."


if __name__ == "__main__":
    sys.exit(main())
