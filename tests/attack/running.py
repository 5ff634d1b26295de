"""Run the attacks one after the other, print the number of tries, and stop at the first loss."""

from __future__ import annotations

import importlib
import tempfile
import time
import traceback
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from .trial import Loss, Skipped, Trial

if TYPE_CHECKING:
    from collections.abc import Sequence

ATTACKS = {
    "kills": "kills",
    "signals": "signals",
    "interrupts": "interrupts",
    "generated": "generated",
    "damage": "damage",
    "secrets": "probes",
    "documents": "documents",
    "specifications": "specifications",
    "addresses": "addresses",
    "growth": "growth",
    "outputs": "outputs",
    "active": "active",
    "clocks": "clocks",
    "threads": "threads",
    "definitions": "definitions",
    "server": "server",
    "repositories": "repositories",
    "requests": "hostile_requests",
    "hostile-servers": "hostile_servers",
    "soak": "soak",
}
"""The attacks in the order in which they are made, each with the module that makes it."""


def run(names: Sequence[str], seed: int, times: float, losses: Path) -> int:
    """Make these attacks, and return the exit code. Files that reproduce a loss are written to a folder in `losses`."""
    for name in names:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f"attack-{name}-") as folder:
            trial = Trial(Random(f"{seed} {name}"), Path(folder), times)
            try:
                for what, often in importlib.import_module(f"tests.attack.{ATTACKS[name]}").attack(trial):
                    print(f"{name:<14} {often:>6}  {what}", flush=True)
            except Skipped as reason:
                print(f"{name:<14}      -  SKIPPED: {reason}", flush=True)
            except Exception as error:
                print(f"{name:<14}   LOST  {error if isinstance(error, Loss) else traceback.format_exc()}")
                print(f"again with: python -m tests.attack --only {name} --seed {seed} --times {times:g}")
                _keep(error, losses / f"{name}-{seed}")
                return 1
        print(f"{name:<14}         in {time.monotonic() - begun:.0f} s", flush=True)
    return 0


def _keep(error: Exception, folder: Path) -> None:
    """Write the inputs of a loss to files."""
    for name, text in (error.inputs if isinstance(error, Loss) else {}).items():
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / name
        file.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
        print(f"the input is in {file}")
