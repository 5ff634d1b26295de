"""The recorded cases: random rules and definitions, with the responses of kube-apiserver's code."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

from . import draw, ours
from .oracle import answers

FILE = Path(__file__).parent / "cases.jsonl.gz"
RULES, DEFINITIONS = 400, 100


def recorded() -> list[dict[str, Any]]:
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def record() -> None:
    """Ask for the responses and write all cases again."""
    drawn = [draw.case(Random(f"recorded {number}")) for number in range(RULES)]
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
