"""Refusals of a server in one line, which show no value of a Secret."""

from __future__ import annotations

import pytest

from kubemerge.offline.refused import in_words

SECRET = {"kind": "secret"}


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        ('parsing time "hunter2" as "2006"', 'parsing time "***" as "***"'),
        ('data[a]: Invalid value: "hunter2": too long', "data[a]"),
        ("json: cannot unmarshal number 42 into Go value", "json: cannot unmarshal number into Go value"),
    ],
)
def test_of_a_secret_no_value_is_told(problem: str, said: str) -> None:
    assert in_words([problem], SECRET) == said
    assert in_words([problem], {"kind": "ConfigMap"}) == problem
    assert in_words([problem, "other"], SECRET) == f"{said}, and 1 more"
