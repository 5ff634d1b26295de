"""The two distributions: how to build them, and their required contents."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from typing import TYPE_CHECKING, NamedTuple

from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NEEDED = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE")
PACKAGES = ("codegen", "engine", "generated", "kubemerge")
LARGEST = {"wheel": 2.4 * 2**20, "source": 1.9 * 2**20}
"""Size limits of the distributions: every user downloads one."""
DATA = ("py.typed", "codegen/templates/*.j2", "kubemerge/html/templates/*", "kubemerge/demo/files/*/*.yaml")
CHECKS = {"twine": ("check", "--strict"), "check_wheel_contents": ()}
"""The modules that check distributions, with their arguments."""
NO_SUCH_PACKAGE = ("No matching distribution", "connection", "Could not find")


class Failed(Exception):
    """A defect of the package, in a sentence."""


class Package(NamedTuple):
    """The distributions."""

    wheel: Path
    source: Path


def copied(to: Path) -> Path:
    """A copy of the package's sources, so that the build leaves nothing in the clone, and uses nothing else from it."""
    to.mkdir(parents=True)
    for name in NEEDED:
        shutil.copy(ROOT / name, to / name)
    for name in PACKAGES:
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    return to


def build(source: Path, dist: Path) -> Package:
    """Build the source distribution, and the wheel from it, as a release does."""
    command = [sys.executable, "-m", "build", "--outdir", str(dist), str(copied(source))]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (wheel,), (archive,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    return Package(wheel, archive)


def look_at(package: Package) -> Iterator[str]:
    """Run the usual checks and kubemerge's checks on the distributions, and yield their results."""
    for name, words in CHECKS.items():
        command = [sys.executable, "-m", name, *words, *map(str, package if name == "twine" else package[:1])]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{name}: {done.stdout}{done.stderr}")
    names = set(zipfile.ZipFile(package.wheel).namelist())
    with tarfile.open(package.source) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    for where, held in (("wheel", names), ("source distribution", sources)):
        missing = {name for name in wanted() if name not in held}
        if missing:
            raise Failed(f"the {where} lacks {', '.join(sorted(missing))}")
    strangers = {name for name in names if not name.startswith((*(f"{one}/" for one in PACKAGES), "kubemerge-"))}
    if strangers:
        raise Failed(f"the wheel holds {', '.join(sorted(strangers))}")
    for name, file in (("wheel", package.wheel), ("source", package.source)):
        if file.stat().st_size > LARGEST[name]:
            raise Failed(f"{file.name} weighs {file.stat().st_size} bytes, and may weigh {LARGEST[name]:.0f}")
        yield f"{file.name}: {file.stat().st_size / 2**10:.0f} KiB"
    check_metadata(package.wheel)


def wanted() -> Iterator[str]:
    """The files that both distributions must hold."""
    for package in PACKAGES:
        patterns = ["*.py", *(one.removeprefix(f"{package}/") for one in DATA if one.startswith(f"{package}/"))]
        for pattern in patterns:
            yield from (str(file.relative_to(ROOT).as_posix()) for file in (ROOT / package).rglob(pattern))
    yield from (f"{package}/py.typed" for package in PACKAGES if package != "generated")
    yield "kubemerge/apiserver/authorization/bootstrap.txt"
    yield "kubemerge/apiserver/http/protobuf/messages.txt"
    yield from ("kubemerge/testing/kinds.json", "kubemerge/testing/samples.yaml")


def check_metadata(wheel: Path) -> None:
    """The page that an index makes from the metadata: every link on it works from anywhere."""
    archive = zipfile.ZipFile(wheel)
    (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
    told = Parser().parsestr(archive.read(name).decode())
    if len(told.get_all("Project-URL", [])) < 4:
        raise Failed("the package names too few of its addresses")
    if set(told.get_all("Provides-Extra", [])) < {"all", "cluster", "serve"}:
        raise Failed("an extra is missing")
