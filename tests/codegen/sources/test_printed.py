"""A package printed by `generate --out` is a source like any other, and is read without running it."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

import codegen
from codegen import SpecError
from kubemerge.cli.main import main

from ...conftest import NEWEST, ROOT, native, snapshot
from ..sample_specs import kubemerge

if TYPE_CHECKING:
    from pathlib import Path

CRDS = ROOT / "examples" / "crds"
TYPO = """\
apiVersion: storage.example.com/v1
kind: Backup
metadata: {name: a}
spec: {shedule: x}
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of a definition, in the current folder."""
    monkeypatch.chdir(tmp_path)
    assert kubemerge("generate", "--spec", CRDS, "--out", "mine") == 0
    (tmp_path / "backup.yaml").write_text(TYPO)
    return tmp_path / "mine"


def test_package_has_the_facts_of_its_specification(mine: Path) -> None:
    tables = codegen.read(mine)
    assert tables == codegen.read(CRDS)
    rule = tables.schema("storage.example.com/v1", "Backup").rule("spec.volumes")
    assert rule is not None
    assert rule.map_keys == ("claim", "path")
    assert pickle.loads(pickle.dumps(tables)) == tables


def test_package_of_a_whole_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the package of all releases, the newest counts."""
    folder = tmp_path / "cluster"
    assert kubemerge("generate", "--spec", ROOT / "openapi" / "1.32.json", "--out", folder) == 0
    capsys.readouterr()
    assert kubemerge("compare", "--left", folder, "--right", "1.32") == 0
    assert capsys.readouterr().out == f"{folder} to 1.32: nothing merges differently\n"
    assert kubemerge("compare", "--left", ROOT / "generated", "--right", NEWEST) == 0
    assert capsys.readouterr().out.endswith(f" to {NEWEST}: nothing merges differently\n")
    assert len(codegen.read(folder).definitions()) > len(snapshot("1.32")["definitions"]) / 2


COMMANDS = {
    "lint backup.yaml --schema mine -o json": (1, "Did you mean 'schedule'?"),
    "merge -f backup.yaml --schema mine --live backup.yaml": (0, "shedule"),
    "diff -f backup.yaml --schema mine --live backup.yaml": (0, "0 of 1 object would change"),
    "why -f backup.yaml --schema mine --live backup.yaml": (0, "spec.shedule"),
    "explain backup.spec.volumes --schema mine": (0, "claim + path"),
    "kinds --schema mine": (0, "Backup"),
    "compare --left mine --right 1.37 --kind backup": (0, "Backup"),
    "compare --left 1.37 --right mine --kind backup": (0, "Backup"),
    "compare 1.36..1.37 -f backup.yaml --schema mine": (0, "1.36 to 1.37"),
    "compare storage.example.com/v1/Backup@mine storage.example.com/v1/Backup@mine": (0, "nothing merges differently"),
}


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_accept_packages_as_schemas(line: str, mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, wanted = COMMANDS[line]
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(line.split())
    said = capsys.readouterr()
    assert (end.value.code or 0, wanted in said.out + said.err) == (code, True), said


def test_no_code_is_run(mine: Path) -> None:
    with (mine / "index.py").open("a") as stream:
        stream.write("import os\nos.mkdir('run')\nraise SystemExit(7)\n")
    assert codegen.read(mine) == codegen.read(CRDS)
    assert not (mine.parent / "run").exists()


DAMAGES = {
    "no data": ("index.py", "KINDS = __import__('os')"),
    "other data": ("index.py", "KINDS = 5"),
    "a row that is none": ("index.py", "KINDS = ((1, 2, 3),)"),
    "a path for a module": ("index.py", "PREFIXES = {'a': '../b'}"),
    "no Python": ("index.py", "("),
    "other types": ("com_example_storage_v1.py", "TYPES = {'Backup': 5}"),
    "types of other rows": ("com_example_storage_v1.py", "TYPES = {'Backup': (5,)}"),
    "deep": ("index.py", "KINDS = " + "(" * 5000),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_package_is_reported_with_its_file(
    damage: tuple[str, str], mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, text = damage
    with (mine / name).open("a") as stream:
        stream.write(f"{text}\n")
    assert kubemerge("explain", "backup", "--schema", "mine") == 2
    said = capsys.readouterr().err
    assert said.startswith(
        f"kubemerge: {native('mine/')}{name}: expected tables as `kubemerge generate --out` writes them. Generate"
    )
    assert said.count("\n") == 1


def test_missing_module_is_reported(mine: Path) -> None:
    (mine / "com_example_storage_v1.py").unlink()
    with pytest.raises(SpecError, match=r"com_example_storage_v1\.py: expected tables"):
        codegen.read(mine).schema("storage.example.com/v1", "Backup")
