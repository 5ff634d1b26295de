"""JSONPaths and custom columns: the output of kubectl 1.37 for three objects."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from kubemerge.apiserver.printers.jsonpath import path, problem, template
from kubemerge.apiserver.printers.jsonpath_steps import BadPath
from kubemerge.printers.custom_columns import columns, lines

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


SLICES: dict[str, str] = json.loads((DATA / "slices.json").read_text(encoding="utf-8"))
"""What kubectl prints for slices of a list with a, b and c."""


@pytest.mark.parametrize("part", SLICES)
def test_a_slice_as_kubectl_reads_it(part: str) -> None:
    try:
        found = template(f"{{.items{part}}}")({"items": ["a", "b", "c"]})
    except BadPath as error:
        found = f"error: {error}"
    assert found == SLICES[part]


SENTENCES = {
    "{.kind": "unclosed action",
    "{.items[5]}": "array index out of bounds: index 5, length 3",
    "{.items[x]}": "invalid array index x",
    "{.items[2:1]}": "starting index 2 is greater than ending index 1",
    "{.items[*": "unterminated array at '[*'",
    "{.kind[0]}": "a string is not array or slice",
    "{.kind[0:1]}": "a string is not array or slice",
    "{.items[0:2:0]}": "step must be > 0",
    "{kind}": "unrecognized identifier kind",
    "{1.2.3}": "cannot parse number 1.2.3",
    "{end}": "not in range, nothing to end",
    '{.items[?(@.kind=~"T")]}': "the filter '@.kind=~\"T\"' does not compare with one of ==, !=, <=, >=, <, >",
    "{.items[?(@.metadata==1)]}": "invalid type for comparison",
    "{.items[?(end)]}": "unexpected path string 'end'",
    "{.items[9223372036854775808]}": "array index 9223372036854775808 is not a number",
    f"{{.items[1:{'9' * 5000}]}}": f"array index {'9' * 5000} is not a number",
    f"{{{'9' * 5000}}}": f"cannot parse number {'9' * 5000}",
    r'{"\uD83D\uDE00"}': r'unquote string "\uD83D\uDE00" error invalid syntax: a half of a character stands alone',
    "{range .items}" * 2000 + "{end}" * 2000: "more than 100 ranges inside each other; use fewer",
}


@pytest.mark.parametrize("text", SENTENCES, ids=lambda text: text[:40])
def test_what_cannot_be_read_or_found_is_reported(text: str) -> None:
    with pytest.raises(BadPath) as error:
        template(text)(OBJECTS)
    assert str(error.value).removeprefix(f"error parsing jsonpath {text}, ") == SENTENCES[text]


WORDS_OF_A_SERVER = {
    "{*}": "unrecognized character in action: U+002A '*'",
    "{.a[}": "unterminated array",
    "{.a": "unclosed action",
    "{.a[x at y]}": "invalid array index x at y",
    "{spec.a}": "",
}


@pytest.mark.parametrize("text", WORDS_OF_A_SERVER)
def test_the_problem_of_a_template_is_in_the_words_of_a_server(text: str) -> None:
    assert problem(text) == WORDS_OF_A_SERVER[text]


LEFT_OUT = ("metadata.name", ".metadata.name", "{.metadata.name}", "{metadata.name}")


@pytest.mark.parametrize("text", LEFT_OUT)
def test_braces_and_the_first_dot_may_be_left_out_of_one_path(text: str) -> None:
    assert path(text)(OBJECTS["items"][0]) == ["one"]


def test_all_of_a_map_is_in_the_order_of_its_keys() -> None:
    assert template("{.*}")({"b": 1, "a": 2, "c": [3]}) == "2 1 [3]"


def test_numbers_as_kubectl_reads_them() -> None:
    assert template("{9223372036854775807} {-5} {1.50} {+3}")({}) == "9223372036854775807 -5 1.5 3"


# ---- paths that would never end -------------------------------------------------------------------------------------


def nested(depth: int) -> Any:
    value: Any = {"a": 1}
    for _ in range(depth):
        value = {"a": value, "b": []}
    return value


def lists(depth: int) -> Any:
    value: Any = [1, 2]
    for _ in range(depth):
        value = [value]
    return {"b": value}


ENDLESS = {
    "below": "{" + ".." * 8 + "a}",
    "below, many times": "{" + ".." * 100 + "a}",
    "everything": "{" + ".*" * 8 + "..*" * 8 + "}",
    "unions": "{.a" + "['a','a']" * 50 + "}",
    "slices": "{.b" + "[:,:]" * 40 + "}",
    "filters": "{..[?(@" + ".." * 20 + "a==1)]}",
    "ranges": "{range ..*}" * 30 + "{.a}" + "{end}" * 30,
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_a_path_that_finds_the_same_again_and_again_is_refused(text: str) -> None:
    value = lists(60) if ":" in text else [[nested(60)]] if "?" in text else nested(60)
    started = time.process_time()
    uses: list[Any] = [template] if "range" in text else [template, path]
    for use in uses:
        with pytest.raises(BadPath, match="the path finds too many values; use fewer"):
            use(text)(value)
    assert time.process_time() - started < 3, "it takes a moment"


def test_a_large_object_may_be_visited_several_times() -> None:
    value = {"items": [{"a": {"b": number}} for number in range(10_000)]}
    assert len(path("{..b}")(value)) == 10_000
    assert len(path("{..a..b}")(value)) == 10_000
    assert template("{range .items[*]}{.a.b}{..b}{end}")(value).startswith("0011")


@pytest.mark.parametrize(
    ("escape", "letter"), [("d7ff", "\ud7ff"), ("e000", "\ue000"), ("00e4", "ä"), ("d800", None), ("DFFF", None)]
)
def test_half_a_letter_is_none(escape: str, letter: str | None) -> None:
    given = f"{{'\\u{escape}'}}"
    if letter is not None:
        assert template(given)({}) == letter
        return
    with pytest.raises(BadPath, match="invalid syntax"):
        template(given)


@pytest.mark.parametrize("value", [{"b": 1}, "text", 5])
def test_only_lists_have_elements_at_places(value: Any) -> None:
    with pytest.raises(BadPath, match="is not array or slice"):
        template("{.a[0]}")({"a": value})
