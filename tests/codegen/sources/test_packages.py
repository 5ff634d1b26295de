"""Specifications that lie in packages, with package managers that are not the real ones."""

from __future__ import annotations

import io
import json
import random
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen import SpecError
from codegen.sources.packages import Packages, is_package

from ..sample_specs import bundle, kubemerge

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT = json.dumps(bundle()).encode()


def archive(members: dict[str, bytes]) -> bytes:
    """The bytes of a .tar.gz with these files."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return whole.getvalue()


class FakeManagers:
    """Stands in for `subprocess.run`: puts files where the package manager would."""

    def __init__(self) -> None:
        self.files = {"thing-1.0.tar.gz": archive({"thing-1.0/specs/a.json": DOCUMENT, "thing-1.0/b.json": b"{}"})}
        self.commands: list[list[str]] = []
        self.fails: Any = None

    def run(self, command: list[str], *, cwd: Path, **_: Any) -> subprocess.CompletedProcess[str]:
        self.commands.append(command)
        if isinstance(self.fails, Exception):
            raise self.fails
        for name, data in self.files.items():
            (cwd / name).write_bytes(data)
        failed = self.fails is not None
        return subprocess.CompletedProcess(command, int(failed), "", f"noise\n{self.fails}\n\n" if failed else "")


@pytest.fixture
def managers(monkeypatch: pytest.MonkeyPatch) -> FakeManagers:
    fake = FakeManagers()
    monkeypatch.setattr("codegen.sources.packages.subprocess.run", fake.run)
    return fake


@pytest.fixture
def packages(managers: FakeManagers) -> Iterator[Packages]:
    with Packages() as found:
        yield found


SOURCES = {
    "pypi:thing==1.0/specs/a.json": ["pip", "download", "thing==1.0"],
    "pypi:Some.Thing_x==1.0.post1+local/specs/a.json": ["pip", "Some.Thing_x==1.0.post1+local"],
    "npm:thing@1.0.0/specs/a.json": ["npm", "pack", "thing@1.0.0"],
    "npm:@scope/thing@1.0.0-rc.1/specs/a.json": ["npm", "@scope/thing@1.0.0-rc.1"],
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_file_of_a_package(source: str, packages: Packages, managers: FakeManagers) -> None:
    assert is_package(source)
    (document,) = packages.documents(source)
    assert (document.source, document.content) == (source, bundle())
    assert set(SOURCES[source]) <= set(managers.commands[0])


def test_a_package_is_fetched_once(packages: Packages, managers: FakeManagers) -> None:
    for path in ("specs/a.json", "b.json", "specs/a.json"):
        packages.documents(f"pypi:thing==1.0/{path}")
    assert len(managers.commands) == 1


@pytest.mark.parametrize(
    "source",
    [
        "pypi:",
        "pypi:thing/specs/a.json",
        "pypi:thing>=1.0/specs/a.json",
        "pypi:--index-url==1.0/specs/a.json",
        "pypi:thing==1.0 --pre/specs/a.json",
        "pypi:thing==-r/specs/a.json",
        "pypi:../thing==1.0/specs/a.json",
        "pypi:thing==1.0",
        "pypi:thing==1.0/",
        "pypi:thing==1.0\n/a.json",
        "npm:thing/specs/a.json",
        "npm:thing@latest/specs/a.json",
        "npm:-g@1.0.0/specs/a.json",
        "npm:../thing@1.0.0/specs/a.json",
        "npm:@scope@1.0.0/specs/a.json",
        "npm:git+https://host/x@1.0.0/a.json",
        "npm:Thing@1.0.0 --x/a.json",
    ],
)
def test_a_source_that_names_no_package_runs_no_command(
    source: str, packages: Packages, managers: FakeManagers
) -> None:
    assert is_package(source)
    with pytest.raises(SpecError, match="pypi:NAME==VERSION/PATH or npm:NAME@VERSION/PATH"):
        packages.documents(source)
    assert managers.commands == []


FAILURES: dict[str, tuple[Any, str]] = {
    "there is no such command": (FileNotFoundError(), "the command"),
    "it takes too long": (subprocess.TimeoutExpired("npm", 600), "a package within 600 seconds"),
    "it fails": ("ERROR: No matching distribution found", "a package that can be fetched"),
    "it fails silently": ("", "a package that can be fetched"),
}


@pytest.mark.parametrize("case", FAILURES.values(), ids=FAILURES)
@pytest.mark.parametrize("source", ["pypi:thing==1.0/a.json", "npm:thing@1.0.0/a.json"])
def test_a_package_manager_that_fails(
    case: tuple[Any, str], source: str, packages: Packages, managers: FakeManagers
) -> None:
    managers.fails, expected = case
    with pytest.raises(SpecError) as caught:
        packages.documents(source)
    assert caught.value.expected.startswith(expected)
    if isinstance(managers.fails, str) and managers.fails:
        assert caught.value.found == managers.fails


NOISE = random.Random(1).randbytes(400_000).hex().encode()
"""Longer than what is read of an archive at a time, also when it is packed."""
WHOLE = archive({"thing-1.0/specs/a.json": b'{"definitions": {}, "noise": "' + NOISE + b'"}'})
DAMAGED = WHOLE[:-100_000] + random.Random(2).randbytes(100_000)

ARCHIVES: dict[str, tuple[dict[str, bytes], str]] = {
    "none": ({}, "one .tar.gz archive"),
    "two": ({"a.tar.gz": WHOLE, "b.tar.gz": WHOLE}, "one .tar.gz archive"),
    "a wheel": ({"a.whl": WHOLE}, "one .tar.gz archive"),
    "without the file": ({"a.tgz": archive({"thing-1.0/other.json": DOCUMENT})}, "a file specs/a.json in the package"),
    "with a folder of that name": ({"a.tgz": archive({"thing-1.0/specs/a.json/x": b""})}, "a file specs/a.json"),
    "no archive": ({"a.tar.gz": b"<html>"}, "an archive that can be read"),
    "an empty file": ({"a.tar.gz": b""}, "an archive that can be read"),
    "cut": ({"a.tar.gz": WHOLE[: len(WHOLE) // 2]}, "an archive that can be read"),
    "damaged": ({"a.tar.gz": DAMAGED}, "an archive that can be read"),
    "with a file that is no specification": ({"a.tgz": archive({"x/specs/a.json": b"<html>"})}, "JSON or YAML"),
    "with a file too large": ({"a.tgz": archive({"x/specs/a.json": b" " * 2000})}, "at most"),
}


@pytest.mark.parametrize("case", ARCHIVES.values(), ids=ARCHIVES)
def test_an_archive_that_does_not_hold_it(
    case: tuple[dict[str, bytes], str], packages: Packages, managers: FakeManagers, monkeypatch: pytest.MonkeyPatch
) -> None:
    managers.files, expected = case
    if expected == "at most":
        monkeypatch.setattr("codegen.sources.packages.MAX_BYTES", 1000)
    with pytest.raises(SpecError) as caught:
        packages.documents("pypi:thing==1.0/specs/a.json")
    assert caught.value.expected.startswith(expected)


def test_nothing_of_an_archive_is_unpacked_to_the_disk(
    packages: Packages, managers: FakeManagers, tmp_path: Path
) -> None:
    managers.files = {"a.tgz": archive({"../../evil": b"x", "/etc/evil": b"x", "x/specs/a.json": DOCUMENT})}
    packages.documents("pypi:thing==1.0/specs/a.json")
    with pytest.raises(SpecError):
        packages.documents("pypi:thing==1.0/../../evil")
    assert [file.name for file in Path(packages._folder.name).rglob("*") if file.is_file()] == ["a.tgz"]


def test_the_folder_of_packages_is_removed(managers: FakeManagers) -> None:
    with Packages() as found:
        found.documents("pypi:thing==1.0/specs/a.json")
        folder = Path(found._folder.name)
        assert folder.is_dir()
    assert not folder.exists()


def test_a_snapshot_out_of_a_package_can_be_checked_again(
    managers: FakeManagers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "openapi"
    source = "npm:thing@1.0.0/specs/a.json"
    assert kubemerge("spec", "add", "1.38", "--from", source, "--openapi", folder) == 0
    assert kubemerge("spec", "check", "--fetch", "--openapi", folder) == 0
    assert kubemerge("spec", "list", "--openapi", folder) == 0
    assert capsys.readouterr().out == f"1.38  {source}\n"
    managers.files = {"a.tgz": archive({"x/specs/a.json": DOCUMENT + b"\n"})}
    assert kubemerge("spec", "check", "--fetch", "--openapi", folder) == 1
    assert kubemerge("spec", "check", "--openapi", folder) == 0
    (folder / "1.38.json").write_text("{}")
    assert kubemerge("spec", "check", "1.38", "--openapi", folder) == 1
    assert kubemerge("spec", "check", "1.39", "--openapi", folder) == 2
