"""Validation tags as nested tuples, and tags that `codegen.tags` rejects."""

from __future__ import annotations

from typing import Any

import pytest

from codegen import SpecError
from codegen.validation.tags import parse

TAGS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "required": ("", ("required",)),
    "maxItems=32": ("", ("maxItems", 32)),
    'format="k8s-short-name"': ("", ("format", "k8s-short-name")),
    'beta(since: "1.37")=+k8s:maxLength=63': ("beta", ("maxLength", 63)),
    'alpha(since:"1.37")=+k8s:optional': ("alpha", ("optional",)),
    "eachVal=+k8s:format=k8s-label-key": ("", ("eachVal", ("format", "k8s-label-key"))),
    'ifEnabled("A")=+k8s:minimum=0': ("", ("ifEnabled", "A", ("minimum", 0))),
    'beta(since: "1.37")=+k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember': (
        "beta",
        ("item", ("type", "Denied"), ("zeroOrOneOfMember",)),
    ),
    'unionMember(union: "scope", memberName: "Node")': (
        "",
        ("unionMember", ("union", "scope"), ("memberName", "Node")),
    ),
    'supportsSubresource="/status"': ("", ("supportsSubresource", "/status")),
    "neq=false": ("", ("neq", False)),
}


@pytest.mark.parametrize("text", TAGS)
def test_a_tag_is_its_stage_and_its_nested_rule(text: str) -> None:
    assert parse(text) == TAGS[text]


@pytest.mark.parametrize("text", ["", "=3", "eachVal=+k8s:", "item(type", "maxItems 3"])
def test_invalid_tag_is_rejected(text: str) -> None:
    with pytest.raises(SpecError, match="a validation tag: expected NAME"):
        parse(text)
