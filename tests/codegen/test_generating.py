"""Snapshots to `generated/`: the same bytes everywhere, only real changes, and only our own files."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
import time
from functools import cache
from typing import TYPE_CHECKING

import pytest

import engine
from codegen import SpecError
from codegen.eras import rows_with_eras
from codegen.generating import built_in_files, differences, files_of, write_package
from codegen.names import split
from codegen.printing import print_package
from codegen.reading import read_facts
from codegen.rows import rows_of
from codegen.snapshots import HEADER, load_snapshot, load_sources
from codegen.sources.printed import MARK

from ..conftest import ROOT, contents
from .sample_specs import bundle, kubemerge, release

if TYPE_CHECKING:
    from pathlib import Path

OPENAPI = ROOT / "openapi"
GENERATED = ROOT / "generated"


@cache
def built_in() -> tuple[dict[str, str], float]:
    start = time.process_time()
    return built_in_files(OPENAPI), time.process_time() - start


@pytest.mark.slow
@pytest.mark.left_out  # `kubemerge generate --check` of tox and CI does the same
def test_generated_is_what_the_snapshots_give_byte_for_byte() -> None:
    files, seconds = built_in()
    assert differences(GENERATED, files) == []
    assert {name: data.decode() for name, data in contents(GENERATED).items()} == files
    assert seconds < 20


@pytest.mark.slow
@pytest.mark.left_out
def test_check_passes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("codegen.generating.built_in_files", lambda *_: built_in()[0])
    assert kubemerge("generate", "--check", "--openapi", OPENAPI, "--out", GENERATED) == 0
    assert capsys.readouterr().out == ""


HASH = """
import hashlib, pathlib
from codegen.generating import built_in_files
files = built_in_files(pathlib.Path("openapi"))
print(hashlib.sha256(repr(files).encode()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.left_out
def test_hash_seed_does_not_change_output() -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", HASH], cwd=ROOT, env={**env, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE
        )
        for seed in ("1", "4242")
    ]
    said = [run.communicate(timeout=60)[0].decode().strip() for run in runs]
    assert said == [hashlib.sha256(repr(built_in()[0]).encode()).hexdigest()] * 2


def printed_of(minors: range) -> dict[str, str]:
    entries = [entry for entry in load_sources(OPENAPI) if entry.minor in minors]
    facts = {entry.minor: load_snapshot(OPENAPI, entry) for entry in entries}
    prefixes = {split(name)[0] for found in facts.values() for name in found.definitions}
    rows = {minor: rows_of(found, prefixes) for minor, found in facts.items()}
    return print_package(rows_with_eras(rows), {entry.minor: (entry.file, entry.sha256) for entry in entries})


def rows_printed(files: dict[str, str]) -> dict[str, set[str]]:
    """Type -> the printed rows."""
    found: dict[str, set[str]] = {}
    for name, text in files.items():
        if name not in ("__init__.py", "index.py"):
            types = ast.literal_eval(text.partition("TYPES = ")[2])
            found |= {f"{name[:-3]}.{type_}": {ascii(row) for row in rows} for type_, rows in types.items()}
    return found


def test_another_release_changes_no_line_of_a_type_that_did_not_change() -> None:
    """With two real releases: rows of 1.36 are only closed, and rows of 1.37 begin there."""
    before, after = printed_of(range(36, 37)), printed_of(range(36, 38))
    old, new = rows_printed(before), rows_printed(after)
    changed = {name for name in old if old[name] != new[name]}
    assert 0 < len(changed) < len(old) / 4
    rows = {
        minor: rows_of(load_snapshot(OPENAPI, entry)) for entry in load_sources(OPENAPI) if (minor := entry.minor) > 35
    }
    assert changed == {name for name in old if rows[36].types[name] != rows[37].types.get(name)}
    for name in changed:
        gone = [ast.literal_eval(row) for row in old[name] - new[name]]
        come = [ast.literal_eval(row) for row in new[name] - old[name]]
        assert {(row[0], *row[3:]) for row in gone} == {(row[0], *row[3:]) for row in come if row[2] == 36}
        assert all(row[2] == 36 or row[1] == 37 for row in come), name
    untouched = [file for file in before if before[file] == after[file]]
    assert len(untouched) > len(before) / 3
    lines = sum(len(set(after[file].splitlines()) - set(before.get(file, "").splitlines())) for file in after)
    assert lines < 600


def test_generated_modules_are_literals_with_a_do_not_edit_note() -> None:
    for name, data in contents(GENERATED).items():
        assert MARK in data.decode("ascii").splitlines()[0], name
        assert b"\r" not in data
        assert data.endswith(b"\n")
        for statement in ast.parse(data).body[1:]:
            assert isinstance(statement, ast.Assign)
            ast.literal_eval(statement.value)


def small_openapi(folder: Path) -> Path:
    """A folder with two small snapshots."""
    folder.mkdir(exist_ok=True)
    for name, field in (("1.36", "old"), ("1.37", "new")):
        spec = folder / f"{field}-spec.json"
        spec.write_text(json.dumps(release(**{field: {"type": "string"}, "both": {"type": "string"}})))
        assert kubemerge("spec", "add", name, "--from", spec, "--openapi", folder) == 0
    return folder


def test_a_package_of_releases_can_be_loaded_by_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(tmp_path / "two_releases", built_in_files(small_openapi(tmp_path)))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert engine.releases("two_releases") == ("1.36", "1.37")
    fields = {
        release: list(engine.load(release, package="two_releases").schema("test/v1", "Thing").type.fields)
        for release in ("1.36", "v1.37.2")
    }
    assert fields == {"1.36": ["both", "old"], "v1.37.2": ["both", "new"]}
    assert engine.load(package="two_releases").release == "1.37"


def tampered(folder: Path) -> None:
    file = folder / "1.37.json"
    file.write_bytes(file.read_bytes() + b" ")


def rewritten(folder: Path, old: str, new: str) -> None:
    file = folder / "SOURCES"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


BROKEN = {
    "a tampered snapshot": (tampered, "1.37.json", "the sha256"),
    "a missing snapshot": (
        lambda folder: (folder / "1.37.json").unlink(),
        "1.37.json",
        "the snapshot that SOURCES lists",
    ),
    "no SOURCES": (lambda folder: (folder / "SOURCES").unlink(), "", "a folder with OpenAPI snapshots"),
    "an empty SOURCES": (lambda folder: (folder / "SOURCES").write_text(HEADER), "", "a folder with OpenAPI snapshots"),
    "a line too short": (lambda folder: (folder / "SOURCES").write_text("1.37 abc"), "SOURCES, line 1", "release, two"),
    "a path as a release": (
        lambda folder: rewritten(folder, "\n1.37 ", "\n../../1.37 "),
        "release",
        "a release such as",
    ),
    "a release of another major": (
        lambda folder: rewritten(folder, "\n1.37 ", "\n2.37 "),
        "release",
        "a release such as",
    ),
    "a release twice": (lambda folder: rewritten(folder, "\n1.37 ", "\n1.36 "), "SOURCES, line 4", "one line for each"),
    "SOURCES that is no text": (lambda folder: (folder / "SOURCES").write_bytes(b"\xff"), "SOURCES", "a list of"),
}


@pytest.mark.parametrize("case", BROKEN.values(), ids=BROKEN)
def test_snapshots_that_are_not_as_listed(case: tuple[object, str, str], tmp_path: Path) -> None:
    spoil, source, expected = case
    folder = small_openapi(tmp_path / "openapi")
    package = tmp_path / "tables"
    write_package(package, built_in_files(folder))
    before = contents(package)
    assert callable(spoil)
    spoil(folder)
    with pytest.raises(SpecError) as caught:
        built_in_files(folder)
    assert caught.value.source.endswith(source)
    assert caught.value.expected.startswith(expected)
    assert kubemerge("generate", "--openapi", folder, "--out", package) == 2
    assert contents(package) == before


def test_check_reports_differences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(bundle(a={"type": "string"})))
    package = tmp_path / "mine"
    words = ("generate", "--spec", spec, "--out", package)
    assert kubemerge(*words, "--check") == 1
    assert f"{package / 'index.py'} is missing" in capsys.readouterr().out
    assert not package.exists()
    assert kubemerge(*words) == 0
    assert kubemerge(*words, "--check") == 0
    (package / "test_v1.py").write_text("TYPES = {}\n")
    (package / "old.py").write_text(f'"""{MARK}"""\n')
    capsys.readouterr()
    assert kubemerge(*words, "--check") == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{package / 'test_v1.py'} differs",
        f"{package / 'old.py'} is not generated any more",
    ]


def test_writing_again_changes_nothing_and_removes_what_is_stale(tmp_path: Path) -> None:
    package = tmp_path / "mine"
    files = files_of(read_facts(bundle(a={"type": "string"})))
    assert write_package(package, files) == len(files)
    times = {file: file.stat().st_mtime_ns for file in package.iterdir()}
    assert write_package(package, files) == 0
    assert {file: file.stat().st_mtime_ns for file in package.iterdir()} == times
    other = bundle()
    other["definitions"]["later.v1.Thing"] = other["definitions"].pop("test.v1.Thing")
    (package / "notes.py").write_text("# mine\n")
    (package / "README").write_text("mine\n")
    assert write_package(package, files_of(read_facts(other))) == 3  # the index, the new module, the stale one
    assert sorted(file.name for file in package.iterdir()) == [
        "README",
        "__init__.py",
        "index.py",
        "later_v1.py",
        "notes.py",
    ]


@pytest.mark.parametrize("name", ["__init__.py", "index.py", "test_v1.py"])
@pytest.mark.parametrize("kind", ["a file", "a folder"])
def test_files_of_others_are_not_replaced(name: str, kind: str, tmp_path: Path) -> None:
    package = tmp_path / "mine"
    package.mkdir()
    if kind == "a file":
        (package / name).write_text("import os\n")
    else:
        (package / name).mkdir()
    before = contents(package)
    with pytest.raises(SpecError) as caught:
        write_package(package, files_of(read_facts(bundle())))
    assert caught.value.source == str(package / name)
    assert contents(package) == before
    assert [file.name for file in package.iterdir()] == [name]


@pytest.mark.parametrize("name", ["my-tables", "class", "1st", "a b", "..", "a.b", "x" * 300])
def test_a_folder_that_cannot_be_a_package(name: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="expected a folder"):
        write_package(tmp_path / name, files_of(read_facts(bundle())))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_below_a_file_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SpecError):
        write_package(tmp_path / "file" / "mine", files_of(read_facts(bundle())))


def test_failed_write_leaves_no_partial_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "mine"
    write_package(package, files_of(read_facts(bundle(a={"type": "string"}))))
    before = contents(package)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SpecError, match="No space left on device"):
        write_package(package, files_of(read_facts(bundle(b={"type": "string"}))))
    assert contents(package) == before


def test_spec_needs_a_folder_to_write_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("generate", "--spec", tmp_path / "x.json") == 2
    assert "--out" in capsys.readouterr().err


def test_several_specifications_become_one_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words: list[object] = ["generate", "--out", tmp_path / "several_specs"]
    for name in ("a", "b"):
        document = bundle()
        node = document["definitions"].pop("test.v1.Thing")
        node["x-kubernetes-group-version-kind"][0]["group"] = name
        document["definitions"][f"{name}.v1.Thing"] = node
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
        words += ["--spec", tmp_path / f"{name}.json"]
    assert kubemerge(*words) == 0
    monkeypatch.syspath_prepend(str(tmp_path))
    assert engine.load(package="several_specs").kinds() == [("a/v1", "Thing"), ("b/v1", "Thing")]
