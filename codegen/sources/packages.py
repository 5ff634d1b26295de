"""Specifications in published packages, fetched with the package managers of the machine.

`pypi:NAME==VERSION/PATH` is a file of a source distribution, `npm:NAME@VERSION/PATH` one of an npm package; the
path is relative to the top folder of the package.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
import zlib
from pathlib import Path

from ..documents.limits import MAX_BYTES
from ..errors import SpecError
from .opening import Document, read_bytes
from .unpacked import too_large

_PYPI = re.compile(r"pypi:(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[A-Za-z0-9][A-Za-z0-9.+!-]*)/(?P<path>.+)")
_NPM = re.compile(
    r"npm:(?P<name>(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*)@(?P<version>[0-9][0-9A-Za-z.+-]*)/(?P<path>.+)"
)

TIMEOUT = 600


def is_package(source: str) -> bool:
    """Whether a source is a file in a package."""
    return source.startswith(("pypi:", "npm:"))


class Packages:
    """Files of packages; each package is fetched once."""

    def __init__(self) -> None:
        self._archives: dict[tuple[str, ...], Path] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="kubemerge-")

    def __enter__(self) -> Packages:
        return self

    def __exit__(self, *exc: object) -> None:
        self._folder.cleanup()

    def documents(self, source: str) -> list[Document]:
        """The documents in a file of a package."""
        found = _PYPI.fullmatch(source) or _NPM.fullmatch(source)
        if not found:
            raise SpecError(source, "pypi:NAME==VERSION/PATH or npm:NAME@VERSION/PATH")
        name, version, path = found["name"], found["version"], found["path"]
        archive = self._pypi(name, version) if source.startswith("pypi:") else self._npm(name, version)
        return read_bytes(_member(archive, path, source), source)

    def _pypi(self, name: str, version: str) -> Path:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            name,
            f"{name}=={version}",
        ]
        return self._fetch(("pypi", name, version), command, f"pypi:{name}=={version}")

    def _npm(self, name: str, version: str) -> Path:
        return self._fetch(
            ("npm", name, version), ["npm", "pack", "--silent", f"{name}@{version}"], f"npm:{name}@{version}"
        )

    def _fetch(self, key: tuple[str, ...], command: list[str], source: str) -> Path:
        if key not in self._archives:
            folder = Path(self._folder.name, str(len(self._archives)))
            folder.mkdir(exist_ok=True)
            _run(command, folder, source)
            archives = sorted(folder.iterdir())
            if len(archives) != 1 or not archives[0].name.endswith((".tar.gz", ".tgz")):
                raise SpecError(
                    source, "one .tar.gz archive", found=", ".join(archive.name for archive in archives) or "none"
                )
            self._archives[key] = archives[0]
        return self._archives[key]


def _run(command: list[str], folder: Path, source: str) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise SpecError(source, f"the command {command[0]} on this machine", found="none") from None
    except subprocess.TimeoutExpired:
        raise SpecError(source, f"a package within {TIMEOUT} seconds", found="none") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise SpecError(source, "a package that can be fetched", found=lines[-1].strip() if lines else "a failure")


def _member(archive: Path, path: str, source: str) -> bytes:
    """The bytes of one file of an archive, read in memory; nothing is unpacked to disk."""
    try:
        with tarfile.open(archive, "r:gz") as tar:
            for member in tar:
                if member.isfile() and member.name.partition("/")[2] == path:
                    stream = tar.extractfile(member)
                    if member.size > MAX_BYTES:
                        raise too_large(source)
                    return stream.read() if stream else b""
    except (tarfile.TarError, zlib.error, OSError, EOFError) as error:
        raise SpecError(source, "an archive that can be read", found=str(error)) from None
    raise SpecError(source, f"a file {path} in the package", found="none of that name")
