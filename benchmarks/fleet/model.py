"""The costs of a run besides its objects: `python -m benchmarks.fleet.model`. docs/scale.md uses these figures.

It runs on two workers: many small dumps for the cost of a part, and a large one for the search for definitions.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from kubemerge.fleet.checks.base import Rules
from kubemerge.fleet.checks.config import ConfigFile
from kubemerge.fleet.checks.table import CheckSpec
from kubemerge.fleet.cluster import SchedulerLocation
from kubemerge.fleet.reading.items import Item
from kubemerge.fleet.reading.parts import parts, whole
from kubemerge.fleet.reading.sources import sources
from kubemerge.fleet.results import Results, Tally
from kubemerge.fleet.rows import batch
from kubemerge.fleet.summary import summarized
from kubemerge.fleet.workers import workers
from tests.kubemerge.fleet.fleets import config, live

from .command_costs import ASKED
from .sample_fleet import SEED, Fleet, write_fleet

PARTS, EACH, LARGE, SAMPLE = 400, 5, 10_000, 2000


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="kubemerge-fleet-") as folder:
        _rows(Path(folder) / "rows")
        _runs(Path(folder))


def _rows(folder: Path) -> None:
    """The number of rows per object, their size, and the time to count them."""
    items = [Item(f"prod-{number % 50}", _text(number), str(number)) for number in range(SAMPLE)]
    for name, (work, release, options) in ASKED.items():
        given = {**options, "config": (_config(),)} if "config" in options else options
        made = CheckSpec(work, Rules(release), tuple(given.items())).create()
        found = [row for item in items for row in made.rows(item)]
        results = Results(str(folder / work))
        results.prepare()
        results.write("all", [batch(found)] if found else [], Tally())
        [file] = (folder / work).glob("part-*")
        each = file.stat().st_size / max(len(found), 1)
        print(f"{name:20}{len(found) / SAMPLE:8.2f} rows an object, {each:5.0f} bytes a row")
        if name == "owners":
            began = time.process_time()
            summarized(results, {"all": ""})
            seconds = (time.process_time() - began) / len(found) * 1e6
            print(f"{'':20}{seconds:8.2f} s to count a million rows")


def _runs(folder: Path) -> None:
    small, large = Fleet(folder / "small", PARTS, EACH), Fleet(folder / "large", 10, LARGE)
    write_fleet(small)
    write_fleet(large)
    asked = CheckSpec(
        "drift", Rules("1.31"), (("config", (ConfigFile("", "c.json", small.config.read_bytes()),)),), "model"
    )
    wanted = parts(sources([str(small.folder / "dumps")]))
    with workers(SchedulerLocation(None, 2)) as there:
        began = time.perf_counter()
        there.run(asked, wanted[:2], str(folder), lambda *_: None)
        print(f"two parts, with what workers need before the first: {time.perf_counter() - began:.1f} s")
        began = time.perf_counter()
        there.run(asked, wanted[2:], str(folder), lambda *_: None)
        seconds = time.perf_counter() - began
        print(f"a part of {EACH} objects: {seconds / (PARTS - 2) * 2000:.1f} ms of a worker")
        dumps = parts(sources([str(large.folder / "dumps")]))
        size = sum(part.weight for part in dumps)
        began = time.perf_counter()
        there.known(whole(dumps))
        print(f"definitions are looked for in {size / (time.perf_counter() - began) / 2e6:.0f} MB a second by a worker")


def _text(number: int) -> bytes:
    return json.dumps(live(SEED, "a", number)).encode()


def _config() -> ConfigFile:
    items = [config(SEED, number) for number in range(SAMPLE)]
    return ConfigFile("", "c.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode())


if __name__ == "__main__":
    main()
