"""Plain English in pages, docstrings and messages: the number of odd phrases has a limit in each area."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT, read_yaml

from .english import (
    AREAS,
    COMMENTS,
    DOCSTRINGS,
    MESSAGES,
    PAGES,
    check,
    comments_of,
    docstrings_of,
    files_of,
    messages_of,
    problems_of,
    texts_of,
)

if TYPE_CHECKING:
    from pathlib import Path

LIMITS = {"pages": 0.5, "reference": 1.0, "docstrings": 1.0, "messages": 1.0, "comments": 2.0}
"""Odd phrases per 1,000 words. Lower a limit when its area gets better."""

NOT_YET: set[str] = set()
"""Pages with more than one odd phrase in 1,000 words."""

CASES = read_yaml(ROOT / "tests" / "docs" / "data" / "english.yaml")


def rules_in(text: str, area: str = PAGES) -> set[str]:
    return {rule for _, rule, _ in problems_of(text, area)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["before"][:40])
def test_odd_phrases_are_found_and_plain_ones_pass(case: dict[str, str]) -> None:
    assert rules_in(case["before"]), case["before"]
    assert "after" not in case or not rules_in(case["after"]), case["after"]


@pytest.mark.parametrize(
    "area",
    [pytest.param(area, marks=pytest.mark.slow if area in (DOCSTRINGS, MESSAGES, COMMENTS) else ()) for area in AREAS],
)
def test_an_area_has_few_odd_phrases(area: str) -> None:
    found = check(area, files_of(area))
    assert found.words > 1000
    listed = "\n".join(map(str, found.problems))
    assert found.rate <= LIMITS[area], f"{listed}\n{found.rate:.2f} per 1,000 words; fix some of these"


@pytest.mark.parametrize(
    "page", [page for page in files_of(PAGES) if page.name not in NOT_YET], ids=lambda page: page.name
)
def test_a_page_has_at_most_one_odd_phrase_in_a_thousand_words(page: Path) -> None:
    found = check(PAGES, [page])
    assert len(found.problems) <= max(1, found.words / 1000), "\n".join(map(str, found.problems))


def test_code_and_quoted_words_are_left_alone() -> None:
    page = '# Title\n\n```\nthe file says\n```\n\nIt prints "the server refused" and `who is told`.\n\n    it tells\n'
    assert [rules_in(text) for _, text in texts_of(page)] == [set(), set()]


def test_a_finding_has_its_line() -> None:
    texts = list(texts_of("# A\n\nFine.\n\n- a list\n- of things\n  that tell\n\n| a | the way out |\n"))
    assert [(line, text) for line, text in texts if rules_in(text)] == [(6, "of things\nthat tell"), (9, "the way out")]


def test_long_sentences_are_found() -> None:
    assert rules_in(" ".join(["word"] * 36)) == {"long-sentence"}
    assert not rules_in(" ".join(["word"] * 35) + ". " + " ".join(["Word"] * 35))


def test_docstrings_and_messages_are_separate() -> None:
    source = '''"""Module."""
@click.command()
@click.option("--x", help="Set the number of replicas.", metavar="N of the many")
def command():
    """Print a thing."""
    raise ValueError(f"there is no {thing} in this file")
LIMIT = 1
"""The limit of the thing."""
'''
    assert [text for _, text in docstrings_of(source)] == ["Module.", "The limit of the thing."]
    assert {text for _, text in messages_of(source)} == {
        "Print a thing.",
        "Set the number of replicas.",
        "there is no Xx in this file",
    }


def test_words_of_kubectl_are_not_checked(tmp_path: Path) -> None:
    refused = "The connection to the server {server} was refused"
    file = tmp_path / "messages.py"
    file.write_text(f'a = f"{refused} - did you specify the right host or port?"\nb = f"{refused} today"\n')
    assert [(one.line, one.rule) for one in check(MESSAGES, [file]).problems] == [(2, "refuse")]


def test_messages_have_no_semicolons() -> None:
    assert rules_in("this is one; this is two", MESSAGES) == {"semicolon"}
    assert not rules_in("this is one; this is two", DOCSTRINGS)


def test_comments_are_read_as_texts() -> None:
    source = "x = 1  # the first\n# a comment\n# of two lines\ny = 2  # noqa: S101\n"
    assert list(comments_of(source)) == [(1, "the first\na comment\nof two lines")]
    assert list(comments_of("x = 1\n\n# a\n\n# b\n")) == [(3, "a"), (5, "b")]
