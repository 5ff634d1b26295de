"""Digests of the roles and bindings that real servers of several releases create at their start.

The digest of an object is computed without what differs between two servers. Rules of aggregated roles are left out,
because a controller writes them.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = Path(__file__).with_name("initial.json")
KINDS = ("clusterroles", "clusterrolebindings", "roles", "rolebindings")
_OF_SERVER = ("creationTimestamp", "uid", "resourceVersion", "managedFields", "selfLink")


def digest(objects: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The number of objects, and a digest of all."""
    texts = sorted(json.dumps(_compared(one), sort_keys=True) for one in objects)
    return {"objects": len(texts), "sha256": hashlib.sha256("\n".join(texts).encode()).hexdigest()}


def _compared(content: dict[str, Any]) -> dict[str, Any]:
    metadata = {key: value for key, value in content["metadata"].items() if key not in _OF_SERVER}
    found = {**content, "metadata": metadata}
    if found.get("aggregationRule"):
        found.pop("rules")
    return found


def read() -> dict[str, Any]:
    """The recorded digests by release."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def write(release: str, found: dict[str, Any]) -> None:
    """Add the digest of a release."""
    digests = read() if FILE.exists() else {}
    digests = dict(sorted({**digests, release: found}.items()))
    FILE.write_text(f"{json.dumps(digests, indent=1)}\n", encoding="utf-8")
