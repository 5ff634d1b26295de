"""`kubemerge label`: labels set, changed and removed."""

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


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.create(config_map("a", labels={"app": "web", "tier": "front"}), config_map("b"))
    return shell


def labels(shell: Shell, name: str = "a") -> dict[str, str]:
    found: dict[str, str] = shell.live("cm", name)["metadata"].get("labels", {})
    return found


OLD = {"app": "web", "tier": "front"}
LINES: dict[tuple[str, ...], tuple[str, dict[str, str]]] = {
    ("env=test",): ("labeled", {**OLD, "env": "test"}),
    ("env=",): ("labeled", {**OLD, "env": ""}),
    ("app=web",): ("not labeled", OLD),
    ("app=api", "--overwrite"): ("labeled", {**OLD, "app": "api"}),
    ("app-",): ("unlabeled", {"tier": "front"}),
    ("app-", "tier-"): ("unlabeled", {}),
    ("tier-", "example.com/x=1"): ("modified", {"app": "web", "example.com/x": "1"}),
}


@pytest.mark.parametrize("words", LINES)
def test_what_is_changed(filled: Shell, words: tuple[str, ...]) -> None:
    line, then = LINES[words]
    assert filled.done("label", "cm", "a", *words) == f"configmap/a {line}\n"
    assert labels(filled) == then


@pytest.mark.skipif(KUBECTL is None, reason="compares with kubectl")
@pytest.mark.parametrize("words", LINES)
def test_the_same_as_kubectl(filled: Shell, words: tuple[str, ...]) -> None:
    assert KUBECTL is not None
    live = json.dumps(filled.live("cm", "a"))
    command = [KUBECTL, "label", "--local", "--kubeconfig", os.devnull, "-f", "-", *words]
    told = subprocess.run([*command, "-o", "json"], input=live, capture_output=True, text=True, check=True).stdout
    filled.done("label", "cm", "a", *words)
    assert labels(filled) == json.loads(told)["metadata"].get("labels", {})


def test_what_is_not_there_to_be_removed(filled: Shell) -> None:
    assert filled.run("label", "cm", "a", "no-") == 0
    assert (filled.out, filled.err) == ('label "no" not found.\nconfigmap/a not labeled\n', "")
    assert filled.run("label", "cm", "a", "no-", "-o", "json") == 0
    assert json.loads(filled.out)["kind"] == "ConfigMap"
    assert filled.err == 'label "no" not found.\n'


def test_many_objects(filled: Shell) -> None:
    assert filled.done("label", "cm", "--all", "x=1") == "configmap/a labeled\nconfigmap/b labeled\n"
    assert filled.done("label", "cm", "-l", "app=web", "y=1") == "configmap/a labeled\n"
    assert filled.done("label", "cm/a", "cm/b", "z=1") == "configmap/a labeled\nconfigmap/b labeled\n"
    assert filled.done("label", "-f", "created.yaml", "w=1") == "configmap/a labeled\nconfigmap/b labeled\n"
    assert labels(filled, "b") == {"x": "1", "z": "1", "w": "1"}


@pytest.mark.parametrize(("mode", "words"), [("client", " (dry run)"), ("server", " (server dry run)")])
def test_a_dry_run(filled: Shell, mode: str, words: str) -> None:
    assert filled.done("label", "cm", "a", "x=1", f"--dry-run={mode}") == f"configmap/a labeled{words}\n"
    printed = json.loads(filled.done("label", "cm", "a", "x=1", f"--dry-run={mode}", "-o", "json"))
    assert printed["metadata"]["labels"] == {**OLD, "x": "1"}
    assert labels(filled) == OLD


def test_what_is_there(filled: Shell) -> None:
    assert filled.done("label", "cm", "a", "--list") == "app=web\ntier=front\n"
    assert filled.run("label", "cm", "--all", "--list") == 0
    assert filled.out == " app=web\n tier=front\n"
    assert filled.err == "Listing labels for configmap/a:\nListing labels for configmap/b:\n"


def test_an_expected_version(filled: Shell) -> None:
    version = filled.live("cm", "a")["metadata"]["resourceVersion"]
    filled.done("label", "cm", "a", "x=1", "--resource-version", version)
    assert "the object has been modified" in filled.fails("label", "cm", "a", "y=1", "--resource-version", version)


FAILS: dict[tuple[str, ...], str] = {
    ("cm", "a", "app=api"): "'app' already has a value (web), and --overwrite is false; configmap/a",
    ("cm", "no", "x=1"): 'configmaps "no" not found',
    ("cm", "a"): "at least one label update is required",
    ("cm", "x=1"): "no name was specified",
    ("cm", "a", "x=1", "b"): "all resources must be specified before label changes: b",
    ("cm", "a", "x=1", "x-"): "can not both modify and remove a label in the same command",
    ("cm", "a", "x=a b"): 'invalid label value: "x=a b": a valid label must be an empty string or consist of',
    ("cm", "a", "x=a=b"): "invalid label spec: x=a=b",
    (
        "cm",
        "a",
        "a b=1",
    ): 'The ConfigMap "a" is invalid: metadata.labels: Invalid value: "a b": name part must',
    ("cm", "a", "a/b/c=1"): 'The ConfigMap "a" is invalid: metadata.labels: Invalid value: "a/b/c"',
    ("cm", "a", f"x={'a' * 64}"): "must be no more than 63",
    ("cm", "a", "--list", "x=1"): "--list prints values. Omit x=1",
    ("cm", "--all", "x=1", "--resource-version=1"): "only be used with a single object",
    ("cm", "--all", "-l", "a=b", "x=1"): "cannot set --all and --selector at the same time",
    ("cm", "a", "x=1", "--cluster", "nowhere.db"): "no such cluster",
}


@pytest.mark.parametrize("words", FAILS)
def test_what_is_refused(filled: Shell, words: tuple[str, ...]) -> None:
    assert FAILS[words] in filled.fails("label", *words)
    assert (filled.out, labels(filled)) == ("", OLD)


def test_the_others_are_labeled(filled: Shell) -> None:
    assert "--overwrite is false; configmap/a" in filled.fails("label", "cm", "--all", "app=api")
    assert filled.out == "configmap/b labeled\n"
