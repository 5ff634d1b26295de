"""`kubemerge apply view-last-applied` and similar commands: selected objects, and invalid annotations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from codegen.documents.yaml_text import documents

from ...objects import ANNOTATION, config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell

VIEW = ("apply", "view-last-applied")


@pytest.fixture
def applied(shell: Shell) -> Shell:
    """A cluster in which two ConfigMaps and a Deployment were applied."""
    web = config_map("web", {"a": "1"}, labels={"app": "web"})
    shell.done("apply", "-f", shell.write("all.yaml", web, config_map("other", {"a": "1"}), deployment("site")))
    shell.write("web.yaml", web)
    return shell


def names(shell: Shell, *words: str) -> list[str]:
    return [one["metadata"]["name"] for one in documents(shell.done(*VIEW, *words))]


def test_labels_pick_among_the_objects_of_files(applied: Shell) -> None:
    assert names(applied, "-f", "all.yaml") == ["web", "other", "site"]
    assert names(applied, "-f", "all.yaml", "-l", "app=web") == ["web"]
    assert names(applied, "-f", "all.yaml", "-l", "app=nobody") == []


def test_all_means_what_it_means_to_get(applied: Shell) -> None:
    assert applied.run(*VIEW, "all", "--all") == 0
    assert "service/kubernetes has no last-applied-configuration annotation" in applied.err
    assert names(applied, "cm,deploy", "--all") == ["other", "web", "site"]
    assert "no name was specified" in applied.fails(*VIEW, "all")


@pytest.mark.parametrize("command", ["view-last-applied", "edit-last-applied"])
def test_what_cannot_be_meant_together(applied: Shell, command: str) -> None:
    assert "exclude each other" in applied.fails("apply", command, "cm/web", "-l", "app=web")
    assert "you may not specify resource arguments as well" in applied.fails(
        "apply", command, "cm/web", "-f", "all.yaml"
    )


# ---- an annotation written by hand -----------------------------------------------------------------------------------

SHOWN = {
    # the annotation, and kubectl's output for it as YAML and as JSON; None for an error
    "not json": ("not json\n", None),
    "": ("null\n", None),
    "null": ("null\n", "null"),
    '"text"': ("text\n", '"text"'),
    "12": ("12\n", "12"),
    "[1]": ("- 1\n", "[\n  1\n]"),
    "a: 1\nb: [2]": ("a: 1\nb:\n- 2\n", None),
    "a: b: c": (None, None),
    '{"a": [1,2': (None, None),
}


def is_annotated(shell: Shell, text: str) -> None:
    """Set the annotation of `web` to this text."""
    patch = {"metadata": {"annotations": {ANNOTATION: text}}}
    shell.done("patch", "cm", "web", "--type=merge", "-p", json.dumps(patch))


@pytest.mark.parametrize("text", SHOWN)
@pytest.mark.parametrize("form", ["yaml", "json"])
def test_any_annotation_is_shown_as_kubectl_shows_it(applied: Shell, text: str, form: str) -> None:
    is_annotated(applied, text)
    expected = SHOWN[text][form == "json"]
    words = (*VIEW, "cm/web", "-o", form)
    if expected is None:
        assert "applied" in applied.fails(*words)
    else:
        assert applied.done(*words) == expected


COMMANDS = {
    "apply": ("apply", "-f", "web.yaml"),
    "diff": ("diff", "-f", "web.yaml", "-q"),
    "merge": ("merge", "-f", "web.yaml", "-q"),
    "edit": ("apply", "edit-last-applied", "cm/web"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_way_out_of_an_annotation_that_is_not_json(applied: Shell, command: str) -> None:
    is_annotated(applied, "not json")
    said = applied.fails(*COMMANDS[command])
    assert "does not hold JSON" in said
    assert ". Set it with `kubemerge apply set-last-applied -f FILE`" in said
    applied.done("apply", "set-last-applied", "-f", "web.yaml")
    assert applied.done("apply", "-f", "web.yaml") == "configmap/web configured\n"


def test_the_way_out_where_live_is_a_file(applied: Shell) -> None:
    is_annotated(applied, "not json")
    live = applied.write("live.yaml", applied.live("cm", "web"))
    said = applied.fails("diff", "-f", "web.yaml", "--live", live, "-q")
    assert said.endswith("Pass the last applied config with --last-applied, or remove the annotation")
    assert applied.run("diff", "-f", "web.yaml", "--live", live, "--last-applied", "web.yaml") == 0
    said = applied.fails("last-applied", "view", "-f", live)
    assert said.endswith("set it with `kubemerge last-applied set`, or remove it")
    assert applied.run("last-applied", "set", "-f", "web.yaml", "--live", live) == 0
