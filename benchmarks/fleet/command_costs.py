"""The cost of one object in each fleet command, in one process: `python -m benchmarks.fleet.command_costs`."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from kubemerge.fleet.checks.base import Rules
from kubemerge.fleet.checks.config import ConfigFile
from kubemerge.fleet.checks.table import CheckSpec
from kubemerge.fleet.reading.items import Item
from tests.kubemerge.fleet.fleets import config, live

from .engines import RELEASE
from .sample_fleet import SEED

ASKED: dict[str, tuple[str, str | None, dict[str, Any]]] = {
    "drift": ("drift", RELEASE, {"config": True}),
    "owners": ("owners", RELEASE, {}),
    "upgrade 1.31..1.32": ("upgrade", None, {"releases": "1.31..1.32"}),
    "upgrade 1.30..1.37": ("upgrade", None, {"releases": "1.30..1.37"}),
    "migrate": ("migrate", RELEASE, {"config": True}),
    "lint": ("lint", RELEASE, {}),
}
"""The measured commands: their name, release and options."""


def costs(objects: int, rounds: int = 3) -> dict[str, float]:
    """Milliseconds of CPU time for an object, the best of the rounds."""
    items = [Item("a", json.dumps(live(SEED, "a", number)).encode(), str(number)) for number in range(objects)]
    wanted = [config(SEED, number) for number in range(objects)]
    data = json.dumps({"apiVersion": "v1", "kind": "List", "items": wanted}).encode()
    found = {}
    for name, (work, release, options) in ASKED.items():
        given = {**options, "config": (ConfigFile("", "config.json", data),)} if "config" in options else options
        made = CheckSpec(work, Rules(release), tuple(given.items())).create()
        found[name] = min(_seconds(made, items) for _ in range(rounds)) / objects * 1000
    return found


def _seconds(work: Any, items: list[Item]) -> float:
    began = time.process_time()
    for item in items:
        work.rows(item)
    return time.process_time() - began


def main() -> None:
    """Print the table of docs/scale.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet.command_costs", description=__doc__)
    parser.add_argument("--objects", type=int, default=2000)
    print("| work | ms an object |\n|---|---|")
    for name, cost in costs(parser.parse_args().objects).items():
        print(f"| {name} | {cost:.2f} |")


if __name__ == "__main__":
    main()
