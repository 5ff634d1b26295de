"""The engine beside the Go reference: the same documents, one thread, bytes in to bytes out.

`python -m benchmarks.vs_reference` prints the ratios. Both sides are measured in turn, several times, and the best time
of each counts, because a machine may be busy. Without Go, only the engine is measured.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import nullcontext
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import engine
from engine import texts
from engine.values import go_json as gojson
from tests.conformance.oracle import Oracle, OracleUnavailable

from .documents import Work, works
from .ownership import server_side_apply

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Call = Callable[[], object]


CHANGING, IDLE = "engine.apply", "engine.apply, nothing changed"
MOST_OF_IDLE = 0.5
"""The allowed time of an apply without changes, as a fraction of one with changes: most applies change nothing."""


class Measured:
    """The best times of one call, in microseconds."""

    def __init__(
        self, name: str, most: float | None, engine_call: Call, reference: dict[str, Any] | None = None
    ) -> None:
        self.name, self.most, self.call, self.reference = name, most, engine_call, reference
        self.ours = self.theirs = float("inf")

    def again(self, oracle: Oracle | None, seconds: float) -> None:
        """Measure both sides once more."""
        self.ours = min(self.ours, best(self.call, seconds))
        if oracle is not None and self.reference is not None:
            answer = oracle.ask({"op": "bench", "seconds": seconds, "call": self.reference})
            self.theirs = min(self.theirs, answer["result"]["single"]["min_ns"] / 1000)

    @property
    def ratio(self) -> float:
        """Our time as a fraction of theirs."""
        return self.ours / self.theirs

    @property
    def missed(self) -> bool:
        """True if this is above its limit."""
        return self.most is not None and self.theirs < float("inf") and self.ratio > self.most

    def __str__(self) -> str:
        line = f"  {self.name:28}{self.ours:12,.1f}"
        if self.theirs == float("inf"):
            return line
        limit = f"  (at most {self.most:.2f})" if self.most is not None else ""
        return f"{line}{self.theirs:14,.1f}{self.ratio:9.3f}{limit}{'  MISSED' if self.missed else ''}"


def best(call: Call, seconds: float) -> float:
    """The time of one call in microseconds: the best of several batches."""
    start = time.perf_counter()
    call()
    times = max(1, int(seconds / 7 / max(time.perf_counter() - start, 1e-7)))
    found = float("inf")
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(times):
            call()
        found = min(found, (time.perf_counter() - start) / times)
    return found * 1e6


def measurements(work: Work) -> list[Measured]:
    schema = engine.load().schema(work.api_version, work.kind)
    group, _, version = work.api_version.rpartition("/")
    selector = {"go": {"group": group, "version": version, "kind": work.kind}}
    last, config, live = work.last_applied, work.config, work.live
    unchanged = _unedited_config(work)
    patch = engine.three_way_patch(last, config, live, schema)
    ansible = _ansible()
    peer = [Measured("dicts: Ansible's merge", None, lambda: ansible(last, config, live))] if ansible else []
    last_text, config_text, live_text, unchanged_text, patch_text = (
        gojson.encode(document).encode() for document in (last, config, live, unchanged, patch)
    )
    three = {"op": "three_way", "schema": selector, "last_applied": last, "live": live}
    apply = {"op": "apply", "schema": selector, "target": live}
    return [
        Measured(
            "three-way patch",
            work.most_of_patch,
            lambda: texts.three_way_patch(last_text, config_text, live_text, schema).encode(),
            {**three, "config": config},
        ),
        Measured(
            "three-way, nothing changed",
            None,
            lambda: texts.three_way_patch(last_text, unchanged_text, live_text, schema).encode(),
            {**three, "config": unchanged},
        ),
        Measured(
            "apply the patch",
            work.most_of_apply,
            lambda: texts.apply_patch(live_text, patch_text, schema).encode(),
            {**apply, "patch": patch},
        ),
        Measured(
            "three-way, safe",
            None,
            lambda: texts.three_way_patch(last_text, config_text, live_text, schema, safe=True).encode(),
        ),
        Measured("dicts: three-way patch", None, lambda: engine.three_way_patch(last, config, live, schema)),
        *peer,
        Measured("dicts: nothing changed", None, lambda: engine.three_way_patch(last, unchanged, live, schema)),
        Measured("dicts: apply the patch", None, lambda: engine.apply_patch(live, patch, schema)),
        Measured("server-side apply", work.most_of_server_side, *server_side_apply(work)),
        Measured(CHANGING, None, lambda: engine.apply(config, live, schema)),
        Measured(IDLE, None, lambda: engine.apply(last, live, schema)),
    ]


@cache
def _ansible() -> Callable[..., Any] | None:
    """The merge of Ansible's collection kubernetes.core, where it is installed (with `ansible` and `ansible-core`).

    It makes a JSON merge patch with whole lists, by its own table: less work than ours, and another result.
    """
    try:
        merge: Callable[..., Any]
        merge = import_module("ansible_collections.kubernetes.core.plugins.module_utils.apply").merge
    except ImportError:
        print("without Ansible: its collection kubernetes.core is not installed")
        return None
    return merge


def _unedited_config(work: Work) -> dict[str, Any]:
    """An unedited config: the last applied one, with its annotation."""
    annotations = work.live["metadata"]["annotations"]
    own = {**work.last_applied["metadata"].get("annotations", {}), **annotations}
    return {**work.last_applied, "metadata": {**work.last_applied["metadata"], "annotations": own}}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return 1 if a limit was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vs_reference", description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.1, help="for each figure and round")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--only", nargs="+", default=[], help="parts of the names of what to measure")
    chosen = parser.parse_args(arguments)
    chosen_works = [work for work in works() if not chosen.only or any(part in work.name for part in chosen.only)]
    with _oracle() as oracle:
        tables = {work.name: measurements(work) for work in chosen_works}
        for name, rows in tables.items():
            for _ in range(chosen.rounds):
                for row in rows:
                    row.again(oracle, chosen.seconds)
            print(f"{name:30}{'engine us':>12}{'reference us':>14}{'ratio':>9}")
            print("\n".join(map(str, rows)), flush=True)
    missed = _growth(tables) + _idle(tables) + sum(row.missed for rows in tables.values() for row in rows)
    print(f"{missed} limits missed")
    return 1 if missed else 0


def _growth(tables: dict[str, list[Measured]]) -> int:
    """Ten times the elements may cost at most 14 times as much."""
    small, large = tables.get("list of 1,000"), tables.get("list of 10,000")
    missed = 0
    for one, ten in zip(small or (), large or (), strict=False):
        times = ten.ours / one.ours
        missed += times > 14
        print(f"  ten times the elements: {one.name:28}{times:6.1f} times the cost (at most 14)")
    return missed


def _idle(tables: dict[str, list[Measured]]) -> int:
    """A Deployment's apply without changes may cost half as much as one with changes."""
    rows = {row.name: row for name, rows in tables.items() if name.startswith("Deployment") for row in rows}
    if not rows:
        return 0
    part = rows[IDLE].ours / rows[CHANGING].ours
    print(f"  an apply that changes nothing: {part:.2f} of one that does (at most {MOST_OF_IDLE})")
    return int(part > MOST_OF_IDLE)


def _oracle() -> Any:
    try:
        oracle = Oracle()
        oracle.ask({"op": "encode", "value": 1})
    except OracleUnavailable as error:
        print(f"without the reference: {error}")
        return nullcontext()
    return oracle


if __name__ == "__main__":
    sys.exit(main())
