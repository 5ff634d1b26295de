"""`kubemerge delete`: it deletes the selected objects, and reports rejected requests."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from ...apiserver.conftest import crontab, crontabs
from ...objects import config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell

SHOP = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.create(
        SHOP,
        config_map("a", labels={"app": "web"}),
        config_map("b"),
        config_map("c", namespace="shop"),
        deployment("web"),
    )
    return shell


def names(shell: Shell) -> str:
    found = shell.done("get", "cm,deploy", "-A", "-o", "name").split()
    return " ".join(name.partition("/")[2] for name in found)


LINES: dict[tuple[str, ...], tuple[str, str]] = {
    ("deploy", "web"): ('deployment.apps "web" deleted from default namespace\n', "a b c"),
    ("deploy/web", "cm/a"): (
        'deployment.apps "web" deleted from default namespace\nconfigmap "a" deleted from default namespace\n',
        "b c",
    ),
    ("cm", "a", "b"): (
        'configmap "a" deleted from default namespace\nconfigmap "b" deleted from default namespace\n',
        "c web",
    ),
    ("cm", "-l", "app=web"): ('configmap "a" deleted from default namespace\n', "b c web"),
    ("cm", "--all"): (
        'configmap "a" deleted from default namespace\nconfigmap "b" deleted from default namespace\n',
        "c web",
    ),
    ("cm", "--all", "-A"): (
        'configmap "a" deleted from default namespace\nconfigmap "b" deleted from default namespace\n'
        'configmap "c" deleted from shop namespace\n',
        "web",
    ),
    ("cm", "c", "-n", "shop"): ('configmap "c" deleted from shop namespace\n', "a b web"),
    ("ns", "shop"): ('namespace "shop" deleted\n', "a b web"),
    ("deploy", "web", "-o", "name"): ("deployment.apps/web\n", "a b c"),
    ("deploy", "web", "--dry-run"): ('deployment.apps "web" deleted from default namespace (dry run)\n', "a b c web"),
    ("deploy", "web", "--dry-run=server"): (
        'deployment.apps "web" deleted from default namespace (server dry run)\n',
        "a b c web",
    ),
    ("deploy", "web", "--force", "--grace-period=0"): (
        'deployment.apps "web" force deleted from default namespace\n',
        "a b c",
    ),
    ("deploy", "web", "--now", "--cascade=orphan", "--wait"): (
        'deployment.apps "web" deleted from default namespace\n',
        "a b c",
    ),
    ("deploy", "web", "--cascade", "--wait=false"): ('deployment.apps "web" deleted from default namespace\n', "a b c"),
    ("deploy", "no", "--ignore-not-found"): ("", "a b c web"),
    ("deploy", "no", "web", "--ignore-not-found"): ('deployment.apps "web" deleted from default namespace\n', "a b c"),
}


@pytest.mark.parametrize("words", LINES)
def test_what_is_deleted(filled: Shell, words: tuple[str, ...]) -> None:
    line, left = LINES[words]
    assert filled.run("delete", *words) == 0
    assert filled.out == line
    assert filled.err.startswith("Warning: Immediate deletion does not wait" if "--force" in words else "")
    assert filled.err.count("\n") == ("--force" in words)
    assert names(filled) == left


def test_a_file_with_a_namespace_and_what_is_in_it(filled: Shell) -> None:
    """The namespace is deleted first, with its objects."""
    assert filled.done("delete", "-f", "created.yaml").splitlines() == [
        'namespace "shop" deleted',
        'configmap "a" deleted from default namespace',
        'configmap "b" deleted from default namespace',
        'configmap "c" deleted from shop namespace',
        'deployment.apps "web" deleted from default namespace',
    ]
    assert names(filled) == ""


def test_a_file_with_a_definition_and_its_objects(shell: Shell) -> None:
    shell.create(crontabs(), crontab())
    lines = shell.done("delete", "-f", "created.yaml").splitlines()
    assert lines[0] == 'customresourcedefinition.apiextensions.k8s.io "crontabs.stable.example.com" deleted'
    assert lines[1] == 'crontab.stable.example.com "night" deleted from default namespace'
    assert shell.run("delete", "-f", "created.yaml", "--ignore-not-found") == 0


def test_nothing_to_delete(filled: Shell) -> None:
    assert filled.run("delete", "pvc", "--all") == 0
    assert (filled.out, filled.err) == ("No resources found\n", "")


def test_an_object_with_finalizers_stays(shell: Shell) -> None:
    shell.create(config_map("a", finalizers=["example.com/a"]))
    assert shell.run("delete", "cm", "a") == 0
    assert shell.out == 'configmap "a" deleted from default namespace\n'
    assert shell.err == "configmap/a remains until its finalizers are removed: example.com/a\n"
    assert "deletionTimestamp" in shell.live("cm", "a")["metadata"]
    for timeout in ("0.1", "100ms"):
        assert shell.run("delete", "cm", "a", "--wait", "--timeout", timeout, "-q") == 1
        assert "is kept by its finalizers (example.com/a)" in shell.err
    assert "'soon' is not a duration. Write it as 30s or 1m30s" in shell.fails("delete", "cm", "a", "--timeout=soon")
    shell.done("patch", "cm", "a", "--type=merge", "-p", json.dumps({"metadata": {"finalizers": None}}))
    assert "not found" in shell.fails("get", "cm", "a")


FAILS: dict[tuple[str, ...], str] = {
    ("deploy", "no"): 'deployments.apps "no" not found',
    ("deploy",): "no name was specified",
    ("deploy", "web", "--all"): "object names and --all exclude each other",
    ("cm", "--all", "-l", "a=b"): "cannot set --all and --selector at the same time",
    ("ns", "default"): "this namespace may not be deleted",
    ("-f", "created.yaml", "cm"): "you may not specify resource arguments as well",
    ("-f", "nowhere.yaml"): "No such file",
    ("cm", "a", "--now", "--grace-period=3"): "cannot be specified together",
    ("cm", "a", "--force", "--grace-period=3"): "cannot be specified together",
    ("cm", "a", "--cascade=maybe"): "invalid cascade value (maybe)",
    ("cm", "a", "-o", "yaml"): "unexpected -o output mode: yaml",
    ("cm", "a", "--cluster", "nowhere.db"): "no such cluster",
}


@pytest.mark.parametrize("words", FAILS)
def test_what_is_refused(filled: Shell, words: tuple[str, ...]) -> None:
    before = names(filled)
    assert FAILS[words] in filled.fails("delete", *words)
    assert filled.out == ""
    assert names(filled) == before


def test_the_others_are_deleted(filled: Shell) -> None:
    assert filled.fails("delete", "cm", "a", "no", "b") == 'configmaps "no" not found'
    assert filled.out == 'configmap "a" deleted from default namespace\nconfigmap "b" deleted from default namespace\n'
    assert filled.run("delete", "-f", "created.yaml", "-l", "app=web") == 0


def test_a_file_that_can_only_be_read(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def access(*_: Any) -> bool:
        return False

    with monkeypatch.context() as patched:
        patched.setattr("kubemerge.apiserver.storage.opening.os.access", access)
        assert "cannot be written" in filled.fails("delete", "cm", "a")
    assert "a" in names(filled).split()


def test_somebody_is_asked_first(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = "You are about to delete the following 1 resource(s):\nconfigmap/a\nDo you want to continue? (y/N): "
    for answer, result in (("n", "deletion is cancelled\n"), ("y", 'configmap "a" deleted from default namespace\n')):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{answer}\n"))
        assert filled.done("delete", "cm", "a", "-i") == f"{asked}{result}"


def test_a_cascade_of_yes_or_no_is_still_understood(filled: Shell) -> None:
    assert filled.run("delete", "cm", "a", "--cascade=false") == 0
    assert filled.err == (
        "warning: --cascade=false is deprecated (boolean value) and can be replaced with --cascade=orphan.\n"
    )
