"""Label selectors."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.selectors import parse_selector
from kubemerge.cluster import BadRequest

LABELS = {"app": "web", "tier": "front", "example.com/x": "", "v": "1.2"}

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
]


@pytest.mark.parametrize(("text", "selected"), CASES, ids=[text for text, _ in CASES])
def test_what_a_selector_selects(text: str, selected: bool) -> None:
    assert parse_selector(text)(LABELS) is selected


@pytest.mark.parametrize("text", ["a b", "a=b=c", "in (a)", ",", "a in b", "a>", "=", "a=b,,c"])
def test_what_is_not_a_selector(text: str) -> None:
    with pytest.raises(BadRequest, match="unable to parse requirement"):
        parse_selector(text)
