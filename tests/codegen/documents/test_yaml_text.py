"""YAML as kubectl reads it: `tests/data/kubectl_yaml.json` has the reference's result for each text."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as some

from codegen.documents import yaml_scalars, yaml_text
from codegen.documents.yaml_scalars import YamlError

from ...conftest import ROOT

DATA = json.loads((ROOT / "tests" / "data" / "kubectl_yaml.json").read_text(encoding="utf-8"))
LOADERS = [*filter(None, (getattr(yaml, "CSafeLoader", None), yaml_text.PythonLoader))]


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__, autouse=True)
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs with libyaml and with the Python parser, which is used where libyaml is missing."""
    monkeypatch.setattr(yaml_text, "Loader", request.param)


def one(text: str) -> Any:
    (document,) = yaml_text.documents(text)
    return document


def typed(value: Any) -> str:
    """A value as text that distinguishes 1, 1.0 and true."""
    return json.dumps(value)


MEASURED: list[tuple[str, Any]] = [
    # scalars on which PyYAML and kubectl differ, and some with surprising values in both
    ("y", True),
    ("Y", True),
    ("n", False),
    ("No", False),
    ("on", True),
    ("off", False),
    ("0o14", 12),
    ("089", 89),
    ("012", 10),
    ("0777", 511),
    ("0b11", 3),
    ("0x1F", 31),
    ("1_000", 1000),
    ("1e3", 1000),
    ("1.0", 1),
    ("1.", 1),
    ("1.10", 1.1),
    ("2001-01-01", "2001-01-01"),
    ("2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"),
    ("12:30:45", "12:30:45"),
    ("1:30", "1:30"),
    ("9007199254740993", 9007199254740993),
    ("18446744073709551616", 18446744073709551616.0),
    ("1e400", "1e400"),
    ("!!binary aGk=", "hi"),
]


@pytest.mark.parametrize(("text", "value"), MEASURED, ids=[row[0] for row in MEASURED])
def test_a_scalar(text: str, value: Any) -> None:
    assert typed(one(f"spec: {text}\n")) == typed({"spec": value})


@pytest.mark.parametrize("case", DATA["same"], ids=[row["yaml"][:40] for row in DATA["same"]])
def test_value_equals_the_reference(case: dict[str, Any]) -> None:
    if case.get("error"):
        with pytest.raises(YamlError):
            one(case["yaml"] + "\n")
    else:
        assert typed(one(case["yaml"] + "\n")) == typed(case["json"])


@pytest.mark.parametrize("case", DATA["differs"], ids=[row["yaml"][:40] for row in DATA["differs"]])
def test_known_differences_from_the_reference(case: dict[str, Any]) -> None:
    """Each difference has its reason. A difference that disappears belongs among the others."""
    assert case["why"]
    assert typed(case["ours"]) != typed(case["kubectl"])
    if case["ours"] is None:
        with pytest.raises(YamlError):
            one(case["yaml"] + "\n")
    else:
        assert typed(one(case["yaml"] + "\n")) == typed(case["ours"])


def test_a_stream_of_documents() -> None:
    text = "# first\na: 1\n---\n---\nb: 2\n...\n---\n- c\n"
    assert list(yaml_text.documents(text)) == [{"a": 1}, None, {"b": 2}, ["c"]]
    assert list(yaml_text.documents("")) == []


def test_anchor_is_limited_to_its_document() -> None:
    with pytest.raises(YamlError, match="line 3"):
        list(yaml_text.documents("a: &x 1\n---\nb: *x\n"))


def test_anchor_can_be_redefined() -> None:
    assert one("a: &x 1\nb: &x 2\nc: *x\n") == {"a": 1, "b": 2, "c": 2}


@pytest.mark.parametrize(
    ("text", "line", "column"), [("a: 1\nb: .inf\n", 2, 4), ("a: 1\na: 2\n", 2, 1), ("a:\n  - *x\n", 2, 5)]
)
def test_error_has_its_position(text: str, line: int, column: int) -> None:
    with pytest.raises(YamlError) as caught:
        one(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("a:\n\tb: 1\n", (2, 1), "a tab is used for indentation"),
        ("a: @b\n", (1, 4), "unquoted text cannot start with '@' in YAML"),
        ("a: b: c\n", (1, 5), "a colon is not allowed here"),
        ("a: 1\n b: 2\n", (2, 3), "a colon is not allowed here"),
        ("a:\n  b: 1\n c: 2\n", (3, 2), "the indentation is inconsistent, or quotes or brackets are missing"),
        ("- a\nb: 1\n", (2, 1), "the indentation is inconsistent, or quotes or brackets are missing"),
        ('a: "b\nc: d\n', (1, 4), "a quote is not closed"),
        ("a: [1\nb: 2\n", (2, 2), "a bracket is not closed, or a comma is missing"),
        ("a: ]\n", (1, 4), "a value is missing"),
        ("a: ä\x01\n", (1, 5), "U+0001 is a control character, which YAML does not allow"),
    ],
)
def test_both_parsers_have_the_same_messages(text: str, place: tuple[int, int], problem: str) -> None:
    with pytest.raises(YamlError) as caught:
        one(text)
    assert ((caught.value.line, caught.value.column), caught.value.problem) == (place, problem)
    assert caught.value.advice


def test_200_levels_are_read_and_one_more_is_not() -> None:
    assert one("[" * 200 + "]" * 200)
    for levels in (201, 1000):
        with pytest.raises(YamlError, match="nested deeper than 200 levels") as caught:
            one("[" * levels + "]" * levels)
        assert (caught.value.line, caught.value.column) == (1, 201)


JSON = some.recursive(
    some.none()
    | some.booleans()
    | some.integers(-(2**63), 2**63 - 1)
    | some.text(some.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"])),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text("abc.-/", min_size=1), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_json_is_yaml(value: Any) -> None:
    assert typed(one(json.dumps(value))) == typed(value)


@given(some.text(alphabet=".0123456789eE+-_xXobOB:aAfFnNyYtT~", min_size=1, max_size=30))
def test_every_plain_scalar_has_a_json_value_or_is_rejected(text: str) -> None:
    try:
        value = yaml_scalars.resolve(text)
    except YamlError:
        return
    assert isinstance(value, (str, int, float, bool, type(None)))
    json.dumps(value, allow_nan=False)


@given(some.text(max_size=40))
def test_any_text_is_read_or_rejected(text: str) -> None:
    with contextlib.suppress(YamlError):
        json.dumps(list(yaml_text.documents(text)), allow_nan=False)
