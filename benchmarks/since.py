"""Instructions and peak memory of each command, here and in an older commit: `python -m benchmarks.since COMMIT`.

Commands over files, and commands of a cluster, get a few objects to count instructions with valgrind, and many for the
memory. Neither depends on the load of the machine. A command that the commit does not have is left out. Exits with 1 if
a command takes over 3 % more instructions, or over 5 % more memory.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.attack.command_growth import COMMANDS, QUIET
from tests.attack.growth_rows import OF_CLUSTER, folder_with_cluster

from .command_line import ROOT, InstalledCopy
from .instructions import VALGRIND, instructions_of

if TYPE_CHECKING:
    from collections.abc import Sequence

FEW, MANY = 20, 500
"""The number of objects for instructions, and for memory."""
INSTRUCTIONS, MEMORY = 1.03, 1.05
"""The most of what it took before. The memory of a process varies by 2 % by itself."""
ROWS = {**COMMANDS, **{f"{name} of the cluster": f"{words} --cluster cluster.db" for name, words in OF_CLUSTER.items()}}
USAGE = """
import os, sys
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_WRONLY, 0) for descriptor in (1, 2)])
_, status, usage = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""
"""Print the exit code of a command, and its peak memory in KiB with that of its own processes."""


class Cost(NamedTuple):
    """What a command takes."""

    instructions: int
    memory: float
    """MiB."""


def main() -> int:
    """Measure each command in both trees, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("--only", nargs="+", default=[], help="parts of the names of commands")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    names = [name for name in ROWS if not asked.only or any(part in name for part in asked.only)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(asked.workers) as pool:
        base = Path(folder, "base")
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", base, asked.commit], cwd=ROOT, check=True)
        try:
            copies = [InstalledCopy(Path(folder, name), tree) for name, tree in (("before", base), ("now", ROOT))]
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", base], cwd=ROOT, check=True)
        inputs = [folder_with_cluster(size) for size in (FEW, MANY)]
        print(
            f"{'command':44}{'instructions before':>20}{'now':>14}{'ratio':>7}{'MiB before':>12}{'now':>7}{'ratio':>7}"
        )
        are_over = pool.map(lambda name: _row(name, copies, inputs), names)
        over = [name for name, is_over in zip(names, are_over, strict=True) if is_over]
        for one in inputs:
            shutil.rmtree(one)
    print(f"{len(names)} commands, {len(over)} above a limit: {', '.join(over) or 'none'}")
    return 1 if over else 0


def _row(name: str, copies: Sequence[InstalledCopy], inputs: Sequence[Path]) -> bool:
    """Print the costs of a command; return whether it takes too much."""
    costs = [_cost(ROWS[name].split(), copy, inputs) for copy in copies]
    if None in costs:
        print(f"{name:44}  not in both", flush=True)
        return False
    before, now = (cost for cost in costs if cost)
    counts, sizes = now.instructions / before.instructions, now.memory / before.memory
    print(
        f"{name:44}{before.instructions:20,}{now.instructions:14,}{counts:7.3f}"
        f"{before.memory:12.1f}{now.memory:7.1f}{sizes:7.3f}",
        flush=True,
    )
    return counts > INSTRUCTIONS or sizes > MEMORY


def _cost(words: list[str], copy: InstalledCopy, inputs: Sequence[Path]) -> Cost | None:
    """The cost of a command in one tree; None if it fails there."""
    few, many = inputs
    counted = _output([*VALGRIND, *copy.command(*words)], few)
    code, memory = _output([sys.executable, "-c", USAGE, *copy.command(*words)], many).split()
    return Cost(max(instructions_of(counted).values()), int(memory) / 1024) if int(code) in (0, 1) else None


def _output(command: list[str], inputs: Path) -> str:
    """The output of a command in its own copy of the files, which it may change."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(inputs, folder, dirs_exist_ok=True)
        environment = {**os.environ, **QUIET, "PYTHONHASHSEED": "0"}
        ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr


if __name__ == "__main__":
    sys.exit(main())
