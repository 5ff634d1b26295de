"""Documents of a real API server of the newest release, without descriptions. `record` records them."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
FILE = HERE / "recorded.json.xz"
DESCRIPTIONS = HERE / "descriptions.json.xz"
"""The descriptions of OpenAPI v2 operations."""
DEFINITIONS = HERE / "definitions.yaml"
"""Its custom resources."""
RELEASE = "1.37"


@cache
def recorded() -> dict[str, Any]:
    """The responses by path. Those of aggregated discovery have the suffix ` (aggregated)`."""
    found: dict[str, Any] = json.loads(lzma.decompress(FILE.read_bytes()))
    return found


def descriptions() -> dict[str, dict[str, str]]:
    """The descriptions of operations by path and method."""
    found: dict[str, dict[str, str]] = json.loads(lzma.decompress(DESCRIPTIONS.read_bytes()))
    return found


def definitions() -> list[dict[str, Any]]:
    """The definitions of the custom resources."""
    return list(yaml.safe_load_all(DEFINITIONS.read_text(encoding="utf-8")))


def without_descriptions(node: Any) -> Any:
    """The document without descriptions. A property of that name stays."""
    if isinstance(node, dict):
        return {
            name: without_descriptions(value)
            for name, value in node.items()
            if name != "description" or not isinstance(value, str)
        }
    return [without_descriptions(one) for one in node] if isinstance(node, list) else node
