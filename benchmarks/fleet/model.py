"""The costs of a run besides its objects: `python -m benchmarks.fleet.model`. docs/scale.md uses these figures.

It runs on two workers: many small dumps for the cost of a part, and a large one for the search for definitions. Then it
predicts the processor time of `kubemerge fleet drift` for `--clusters` of `--objects`, and runs it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

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
from .process_memory import run_and_measure
from .sample_fleet import SEED, Fleet, write_fleet

if TYPE_CHECKING:
    from collections.abc import Mapping

PARTS, EACH, LARGE, SAMPLE = 400, 5, 10_000, 2000
FEW = 20
"""The number of parts of the smaller run from which the cost of a part is known."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet.model", description=__doc__)
    parser.add_argument("--clusters", type=int, default=200)
    parser.add_argument("--objects", type=int, default=1000, help="the objects of each cluster")
    parser.add_argument("--only-clusters", action="store_true", help="only the prediction and its run")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kubemerge-fleet-") as folder:
        if not asked.only_clusters:
            _rows(Path(folder) / "rows")
            _runs(Path(folder))
        _beside_a_run(Path(folder), asked.clusters, asked.objects)


def _beside_a_run(folder: Path, clusters: int, objects: int) -> None:
    """Print the predicted and the measured processor time of a run.

    Small runs show the cost of the start, of a part and of an object: with few parts, with many, and with larger ones.
    """
    shapes = {"few": (FEW, EACH), "many": (10 * FEW, EACH), "larger": (FEW, 20 * EACH)}
    took = {name: _run(folder / name, *shape) for name, shape in shapes.items()}
    cost = (sum(took["larger"].values()) - sum(took["few"].values())) / (FEW * 19 * EACH)
    part = (sum(took["many"].values()) - sum(took["few"].values())) / (9 * FEW) - EACH * cost
    start = sum(took["few"].values()) - FEW * (part + EACH * cost)
    predicted = start + clusters * (part + objects * cost)
    measured = _run(folder / "whole", clusters, objects)
    whole = sum(measured.values())
    print(f"a run starts with {start:.1f} s; a part takes {part * 1000:.1f} ms, an object {cost * 1000:.3f} ms")
    print(f"{clusters} clusters of {objects} objects: predicted {predicted:.1f} s, measured {whole:.1f} s")
    for role, seconds in measured.items():
        print(f"{role:12}{seconds:8.1f} s{seconds / whole:8.1%}")


def _run(folder: Path, clusters: int, objects: int) -> Mapping[str, float]:
    """The processor time of `kubemerge fleet drift` with two workers."""
    fleet = Fleet(folder, clusters, objects)
    write_fleet(fleet)
    words = ["fleet", "drift", str(folder / "dumps"), "-f", str(fleet.config), "--out", str(folder / "out")]
    done = run_and_measure(
        [sys.executable, "-m", "kubemerge", *words, "--workers", "2", "--release", "1.31"], "spawn_main"
    )
    if done.code not in (0, 1):
        raise SystemExit(f"the run failed with {done.code}")
    return done.seconds


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
