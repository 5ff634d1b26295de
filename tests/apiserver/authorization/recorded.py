"""Responses without what differs between two servers, and the file of the recorded ones."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .cases import Step

FILE = Path(__file__).with_name("recorded.jsonl.gz")
HOSTILE = FILE.with_name("hostile.jsonl.gz")
"""The decisions about hostile requests."""
_MASKED = ("uid", "resourceVersion", "creationTimestamp", "time", "token", "expirationTimestamp")
_RULES = ("resourceRules", "nonResourceRules")
_GENERATED = re.compile(r"made-\w{5}")


def compared(step: Step, code: int, body: Any) -> Any:
    """The part of a response that is compared."""
    if code != 403 and not step.whole:
        return [code]
    return [code, _masked(body)]


def _masked(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _masked(one, name) for name, one in sorted(value.items())}
    if isinstance(value, list):
        found = [_masked(one) for one in value]
        return sorted(found, key=json.dumps) if key in _RULES else found
    if key in _MASKED and isinstance(value, str):
        return f"<{key}>"
    if key == "authentication.kubernetes.io/credential-id":
        return "<id>"
    return _GENERATED.sub("made-<x>", value) if isinstance(value, str) else value


def write(answers: Sequence[Any], path: Path = FILE) -> None:
    """Write recorded responses."""
    lines = "".join(f"{json.dumps(one, sort_keys=True)}\n" for one in answers)
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(lines.encode())


def read(path: Path = FILE) -> list[Any]:
    """Read the recorded responses, one for each step."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
