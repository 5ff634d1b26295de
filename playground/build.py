"""Makes the playground: a folder that any static server can serve, and that asks nobody else for anything.

`python -m playground.build [FOLDER]` takes Pyodide from npm, in the version that is pinned here; `--pyodide FILE` takes
the package from a file. The folder is `build/playground` by default, from which the site takes it; what is in it
already is replaced.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path(__file__).parent / "page"
VERSION = "314.0.7"
SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
RUNTIME = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
    "package.json",
)
"""What the page needs of the package of Pyodide: no other file is ever asked for."""

PURE = Path(__file__).parent / "pure.txt"
"""What is taken from pip in another version than the one that is installed here."""

OURS = ("codegen", "engine", "generated", "kubemerge")
LEFT_OUT = ("kubemerge/apiserver/http", "kubemerge/html")
"""What no command of the page runs."""

WHEN = (2020, 1, 1, 0, 0, 0)
"""The time of each file in the archive, so that the same sources give the same bytes."""


def build(target: Path, package: Path) -> None:
    """Fill the folder with the page, its examples, the engine, and the Python that runs it."""
    if target.is_dir():
        shutil.rmtree(target)
    shutil.copytree(PAGE, target)
    (target / "cases.json").write_text(json.dumps(cases(), indent=1) + "\n", encoding="utf-8")
    with zipfile.ZipFile(target / "engine.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(sources()):
            archive.writestr(zipfile.ZipInfo(name, WHEN), content, zipfile.ZIP_DEFLATED)
    (target / "pyodide").mkdir()
    with tarfile.open(package) as files:
        for name in RUNTIME:
            packed = files.extractfile(f"package/{name}")
            if packed is None:
                raise SystemExit(f"{package}: there is no {name} in it; take the package of Pyodide {VERSION}")
            (target / "pyodide" / name).write_bytes(packed.read())


def sources() -> Iterator[tuple[str, bytes]]:
    """The files that travel into the browser, by their names there."""
    for package in OURS:
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(tuple(f"{one}/" for one in LEFT_OUT)):
                yield name, path.read_bytes()
    for name in ("__init__.py", "bridge.py"):
        yield f"playground/{name}", (ROOT / "playground" / name).read_bytes()
    for library in (click, yaml):  # both work without what is compiled of them
        folder = Path(str(library.__file__)).parent
        for path in folder.rglob("*.py"):
            yield f"{folder.name}/{path.relative_to(folder).as_posix()}", path.read_bytes()
    yield from pure_libraries()


def pure_libraries() -> Iterator[tuple[str, bytes]]:
    """The files of what is compiled where it is installed, in the versions without that."""
    with tempfile.TemporaryDirectory() as folder:
        download = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes", "--dest", folder]
        done = subprocess.run(
            [sys.executable, "-m", "pip", *download, "--requirement", str(PURE)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"pip does not bring what {PURE.name} asks for: {done.stderr.strip()[-300:]}")
        for wheel in Path(folder).iterdir():
            with zipfile.ZipFile(wheel) as files:
                for name in files.namelist():
                    if "/tests/" not in name and "/benchmarks/" not in name:
                        yield name, files.read(name)


def cases() -> list[dict[str, Any]]:
    """The examples, with the texts of their files."""
    found = []
    for one in yaml.safe_load((ROOT / "playground/cases.yaml").read_text(encoding="utf-8")):
        case = {key: value for key, value in one.items() if key not in ("title", "about")}
        for text in ("config", "live", "last", "definitions"):
            if text in case:
                case[text] = (ROOT / case[text]).read_text(encoding="utf-8")
        found.append({"title": one["title"], "about": one["about"], "case": case})
    return found


def package_of_pyodide(folder: Path) -> Path:
    """The package of Pyodide, as npm brings it."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit(f"npm is not installed; install it, or give the package of Pyodide {VERSION} with --pyodide")
    done = subprocess.run(
        [npm, "pack", "--silent", f"pyodide@{VERSION}"], cwd=folder, capture_output=True, text=True, check=False
    )
    path = folder / f"pyodide-{VERSION}.tgz"
    if done.returncode or not path.is_file():
        raise SystemExit(f"npm does not bring pyodide {VERSION}: {done.stderr.strip()[:300]}; give it with --pyodide")
    return path


def checked(package: Path) -> Path:
    """The package, if it is the one that is pinned."""
    try:
        found = hashlib.sha256(package.read_bytes()).hexdigest()
    except OSError as error:
        raise SystemExit(f"{package} cannot be read: {error.strerror}") from None
    if found != SHA256:
        raise SystemExit(f"{package} is not the package of Pyodide {VERSION} that is pinned in playground/build.py")
    return package


def main() -> None:
    """Make the folder, and say how large it is."""
    parser = argparse.ArgumentParser(prog="python -m playground.build", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "playground")
    parser.add_argument("--pyodide", type=Path, metavar="FILE", help=f"the package of Pyodide {VERSION}, from npm")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        build(given.folder, checked(given.pyodide or package_of_pyodide(Path(name))))
    size = sum(path.stat().st_size for path in given.folder.rglob("*") if path.is_file())
    sys.stderr.write(f"{given.folder}: {size / 1e6:.1f} MB, to be served by any static server\n")


if __name__ == "__main__":
    main()
