"""Reports show foreign text as plain text."""

from __future__ import annotations

import pytest

from kubemerge.compare.chain import compare
from kubemerge.compare.reports.markdown import code, comparison_markdown, plain
from kubemerge.compare.reports.text import comparison_text, cut, named, value

from .sides import thing

CODE = {
    "spec.strategy": "`spec.strategy`",
    "a`b": "`` a`b ``",
    "a``b`c": "``` a``b`c ```",
    "a|b": "`a\\|b`",
    "a\nb": "`a b`",
}


@pytest.mark.parametrize("text", CODE)
def test_code_in_a_cell(text: str) -> None:
    assert code(text) == CODE[text]


def test_plain_text() -> None:
    assert plain("a_b|*c*\n<d>") == "a\\_b\\|\\*c\\* \\<d\\>"


def test_values_fit_a_line() -> None:
    assert value(None) == "nothing"
    assert value(False) == "false"
    assert cut("x" * 78) == f'"{"x" * 78}"'
    assert cut(["x" * 100]) == f'["{"x" * 74} ...'


def test_sides_by_name() -> None:
    assert named(["1.8", "1.9", "1.12"]) == "1.8 to 1.9 and 1.12"
    assert named(["1.8", "spec.json"]) == "1.8, spec.json"


def test_a_specification_cannot_write_to_the_terminal_or_into_the_page() -> None:
    """Names of fields, keys and sources are chosen by others."""
    left = {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}}
    right = {**left, "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "x\x1b[31m|<b>"}
    found = compare([thing("left\x1b[31m", left), thing("right|", right)])
    text, page = comparison_text(found), comparison_markdown(found)
    assert "\x1b" not in text + page
    assert "\\x1b[31m" in text
    assert "<b>" not in page.replace("\\<b\\>", "")
    assert all(line.count("|") - line.count("\\|") == 5 for line in page.splitlines() if line.startswith("| breaking"))
