"""Objects on standard output: documents of YAML, or one List."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kubemerge.cli.terminal.stdout import print_objects, print_whole

from ...objects import config_map

if TYPE_CHECKING:
    import pytest


def test_several_objects_are_documents_of_yaml_and_a_list_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    objects = [config_map("a"), config_map("b")]
    print_objects(objects, "yaml")
    assert capsys.readouterr().out.count("---\n") == 1
    print_objects(objects, "json")
    assert json.loads(capsys.readouterr().out) == {"apiVersion": "v1", "items": objects, "kind": "List", "metadata": {}}
    print_objects(objects[:1], "json")
    assert json.loads(capsys.readouterr().out) == objects[0]


def test_a_list_of_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    """kubectl 1.37 prints `metadata: {}` after an apply, and the fields of its JSON in another order."""
    objects: list[dict[str, Any]] = [{"a": "<", "b": []}, {"c": {}}]
    print_whole(objects, "json")
    assert capsys.readouterr().out == LIST
    print_whole(objects, "yaml")
    assert capsys.readouterr().out == "apiVersion: v1\nitems:\n- a: <\n  b: []\n- c: {}\nkind: List\nmetadata: {}\n"


LIST = r"""{
    "kind": "List",
    "apiVersion": "v1",
    "metadata": {},
    "items": [
        {
            "a": "\u003c",
            "b": []
        },
        {
            "c": {}
        }
    ]
}
"""
