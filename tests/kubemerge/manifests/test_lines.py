"""The line of a field in its file."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from codegen.documents import yaml_text
from codegen.documents.yaml_scalars import OtherYaml
from engine.paths import parse
from kubemerge.manifests import lines
from kubemerge.manifests.lines import Lines, Spot

from ...conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = """\
# A comment before everything.
apiVersion: v1
kind: Pod
metadata:  # 0 metadata.annotations.missing | 0 metadata.labels
  name: web
spec:
  containers:  # 0 spec.containers[name=gone].image | 0 spec.containers[7]
  - name: other
    image: x  # 0 spec.containers[0].image | 0 spec.containers[name=other].image
  -
    image: y  # 0 spec.containers[name=web].image | 0 spec.containers[1]
    name: web
    ports:  # 0 spec.containers[name=web].ports[containerPort=9]
    - containerPort: 53
      protocol: UDP
    - containerPort: 53  # 0 spec.containers[name=web].ports[containerPort=53,protocol="TCP"]
    - {containerPort: 80, name: a}
    - {containerPort: 80, name: b}  # 0 spec.containers[name=web].ports[containerPort=80]
    args: [a, b]  # 0 spec.containers[name=web].args[1] | 0 spec.containers[name=web].args[="b"]
---
# Nothing but a comment.
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: one}  # 1 metadata.name
  data: &data
    "1": a  # 1 data["1"]
    a.b/c: d  # 1 data["a.b/c"] | 2 data["a.b/c"]
-
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: two}
  data:  # 2 data.gone
    own: e  # 2 data.own
    <<: *data
- apiVersion: v1
  kind: Pod
  metadata: {name: yes}
  spec:
    <<: [{hostname: a}, {nodeName: b}]  # 3 spec.hostname | 3 spec.nodeName
    containers:
    - {name: "80"}
    - {name: 80}  # 3 spec.containers[name=80]
    - {name: yes}  # 3 spec.containers[name=true]
"""
EXPECTED = [
    (number, *found.groups())
    for number, line in enumerate(FILE.splitlines(), 1)
    for found in re.finditer(r"[#|] (\d) (\S+)", line)
]


@pytest.mark.parametrize(("line", "number", "path"), EXPECTED, ids=[f"{number}-{path}" for _, number, path in EXPECTED])
def test_a_field_stands_where_the_comment_says(line: int, number: str, path: str) -> None:
    assert Lines(FILE.encode()).spot(int(number), parse(path), 99).line == line


def test_all_marks_are_seen() -> None:
    assert len(EXPECTED) == 23


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_count_characters_and_line_ends_do_not_matter(end: str) -> None:
    text = end.join(['{"kind": "é",', '  "ä": 1, "b": 2}', ""])
    assert Lines(text.encode()).spot(0, ("b",), 1) == Spot(2, 11)


@pytest.mark.parametrize(
    "text", ['{"kind": "Pod",\n"a": "\\/\\u', "a: [", "", "- a", "just text", "kind: List", "kind: List\nitems: 1"]
)
def test_what_cannot_be_found_is_in_the_line_that_was_known(text: str) -> None:
    assert Lines(text.encode()).spot(0, ("a",), 7) == Spot(7)


def test_an_element_whose_key_is_a_map_is_not_found() -> None:
    text = "a:\n- {name: {}, b: 1}\n- {name: c, b: 2}\n"
    assert Lines(text.encode()).spot(0, ("a", (("name", {}),), "b"), 7) == Spot(1, 1)


def test_each_element_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of requested spots does not matter. The second key of a port is no help, for all have the same."""
    look_at = Mock(wraps=lines._value)
    monkeypatch.setattr(lines, "_value", look_at)
    ports = "".join(f"  - {{port: {number}, protocol: TCP}}\n" for number in range(300))
    found = Lines(f"kind: Service\nports:\n{ports}".encode())
    for number in range(300):
        assert found.spot(0, ("ports", (("port", number), ("protocol", "TCP"))), 1).line == 3 + number
    assert look_at.call_count <= 4 * 300


def _paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield before
    for step, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from _paths(inner, (*before, step))


def _changed(text: str, random: Random) -> str:
    """A manifest with one line that is indented, repeated, extended or removed."""
    rows = text.split("\n")
    at = random.randrange(len(rows))
    added = random.choice(
        [" # comment", " ", "  x: y", "\n\n# comment", "\n  - a", ": |\n      text", ' "a', " [a, {b: c}]"]
    )
    rows[at] = random.choice([f" {rows[at]}", f"{rows[at]}\n{rows[at]}", rows[at] + added, ""])
    return "\n".join(rows)


def test_positions_without_the_parser_are_those_of_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    random, compared = Random(1), 0
    manifests = [file.read_text(encoding="utf-8") for file in sorted((ROOT / "examples").rglob("*.yaml"))]
    for number in range(150):
        text = random.choice(manifests)
        text = _changed(text, random) if number % 3 else text
        monkeypatch.setattr(yaml_text, "WORTH_IT", 0)
        try:
            documents = [*yaml_text.read_quickly(text if text.endswith("\n") else f"{text}\n")]
        except OtherYaml:
            continue
        known = [(at, path) for at, (_, value) in enumerate(documents) for path in _paths(value)]
        asked = [
            (at, (*path, *more))
            for at, path in random.sample(known, min(9, len(known)))
            for more in ((), ("gone",), (7,))
        ]
        found = [Lines(text.encode()).spot_in(at, 0, path, 99) for at, path in asked]
        monkeypatch.setattr(yaml_text, "WORTH_IT", 1 << 60)
        parsed = Lines(text.encode())
        assert found == [parsed.spot_in(at, 0, path, 99) for at, path in asked], text
        compared += len(asked)
    assert compared > 500
