"""YAML that is printed: as kubectl prints it (measured: `tests/data/kubectl_printed.json`), and read back as it was."""

from __future__ import annotations

import json
import math
import random
import string
from decimal import Decimal
from typing import Any

import pytest
import yaml

from kubemerge.apiserver.text import yaml_out
from kubemerge.apiserver.text.yaml_out import dump
from kubemerge.manifests.objects import read_documents

from ...conftest import ROOT
from ...memory import allocated

DATA = json.loads((ROOT / "tests" / "data" / "kubectl_printed.json").read_text(encoding="utf-8"))
DUMPERS = [name for name in ("CSafeDumper", "SafeDumper") if hasattr(yaml, name)]


def short(case: dict[str, Any]) -> str:
    return ascii(case["value"])[:40]


@pytest.mark.parametrize("case", DATA["same"], ids=short)
@pytest.mark.skipif("CSafeDumper" not in DUMPERS, reason="without libyaml some quotes and folds are others")
def test_it_prints_as_kubectl_does(case: dict[str, Any]) -> None:
    assert dump({"v": case["value"]}) == case["yaml"]


@pytest.mark.parametrize("case", DATA["differs"], ids=short)
@pytest.mark.skipif("CSafeDumper" not in DUMPERS, reason="without libyaml some quotes and folds are others")
def test_where_it_prints_otherwise(case: dict[str, Any]) -> None:
    """Each difference has its reason. A case without a difference belongs among the others."""
    assert case["why"]
    assert dump({"v": case["value"]}) == case["ours"] != case["kubectl"]


# ---- round trips --------------------------------------------------------------------------------------------------

TEXTS = [case["value"] for case in DATA["same"] + DATA["differs"] if isinstance(case["value"], str)]
LETTERS = (
    string.printable + "\x00\x01\x1b\x7f\x80\x85\x9b\xa0éß日\u200b\u2028\u2029\ufeff\ufffd\ufffe\uffff😀\U0010ffff"
)
NUMBERS = [
    0,
    -1,
    2**63 - 1,
    -(2**63),
    2**53 + 1,
    0.5,
    -0.1,
    1e-7,
    5e-324,
    1e21,
    1.7976931348623157e308,
    1234567.5,
    1e20,
]


def some_text(luck: random.Random) -> str:
    if luck.random() < 0.5:
        text: str = luck.choice(TEXTS)
        return text
    return "".join(luck.choice(LETTERS) for _ in range(luck.choice((0, 1, 2, 5, 20, 200))))


def some_value(luck: random.Random, depth: int = 0) -> Any:
    kind = luck.random()
    if depth < 5 and kind < 0.3:
        return {some_text(luck): some_value(luck, depth + 1) for _ in range(luck.randrange(5))}
    if depth < 5 and kind < 0.5:
        return [some_value(luck, depth + 1) for _ in range(luck.randrange(4))]
    if kind < 0.8:
        return some_text(luck)
    if kind < 0.95:
        return luck.choice([*NUMBERS, luck.randrange(-(10**6), 10**6), luck.uniform(-1, 1) * 10 ** luck.randrange(30)])
    return luck.choice([None, True, False])


def normal(value: Any) -> Any:
    """The value as JSON on its way through Go: a float that is whole is an integer as long as 64 bits hold it."""
    if isinstance(value, dict):
        return {key: normal(part) for key, part in value.items()}
    if isinstance(value, list):
        return [normal(part) for part in value]
    if isinstance(value, float) and value.is_integer() and -(2**63) <= value < 2**63:
        return int(Decimal(repr(value)))
    return value


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("dumper", DUMPERS)
def test_random_objects_are_read_as_they_were(dumper: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_out, "Dumper", getattr(yaml, dumper))
    luck = random.Random(1)
    for number in range(count):
        value = {
            "apiVersion": "example.com/v1",
            "kind": "Thing",
            "metadata": {"name": f"a{number}"},
            **{some_text(luck): some_value(luck) for _ in range(4)},
        }
        text = dump(value)
        ((_, found),) = read_documents(text.encode(), "a.yaml")
        assert json.dumps(found, sort_keys=True) == json.dumps(normal(value), sort_keys=True), text
        assert dump(found) == text


def test_long_keys_are_not_kept() -> None:
    dump({"a": 1})
    used = allocated(lambda: [len(dump({f"{number}{'x' * 100_000}": 1})) for number in range(20)])
    assert used.left < 500_000


def test_documents_one_after_another_are_read_as_they_were() -> None:
    """A text that ends in empty lines must not eat the text after it."""
    values = [{"a": text} for text in ("x\n\n\n", "\n", "---\n", "...\n", "x", " \n ", "# a\n")]
    text = "---\n".join(dump(value) for value in values)
    assert [found for _, found in read_documents(text.encode(), "a.yaml")] == values


def test_200_levels_are_printed() -> None:
    value: Any = "x"
    for level in range(199):
        value = {"a": value} if level % 2 else [value]
    ((_, found),) = read_documents(dump({"v": value}).encode(), "a.yaml")
    assert found == {"v": value}


def test_floats_are_read_as_they_were() -> None:
    luck = random.Random(2)
    for _ in range(2000):
        value = normal(luck.choice((1, -1)) * luck.random() * math.ldexp(1, luck.randrange(-1000, 1000)))
        ((_, found),) = read_documents(dump({"v": value}).encode(), "a.yaml")
        assert json.dumps(found["v"]) == json.dumps(value)


def test_parts_that_are_the_same_are_printed_twice_and_not_as_aliases() -> None:
    part = {"b": [1]}
    assert dump({"x": part, "z": part}) == "x:\n  b:\n  - 1\nz:\n  b:\n  - 1\n"
