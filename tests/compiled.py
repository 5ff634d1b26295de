"""Whether the compiled build is the same engine: `python -m tests.compiled "pytest tests/engine"` runs that on it.

The wheel is built in a copy as people build it, with KUBEMERGE_COMPILE=1. Compiled modules replace their sources there,
so only they can run. Each argument is a module with its words, for `python -m`; with KUBEMERGE_ACCELERATE=1, it runs
with orjson as well. Nothing of the repository itself is touched.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from .newer import copy_files, run


def main() -> int:
    """Compile in a copy and run everything there; exits with 1 if any of it fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="+", help="such as 'pytest tests/engine' and 'benchmarks.vs_reference'")
    commands = parser.parse_args().commands
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "kubemerge").resolve()
        copy_files(copy)
        found = put_in_place(built(copy, Path(folder, "dist")), copy)
        print(f"compiled, and without their sources: {', '.join(found)}", flush=True)
        codes = [run(copy, *shlex.split(command), check=False) for command in commands]
        return int(any(codes))  # of a process that died of a signal it is below 0


def built(copy: Path, dist: Path, python: str = sys.executable) -> Path:
    """The wheel with the compiled modules, for one Python."""
    command = [python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(dist), str(copy)]
    done = subprocess.run(
        command, env={**os.environ, "KUBEMERGE_COMPILE": "1"}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"it cannot be built: {done.stdout}{done.stderr}")
    (wheel,) = dist.glob("*.whl")
    return wheel


def put_in_place(wheel: Path, copy: Path) -> list[str]:
    """Replace sources by their compiled modules, and return the names of the modules."""
    found = []
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(tuple(EXTENSION_SUFFIXES)):
                archive.extract(name, copy)
                source = Path(name.partition(".")[0]).with_suffix(".py")
                if (copy / source).is_file():  # one library holds the code of all, and has no source
                    (copy / source).unlink()
                    found.append(source.as_posix())
    if not found:
        sys.exit(f"nothing is compiled in {wheel.name}")
    return found


if __name__ == "__main__":
    sys.exit(main())
