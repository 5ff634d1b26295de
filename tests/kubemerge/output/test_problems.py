"""Messages of the API server about a Secret contain none of its values, however Go prints them."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.problems import verbatim
from kubemerge.output.problems import masked

SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}}
PRINTED = "expected string, got &value.valueUnstructured{Value:[]interface {}{%s}}"
MESSAGES = {
    ".data: expected map, got &{a}b}\n  .odd: unknown": ".data: expected map, got &{***}\n  .odd: unknown",
    ".immutable: expected boolean, got &{hunter\n2}": ".immutable: expected boolean, got &{***}",
    ".data.a: " + PRINTED % '"hunter2"': ".data.a: " + PRINTED % '"***"',
}


@pytest.mark.parametrize("message", MESSAGES)
def test_values_in_a_message_are_masked(message: str) -> None:
    assert masked(verbatim(message), SECRET).detail == MESSAGES[message]


def test_messages_about_other_kinds_are_unchanged() -> None:
    problem = verbatim(".data: expected map, got &{a}")
    assert masked(problem, {**SECRET, "kind": "ConfigMap"}) is problem
