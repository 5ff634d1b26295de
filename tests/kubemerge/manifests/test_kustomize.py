"""Kustomizations, through a fake of the kustomize program."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from ..shell import Shell

SCRIPT = """#!/bin/sh
[ "$1" = build ] && [ "$2" = -- ] || exit 9
[ -d "$3" ] || { echo "Error: must build at directory: '$3' is not there" >&2; exit 1; }
echo '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "from-'"$3"'"}}'
"""


@pytest.fixture
def built(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "kustomize").write_text(SCRIPT)
    (programs / "kustomize").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    (shell.folder / "base").mkdir(exist_ok=True)
    return shell


@pytest.mark.parametrize(
    "words", [("-k", "base"), ("-kbase",), ("-k=base",), ("--kustomize", "base"), ("--kustomize=base",)]
)
def test_a_kustomization_is_built_and_applied(built: Shell, words: tuple[str, ...]) -> None:
    assert built.done("apply", *words) == "configmap/from-base created\n"
    assert "from-base" in built.done("get", "-k", "base")
    assert built.done("delete", "-k", "base") == 'configmap "from-base" deleted from default namespace\n'


def test_what_kustomize_says_is_told(built: Shell) -> None:
    said = built.fails("apply", "-k", "nope")
    assert said == "nope: kustomize build: must build at directory: 'nope' is not there"


def test_files_and_a_kustomization_do_not_go_together(built: Shell) -> None:
    assert "only one of -f or -k can be specified" in built.fails("apply", "-k", "base", "-f", "a.yaml")
    assert "-k requires a folder" in built.fails("apply", "-k")


def test_without_a_program_there_is_a_way_out(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    said = shell.fails("apply", "-k", "base")
    assert said.startswith("base: neither kustomize nor kubectl is installed. Install one, or pass the built")
