"""Specifications in published packages, fetched with installed package managers; no code of a package is run.

`pypi:NAME==VERSION/PATH` is a file of a package on PyPI, `npm:NAME@VERSION/PATH` a file of an npm package. The path is
relative to the top folder of the source distribution, or of the npm package. A wheel is used if it has the file, there
without a leading `src/`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

from ..errors import SpecError
from ..files import scratch_folder
from .archives import file_of
from .opening import SourceDocument, read_bytes

_PYPI = re.compile(r"pypi:(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[A-Za-z0-9][A-Za-z0-9.+!-]*)/(?P<path>.+)")
_NPM = re.compile(
    r"npm:(?P<name>(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*)@(?P<version>[0-9][0-9A-Za-z.+-]*)/(?P<path>.+)"
)

TIMEOUT = 600


def is_package(source: str) -> bool:
    """True if a source is a file in a package."""
    return source.startswith(("pypi:", "npm:"))


class PackageFetcher:
    """Files of packages; each package is fetched once."""

    def __init__(self) -> None:
        self._archives: dict[tuple[str, ...], Path] = {}
        self._until_exit = ExitStack()
        self._folder = self._until_exit.enter_context(scratch_folder("kubemerge-"))

    def __enter__(self) -> PackageFetcher:
        return self

    def __exit__(self, *exc: object) -> None:
        self._until_exit.close()

    def documents(self, source: str) -> list[SourceDocument]:
        """The documents in a file of a package."""
        found = _PYPI.fullmatch(source) or _NPM.fullmatch(source)
        if not found:
            raise SpecError(source, "pypi:NAME==VERSION/PATH or npm:NAME@VERSION/PATH")
        name, version, path = found["name"], found["version"], found["path"]
        find = self._pypi if source.startswith("pypi:") else self._npm
        data = find(name, version, path, source)
        if data is None:
            raise SpecError(source, f"a file {path} in the package", found="none of that name")
        return read_bytes(data, source)

    def _pypi(self, name: str, version: str, path: str, source: str) -> bytes | None:
        """A file of a wheel, else of the source distribution. pip only downloads wheels, since it would build the
        other.
        """
        package = f"pypi:{name}=={version}"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        with suppress(_PackageNotFound):
            wheel = self._fetch(("wheel", name, version), [*command, f"{name}=={version}"], package)
            found = file_of(wheel, path.removeprefix("src/"), source)
            if found is not None:
                return found
        key = "sdist", name, version
        if key not in self._archives:
            from .pypi import fetch_sdist

            self._archives[key] = fetch_sdist(name, version, self._new_folder(), package)
        return file_of(self._archives[key], path, source)

    def _npm(self, name: str, version: str, path: str, source: str) -> bytes | None:
        command = ["npm", "pack", "--silent", "--ignore-scripts", f"{name}@{version}"]
        return file_of(self._fetch(("npm", name, version), command, f"npm:{name}@{version}"), path, source)

    def _new_folder(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self._folder))

    def _fetch(self, key: tuple[str, ...], command: list[str], source: str) -> Path:
        """The one archive that a command puts into a new folder."""
        if key not in self._archives:
            folder = self._new_folder()
            _run(command, folder, source)
            archives = sorted(folder.iterdir())
            if len(archives) != 1 or not archives[0].name.endswith((".whl", ".tar.gz", ".tgz")):
                raise SpecError(source, "one archive", found=", ".join(one.name for one in archives) or "none")
            self._archives[key] = archives[0]
        return self._archives[key]


class _PackageNotFound(SpecError):
    """A package that its package manager cannot fetch."""


def _run(command: list[str], folder: Path, source: str) -> None:
    # On Windows, npm is a script, which is only found by its full name.
    program = command[0] if sys.platform != "win32" else shutil.which(command[0]) or command[0]
    try:
        done = subprocess.run(
            [program, *command[1:]],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise SpecError(source, f"the command {command[0]} on this machine", found="none") from None
    except subprocess.TimeoutExpired:
        raise SpecError(source, f"a package within {TIMEOUT} seconds", found="none") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise _PackageNotFound(
            source, "a package that can be fetched", found=lines[-1].strip() if lines else "a failure"
        )
