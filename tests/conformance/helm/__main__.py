"""Record Helm and compare its plans: `python -m tests.conformance.helm record|check|random ...`.

`record` runs the cases on the real server of KUBECONFIG, with the binaries `helmv3` and `helmv4` in KUBEMERGE_HELM.
`random COUNT SEED [FILE]` draws scenarios and prints the differences. `check [FILE...]` compares recordings.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from random import Random
from typing import Any

from ..recordings import read_recorded, write_recorded
from .cases import CASES
from .draw import DEFINITION, scenario
from .real import Real
from .replay import CASES_FILE, RANDOM_FILE, differences, planned, slim, whole


def main(arguments: list[str]) -> None:
    command, *rest = arguments
    if command == "random":
        _random(int(rest[0]), int(rest[1]), Path(rest[2]) if len(rest) > 2 else None)
    elif command == "check":
        for name in rest:
            _check(Path(name))
    elif command == "record":
        _record(rest)
    elif command == "keep":
        _keep(Path(rest[0]))


def _record(names: list[str]) -> None:
    """Record the cases without a recording, or the named ones."""
    real = Real(os.environ["KUBECONFIG"])
    real.definition(DEFINITION)
    found = {name: records for name, records in read_recorded(CASES_FILE).items() if name in CASES}
    for number, (name, steps) in enumerate(CASES.items()):
        if name not in found or name in names or "--all" in names:
            records = real.run(f"case-{os.getpid()}-{number}", steps)
            found[name] = [*map(slim, records)]
            write_recorded(CASES_FILE, found)
        for place, record in enumerate(found[name]):
            _report(f"{name} {place}", whole(record))


def _keep(file: Path) -> None:
    """Keep the random scenarios of a file as a recording."""
    found = {}
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            found[record.pop("name")] = [slim(record)]
    write_recorded(RANDOM_FILE, found)


def _random(count: int, seed: int, file: Path | None) -> None:
    real = Real(os.environ["KUBECONFIG"])
    real.definition(DEFINITION)
    total = equal = 0
    for number in range(seed, seed + count):
        name = f"random-{number}"
        records = real.run(name, scenario(Random(number)))
        for place, record in enumerate(records):
            total += 1
            equal += not _report(f"{name} {place}", record)
            if file is not None:
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps({"name": f"{name} {place}", **record}) + "\n")
        print(f"{number}: {equal} of {total} equal", flush=True)


def _report(name: str, record: dict[str, Any]) -> list[str]:
    try:
        found = differences(record, planned(record))
    except Exception as error:
        import traceback

        found = [f"{type(error).__name__}: {error}", traceback.format_exc()[-900:]]
    command = record["command"]
    head = f"{name}: {command['action']} v{command['version']} {command.get('flags')}"
    if found:
        print("\n  ".join([head, *found]), flush=True)
    return found


def _check(file: Path) -> None:
    with file.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    wrong = sum(bool(_report(one["name"], one)) for one in records)
    print(f"{len(records) - wrong} of {len(records)} equal")


if __name__ == "__main__":
    main(sys.argv[1:])
