"""`generate` and `spec add` killed at any moment: files are complete, old or new, and the next run cleans up.

Each kill ends a separate process at a random moment of its work.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from codegen.files import write_file
from codegen.generating import write_package
from codegen.snapshots import add_snapshot, load_snapshot, load_sources
from codegen.sources.opening import SourceDocument
from codegen.sources.printed import MARK

from ..conftest import ROOT, contents
from .sample_specs import kubemerge, release

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")

KILLS = [pytest.param(8, id="8"), pytest.param(80, id="80", marks=(pytest.mark.slow, pytest.mark.left_out))]

GENERATE = """
import sys
from pathlib import Path
from codegen.generating import write_package
from codegen.sources.printed import MARK
from tests.codegen.test_killed import package
print(flush=True)
for number in range(1000):
    write_package(Path(sys.argv[1]), package(number % 2))
"""
ADD = """
import json, sys
from pathlib import Path
from codegen.reading import read
from codegen.snapshots import add_snapshot
from codegen.sources.opening import SourceDocument
from tests.codegen.test_killed import document
read(document(0))
print(flush=True)
for number in range(1000):
    add_snapshot(Path(sys.argv[1]), f"1.{36 + number % 2}", [SourceDocument("a", document(number), str(number))], "a")
"""


def package(version: int) -> dict[str, str]:
    """The files of a package: all of one version, some of them only in one."""
    names = ["__init__.py", "index.py", *(f"m{number}.py" for number in range(20)), f"only{version}.py"]
    return dict.fromkeys(names, f'"""{MARK}"""\nVERSION = {version}\n{"#" * 5000}\n')


def document(number: int) -> dict[str, object]:
    return release(**{f"field{number % 5}": {"type": "string"}})


def kill(program: str, folder: Path, chance: random.Random) -> None:
    """Run a program that works on a folder repeatedly, and kill it at some moment."""
    with subprocess.Popen(
        [sys.executable, "-c", program, folder], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout
        run.stdout.readline()
        time.sleep(chance.uniform(0, 0.1))
        run.kill()
        said = run.communicate()[1]
    assert run.returncode == -signal.SIGKILL, said


@pytest.mark.parametrize("kills", KILLS)
def test_generate_killed(kills: int, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    write_package(folder, package(0))
    (folder / "README").write_text("mine")
    (folder / "notes").mkdir()
    (folder / "notes" / "a").write_text("mine")
    chance, found = random.Random(kills), set()
    for _ in range(kills):
        kill(GENERATE, folder, chance)
        there = {file.name: file.read_text() for file in folder.iterdir() if file.suffix == ".py"}
        assert there in (package(0), package(1))
        assert (folder / "README").read_text() == "mine"
        found.add(there == package(0))
    write_package(folder, package(2))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["tables"]
    assert sorted(file.name for file in folder.iterdir()) == sorted([*package(2), "README", "notes"])
    assert (folder / "notes" / "a").read_text() == "mine"
    assert len(found) == 2 or kills < 100, "kills in both states"


def test_the_first_generate_killed(tmp_path: Path) -> None:
    chance = random.Random(1)
    for number in range(10):
        folder = tmp_path / f"tables{number}"
        kill(GENERATE, folder, chance)
        with contextlib.suppress(FileNotFoundError):
            assert {file.name: file.read_text() for file in folder.iterdir()} in (package(0), package(1))
        write_package(folder, package(2))
    assert len(list(tmp_path.iterdir())) == 10


@pytest.mark.parametrize("kills", KILLS)
def test_spec_add_killed(kills: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, chance, listed = tmp_path / "openapi", random.Random(kills), set()
    folder.mkdir()
    for _ in range(kills):
        kill(ADD, folder, chance)
        entries = load_sources(folder)
        for entry in entries:
            assert load_snapshot(folder, entry).kinds
        listed.add(len(entries))
        if entries:
            assert kubemerge("spec", "check", "--openapi", folder) == 0
    again = tmp_path / "a.json"
    again.write_text(json.dumps(document(0)))
    assert kubemerge("spec", "add", "1.36", "--from", again, "--openapi", folder) == 0
    names = {f"{entry.release}.json" for entry in load_sources(folder)}
    assert {file.name for file in folder.iterdir()} == {"SOURCES", *names}
    assert max(listed) == 2


STEPS = ["written in part", "before the swap", "after the swap", "between two renames", "after two renames"]


@pytest.mark.parametrize("step", STEPS)
def test_remains_of_a_killed_run_are_removed(step: str, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    write_package(folder, package(0))
    (folder / "README").write_text("mine")
    new, old = tmp_path / ".tables.new", tmp_path / ".tables.old"
    new.mkdir()
    for name, text in package(1).items():
        (new / name).write_text(text if step != "written in part" else "")
    (new / "README").hardlink_to(folder / "README")
    if step == "after the swap":
        folder.rename(tmp_path / "x")
        new.rename(folder)
        (tmp_path / "x").rename(new)
        (new / "notes").mkdir()
    if "two renames" in step:
        folder.rename(old)
        if step.startswith("after"):
            new.rename(folder)
    assert write_package(folder, package(0)) == (0 if step in STEPS[:2] else 24)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["tables"]
    expected = {*package(0), "README", *(["notes"] if step == "after the swap" else [])}
    assert {file.name for file in folder.iterdir()} == expected


def test_a_system_that_cannot_swap_renames_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.files._swap", lambda *_: False)
    folder = tmp_path / "tables"
    for version in (0, 1, 0):
        write_package(folder, package(version))
        assert {name: data.decode() for name, data in contents(folder).items()} == package(version)
    assert [file.name for file in tmp_path.iterdir()] == ["tables"]


def test_the_time_of_a_module_that_stays_the_same_stays_too(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    files = package(0)
    write_package(folder, files)
    os.utime(folder / "m1.py", ns=(1, 1))
    assert write_package(folder, {**files, "m2.py": files["m2.py"] + "\n"}) == 1
    assert (folder / "m1.py").stat().st_mtime_ns == 1


def test_two_runs_at_once_do_not_mix(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    program = GENERATE.replace("range(1000)", "range(30)")
    runs = [subprocess.Popen([sys.executable, "-c", program, folder], cwd=ROOT, stderr=subprocess.PIPE) for _ in "ab"]
    said = [run.communicate(timeout=60)[1].decode() for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    assert {name: data.decode() for name, data in contents(folder).items()} in (package(0), package(1))
    assert [file.name for file in tmp_path.iterdir()] == ["tables"]


def test_concurrent_additions_are_both_listed(tmp_path: Path) -> None:
    program = ADD.replace("range(1000)", "range(30)")
    runs = [subprocess.Popen([sys.executable, "-c", program, tmp_path], cwd=ROOT, stderr=subprocess.PIPE) for _ in "ab"]
    said = [run.communicate(timeout=60)[1].decode() for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    assert [entry.release for entry in load_sources(tmp_path)] == ["1.36", "1.37"]
    assert all(load_snapshot(tmp_path, entry).kinds for entry in load_sources(tmp_path))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1.36.json", "1.37.json", "SOURCES"]


def test_a_full_disk_leaves_the_snapshots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(document(0)))
    folder = tmp_path / "openapi"
    assert kubemerge("spec", "add", "1.37", "--from", spec, "--openapi", folder) == 0
    before = contents(folder)
    for room in (0, 1):
        left = iter(range(room))

        def full(_: int, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.fsync", full)
        assert kubemerge("spec", "add", "1.38", "--from", spec, "--openapi", folder) == 2
        assert contents(folder) == before


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "closed" / "tables"
    write_package(folder, package(0))
    folder.parent.chmod(0o500)
    try:
        with pytest.raises(Exception, match="expected a folder that can be replaced"):
            write_package(folder, package(1))
    finally:
        folder.parent.chmod(0o700)
    assert {name: data.decode() for name, data in contents(folder).items()} == package(0)


def test_files_of_others_may_be_links(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    write_package(folder, package(0))
    (folder / "there").symlink_to("README")
    (folder / "loop").symlink_to(folder)
    write_package(folder, package(1))
    assert [str((folder / name).readlink()) for name in ("there", "loop")] == ["README", str(folder)]


def test_read_only_location(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Root may write into any folder, but not on a read-only disk."""
    spec, folder, out = tmp_path / "spec.json", tmp_path / "openapi", tmp_path / "mine"
    spec.write_text(json.dumps(document(0)))
    assert kubemerge("spec", "add", "1.37", "--from", spec, "--openapi", folder) == 0
    assert kubemerge("generate", "--spec", spec, "--out", out) == 0
    before = contents(tmp_path)
    other = tmp_path / "other.json"
    other.write_text(json.dumps(document(1)))
    before = contents(tmp_path)

    def closed(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.mkdir", closed)
        assert kubemerge("spec", "add", "1.38", "--from", other, "--openapi", folder) == 2
        assert kubemerge("generate", "--spec", other, "--out", out) == 2
    said = capsys.readouterr().err.splitlines()[-2:]
    assert said == [
        f"kubemerge: {folder}: expected a folder that can be written to; found Read-only file system",
        f"kubemerge: {out}: expected a folder that can be replaced; found Read-only file system",
    ]
    assert contents(tmp_path) == before


@pytest.mark.parametrize("call", range(4))
def test_an_interrupted_add_leaves_the_old_snapshots_or_the_new_ones_and_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    """It writes two files and renames two; the interrupt comes after one of these calls."""
    left = call + 1

    def then_interrupted(function: Any) -> Any:
        def done(*words: Any) -> None:
            nonlocal left
            function(*words)
            left -= 1
            if left == 0:
                raise KeyboardInterrupt

        return done

    monkeypatch.setattr("codegen.snapshots.write_file", then_interrupted(write_file))
    monkeypatch.setattr("pathlib.Path.replace", then_interrupted(type(tmp_path).replace))
    with pytest.raises(KeyboardInterrupt):
        add_snapshot(tmp_path, "1.37", [SourceDocument("a", document(0), "0")], "a")
    monkeypatch.undo()
    listed = [entry.release for entry in load_sources(tmp_path)]
    assert listed == (["1.37"] if call >= 2 else [])
    assert sorted(contents(tmp_path)) == (["1.37.json", "SOURCES"] if listed else [])
