"""`kubemerge edit`: live objects changed in an editor. Only the changes are sent."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codegen.documents.yaml_text import documents
from engine import last_applied_text
from kubemerge.output.object_text import without_managed_fields

from ....conftest import needs_posix
from ...apiserver.conftest import crontab, crontabs
from ...objects import ANNOTATION, config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell

EDITOR = """\
import sys
from pathlib import Path
file = Path(sys.argv[1])
before = file.read_text(encoding="utf-8")
Path("seen.txt").write_text(before, encoding="utf-8")
{meanwhile}
file.write_text({after}, encoding="utf-8")
"""


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.create(config_map("a", {"k": "1"}), config_map("b", {"k": "1"}), deployment("web"))
    return shell


def editor(monkeypatch: pytest.MonkeyPatch, after: str, meanwhile: str = "") -> None:
    """An editor that replaces the text by an expression of `before`."""
    Path("editor.py").write_text(EDITOR.format(after=after, meanwhile=meanwhile), encoding="utf-8")
    monkeypatch.setenv("KUBE_EDITOR", f"{sys.executable} editor.py")


def kept(said: str) -> Path:
    """The file in which the text was saved."""
    return Path(said.partition("Your edit was saved to ")[2].partition(";")[0])


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_what_is_changed_is_sent(filled: Shell, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    before = filled.live("deploy", "web")
    editor(monkeypatch, "before.replace('web:1', 'web:2')")
    assert filled.done("edit", "deploy", "web", "-o", form) == "deployment.apps/web edited\n"
    after = filled.live("deploy", "web")
    assert after["spec"]["template"]["spec"]["containers"][0]["image"] == "web:2"
    assert after["metadata"]["generation"] == before["metadata"]["generation"] + 1


def test_what_is_seen(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(monkeypatch, "before")
    filled.run("edit", "cm", "a")
    seen = Path("seen.txt").read_text(encoding="utf-8")
    assert seen.startswith("# ")
    assert list(documents(seen)) == [without_managed_fields(filled.live("cm", "a"))]


MEANWHILE = """
import os
from kubemerge.cluster import Reference, open_cluster
with open_cluster() as cluster:
    cluster.patch(Reference({reference}), {patch}, "merge")
"""


def test_what_others_change_meanwhile_stays(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    meanwhile = MEANWHILE.format(
        reference='"apps/v1", "Deployment", "web"',
        patch='{"spec": {"replicas": 7}, "metadata": {"labels": {"a": "b"}}}',
    )
    editor(monkeypatch, "before.replace('web:1', 'web:2')", meanwhile)
    filled.done("edit", "deploy", "web")
    after = filled.live("deploy", "web")
    assert (after["spec"]["replicas"], after["metadata"]["labels"]) == (7, {"a": "b"})
    assert after["spec"]["template"]["spec"]["containers"][0]["image"] == "web:2"


def test_what_others_add_to_a_list_meanwhile_stays(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    side = {"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "side:1"}]}}}}
    meanwhile = MEANWHILE.format(reference='"apps/v1", "Deployment", "web"', patch=side)
    editor(monkeypatch, "before.replace('web:1', 'web:2')", meanwhile.replace('"merge"', '"strategic"'))
    filled.done("edit", "deploy", "web")
    containers = filled.live("deploy", "web")["spec"]["template"]["spec"]["containers"]
    assert {one["name"]: one["image"] for one in containers} == {"web": "web:2", "side": "side:1"}


def test_custom_resources(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.create(crontabs(), crontab(cron="1", other="x"))
    editor(monkeypatch, "before.replace('cron: \"1\"', 'cron: \"2\"').replace('  other: x\\n', '')")
    shell.done("edit", "ct", "night")
    assert shell.live("ct", "night")["spec"] == {"cron": "2"}


NO_CHANGE = {
    "before": ("", "Edit cancelled, no changes made."),
    "before + '\\n# a remark\\n\\n'": ("", "Edit cancelled, no changes made."),
    "before.replace('kind: ', 'kind:   ')": ("configmap/a skipped\n", ""),
}


@pytest.mark.parametrize("after", NO_CHANGE)
def test_nothing_is_sent(filled: Shell, monkeypatch: pytest.MonkeyPatch, after: str) -> None:
    before = filled.live("cm", "a")
    editor(monkeypatch, after)
    assert filled.run("edit", "cm", "a") == 0
    assert (filled.out, filled.err.rstrip("\n")) == NO_CHANGE[after]
    assert filled.live("cm", "a") == before


@pytest.mark.parametrize("after", ["''", "'# only remarks\\n\\n'"])
def test_an_empty_text_is_no_edit(filled: Shell, monkeypatch: pytest.MonkeyPatch, after: str) -> None:
    before = filled.live("cm", "a")
    editor(monkeypatch, after)
    assert filled.run("edit", "cm", "a") == 1
    assert filled.err.startswith(
        'error: configmaps "a" is invalid\nerror: Edit cancelled, no valid changes were saved.'
    )
    assert filled.live("cm", "a") == before


def test_several_objects_one_after_another(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(monkeypatch, "before.replace('k: \"1\"', 'k: \"2\"')")
    assert filled.done("edit", "cm", "a", "b") == "configmap/a edited\nconfigmap/b edited\n"


def test_the_config_is_kept_if_that_is_asked_for(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(monkeypatch, "before.replace('k: \"1\"', 'k: \"2\"')")
    filled.done("edit", "cm", "a", "--save-config")
    text = filled.live("cm", "a")["metadata"]["annotations"][ANNOTATION]
    assert json.loads(text)["data"] == {"k": "2"}
    assert text == last_applied_text(json.loads(text))


def test_the_others_are_edited(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(monkeypatch, "before.replace('k: \"1\"', 'k: \"2\"').replace('name: a', 'name: c')")
    said = filled.fails("edit", "cm", "a", "b")
    assert filled.out == "configmap/b edited\n"
    assert said.startswith("the edited text is another object")
    kept(said).unlink()


REFUSED = {
    "'a: {b'": "the edited text:",
    "'a: b'": "not a Kubernetes object",
    "before.replace('name: a', 'name: c')": "the edited text is another object",
    "before + '---\\n' + before": "contains 2 objects",
    "before.replace('k: \"1\"', 'k: 1')": "look at data.k",
    "before.replace('name: a', 'name: a\\n  labels: {x y: z}')": "metadata.labels",
    "before.replace('apiVersion: v1', 'apiVersion: v2')": "another object",
}


@pytest.mark.parametrize("after", REFUSED)
def test_what_was_typed_is_kept_if_it_is_refused(filled: Shell, monkeypatch: pytest.MonkeyPatch, after: str) -> None:
    before = filled.live("cm", "a")
    editor(monkeypatch, after)
    said = filled.fails("edit", "cm", "a")
    assert REFUSED[after] in said
    assert "Your edit was saved to " in said
    text = Path("seen.txt").read_text(encoding="utf-8")
    assert kept(said).read_text(encoding="utf-8") == eval(after, {"before": text})
    kept(said).unlink()
    assert filled.live("cm", "a") == before


def test_an_object_that_is_gone_meanwhile(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    meanwhile = MEANWHILE.replace(
        'cluster.patch(Reference({reference}), {patch}, "merge")', "cluster.delete(Reference({reference}))"
    )
    editor(monkeypatch, "before.replace('k: \"1\"', 'k: \"2\"')", meanwhile.format(reference='"v1", "ConfigMap", "a"'))
    said = filled.fails("edit", "cm", "a")
    assert 'configmaps "a" not found' in said
    kept(said).unlink()


FAILS: dict[tuple[str, ...], str] = {
    ("cm", "no"): 'configmaps "no" not found',
    ("cm",): "no name was specified",
    ("cm", "-l", "a=b"): "no objects found",
    ("cm", "a", "--cluster", "nowhere.db"): "no such cluster",
    ("cm", "a", "-o", "name"): "'name'",
}


@pytest.mark.parametrize("words", FAILS)
def test_what_cannot_be_edited(filled: Shell, words: tuple[str, ...]) -> None:
    assert FAILS[words] in filled.fails("edit", *words)


@needs_posix
def test_an_editor_that_there_is_not(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBE_EDITOR", "/no/such/editor")
    assert "cannot be started" in filled.fails("edit", "cm", "a", "b")
    monkeypatch.setenv("KUBE_EDITOR", "false")
    assert 'there was a problem with the editor "false"' in filled.fails("edit", "cm", "a")
