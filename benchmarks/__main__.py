"""Run all benchmarks in sequence: `python -m benchmarks [NAME...]`. On a quiet machine this takes an hour.

Each is also a separate program with its own options: `python -m benchmarks.fleet --help`. Use a Python that was built
with optimizations, such as that of a distribution.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

ALL: dict[str, tuple[list[str], dict[str, str]]] = {
    "engine": (["benchmarks.vs_reference"], {}),
    "engine, accelerated": (["benchmarks.vs_reference"], {"KUBEMERGE_ACCELERATE": "1"}),
    "engine, accelerated and compiled": (["tests.compiled", "benchmarks.vs_reference"], {"KUBEMERGE_ACCELERATE": "1"}),
    "tables": (["benchmarks.tables"], {}),
    "growth": (["benchmarks.growth"], {}),
    "commands": (["benchmarks.command_line"], {}),
    "lint": (["benchmarks.lint"], {}),
    "lint of definitions": (["benchmarks.definitions"], {}),
    "server": (["benchmarks.serve"], {}),
    "watches and long lists": (["benchmarks.watching"], {}),
    "works": (["benchmarks.fleet.command_costs"], {}),
    "fleet": (["benchmarks.fleet"], {}),
    "what a run costs besides": (["benchmarks.fleet.model"], {}),
    "killed workers": (["benchmarks.fleet.kills", "--objects", "200000"], {}),
}
"""The benchmarks with their arguments and environment."""


def main() -> int:
    """Run them; return 1 if one of them missed a target."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {'; '.join(ALL)}; all by default")
    asked = parser.parse_args().names or [*ALL]
    unknown = [name for name in asked if name not in ALL]
    if unknown:
        parser.error(f"there is no {unknown[0]}; there are: {'; '.join(ALL)}")
    failed = []
    for name in asked:
        words, environment = ALL[name]
        print(f"\n== {name}: python -m {' '.join(words)}", flush=True)
        if subprocess.run([sys.executable, "-m", *words], env={**os.environ, **environment}, check=False).returncode:
            failed.append(name)
    print(f"\nmissed a target: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
