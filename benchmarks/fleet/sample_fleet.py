"""A generated fleet for benchmarks: live objects of many clusters, and the config that was applied to them."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.kubemerge.fleet.fleets import config, live

if TYPE_CHECKING:
    from pathlib import Path

SEED = 18
VARIANTS = 4
"""The number of live variants for each config object; a cluster has one of them. Generating each object is too slow."""


class Fleet(NamedTuple):
    """The files of a fleet: JSON Lines for each cluster, and a List with everybody's config."""

    folder: Path
    clusters: int
    objects: int
    """The number of objects in each cluster."""

    @property
    def config(self) -> Path:
        return self.folder / "config.json"

    def dumps(self, clusters: int) -> list[Path]:
        """The files of the first clusters."""
        return [self.folder / "dumps" / f"prod-{number:04}.jsonl" for number in range(clusters)]


def write_fleet(fleet: Fleet) -> None:
    """Write a fleet; the same for the same numbers."""
    fleet.config.parent.mkdir(parents=True, exist_ok=True)
    items = [config(SEED, number) for number in range(fleet.objects)]
    fleet.config.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}), encoding="utf-8")
    found = [
        [f"{json.dumps(live(SEED, f'variant-{variant}', number))}\n" for variant in range(VARIANTS)]
        for number in range(fleet.objects)
    ]
    for path in fleet.dumps(fleet.clusters):
        path.parent.mkdir(exist_ok=True)
        random = Random(path.name)
        with path.open("w", encoding="utf-8") as file:
            file.writelines(random.choice(one) for one in found)
