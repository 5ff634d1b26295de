"""Label selectors."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.selectors import parse_selector
from kubemerge.cluster import BadRequest

LABELS = {"app": "web", "tier": "front", "example.com/x": "", "v": "1.2", "n": "7"}

CASES = [
    ("", True),
    ("app=web", True),
    ("app==web", True),
    ("app = web , tier=front", True),
    ("app=web,tier=back", False),
    ("app!=web", False),
    ("missing!=web", True),
    ("app", True),
    ("missing", False),
    ("!missing", True),
    ("!app", False),
    ("app in (db, web)", True),
    ("app in (db)", False),
    ("app notin (db),tier in (front,back)", True),
    ("missing notin (db)", True),
    ("example.com/x=", True),
    ("example.com/x in ()", True),
    ("v=1.2", True),
    ("n>5", True),
    ("n>7", False),
    ("n<8", True),
    ("n<7", False),
    ("app>5", False),
    ("missing<5", False),
]


@pytest.mark.parametrize(("text", "selected"), CASES, ids=[text for text, _ in CASES])
def test_what_a_selector_selects(text: str, selected: bool) -> None:
    assert parse_selector(text)(LABELS) is selected


WRONG = {
    "a b": "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    "a=b=c": "found '=', expected: ',' or 'end of string'",
    "in (a)": "unable to parse requirement: found '(', expected: in, notin, =, ==, !=, gt, lt",
    ",": "found ',', expected: !, identifier, or 'end of string'",
    "a in b": "unable to parse requirement: found 'b' expected: '('",
    "a=b,,c": "found ',', expected: identifier after ','",
    "!a=b": "found '=', expected: ',' or 'end of string'",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_not_a_selector(text: str) -> None:
    with pytest.raises(BadRequest) as error:
        parse_selector(text)
    assert str(error.value) == WRONG[text]
