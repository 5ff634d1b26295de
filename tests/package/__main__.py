"""Builds the package and uses it as people do, on every Python that is here: `python -m tests.package`.

The two distributions are built from a copy, looked at by `twine check` and `check-wheel-contents`, and installed into
an empty environment of each Python that can be found. There, from an empty folder and from the wheel alone, the first
minute of a newcomer is timed, and the extras, the library and its types are tried. It ends with 1 at the first failure.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from .building import Failed, Package, build, look_at
from .environments import Environment, pythons
from .using import extras_work, is_typed, library_works, newcomer

HEAD = "python     install   demo  packages     size"


def main() -> int:
    """Build, check, and use the package. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.package", description=__doc__.partition("\n")[0])
    parser.add_argument("--dist", type=Path, metavar="FOLDER", help="keep the distributions here")
    parser.add_argument("--only", metavar="VERSIONS", help="such as 3.10,3.14; every Python that is here by default")
    asked = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="kubemerge-package-") as folder:
            _everything(Path(folder), asked.dist, asked.only.split(",") if asked.only else [])
    except Failed as failed:
        print(f"FAILED: {failed}")
        return 1
    print("the package is as it should be")
    return 0


def _everything(folder: Path, dist: Path | None, only: list[str]) -> None:
    package = build(folder / "source", dist.absolute() if dist else folder / "dist")
    for line in look_at(package):
        print(line)
    found = {version: python for version, python in pythons().items() if not only or version in only}
    missing = [version for version in only if version not in found]
    if missing or not found:
        raise Failed(f"there is no Python {', '.join(missing) or 'that kubemerge supports'} here")
    print(HEAD)
    for version, python in found.items():
        print(_on(folder / version, package, python), flush=True)
    newest = Environment.at(folder / list(found)[-1])
    for line in (*extras_work(newest, package, folder / "extras"), *is_typed(newest, folder / "consumer")):
        print(line)


def _on(folder: Path, package: Package, python: str) -> str:
    """Install into an empty environment, and use it. Return the row of the table."""
    environment = Environment.made(folder, python)
    row = newcomer(environment, package, folder / "empty")
    library_works(environment, folder / "library")
    return row


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"FAILED: {error}\n{error.stdout or ''}{error.stderr or ''}")
