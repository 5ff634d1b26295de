"""The recorded cases: definitions, objects, and the server's responses."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "cases.jsonl.gz"


def recorded() -> list[dict[str, Any]]:
    """One entry for each definition, with its cases."""
    if not FILE.exists():
        return []
    return [json.loads(line) for line in gzip.decompress(FILE.read_bytes()).decode().splitlines()]


def definitions() -> list[dict[str, Any]]:
    return [one["definition"] for one in recorded()]


def keep(found: list[dict[str, Any]]) -> None:
    """Write the cases; the same cases give the same bytes."""
    lines = [json.dumps(one, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for one in found]
    FILE.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0))
