"""The reader of manifests and specifications: common behaviour, differences, and error messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codegen.documents import json_text
from codegen.documents.problems import BadDocument
from codegen.documents.reader import read

from ...conftest import ROOT

KUBECTL = json.loads((ROOT / "tests" / "data" / "kubectl_yaml.json").read_text(encoding="utf-8"))

ALIKE = {
    "JSON": (b'{"a": 1}', [(1, {"a": 1})]),
    "YAML": (b"\na: 1\n---\n- b\n", [(2, {"a": 1}), (4, ["b"])]),
    "JSON in a stream of YAML": (b'{"a": 1}\n---\n{"b": 2}\n', [(1, {"a": 1}), (3, {"b": 2})]),
    "a byte order mark": (b'\xef\xbb\xbf{"a": 1}', [(1, {"a": 1})]),
    "nothing": (b"", []),
}


@pytest.mark.parametrize("of_json", [json_text.stream, json_text.single])
@pytest.mark.parametrize("case", ALIKE.values(), ids=ALIKE)
def test_both_read_it_alike(case: tuple[bytes, object], of_json: object) -> None:
    data, documents = case
    assert list(read(data, of_json)) == documents  # type: ignore[arg-type]


def test_only_manifests_may_be_a_stream_of_json() -> None:
    assert list(read(b'{"a": 1}\n{"b": 2}')) == [(1, {"a": 1}), (2, {"b": 2})]
    with pytest.raises(BadDocument, match=r"^line 2, column 1: this is not JSON: Extra data$"):
        list(read(b'{"a": 1}\n{"b": 2}', json_text.single))


def test_only_manifests_reject_repeated_keys_and_have_go_numbers() -> None:
    assert list(read(b'{"a": 1, "a": 18446744073709551616}', json_text.single)) == [(1, {"a": 2**64})]
    ((_, found),) = read(b'{"a": 18446744073709551616}')
    assert repr(found) == "{'a': 1.8446744073709552e+19}"
    with pytest.raises(BadDocument, match=r"line 1, column 10: the key 'a' occurs twice"):
        list(read(b'{"a": 1, "a": 2}'))


WRONG = {
    "a page": (b"\n<html>", (1, None), "this is an HTML or XML page", "JSON or YAML"),
    "UTF-16": ("a: b".encode("utf-16"), (1, 1), "the encoding is UTF-16 or UTF-32", "text in UTF-8"),
    "other bytes": (b"a: b\nc: \xff", (2, 4), "this is not UTF-8 text", "text in UTF-8"),
    "a NUL": (b"a: b\nc: \0", (2, 4), "the file contains a NUL character, so it is not text", "text"),
    "JSON": (b'{"a":\n,,}', (2, 1), "this is not JSON: Expecting value", "JSON"),
    "YAML": (b"a: b\nc: @d", (2, 4), "unquoted text cannot start with '@' in YAML", "JSON or YAML"),
    "deep JSON": (
        b'{"":' * 201 + b"0" + b"}" * 201,
        (1, None),
        "nested deeper than 200 levels",
        "at most 200 nested levels",
    ),
}


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ('{"a": 1,}', [{"a": 1}]),
        ('{"a": NaN}', [{"a": "NaN"}]),
        ('{"a": 1, b: 012}', [{"a": 1, "b": 10}]),
        ('{"a": 1}\n{"b": 2}', [{"a": 1}, {"b": 2}]),
        ('{"a": 1}\n{b: 2}', [{"a": 1}, {"b": 2}]),
        ("[1_0, 012]", [[10, 10]]),
    ],
)
def test_non_json_is_read_as_yaml(text: str, documents: list[object]) -> None:
    assert [document for _, document in read(text.encode())] == documents


def test_after_two_documents_of_json_there_is_only_json() -> None:
    found = read(b'{"a": 1}\n{"a": 2}\n{b: 3}')
    assert [next(found), next(found)] == [(1, {"a": 1}), (2, {"a": 2})]
    with pytest.raises(BadDocument):
        next(found)


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_error_has_its_position_and_the_expected_content(
    case: tuple[bytes, tuple[int, int | None], str, str],
) -> None:
    data, place, problem, wanted = case
    with pytest.raises(BadDocument) as caught:
        list(read(data))
    error = caught.value
    assert ((error.line, error.column), error.problem, error.wanted) == (place, problem, wanted)


def found_in(text: str) -> list[object] | None:
    """The documents of a file that are not empty; None if it is rejected."""
    try:
        return [document for _, document in read(text.encode()) if document is not None]
    except BadDocument:
        return None


@pytest.mark.parametrize("case", KUBECTL["files"], ids=lambda case: case["text"])
def test_a_file_is_read_as_kubectl_reads_it(case: dict[str, Any]) -> None:
    assert json.dumps(found_in(case["text"])) == json.dumps(case["documents"])


@pytest.mark.parametrize("case", KUBECTL["files_differ"], ids=lambda case: case["text"])
def test_known_differences_of_files(case: dict[str, Any]) -> None:
    """Each difference has its reason. A difference that disappears belongs among the others."""
    assert case["why"]
    assert json.dumps(case["ours"]) != json.dumps(case["kubectl"])
    assert json.dumps(found_in(case["text"])) == json.dumps(case["ours"])


def test_content_after_the_dashes_is_rejected_with_its_position() -> None:
    with pytest.raises(BadDocument, match="line 2, column 5: there is text after the dashes") as caught:
        list(read(b"a: 1\n--- b: 2\n"))
    assert "start the document on the next line" in caught.value.advice
