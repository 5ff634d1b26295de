"""`kubemerge annotate`: annotations set, changed and removed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from ...objects import config_map

if TYPE_CHECKING:
    from ...shell import Shell

KUBECTL = shutil.which("kubectl")
OLD = {"note": "old", "owner": "me"}


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.create(config_map("a", annotations=OLD), config_map("b"))
    return shell


def noted(shell: Shell, name: str = "a") -> dict[str, str]:
    found: dict[str, str] = shell.live("cm", name)["metadata"].get("annotations", {})
    return found


LINES: dict[tuple[str, ...], dict[str, str]] = {
    ("new=with a blank, and = signs",): {**OLD, "new": "with a blank, and = signs"},
    ("note=old",): OLD,
    ("note=new", "--overwrite"): {**OLD, "note": "new"},
    ("note-",): {"owner": "me"},
    ("note-", "Example.com/X="): {"owner": "me", "Example.com/X": ""},
}


@pytest.mark.parametrize("words", LINES)
def test_what_is_changed(filled: Shell, words: tuple[str, ...]) -> None:
    assert filled.done("annotate", "cm", "a", *words) == "configmap/a annotated\n"
    assert noted(filled) == LINES[words]


@pytest.mark.skipif(KUBECTL is None, reason="compares with kubectl")
@pytest.mark.parametrize("words", LINES)
def test_the_same_as_kubectl(filled: Shell, words: tuple[str, ...]) -> None:
    assert KUBECTL is not None
    live = json.dumps(filled.live("cm", "a"))
    command = [KUBECTL, "annotate", "--local", "--kubeconfig", os.devnull, "-f", "-", *words]
    told = subprocess.run([*command, "-o", "json"], input=live, capture_output=True, text=True, check=True).stdout
    filled.done("annotate", "cm", "a", *words)
    assert noted(filled) == json.loads(told)["metadata"].get("annotations", {})


def test_what_is_there(filled: Shell) -> None:
    assert filled.done("annotate", "cm/a", "--list") == "note=old\nowner=me\n"


def test_a_control_character_is_not_obeyed(filled: Shell) -> None:
    filled.done("annotate", "cm", "b", "x=\x1b[31mred")
    assert filled.done("annotate", "cm", "b", "--list") == "x=\\x1b[31mred\n"


FAILS: dict[tuple[str, ...], str] = {
    ("cm", "a", "note=new"): "--overwrite is false but found the following declared annotation(s): 'note' already has",
    ("cm", "no", "x=1"): 'configmaps "no" not found',
    ("cm", "a"): "at least one annotation update is required",
    ("cm", "a", "x=1", "b"): "all resources must be specified before annotation changes: b",
    ("cm", "a", "x=1", "x-"): "can not both modify and remove the following annotation(s) in the same command: x",
    ("cm", "a", "a b=1"): "invalid annotation key 'a b'",
    ("cm", "a", "x=1", "--cluster", "nowhere.db"): "no such cluster",
}


@pytest.mark.parametrize("words", FAILS)
def test_what_is_refused(filled: Shell, words: tuple[str, ...]) -> None:
    assert FAILS[words] in filled.fails("annotate", *words)
    assert (filled.out, noted(filled)) == ("", OLD)
