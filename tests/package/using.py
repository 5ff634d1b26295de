"""Uses of an installed package: a newcomer's first minute, the library, the extras, and the types."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from tests.conftest import ROOT

from .building import Failed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .building import Package
    from .environments import Environment

PROMISED, TOO_LONG = 20.0, 60.0
"""Seconds from an empty environment to the first useful output: the promise where nothing else runs, and a limit that
no busy machine explains.
"""
SHOWN = ("KM022 error", "cleared: in last-applied, not in config", "1.13 breaking", "nginx-deployment   3")
LIBRARY = """
import sys, codegen, engine, kubemerge
assert not [name for name in ("yaml", "requests", "jinja2", "jsonschema", "click") if name in sys.modules]
assert all("site-packages" in module.__file__ for module in (codegen, engine, kubemerge))
rule = engine.load("1.37").schema("apps/v1", "Deployment").rule("spec.template.spec.containers.ports")
print(rule.merge_key, len(engine.releases()) > 30, kubemerge.load is engine.load)
"""
SERVED = """
from kubemerge.cluster import open_cluster
from kubemerge.serve import application
import uvicorn, cryptography, urllib3.contrib.socks
with open_cluster("c.db") as cluster:
    print(callable(application(cluster)))
"""


def newcomer(environment: Environment, package: Package, empty: Path) -> str:
    """Install the wheel alone, run the demo from an empty folder, and return a line with times and sizes."""
    empty.mkdir()
    started = time.perf_counter()
    environment.run("python", "-m", "pip", "install", "--quiet", str(package.wheel), cwd=empty)
    installed = time.perf_counter()
    told = environment.run("kubemerge", "demo", cwd=empty)
    ended = time.perf_counter()
    lacking = [one for one in SHOWN if one not in told]
    if lacking or any(empty.iterdir()):
        raise Failed(f"the demo does not show {lacking}, or leaves something behind")
    if ended - started > TOO_LONG:
        raise Failed(f"it took {ended - started:.1f} s to the first useful output")
    environment.run("python", "-m", "pip", "check", cwd=empty)
    sizes = environment.packages()
    version = environment.run("python", "-c", "import platform; print(platform.python_version())", cwd=empty).strip()
    late = "" if ended - started < PROMISED else f"  more than {PROMISED:.0f} s"
    times = f"{installed - started:7.1f} s {ended - installed:4.1f} s"
    return f"{version:8} {times} {len(sizes):9} {sum(sizes.values()) / 2**20:6.1f} MiB{late}"


def library_works(environment: Environment, folder: Path) -> None:
    """The names that people import, with warnings as errors, and a generated package of tables."""
    folder.mkdir()
    if environment.run("python", "-W", "error", "-c", LIBRARY, cwd=folder) != "containerPort True True\n":
        raise Failed("the library does not know how ports merge")
    if environment.run("python", "-m", "kubemerge", "releases", cwd=folder).split()[-2:][0] < "1.3":
        raise Failed("the releases are not all there")
    shutil.copy(ROOT / "tests" / "data" / "specs" / "crd-v1.yaml", folder / "crd.yaml")
    environment.run("kubemerge", "generate", "--spec", "crd.yaml", "--out", "mine", cwd=folder)
    program = "import engine; print(engine.load(package='mine').kinds()[0])"
    if environment.run("python", "-c", program, cwd=folder) != "('test.example/v1', 'Widget')\n":
        raise Failed("the tables of a definition cannot be read back")


def extras_work(environment: Environment, package: Package, folder: Path) -> Iterator[str]:
    """Without the extras, a sentence names the missing one. With all of them, everything works."""
    folder.mkdir()
    done = subprocess.run(
        [environment.python, "-m", "kubemerge", "serve"], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode != 2 or "kubemerge[serve]" not in done.stderr or done.stderr.count("\n") > 1:
        raise Failed(f"serve without its extra says {done.stderr}")
    before = environment.packages()
    environment.run("python", "-m", "pip", "install", "--quiet", f"{package.wheel}[all]", cwd=folder)
    if environment.run("python", "-c", SERVED, cwd=folder) != "True\n":
        raise Failed("the extras do not bring what serving needs")
    (folder / "north.jsonl").write_text('{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}\n')
    fleet = ("lint", "north.jsonl", "--out", "found", "--workers", "1", "--exit-zero")
    if "about 1 object\n" not in environment.run("kubemerge", "fleet", *fleet, cwd=folder):
        raise Failed("the extras do not bring what a fleet needs")
    after = environment.packages()
    size = (sum(after.values()) - sum(before.values())) / 2**20
    yield f"all extras: {len(after) - len(before)} more packages, {size:.1f} MiB"


def is_typed(environment: Environment, folder: Path) -> Iterator[str]:
    """A project that uses the installed package passes mypy and pyright, both strict, and a mistake is found."""
    folder.mkdir()
    shutil.copy(ROOT / "tests" / "typing" / "consumer.py", folder / "consumer.py")
    (folder / "wrong.py").write_text('import engine\n\nengine.load(1.37).kinds("x", "y", "z")\n', encoding="utf-8")
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.10", "include": ["consumer.py", "wrong.py"]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    mypy = ["mypy", "--strict", "--python-version", "3.10", "--python-executable", environment.python]
    pyright = ["basedpyright", "--pythonpath", environment.python]
    for command in ([*mypy, "consumer.py", "wrong.py"], pyright):
        done = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False)
        found = [line for line in done.stdout.splitlines() if ": error" in line or " - error" in line]
        if not found or any("wrong.py" not in line for line in found):
            raise Failed(f"{command[0]} says of a consumer:\n{done.stdout}{done.stderr}")
        yield f"{command[0]}: a consumer of the wheel is clean, and a mistake in one is found"
