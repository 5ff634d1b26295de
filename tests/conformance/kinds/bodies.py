"""Valid objects of every kind: those of server-side apply's random writes, and those of more.yaml and newest.yaml."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from codegen.documents.yaml_text import documents

from ..ownership.real.kinds import kinds as kinds_of_writes

MORE = tuple(Path(__file__).parent / name for name in ("more.yaml", "newest.yaml"))

Object = dict[str, Any]


@dataclass(frozen=True)
class Body:
    """Two valid objects of a kind, and examples of its status."""

    apiVersion: str  # noqa: N815 - as it is in the file
    kind: str
    plural: str
    a: Object
    b: Object
    status: list[Object] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """The allowed names of objects; empty if any name is valid."""
    cluster: bool = False


@cache
def bodies() -> tuple[Body, ...]:
    """Every pair of objects."""
    entries = [entry for path in MORE for entry in next(documents(path.read_text(encoding="utf-8")))]
    known = [
        Body(one.apiVersion, one.kind, one.plural, one.a, one.b, one.status, cluster=one.cluster)
        for one in kinds_of_writes()
        if not one.custom
    ]
    return (*known, *(Body(**entry) for entry in entries))


def document(body: Body, content: Object, name: str) -> Object:
    metadata = {"name": name, **(content.get("metadata") or {})}
    return {"apiVersion": body.apiVersion, "kind": body.kind, **content, "metadata": metadata}
