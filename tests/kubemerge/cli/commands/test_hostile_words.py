"""Unexpected words of a command line, and unexpected documents: each gets one sentence, and never a trace."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ....conftest import needs_posix
from ...objects import config_map
from ...processes import started

if TYPE_CHECKING:
    from ...shell import Shell

LONG = "9" * 5000


@pytest.fixture
def full(shell: Shell) -> Shell:
    """A shell in whose cluster there are the ConfigMaps a and b."""
    shell.create(config_map("a"), config_map("b"))
    shell.write("a.yaml", config_map("a"))
    return shell


NUMBERS = {
    ("get", "cm", "-o", f"jsonpath={{.items[{LONG}]}}"): "is not a number",
    ("get", "cm", "-o", f"custom-columns=A:.a[{LONG}]"): "is not a number",
    ("get", "cm", "--sort-by", f".a[{LONG}]"): "is not a number",
    ("get", "cm", "-o", "jsonpath=" + "{range .items}" * 2000 + "{end}" * 2000): "ranges inside each other",
    ("label", "cm/a", "x=y", "--resource-version", LONG): "value out of range",
    ("annotate", "cm/a", "x=y", "--resource-version", "\u00b2"): "configmap/a; a resourceVersion is a number",
    ("delete", "cm/a", "--timeout", "9" * 25): "exceeds the maximum of 100000h",
    ("delete", "cm/a", "--timeout", "9" * 25 + "h"): "exceeds the maximum of 100000h",
    ("apply", "-f", "a.yaml", "--timeout", LONG): "exceeds the maximum of 100000h",
    ("why", "-f", "a.yaml", f"data[{LONG}]"): "exceeds the length of any list",
    ("explain", "deployment", "--api-version", f"apps/v{LONG}"): "Deployment",
}


@pytest.mark.parametrize(("words", "said"), NUMBERS.items(), ids=lambda one: " ".join(one)[:50])
def test_a_number_that_is_too_long(full: Shell, words: tuple[str, ...], said: str) -> None:
    assert said in full.fails(*words)


@pytest.mark.parametrize("version", [LONG, "\u00b2", "1e5"])
@pytest.mark.parametrize("command", ["replace", "apply", "diff"])
def test_a_resource_version_that_is_not_one(full: Shell, command: str, version: str) -> None:
    one = config_map("a")
    one["metadata"]["resourceVersion"] = version
    assert full.run(command, "-q", "-f", full.write("new.yaml", one)) == (2 if command == "diff" else 1)
    assert "strconv.ParseUint" in full.err


def test_a_timeout_of_years_is_taken(full: Shell) -> None:
    full.done("delete", "cm/a", "--timeout", "99999h")


@pytest.mark.parametrize("quantity", ["1" + "0" * 5000, "1e" + LONG, "1e2147483647", "9" * 5000 + "Ki", "\u00b2"])
def test_a_rolling_update_of_more_pods_than_there_are_atoms(shell: Shell, quantity: str) -> None:
    spec: dict[str, Any] = {
        "selector": {"matchLabels": {"a": "b"}},
        "strategy": {"rollingUpdate": {"maxSurge": f"{quantity}%", "maxUnavailable": quantity}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "m", "image": "x"}]}},
    }
    one = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec}
    shell.run("apply", "-f", shell.write("d.yaml", one))
    shell.run("get", "deployments")
    shell.run("lint", "-f", "d.yaml")


# ---- what is not text -----------------------------------------------------------------------------------------------

NOT_TEXT = "\udcff"
"""Python's representation of the byte 255 in a word that is not UTF-8."""
WORDS = (
    ("get", "cm", NOT_TEXT),
    ("get", "cm", "-n", NOT_TEXT),
    ("get", "cm", "-o", f"jsonpath={NOT_TEXT}"),
    ("get", "cm", "-o", f"custom-columns={NOT_TEXT}:.a"),
    ("delete", f"cm/{NOT_TEXT}"),
    ("annotate", "cm/a", f"{NOT_TEXT}=1"),
    ("annotate", "--local", "-f", "a.yaml", f"x={NOT_TEXT}", "-o", "yaml"),
    ("apply", "-f", "a.yaml", "-n", NOT_TEXT),
    ("diff", "-f", "a.yaml", "-n", NOT_TEXT),
)


@pytest.mark.parametrize("words", WORDS, ids=lambda words: ascii(" ".join(words)))
def test_a_word_that_is_not_text(full: Shell, words: tuple[str, ...]) -> None:
    process = started(full.folder, *words)
    out, err = process.communicate(timeout=60)
    assert process.returncode == (2 if words[0] == "diff" else 1)
    assert out == ""
    assert err.startswith("kubemerge: " if words[0] == "diff" else "error: ")
    assert "is not text" in err
    assert err.count("\n") == 1


@needs_posix
def test_a_file_may_have_a_name_that_is_not_text(full: Shell) -> None:
    name = f"{NOT_TEXT}.yaml"
    full.write(name, config_map("c"))
    full.done("apply", "-f", name)


HALF = json.loads('"\\ud800"')


@pytest.mark.parametrize("form", ["yaml", "json", "patch"])
def test_half_a_character_in_a_document_is_a_replacement_character_as_in_go(shell: Shell, form: str) -> None:
    (shell.folder / "half.json").write_text(json.dumps(config_map("a", {HALF: HALF})), encoding="ascii")
    assert "\ufffd" in shell.done("merge", "-q", "-f", "half.json", "-o", form)
