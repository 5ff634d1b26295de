"""What the documentation shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import engine
from codegen.yaml_text import documents

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURE = re.compile(r"^```text\n\$ kubemerge (?P<words>[^\n]*)\n(?P<shown>.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```yaml\n(?P<head>(?:# (?:release|type): [^\n]*\n)+)(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """One worked example of docs/semantics.md."""

    release: str | None
    type: str
    last_applied: dict[str, Any]
    config: dict[str, Any]
    live: dict[str, Any]
    result: dict[str, Any]


def examples() -> list[Example]:
    text = (ROOT / "docs" / "semantics.md").read_text(encoding="utf-8")
    found = []
    for block in BLOCK.finditer(text):
        head = dict(re.findall(r"^# (\w+): (.*)$", block["head"], re.MULTILINE))
        labels = re.findall(r"^# (last-applied|config|live|result)$", block["body"], re.MULTILINE)
        assert labels == ["last-applied", "config", "live", "result"], block["body"]
        found.append(Example(head.get("release"), head["type"], *documents(block["body"])))
    return found


def test_the_page_has_an_example_of_every_row() -> None:
    assert len(examples()) >= 12


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.type.rpartition(".")[2])
def test_example_of_the_semantics_page_comes_out_as_shown(example: Example) -> None:
    schema = engine.load(example.release).definition(example.type)
    patch = engine.three_way_patch(example.last_applied, example.config, example.live, schema)
    assert engine.apply_patch(example.live, patch, schema) == example.result


@pytest.mark.parametrize("picture", list(PICTURE.finditer(README)), ids=lambda picture: picture["words"])
def test_picture_in_the_readme_is_what_the_command_prints(picture: re.Match[str]) -> None:
    """Lines from `...` on are left out of the picture."""
    command = [sys.executable, "-m", "kubemerge", *picture["words"].split()]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    shown = picture["shown"].partition("  ...\n")[0].rstrip()
    assert shown
    assert printed.startswith(shown)


def test_the_two_commands_of_the_readme_set_up_everything_themselves() -> None:
    for name in ("main", "tests"):
        block = README.split(f"<!-- {name} -->\n```sh\n")[1].split("```")[0]
        assert block.startswith("python3 -m venv .venv\n")
        assert all(line.startswith(("python3 ", ".venv/bin/")) for line in block.splitlines())
