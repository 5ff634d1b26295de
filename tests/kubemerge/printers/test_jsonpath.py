"""JSONPaths and custom columns: what kubectl 1.37 printed of three objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kubemerge.printers.custom_columns import columns, lines
from kubemerge.printers.jsonpath import path, template
from kubemerge.printers.jsonpath_steps import BadPath

DATA = Path(__file__).parent / "data"


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


OBJECTS, *PATHS = read("jsonpaths.jsonl")
TABLES = read("custom_columns.jsonl")


def printed(text: str) -> dict[str, Any]:
    try:
        return {"path": text, "prints": template(text)(OBJECTS)}
    except BadPath:
        return {"path": text, "fails": True}


def laid_out(spec: str) -> dict[str, Any]:
    try:
        return {"columns": spec, "prints": "".join(f"{line}\n" for line in lines(columns(spec), OBJECTS["items"]))}
    except BadPath:
        return {"columns": spec, "fails": True}


@pytest.mark.parametrize("case", PATHS, ids=lambda case: case["path"])
def test_a_path_as_kubectl_reads_it(case: dict[str, Any]) -> None:
    assert printed(case["path"]) == case


@pytest.mark.parametrize("case", TABLES, ids=lambda case: case["columns"])
def test_a_table_of_paths(case: dict[str, Any]) -> None:
    assert laid_out(case["columns"]) == case


SENTENCES = {
    "{.kind": "unclosed action in '{.kind': write } behind it",
    "{.items[5]}": "array index out of bounds: index 5, length 3",
    "{.items[x]}": "invalid array index x",
    "{.items[2:1]}": "starting index 2 is greater than ending index 1",
    "{.items[*": "unterminated array at '[*'",
    "{.kind[0]}": "a string is not array or slice",
    "{kind}": "unrecognized identifier kind",
    "{1.2.3}": "cannot parse number 1.2.3",
    "{end}": "not in range, nothing to end",
    '{.items[?(@.kind=~"T")]}': "the filter '@.kind=~\"T\"' does not compare with one of ==, !=, <=, >=, <, >",
    "{.items[?(@.metadata==1)]}": "invalid type for comparison",
    "{.items[?(end)]}": "unexpected path string 'end'",
}


@pytest.mark.parametrize("text", SENTENCES)
def test_what_cannot_be_read_or_found_is_reported(text: str) -> None:
    with pytest.raises(BadPath) as error:
        template(text)(OBJECTS)
    assert str(error.value) == SENTENCES[text]


LEFT_OUT = ("metadata.name", ".metadata.name", "{.metadata.name}", "{metadata.name}")


@pytest.mark.parametrize("text", LEFT_OUT)
def test_braces_and_the_first_dot_may_be_left_out_of_one_path(text: str) -> None:
    assert path(text)(OBJECTS["items"][0]) == ["one"]


def test_all_of_a_map_is_in_the_order_of_its_keys() -> None:
    assert template("{.*}")({"b": 1, "a": 2, "c": [3]}) == "2 1 [3]"
