"""CustomResourceDefinitions in a config describe the custom resources beside them, for every offline command."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

import codegen
import engine
from kubemerge.manifests.files import Files
from kubemerge.offline.tables import schemas
from tests.conftest import needs_posix

from ...codegen.sample_specs import kubemerge
from ..objects import applied, write

if TYPE_CHECKING:
    from pathlib import Path

    from engine import Tables


def definition(**fields: Any) -> dict[str, Any]:
    """The definition of a Gadget whose spec has these fields."""
    spec = {"type": "object", "properties": fields}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "gadgets.test.example"},
        "spec": {
            "group": "test.example",
            "scope": "Namespaced",
            "names": {"kind": "Gadget", "plural": "gadgets"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


GADGET = {"apiVersion": "test.example/v1", "kind": "Gadget", "metadata": {"name": "x"}, "spec": {"size": 1}}
DEFINED = definition(size={"type": "integer"})
OTHER = definition(width={"type": "integer"})
UNKNOWN = "no schema"
NOTE = "customresourcedefinition.apiextensions.k8s.io/gadgets.test.example defines its kind: "


def lint(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Exit code, findings and other messages."""
    code = kubemerge("lint", *words)
    said = capsys.readouterr()
    return code, said.out, said.err


PATCH = ("patch", "--local", "-p", "{}", "--type", "merge")


@pytest.mark.parametrize("words", [("merge",), ("diff",), ("why",), PATCH])
def test_a_command_that_reads_a_config_takes_its_definitions(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for documents, known in (((GADGET,), False), ((GADGET, DEFINED), True), ((DEFINED, GADGET), True)):
        kubemerge(*words, "-f", write(tmp_path, "c.yaml", *documents), "-v")
        said = capsys.readouterr().err
        assert (NOTE in said, UNKNOWN in said) == (known, not known)


def test_overlay_and_last_applied_take_them_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(tmp_path, "c.yaml", GADGET, DEFINED)
    live = write(tmp_path, "live.yaml", applied(GADGET), applied(DEFINED))
    assert kubemerge("overlay", "-f", config, "-p", json.dumps(GADGET), "-v") == 0
    assert NOTE in capsys.readouterr().err
    assert kubemerge("last-applied", "check", "-f", config, "--live", live, "-v") == 0
    assert NOTE in capsys.readouterr().err


def test_lint_judges_by_the_definition_wherever_it_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = write(tmp_path, "a.yaml", GADGET)
    assert lint(capsys, one)[1] == ""
    write(tmp_path, "z.yaml", OTHER)
    code, found, said = lint(capsys, tmp_path, "-v")
    assert code == 1
    assert "KM015 error gadget.test.example/x spec.size" in found
    assert f"{NOTE}{tmp_path / 'z.yaml'}:1\n" in said
    assert NOTE not in lint(capsys, tmp_path)[2]


def test_what_is_given_as_schema_lies_on_top(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, schema = write(tmp_path, "c.yaml", GADGET, OTHER), write(tmp_path, "crd.yaml", DEFINED)
    assert "spec.size" in lint(capsys, config)[1]
    assert lint(capsys, config, "--schema", schema)[1] == ""


@pytest.mark.parametrize("words", [("-",), ("-f", "-"), ()])
def test_what_is_piped_in_is_read_once(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [GADGET, OTHER]})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert "spec.size" in lint(capsys, *words)[1]


@needs_posix
def test_a_named_pipe_is_read_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    receiving, sending = os.pipe()
    os.write(sending, f"{json.dumps(GADGET)}\n{json.dumps(OTHER)}".encode())
    os.close(sending)
    assert "spec.size" in lint(capsys, f"/dev/fd/{receiving}")[1]
    os.close(receiving)


def test_what_cannot_be_read_is_reported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.yaml").write_text("kind: CustomResourceDefinition\na: [\n")
    code, _, said = lint(capsys, tmp_path / "bad.yaml", tmp_path / "gone.yaml", write(tmp_path, "c.yaml", GADGET))
    assert code == 2
    assert [said.count(name) for name in ("bad.yaml", "gone.yaml")] == [1, 1]


def test_a_definition_that_cannot_be_read_describes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = {**DEFINED, "spec": {"group": "test.example"}}
    code, found, said = lint(capsys, write(tmp_path, "c.yaml", GADGET, broken))
    assert "Required value" in found
    assert "defines no kind" not in said  # it would not be repeated from the cache
    assert UNKNOWN in said
    assert code != 2


def test_a_definition_is_read_when_an_object_of_its_kind_turns_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Any] = []

    def one_more(source: Any) -> Tables:
        read.append(source)
        return engine.load()

    monkeypatch.setattr(codegen, "read", one_more)
    monkeypatch.setattr("kubemerge.apiserver.crd.definitions.tables._checked", {})
    lint(capsys, write(tmp_path, "c.yaml", DEFINED, {**GADGET, "kind": "Widget"}, {**GADGET, "apiVersion": "b.c/v1"}))
    assert DEFINED not in read  # as an object it is judged in the form in which it would be stored
    del read[:]
    lint(capsys, write(tmp_path, "c.yaml", DEFINED, GADGET, {**GADGET, "apiVersion": "test.example/v2"}))
    assert [one["metadata"]["name"] for one in read] == [DEFINED["metadata"]["name"]]


def test_the_tables_for_a_kind_that_is_missed_have_those_that_nobody_asked_for(tmp_path: Path) -> None:
    found = schemas(None, (), Files(), [write(tmp_path, "c.yaml", DEFINED)]).tables(("apps/v1", "Gadget"))
    assert ("test.example/v1", "Gadget") in found.kinds()
    assert found.release == engine.load().release


def test_a_suggestion_knows_the_definitions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stray = {**GADGET, "apiVersion": "apps/v1"}
    assert "Did you mean Gadget of test.example/v1?" in "".join(
        map(str, lint(capsys, write(tmp_path, "c.yaml", DEFINED, stray)))
    )
