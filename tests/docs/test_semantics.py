"""The worked examples of docs/semantics.md come out as they are shown."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

import engine
from codegen.documents.yaml_text import documents

from .pages import text_of

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
    found = []
    for block in BLOCK.finditer(text_of("docs/semantics.md")):
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
