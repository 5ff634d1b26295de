"""The OpenAPI v3 form of mergeitem.json, as an API server writes it.

`python -m tests.conformance.mergeitem` rewrites mergeitem-v3.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SOURCE, TARGET = HERE / "mergeitem.json", HERE / "mergeitem-v3.json"


def v3_of(document: dict[str, Any]) -> dict[str, Any]:
    """The same definitions as `components.schemas`."""
    schemas = {name: v3_schema(schema) for name, schema in document["definitions"].items()}
    return {"openapi": "3.0.0", "info": document["info"], "paths": {}, "components": {"schemas": schemas}}


def v3_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """One schema; a reference moves into `allOf`, because v3 allows nothing beside a `$ref`."""
    result: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "$ref":
            result["allOf"] = [{"$ref": value.replace("#/definitions/", "#/components/schemas/")}]
        elif key in ("items", "additionalProperties"):
            result[key] = v3_schema(value)
        elif key == "properties":
            result[key] = {name: v3_schema(child) for name, child in value.items()}
        else:
            result[key] = value
    return result


def text() -> str:
    """The whole v3 document."""
    return json.dumps(v3_of(json.loads(SOURCE.read_text(encoding="utf-8"))), indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
