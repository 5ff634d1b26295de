"""Specifications in packages, with fake package managers."""

from __future__ import annotations

import hashlib
import io
import json
import random
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen import SpecError
from codegen.sources.packages import PackageFetcher, is_package

from ..sample_specs import kubemerge, release
from .serving import Served, body, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT = json.dumps(release()).encode()


def archive(members: dict[str, bytes]) -> bytes:
    """The bytes of a .tar.gz with these files."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return whole.getvalue()


def wheel(members: dict[str, bytes]) -> bytes:
    """The bytes of a .whl with these files."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as zipped:
        for name, data in members.items():
            zipped.writestr(name, data)
    return whole.getvalue()


SDIST = {"thing-1.0/src/thing/a.json": DOCUMENT, "thing-1.0/specs/a.json": DOCUMENT, "thing-1.0/b.json": b"{}"}


class FakeManagers:
    """Fake of `subprocess.run`: creates the files of the package manager, and configures an index for pip."""

    def __init__(self, index: str) -> None:
        self.files = {"thing-1.0.tgz": archive(SDIST)}
        self.commands: list[list[str]] = []
        self.fails: Any = None
        self.settings = f"global.cert=''\n:env:.index-url='{index}'\nbroken line\n"

    def run(self, command: list[str], *, cwd: Path | None = None, **_: Any) -> subprocess.CompletedProcess[str]:
        if "config" in command:
            return subprocess.CompletedProcess(command, 0, self.settings, "")
        self.commands.append(command)
        if isinstance(self.fails, Exception):
            raise self.fails
        failed = self.fails is not None
        for name, data in self.files.items() if not failed else ():
            Path(str(cwd), name).write_bytes(data)
        return subprocess.CompletedProcess(command, int(failed), "", f"noise\n{self.fails}\n\n" if failed else "")


@pytest.fixture
def index() -> Iterator[Served]:
    """A package index that is not configured yet."""
    with serving() as served:
        yield served


@pytest.fixture
def managers(index: Served, monkeypatch: pytest.MonkeyPatch) -> FakeManagers:
    fake = FakeManagers(f"{index.address}/simple")
    monkeypatch.setattr("codegen.sources.packages.subprocess.run", fake.run)
    return fake


@pytest.fixture
def packages(managers: FakeManagers) -> Iterator[PackageFetcher]:
    with PackageFetcher() as found:
        yield found


SOURCES = {
    "pypi:thing==1.0/specs/a.json": ["pip", "download", "thing==1.0"],
    "pypi:Some.Thing_x==1.0.post1+local/specs/a.json": ["pip", "Some.Thing_x==1.0.post1+local"],
    "npm:thing@1.0.0/specs/a.json": ["npm", "pack", "thing@1.0.0"],
    "npm:@scope/thing@1.0.0-rc.1/specs/a.json": ["npm", "@scope/thing@1.0.0-rc.1"],
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_file_of_a_package(source: str, packages: PackageFetcher, managers: FakeManagers) -> None:
    assert is_package(source)
    (document,) = packages.documents(source)
    assert (document.source, document.content) == (source, release())
    assert set(SOURCES[source]) <= set(managers.commands[0])


def test_nothing_is_built(packages: PackageFetcher, managers: FakeManagers) -> None:
    """pip runs the code of a source distribution even to download it, and npm runs scripts unless they are disabled."""
    packages.documents("pypi:thing==1.0/specs/a.json")
    packages.documents("npm:thing@1.0.0/specs/a.json")
    pip, npm = managers.commands
    assert pip[pip.index("--only-binary") + 1] == ":all:"
    assert "--ignore-scripts" in npm


def test_a_wheel_has_no_src(packages: PackageFetcher, managers: FakeManagers) -> None:
    managers.files = {"thing-1.0-py3-none-any.whl": wheel({"thing/a.json": DOCUMENT})}
    assert packages.documents("pypi:thing==1.0/src/thing/a.json")[0].content == release()
    assert packages.documents("pypi:thing==1.0/thing/a.json")[0].content == release()


def listed(index: Served, *links: str) -> None:
    page = "".join(f"<a data-x='1' href='{link}'>a file</a><a name=x>" for link in links)
    index.at("/simple/some-thing-x/", body(page.encode()))


@pytest.mark.parametrize("has_wheel", [True, False])
def test_a_source_distribution_is_read_where_no_wheel_has_the_file(
    has_wheel: bool, packages: PackageFetcher, managers: FakeManagers, index: Served
) -> None:
    data = archive({"Some_Thing_x-1.0/setup.py": b"raise SystemExit", "Some_Thing_x-1.0/specs/a.json": DOCUMENT})
    index.at("/files/Some_Thing.x-1.0.tar.gz", body(data))
    digest = hashlib.sha256(data).hexdigest()
    listed(
        index,
        "../../files/Some_Thing.x-2.0.tar.gz",
        "../../files/Some_Thing.x-1.0-py3-none-any.whl",
        f"../../files/Some_Thing.x-1.0.tar.gz#sha256={digest}",
    )
    managers.files = {"thing.whl": wheel({"other.json": b"{}"})}
    managers.fails = None if has_wheel else "ERROR: No matching distribution found"
    for _ in range(2):
        assert packages.documents("pypi:Some.Thing-x==1.0/specs/a.json")[0].content == release()
    assert index.paths == ["/simple/some-thing-x/", "/files/Some_Thing.x-1.0.tar.gz"]


def test_source_distribution_with_a_wrong_hash(packages: PackageFetcher, managers: FakeManagers, index: Served) -> None:
    managers.fails = "ERROR: No matching distribution found"
    index.at("/f/Some_Thing_x-1.0.tar.gz", body(archive({"x/specs/a.json": DOCUMENT})))
    listed(index, f"/f/Some_Thing_x-1.0.tar.gz#sha256={'0' * 64}")
    with pytest.raises(SpecError, match=f"expected the sha256 {'0' * 64} that the index states"):
        packages.documents("pypi:Some.Thing-x==1.0/specs/a.json")


def test_an_index_without_the_version(packages: PackageFetcher, managers: FakeManagers, index: Served) -> None:
    managers.fails = "ERROR: No matching distribution found"
    listed(index, "/f/Some_Thing_x-2.0.tar.gz")
    with pytest.raises(SpecError, match=r"expected a wheel or a source distribution \(\.tar\.gz\) in the index of pip"):
        packages.documents("pypi:Some.Thing-x==1.0/specs/a.json")


def test_extra_indexes_of_pip_are_used(packages: PackageFetcher, managers: FakeManagers, index: Served) -> None:
    managers.fails = "ERROR: No matching distribution found"
    index.at("/f/thing-1.0.tar.gz", body(archive({"x/specs/a.json": DOCUMENT})))
    index.at("/simple/thing/", body(b""))
    index.at("/more/thing/", body(b"<a href=/f/thing-1.0.tar.gz>"))
    managers.settings += f":env:.extra-index-url='{index.address}/more/'\n"
    assert packages.documents("pypi:thing==1.0/specs/a.json")[0].content == release()


def test_a_package_is_fetched_once(packages: PackageFetcher, managers: FakeManagers) -> None:
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
def test_source_without_package_runs_no_command(source: str, packages: PackageFetcher, managers: FakeManagers) -> None:
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
def test_a_package_manager_that_fails(case: tuple[Any, str], packages: PackageFetcher, managers: FakeManagers) -> None:
    managers.fails, expected = case
    with pytest.raises(SpecError) as caught:
        packages.documents("npm:thing@1.0.0/a.json")
    assert caught.value.expected.startswith(expected)
    if isinstance(managers.fails, str) and managers.fails:
        assert caught.value.found == managers.fails


NOISE = random.Random(1).randbytes(400_000).hex().encode()
"""Longer than one read of an archive, even when compressed."""
WHOLE = archive({"thing-1.0/specs/a.json": b'{"definitions": {}, "noise": "' + NOISE + b'"}'})
DAMAGED = WHOLE[:-100_000] + random.Random(2).randbytes(100_000)

_ENCRYPTED = bytearray(wheel({"specs/a.json": DOCUMENT}))
_ENCRYPTED[6] |= 1  # the flag in the header of the file
_ENCRYPTED[_ENCRYPTED.index(b"PK\1\2") + 8] |= 1  # and the one in the list of files
ENCRYPTED = bytes(_ENCRYPTED)


def special(kind: bytes, target: str = "") -> bytes:
    """A tarball in which the file has another type."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as tar:
        member = tarfile.TarInfo("x/specs/a.json")
        member.type, member.linkname = kind, target
        tar.addfile(member)
    return whole.getvalue()


SYMLINK, DEVICE = special(tarfile.SYMTYPE, "/etc/passwd"), special(tarfile.CHRTYPE)
_LINK = zipfile.ZipInfo("specs/a.json")
_LINK.external_attr = 0o120777 << 16
_LINKED = io.BytesIO()
with zipfile.ZipFile(_LINKED, "w") as _zipped:
    _zipped.writestr(_LINK, "/etc/passwd")
LINKED = _LINKED.getvalue()

ARCHIVES: dict[str, tuple[dict[str, bytes], str]] = {
    "none": ({}, "one archive"),
    "two": ({"a.tar.gz": WHOLE, "b.tar.gz": WHOLE}, "one archive"),
    "neither": ({"a.zip": WHOLE}, "one archive"),
    "a wheel that is none": ({"a.whl": WHOLE}, "an archive that can be read"),
    "a wheel that is encrypted": ({"a.whl": ENCRYPTED}, "an archive that can be read"),
    "a wheel with a link": ({"a.whl": LINKED}, "a wheel or a source distribution"),
    "a wheel with a bomb": ({"a.whl": wheel({"specs/a.json": b" " * 2000})}, "at most"),
    "a bomb before the file": ({"a.tgz": archive({"x/b": b" " * 20_000, "x/specs/a.json": b"{}"})}, "at most"),
    "with a link to a file": ({"a.tgz": SYMLINK}, "a file specs/a.json in the package"),
    "with a device": ({"a.tgz": DEVICE}, "a file specs/a.json in the package"),
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
def test_archive_without_the_file(
    case: tuple[dict[str, bytes], str],
    packages: PackageFetcher,
    managers: FakeManagers,
    index: Served,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    managers.files, expected = case
    index.at("/simple/thing/", body(b""))
    if expected == "at most":
        monkeypatch.setattr("codegen.sources.archives.MAX_BYTES", 1000)
        monkeypatch.setattr("codegen.sources.archives.MAX_UNPACKED", 8000)
    with pytest.raises(SpecError) as caught:
        packages.documents(f"{'pypi:thing==' if 'a.whl' in managers.files else 'npm:thing@'}1.0/specs/a.json")
    assert caught.value.expected.startswith(expected)


def test_nothing_of_an_archive_is_unpacked_to_the_disk(
    packages: PackageFetcher, managers: FakeManagers, tmp_path: Path
) -> None:
    managers.files = {"a.tgz": archive({"../../evil": b"x", "/etc/evil": b"x", "x/specs/a.json": DOCUMENT})}
    packages.documents("pypi:thing==1.0/specs/a.json")
    with pytest.raises(SpecError):
        packages.documents("pypi:thing==1.0/../../evil")
    assert [file.name for file in packages._folder.rglob("*") if file.is_file()] == ["a.tgz"]


def test_the_folder_of_packages_is_removed(managers: FakeManagers) -> None:
    with PackageFetcher() as found:
        found.documents("pypi:thing==1.0/specs/a.json")
        folder = found._folder
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
