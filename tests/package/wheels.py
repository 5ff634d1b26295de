"""The compiled wheels of a release, built and tried on every Python that is here: `python -m tests.package.wheels`.

These are the steps of cibuildwheel without its containers: build, repair (where `auditwheel` is installed), install
into an empty environment, run `test-command` of pyproject.toml. The tests of the packages, their conformance, and
random merges compared with Go follow. All run in a copy of the clone without its packages, so only those of the wheel
can be imported. It ends with 1 at the first failure, and needs a C compiler.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.compiled import built
from tests.newer import copy_files

from .building import PACKAGES, Failed
from .environments import Environment, pythons

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RECORDED = (
    "python -m pytest -n 1 tests/engine tests/conformance tests/codegen/documents tests/kubemerge/linting "
    "tests/kubemerge/apiserver tests/apiserver --ignore tests/kubemerge/apiserver/plugins"
)
"""Not the tests of plugins, which look for the sources of modules."""
RANDOM = "python -m tests.conformance.fuzz --count {count} --seed {seed}"


def main() -> int:
    """Build and try the wheel of each Python. Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="VERSIONS", help="such as 3.10,3.14; every Python that is here by default")
    parser.add_argument("--dist", type=Path, metavar="FOLDER", help="keep the wheels here")
    parser.add_argument("--count", type=int, default=50_000, help="random merges for each wheel; 0 without Go")
    asked = parser.parse_args()
    found = {version: one for version, one in pythons().items() if not asked.only or version in asked.only.split(",")}
    try:
        if not found:
            raise Failed(f"there is no Python {asked.only or 'that kubemerge supports'} here")
        for version, python in found.items():
            with tempfile.TemporaryDirectory(prefix="kubemerge-wheels-") as folder:
                random = RANDOM.format(count=asked.count, seed=version.partition(".")[2])
                commands = [RECORDED, random] if asked.count else [RECORDED]
                _one(Path(folder).resolve(), version, python, commands, asked.dist)
    except Failed as failed:
        print(f"FAILED: {failed}")
        return 1
    return 0


def _one(folder: Path, version: str, python: str, commands: list[str], dist: Path | None) -> None:
    source = folder / "source"
    copy_files(source)
    started = time.perf_counter()
    wheel = _repaired(built(source, folder / "built", python), dist.absolute() if dist else folder / "dist")
    seconds = time.perf_counter() - started
    for name in (*PACKAGES, "build"):
        shutil.rmtree(source / name)
    environment = Environment.made(folder / "installed", python)
    print(f"{version}: {wheel.name}, {wheel.stat().st_size / 2**10:.0f} KiB, {seconds:.0f} s to build", flush=True)
    started = time.perf_counter()
    environment.run("python", "-m", "pip", "install", "--quiet", str(wheel), cwd=folder)
    taken = time.perf_counter() - started
    print(f"  installed in {taken:.1f} s, {environment.packages()['kubemerge'] / 2**20:.1f} MiB", flush=True)
    settings = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cibuildwheel"]
    environment.run("python", "-m", "pip", "install", "--quiet", *settings["test-requires"], cwd=folder)
    for command in settings["test-command"].split("&&"):
        _try(environment, command.strip().format(project=source), folder)
    environment.run("python", "-m", "pip", "install", "--quiet", f"{wheel}[test]", cwd=folder)
    for command in commands:
        _try(environment, command, source)


def _try(environment: Environment, command: str, at: Path) -> None:
    """Run a command of the environment, and print the last line of its output."""
    try:
        lines = environment.run(*shlex.split(command), cwd=at).strip().splitlines()
    except subprocess.CalledProcessError as error:
        raise Failed(f"{command} ended with {error.returncode}:\n{error.stdout}{error.stderr}") from None
    print(f"  {command}: {lines[-1] if lines else 'passed'}", flush=True)


def _repaired(wheel: Path, dist: Path) -> Path:
    """The wheel with the tag that an index accepts, where auditwheel is there; else as it was built."""
    dist.mkdir(parents=True, exist_ok=True)
    auditwheel = shutil.which("auditwheel")
    if auditwheel is None or not sys.platform.startswith("linux"):
        return Path(shutil.copy2(wheel, dist))
    command = [auditwheel, "repair", "--wheel-dir", str(dist), str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"auditwheel: {done.stdout}{done.stderr}")
    (found,) = dist.glob(f"{wheel.name.rpartition('-')[0]}-*.whl")
    return found


if __name__ == "__main__":
    sys.exit(main())
