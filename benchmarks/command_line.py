"""What the command line costs: its start, commands beside those of kubectl, and a difference over many objects.

It times fresh processes with compiled bytecode, as after an installation. They run from a copy of the
packages and without Python's `site`, where an editable installation adds an import hook.
"""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import click
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
RUNS = 21
TRIES = 3
"""Attempts for a figure above its limit: a busy machine can make it too large, but never too small."""
PACKAGES = ("codegen", "engine", "generated", "kubemerge")
MAIN = """
import sys
sys.path[:0] = {paths}
from kubemerge.__main__ import main
try:
    main()
finally:
    if {memory}:
        sys.path.append({root!r})
        from tests.memory import peak
        print(peak() / 2**20, file=sys.stderr)
"""
DEPLOYMENT = str(ROOT / "examples/nginx/deployment.yaml")


class InstalledCopy:
    """A copy of the packages with their bytecode, to run the command from."""

    def __init__(self, folder: Path, tree: Path = ROOT) -> None:
        for package in PACKAGES:
            shutil.copytree(tree / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(folder, quiet=1)
        libraries = {str(Path(str(module.__file__)).parent.parent) for module in (click, yaml)}
        self._paths = [str(folder), *sorted(libraries)]

    def command(self, *words: str, memory: bool = False) -> list[str]:
        """The command line of a process that runs `kubemerge`."""
        return [sys.executable, "-S", "-c", MAIN.format(paths=self._paths, memory=memory, root=str(ROOT)), *words]


def seconds(*commands: list[str]) -> list[float]:
    """The median wall time of each command. They take turns, so a busy moment affects all of them."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(RUNS):
        for command, found in zip(commands, times, strict=True):
            start = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True)
            found.append(time.perf_counter() - start)
    return [median(found) for found in times]


def measure_and_print(what: str, measure: Callable[[], float], unit: str, limit: float) -> bool:
    """Measure and print a figure beside its limit; return True if it is above the limit."""
    figure = measure()
    for _ in range(TRIES - 1):
        if figure > limit:
            figure = min(figure, measure())
    over = figure > limit
    print(f"{what:58} {figure:8.3f} {unit:4} (at most {limit:g}){'  OVER' if over else ''}")
    return over


def processor_seconds(*commands: list[str], environment: dict[str, str]) -> list[float]:
    """The least processor time of each command, which other processes on the machine hardly change."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(RUNS):
        for command, found in zip(commands, times, strict=True):
            before = os.times()
            done = subprocess.run(command, capture_output=True, check=False, env=environment)
            after = os.times()
            if done.returncode not in (0, 1):
                raise SystemExit(done.stderr.decode())
            found.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return [min(found) for found in times]


BESIDE = {"--help": 1.5, "apply": 2.0, "diff": 2.0, "get": 2.8}
"""How many times the processor time of kubectl a command may take on one small object."""


def beside_kubectl(installed: InstalledCopy, folder: Path) -> bool:
    """Commands on a cluster in a file, and those of kubectl on one that is served."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        print("kubectl is not installed here, so no command is compared with it")
        return False
    config = folder / "kubeconfig"
    serve = installed.command("serve", "--cluster", ":memory:", "--port", "0", "--kubeconfig", str(config))
    environment = {**os.environ, "KUBECONFIG": str(config), "KUBECACHEDIR": str(folder / "cache")}
    changed = folder / "changed.yaml"
    changed.write_text(Path(DEPLOYMENT).read_text(encoding="utf-8").replace("replicas: 3", "replicas: 4"), "utf-8")
    words = {
        "--help": ["--help"],
        "apply": ["apply", "-f", DEPLOYMENT],
        "diff": ["diff", "-f", str(changed)],
        "get": ["get", "deployments"],
    }
    cluster = ["--cluster", str(folder / "own.db")]
    over = False
    with subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as serving:
        try:
            while not config.exists() and serving.poll() is None:
                time.sleep(0.1)
            for name, limit in BESIDE.items():
                ours = installed.command(*words[name], *(cluster if name != "--help" else []))
                measure = partial(_ratio, ours, [kubectl, *words[name]], environment)
                over |= measure_and_print(f"{name} beside kubectl", measure, "x", limit)
        finally:
            serving.terminate()
    return over


def _ratio(ours: list[str], theirs: list[str], environment: dict[str, str]) -> float:
    own, other = processor_seconds(ours, theirs, environment=environment)
    print(f"{'kubemerge, and kubectl':58} {own:8.3f} s and {other:.3f} s of processor time")
    return own / other


def objects(count: int, image: str) -> list[dict[str, Any]]:
    """Typical Deployments, which differ only in their names."""
    found = []
    for number in range(count):
        one = yaml.safe_load(Path(DEPLOYMENT).read_text(encoding="utf-8"))
        one["metadata"]["name"] = f"web-{number}"
        one["spec"]["template"]["spec"]["containers"][0]["image"] = image
        found.append(one)
    return found


def write(folder: Path, found: list[dict[str, Any]], files: int) -> str:
    """Write the objects into this number of files."""
    folder.mkdir()
    for number in range(files):
        text = yaml.dump_all(found[number::files], Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper))
        (folder / f"{number:02}.yaml").write_text(text, encoding="utf-8")
    return str(folder)


def differing(installed: InstalledCopy, folder: Path, count: int) -> list[str]:
    """The command line of a process that diffs the objects in 20 files, and prints its memory."""
    config = write(folder / f"config-{count}", objects(count, "nginx:2"), 20)
    live = write(folder / f"live-{count}", objects(count, "nginx:1"), 20)
    return installed.command("diff", "-f", config, "--live", live, memory=True)


def run(command: list[str]) -> tuple[float, float]:
    """The seconds and the MiB that a command takes."""
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 1:
        raise SystemExit(done.stderr)
    return time.perf_counter() - start, float(done.stderr.splitlines()[-1])


def main() -> None:
    """Print each figure beside its limit; exit with 1 if one is above it."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.pop("PYTHONPYCACHEPREFIX", None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        installed = InstalledCopy(folder / "installed")
        over = measure_and_print("kubemerge --help", lambda: seconds(installed.command("--help"))[0], "s", 0.15)
        over |= beside_kubectl(installed, folder)
        few, some = (differing(installed, folder, count) for count in (500, 2000))
        over |= measure_and_print("diff over 500 objects in 20 files", lambda: run(few)[0], "s", 5.0)
        memory = [run(command)[1] for command in (few, some)]
        over |= measure_and_print(
            "memory for each object more", lambda: (memory[1] - memory[0]) / 1500 * 1024, "KiB", 12.0
        )
        over |= measure_and_print("memory of diff over 2,000 objects", lambda: memory[1], "MiB", 150.0)
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
