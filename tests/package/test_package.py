"""The package checks find its faults. `python -m tests.package` runs them on every Python."""

from __future__ import annotations

import importlib.util
import subprocess
import zipfile
from typing import TYPE_CHECKING

import pytest

from . import building
from .building import NO_SUCH_PACKAGE, Failed, Package, build, look_at
from .environments import pythons

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = tmp_path_factory.mktemp("package")
    if importlib.util.find_spec("build") is None:
        pytest.skip("what builds packages, of the extra package, is not installed")
    try:
        return build(folder / "source", folder / "dist")
    except subprocess.CalledProcessError as error:
        if any(word in error.stderr + error.stdout for word in NO_SUCH_PACKAGE):
            pytest.skip("setuptools cannot be fetched here, so the package cannot be built")
        raise


def changed(built: Package, folder: Path, *, without: str = "", added: str = "") -> Package:
    """The package with another wheel."""
    wheel = folder / built.wheel.name
    with zipfile.ZipFile(built.wheel) as old, zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != without:
                new.writestr(name, old.read(name))
        if added:
            new.writestr(added, "x = 1\n")
    return Package(wheel, built.source)


def test_the_package_is_as_it_should_be(built: Package) -> None:
    assert [line.partition(":")[0] for line in look_at(built)] == [built.wheel.name, built.source.name]


@pytest.mark.parametrize("name", ["kubemerge/demo/files/dns/live.yaml", "engine/py.typed", "kubemerge/html/shared.py"])
def test_a_file_that_is_missing_is_seen(
    built: Package, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "CHECKS", {})  # which look at RECORD, and see it too
    with pytest.raises(Failed, match=f"the wheel lacks {name}"):
        list(look_at(changed(built, tmp_path, without=name)))


def test_a_file_that_does_not_belong_there_is_seen(
    built: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "CHECKS", {})
    with pytest.raises(Failed, match=r"the wheel holds tests/conftest\.py"):
        list(look_at(changed(built, tmp_path, added="tests/conftest.py")))


@pytest.mark.parametrize("check", list(building.CHECKS))
def test_what_the_usual_checks_complain_about_is_told(
    built: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: str
) -> None:
    monkeypatch.setattr(building, "CHECKS", {check: building.CHECKS[check]})
    cut = tmp_path / built.wheel.name
    cut.write_bytes(built.wheel.read_bytes()[:1000])
    with pytest.raises(Failed, match=f"{check}: "):
        list(look_at(Package(cut, built.source)))


def test_every_python_that_is_found_is_what_it_is_called() -> None:
    for version, python in pythons().items():
        told = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout
        assert told.startswith(f"Python {version}.")
