"""The recorded cases: random rules and definitions, with the responses of kube-apiserver's code."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from ....conftest import read_yaml
from ....kubemerge.apiserver.http.wire.exchanges import HERE as WIRE
from ....kubemerge.apiserver.http.wire.expressions import FIELDS
from . import draw, ours
from .oracle import answers

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = Path(__file__).parent / "cases.jsonl.gz"
RULES, DEFINITIONS = 400, 100
TOGETHER = 100
"""The number of expressions of the library in one case."""
LIMITS = ("maxLength", "maxItems", "maxProperties")


def recorded() -> list[dict[str, Any]]:
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def library() -> Iterator[dict[str, Any]]:
    """The expressions of `library.yaml`, as rules. Those with fields also with a schema without limits."""
    asked = read_yaml(WIRE / "asked" / "library.yaml")["exchanges"]
    every = [one for each in asked for word in ("values", "silent") for one in each.get(word, ())]
    limited = {"type": "object", "properties": {name: schema for name, (schema, _) in FIELDS.items()}}
    content = {name: value for name, (_, value) in FIELDS.items() if value is not ...}
    for schema, chosen in ((limited, every), (_unlimited(limited), [one for one in every if "self." in one])):
        for start in range(0, len(chosen), TOGETHER):
            rules = [{"rule": f"[{one}].size() == 2"} for one in chosen[start : start + TOGETHER]]
            yield {"schema": {**schema, "x-kubernetes-validations": rules}, "object": content, "old": None}


def _unlimited(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    return {name: _unlimited(one) for name, one in schema.items() if name not in LIMITS}


def record() -> None:
    """Ask for the responses and write all cases again."""
    drawn = [*(draw.case(Random(f"recorded {number}")) for number in range(RULES)), *library()]
    found: list[dict[str, Any]] = []
    for one, answer in zip(drawn, answers({"op": "rules", **one} for one in drawn), strict=True):
        if "rules" in answer:
            found.append({**one, "said": [ours.comparable(each) for each in answer["rules"]]})
    whole = [draw.definition(Random(f"recorded {number}")) for number in range(DEFINITIONS)]
    asked = ({"op": "definition", "definition": one} for one in whole)
    for one, answer in zip(whole, answers(asked), strict=True):
        if "problems" in answer:
            found.append({"definition": one, "problems": ours.without_names(answer["problems"])})
    with FILE.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
        for one in found:
            packed.write(json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
