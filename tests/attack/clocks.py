"""Clocks that jump: back, far ahead, before the epoch, between time zones. Order and numbers depend on none of it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from kubemerge.apiserver.metadata import Origins
from kubemerge.apiserver.printers import ages
from kubemerge.cluster import NotFound, Reference, open_cluster

from ..kubemerge.objects import config_map
from .commands import ended, one_sentence
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from .trial import Trial, Tried

WRITES = 400
AGES = 300
START = datetime(2024, 2, 29, 12, tzinfo=timezone.utc)
JUMPS = (
    timedelta(0),
    timedelta(seconds=1),
    timedelta(hours=-1),
    timedelta(days=-3_650),
    timedelta(days=36_500),
    -timedelta(days=20_000),
)
FIRST, LAST = datetime.min.replace(tzinfo=timezone.utc), datetime.max.replace(tzinfo=timezone.utc)


def clock(random: Random) -> Callable[[], datetime]:
    """A clock that returns a different time on every call."""
    now = START

    def asked() -> datetime:
        nonlocal now
        step = random.choice(JUMPS)
        now = now + step if FIRST + abs(step) < now < LAST - abs(step) else START
        return now.astimezone(timezone(timedelta(hours=random.randrange(-12, 13))))

    return asked


def attack(trial: Trial) -> Tried:
    """Write by a clock that jumps, and print ages."""
    folder = trial.new_folder()
    writes = trial.often(WRITES)
    _write(trial.random, folder / "c.db", writes)
    yield "writes by a clock that jumps", writes
    one_sentence(ended(folder, "get", "configmap", "--cluster", "c.db"), (0,))
    one_sentence(ended(folder, "get", "namespaces", "-o", "wide", "--cluster", "c.db"), (0,))
    yield "tables of objects of all times", 2
    often = trial.often(AGES)
    for _ in range(often):
        text = _moment(trial.random)
        insist(isinstance(ages.age(text), str), f"the age of {text!r} has no text", {"moment.txt": str(text)})
    yield "ages of moments of all kinds", often


def _write(random: Random, file: Path, times: int) -> None:
    """Each write has a newer resourceVersion than all before. The creationTimestamp never changes until a deletion."""
    newest, created = 0, {}
    with open_cluster(str(file), origins=Origins(clock=clock(random))) as cluster:
        for number in range(times):
            name = f"m{random.randrange(10)}"
            reference = Reference("v1", "ConfigMap", name)
            try:
                live = cluster.get(reference)
            except NotFound:
                after = cluster.create(config_map(name))
                created[name] = after["metadata"]["creationTimestamp"]
            else:
                insist(live["metadata"]["creationTimestamp"] == created[name], f"{name} was created twice")
                if random.random() < 0.2:
                    cluster.delete(reference)
                    continue
                after = cluster.patch(reference, {"data": {"n": str(number)}}, "merge")
            version = int(after["metadata"]["resourceVersion"])
            insist(version > newest, f"the resourceVersion {version} comes after {newest}")
            newest = version


def _moment(random: Random) -> object:
    """A creationTimestamp, or an invalid value in its place."""
    written = "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}".format(
        random.choice((0, 1, 1970, 2024, 9999, 99_999)), *(random.randrange(0, most) for most in (14, 33, 26, 62, 62))
    )
    zone = random.choice(("Z", "+00:00", "-23:59", "+99:99", "", "z", ".123456789Z", "Z" * 5_000))
    return random.choice((written + zone, None, 3, [], {}, "9" * 5_000, "\x00", "\ud800", "now"))
