"""Errors of a server in one line, which show no value of a Secret."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.problems import Problem, forbidden, invalid, required, text, verbatim
from kubemerge.offline.refused import in_words

SECRET = {"apiVersion": "v1", "kind": "secret"}
CUSTOM = {"apiVersion": "example.com/v1", "kind": "Secret"}
LABEL = invalid("metadata.labels", "a b", "a valid label")


@pytest.mark.parametrize(
    ("content", "problem", "said"),
    [
        (SECRET, verbatim('parsing time "hunter2" as "2006"'), 'parsing time "***" as "***"'),
        (
            SECRET,
            verbatim("json: cannot unmarshal number 42 into Go value"),
            "json: cannot unmarshal number into Go value",
        ),
        (SECRET, invalid("data[a]", "hunter2", "too long"), "data[a]: Invalid value: ***: too long"),
        (SECRET, invalid("stringData.a", {"b": ["hunter2"]}, ""), "stringData.a: Invalid value: ***"),
        (SECRET, invalid("immutable.data", 42, ""), "immutable.data: Invalid value: 42"),
        (SECRET, invalid("data[a b]", "a b", "no key"), 'data[a b]: Invalid value: "a b": no key'),
        (SECRET, LABEL, text(LABEL)),
        (SECRET, required("data[a]"), "data[a]: Required value"),
        (SECRET, forbidden("data", "it is immutable"), "data: Forbidden: it is immutable"),
        (CUSTOM, invalid("data.a", "hunter2", "not hunter2"), "data.a: Invalid value: ***"),
        (CUSTOM, invalid("spec.a", "b", "not b"), 'spec.a: Invalid value: "b": not b'),
    ],
)
def test_of_a_secret_no_value_is_told(content: dict[str, Any], problem: Problem, said: str) -> None:
    assert in_words([problem], content) == said
    assert in_words([problem], {"kind": "ConfigMap"}) == text(problem)
    assert in_words([problem, verbatim("other")], content) == f"{said}, and 1 more"
