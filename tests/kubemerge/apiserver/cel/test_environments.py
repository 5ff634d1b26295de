"""Rules that all environments compile alike are compiled once."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.cel.language.environments import by_release, is_old
from kubemerge.apiserver.crd.definitions import check
from tests.conformance.releases.expressions import definition, expressions

OLD = ["self.all(x, x > 1)", "self.exists(x, f(x, x))", "a ? b : c", "[a, b]", "self.matches('a')"]
NEW = [
    "self.all(i, x, x > i)",
    "self.exists_one( i , x , x > i)",
    "self.existsOne(i, x, x > i)",
    "self.sortBy(x, x)",
    "self.transformMap(k, v, v)",
    "a.optMap(x, x)",
    "self.?a",
    "self[?'a']",
    "[?a]",
    "{?'a': b}",
    "[a, ?b]",
    "self.all(i, // a comment\n x, x > i)",
]


@pytest.mark.parametrize("text", OLD)
def test_an_expression_without_new_syntax_is_old(text: str) -> None:
    assert is_old(text, ())


@pytest.mark.parametrize("text", NEW)
def test_an_expression_with_new_syntax_is_not(text: str) -> None:
    assert not is_old(text, ())


def test_functions_tell() -> None:
    assert is_old("a", ["size_string", "logical_and"])
    assert not is_old("a", ["size_string", "is_ip"])


def test_a_result_that_is_the_same_everywhere_is_compiled_once() -> None:
    asked: list[int] = []
    by_release(asked.append, lambda _: 0, lambda _: True)
    assert len(asked) == 1


def test_recorded_rules_have_the_same_problems_if_they_are_compiled_in_every_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [check.problems(definition(text), None) for text in expressions()]
    monkeypatch.setattr("kubemerge.apiserver.crd.definitions.rules._is_old", lambda _: False)
    assert [check.problems(definition(text), None) for text in expressions()] == found
