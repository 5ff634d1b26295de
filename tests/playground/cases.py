"""Cases for the playground: its examples, the examples of field reasons, and documents that are rejected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from playground.build import cases as examples

REASONS = Path(__file__).parent.parent / "engine/clientside/reasons.yaml"
COUNT = 40
"""The number of merged cases."""

REFUSED = {
    "aliases that grow without end": "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    + "\n".join(
        f"{name}: &{name} [{', '.join(['*' + before] * 10)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ),
    "a document that is too deep": "[" * 5000,
    "an alias of itself": "apiVersion: v1\nkind: ConfigMap\nmetadata: &a {name: x, labels: *a}\n",
    "no object": "just text\n",
    "half of a document": "apiVersion: v1\nkind: {\n",
    "a key given twice": "apiVersion: v1\nkind: ConfigMap\nkind: Pod\nmetadata: {name: x}\n",
    "a character that YAML does not have": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \x01}\n",
    "a tag that builds objects": "apiVersion: v1\nkind: !!python/object:os.system x\nmetadata: {name: x}\n",
}


def merged() -> dict[str, dict[str, Any]]:
    """Cases that are merged, by their names."""
    found = {one["title"]: one["case"] for one in examples()}
    found |= {f"{title}, forced": {**case, "server": True, "force": True} for title, case in [*found.items()][:3]}
    found |= _of_reasons()
    found |= {f"{name}, by the rules of 1.9": {**case, "release": "1.9"} for name, case in _of_reasons().items()}
    assert len(found) > COUNT
    return dict([*found.items()][:COUNT])


def _of_reasons() -> dict[str, dict[str, Any]]:
    found = {}
    for one in yaml.safe_load_all(REASONS.read_text(encoding="utf-8")):
        if one is None or set(one) - {"name", "kind", "last", "config", "live", "path", "action", "reason"}:
            continue
        if not one["kind"] or not isinstance(one["config"], dict) or not isinstance(one.get("live"), dict):
            continue
        case: dict[str, Any] = {text: _object(one["kind"], one[text]) for text in ("config", "live")}
        if one["last"]:
            case["last"] = _object(one["kind"], one["last"])
        found[one["name"]] = case
    return found


def _object(kind: list[str], content: dict[str, Any]) -> str:
    metadata = {"name": "x", "namespace": "default", **content.get("metadata", {})}
    return str(
        yaml.safe_dump({"apiVersion": kind[0], "kind": kind[1], **content, "metadata": metadata}, sort_keys=False)
    )
