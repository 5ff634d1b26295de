"""The making of the playground, without the runtime that npm brings."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from playground import build

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with the same names as Pyodide's."""
    path = tmp_path / "pyodide.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name in (*build.RUNTIME, "README.md"):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(name)
            archive.addfile(entry, BytesIO(name.encode()))
    return path


def test_everything_that_the_page_asks_for_is_there(package: Path, tmp_path: Path) -> None:
    build.build(tmp_path / "out", package)
    there = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    page = "".join((tmp_path / "out" / name).read_text("utf-8") for name in there if name.endswith((".html", ".js")))
    asked = set(re.findall(r'(?:src|href|from|fetch\(|URL\()[ =(]*"(?:\./)?([\w./]+\.\w+)"', page))
    assert {"page.js", "style.css", "case.js", "views.js", "worker.js", "engine.zip", "cases.json"} <= asked
    assert asked <= there
    assert {f"pyodide/{name}" for name in build.RUNTIME} <= there


def test_no_address_of_another_host_is_in_the_page() -> None:
    for path in build.PAGE.iterdir():
        assert "//" not in re.sub(r"^\s*//.*|[;{}] //.*", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE), (
            path
        )


def test_the_same_sources_give_the_same_bytes(package: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    build.build(first, package)
    (second / "old").mkdir(parents=True)
    build.build(second, package)
    assert {path.name: path.read_bytes() for path in first.iterdir() if path.is_file()} == {
        path.name: path.read_bytes() for path in second.iterdir() if path.is_file()
    }
    with zipfile.ZipFile(first / "engine.zip") as archive:
        names = set(archive.namelist())
    ours = {name for name in names if name.partition("/")[0] in build.OURS}
    assert {"playground/bridge.py", "yaml/__init__.py", "click/__init__.py", "jsonschema/__init__.py"} <= names
    assert not [name for name in ours if not name.endswith(".py") or name.startswith("kubemerge/apiserver/http/")]
    assert not [name for name in names if name.endswith((".so", ".pyd"))], "no browser can load what is compiled"


def test_another_package_is_refused(package: Path) -> None:
    with pytest.raises(SystemExit, match=r"is not the package of Pyodide .* that is pinned"):
        build.checked(package)
    with pytest.raises(SystemExit, match="cannot be read"):
        build.checked(package.parent / "nothing.tgz")


def test_every_example_has_its_texts() -> None:
    for one in build.cases():
        assert one["title"]
        assert one["about"]
        assert "kind:" in one["case"]["config"]
    assert json.dumps(build.cases())
