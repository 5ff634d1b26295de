"""Control characters for a terminal are escaped in every output, and mean the same to programs that read it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import codegen
from codegen.documents.reader import read
from kubemerge.apiserver.text.text import ACTIVE

from ...objects import config_map

if TYPE_CHECKING:
    from ...shell import Shell

SIGNS = "\x1b[31m\x9b2J\u202edne\u2066\u200b\ufeff\x85\u2028\x07\x7f"
HOSTILE = config_map("a", {"key": f"value {SIGNS}", "lines": f"one\ntwo {SIGNS}\n", "mild": "\u00e9\u4e2d"})
HOSTILE["metadata"]["annotations"] = {"note": SIGNS, f"x{SIGNS}": "1"}
HOSTILE["data"][f"key{SIGNS}"] = "1"
LIVE = {**HOSTILE, "data": {**HOSTILE["data"], "key": f"other {SIGNS}", "gone": SIGNS}}
FOUND = re.compile(f"[{ACTIVE}\x1b]")

COMMANDS = (
    "diff -f config.json --live live.json",
    "diff -f config.json --live live.json -o json",
    "diff -f config.json --live live.json --html -",
    "why -f config.json --live live.json",
    "why -f config.json --live live.json -o json",
    "merge -f config.json --live live.json",
    "merge -f config.json --live live.json -o json",
    "merge -f config.json --live live.json -o patch",
    "merge -f config.json --live live.json --html -",
    "lint -f config.json --live live.json",
    "lint -f config.json --live live.json -o json",
    "lint -f config.json --live live.json -o sarif",
    "lint -f config.json --live live.json -o junit",
    "lint -f config.json --live live.json -o github",
    "lint -f config.json --live live.json -o gitlab",
    "compare 1.30..1.31 -f config.json --live live.json",
    "compare 1.30..1.31 -f config.json --live live.json -o json",
    "compare 1.30..1.31 -f config.json --live live.json -o markdown",
    "last-applied check -f config.json --live live.json",
    "last-applied check -f config.json --live live.json -o json",
    "annotate --local -f config.json x=y -o yaml",
    "annotate --local -f config.json --list",
)


@pytest.mark.parametrize("line", COMMANDS)
def test_no_output_holds_what_a_terminal_would_obey(shell: Shell, line: str) -> None:
    shell.write("config.json", HOSTILE)
    shell.write("live.json", LIVE)
    shell.run(*line.split())
    assert shell.out
    assert FOUND.findall(shell.out + shell.err) == []


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_programs_read_the_same_as_before(shell: Shell, form: str) -> None:
    shell.write("config.json", HOSTILE)
    ((_, found),) = read(shell.done("merge", "-q", "-f", "config.json", "-o", form).encode())
    assert found["data"] == HOSTILE["data"]
    assert "\u00e9\u4e2d" in shell.out, "letters of any language stay"


def test_a_jsonpath_is_printed_as_it_is(shell: Shell) -> None:
    """It is meant for programs, so its output is not escaped. kubectl does the same."""
    shell.create(config_map("a", {"key": "\u202ex"}))
    assert shell.done("get", "cm", "-o", "jsonpath={.items[*].data.key}") == "\u202ex"


def crd(kind: str, field: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {field: {"type": "string"}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    spec = {"group": "x.io", "scope": "Namespaced", "names": {"plural": "tabs", "kind": kind}, "versions": [version]}
    head = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    return {**head, "metadata": {"name": "tabs.x.io"}, "spec": spec}


@pytest.mark.parametrize("words", [("kinds",), ("explain", "tab"), ("explain", "tab", "-o", "json")], ids=" ".join)
def test_names_of_a_specification(shell: Shell, words: tuple[str, ...]) -> None:
    definition = crd("Tab", "field\u202e\x9b")
    assert codegen.read(definition)
    shell.run(*words, "--schema", shell.write("crd.json", definition))
    assert shell.out
    assert FOUND.findall(shell.out + shell.err) == []
