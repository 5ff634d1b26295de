"""Empty environments, and the Pythons to make them from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

SUPPORTED = range(10, 16)
"""The minor versions of Python 3."""
SCRIPTS, SUFFIX = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")


def pythons() -> dict[str, str]:
    """The supported Pythons that are here, by version: on the path, or where pyenv keeps them."""
    found = {}
    for minor in SUPPORTED:
        kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
        candidates = [shutil.which(f"python3.{minor}"), *map(str, sorted(kept.glob(f"3.{minor}.*/bin/python")))]
        if sys.version_info[:2] == (3, minor):
            candidates.insert(0, sys.executable)
        for one in candidates:
            if one and _version(one) == f"3.{minor}":
                found[f"3.{minor}"] = one
                break
    return found


def _version(python: str) -> str:
    """The version of an interpreter. Empty where the interpreter is not installed."""
    program = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", program], capture_output=True, text=True, check=False)
    return done.stdout.strip()


class Environment(NamedTuple):
    """A virtual environment, without access to the clone."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> Environment:
        """The environment in a folder."""
        return cls(folder / "environment")

    @classmethod
    def made(cls, folder: Path, python: str) -> Environment:
        """A new one in a folder."""
        one = cls.at(folder)
        subprocess.run([python, "-m", "venv", str(one.folder)], check=True, capture_output=True, env=clean())
        return one

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.folder / SCRIPTS / f"python{SUFFIX}")

    def run(self, *words: str, cwd: Path, code: int = 0) -> str:
        """The output of a program of the environment, which has to end with this code."""
        program = str(self.folder / SCRIPTS / f"{words[0]}{SUFFIX}")
        done = subprocess.run(
            [program, *words[1:]], cwd=cwd, env=clean(), capture_output=True, text=True, encoding="utf-8", check=False
        )
        if done.returncode != code:
            raise subprocess.CalledProcessError(done.returncode, list(words), done.stdout, done.stderr)
        return done.stdout

    def packages(self) -> dict[str, int]:
        """The installed packages, besides those in every environment, with the bytes of each."""
        (site,) = {file.parent for file in self.folder.rglob("site-packages/pip")}
        sizes = {}
        for info in site.glob("*.dist-info"):
            name = info.name.partition("-")[0]
            if name not in ("pip", "setuptools"):
                listed = (line.split(",")[0] for line in (info / "RECORD").read_text(encoding="utf-8").splitlines())
                files = {(site / one).resolve() for one in listed}
                sizes[name] = sum(one.stat().st_size for one in files if one.is_file() and one.suffix != ".pyc")
        return sizes


def clean() -> dict[str, str]:
    """An environment without variables that point to the clone or configure our programs."""
    ours = ("PYTHON", "KUBEMERGE", "VIRTUAL_ENV", "PYTEST", "FORCE_COLOR", "NO_COLOR")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "COLUMNS": "100"}
