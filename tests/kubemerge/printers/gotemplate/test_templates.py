"""Templates print and fail as with kubectl 1.37, recorded in `templates.jsonl` with this object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kubemerge.printers.gotemplate.evaluating import template
from kubemerge.printers.gotemplate.lexing import BadTemplate

OBJECT: dict[str, Any] = {
    "a": 1,
    "l": [1, 2, {"x": "y"}],
    "m": {"b": "2", "a": "1"},
    "s": "hi",
    "z": 0,
    "e": [],
    "n": None,
    "t": True,
    "f": 1.5,
    "b": "aGk=",
}
ROWS = [json.loads(line) for line in (Path(__file__).parent / "templates.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["template"][:40])
def test_as_kubectl(row: dict[str, str]) -> None:
    if "prints" in row:
        assert template(row["template"])(OBJECT) == row["prints"]
        return
    with pytest.raises(BadTemplate) as caught:
        template(row["template"])(OBJECT)
    assert str(caught.value) == row["fails"]


def test_a_missing_key_may_be_an_error() -> None:
    said = (
        'error executing template "{{.foo.bar}}": template: output:1:6: executing "output" at <.foo.bar>: '
        'map has no entry for key "foo"'
    )
    with pytest.raises(BadTemplate) as caught:
        template("{{.foo.bar}}", missing_is_empty=False)(OBJECT)
    assert str(caught.value) == said


@pytest.mark.parametrize("word", ["define", "block", "template"])
def test_what_is_left_out_is_said(word: str) -> None:
    with pytest.raises(BadTemplate, match=f"{word} is not supported here"):
        template(f'{{{{{word} "x"}}}}{{{{end}}}}')
