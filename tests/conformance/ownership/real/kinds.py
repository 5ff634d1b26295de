"""The kinds that are written to the real server, with their objects and the engine's schemas."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import codegen
import engine
from codegen.documents.yaml_text import documents

if TYPE_CHECKING:
    from engine.tables.schema import Schema

HERE = Path(__file__).parent
CRDS = HERE / "crds.yaml"
RELEASE = "1.37"


@dataclass(frozen=True)
class Kind:
    apiVersion: str  # noqa: N815 - as it is in the file
    kind: str
    plural: str
    a: dict[str, Any]
    b: dict[str, Any]
    status: list[dict[str, Any]] = field(default_factory=list)
    also: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    cluster: bool = False
    custom: bool = False
    scale: bool = False
    by_version: dict[str, dict[str, Any]] = field(default_factory=dict)

    def examples(self, version: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The two objects in an apiVersion."""
        own = self.by_version.get(version, {})
        return own.get("a", self.a), own.get("b", self.b)

    def statuses(self, version: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.by_version.get(version, {}).get("status", self.status)
        return found


@cache
def kinds() -> tuple[Kind, ...]:
    (entries,) = documents((HERE / "kinds.yaml").read_text(encoding="utf-8"))
    return tuple(Kind(**entry) for entry in entries if "kind" in entry)


@cache
def versioned() -> tuple[Kind, ...]:
    """The kinds of versions.yaml, whose apiVersions have different fields."""
    (entries,) = documents((HERE / "versions.yaml").read_text(encoding="utf-8"))
    return tuple(Kind(**entry) for entry in entries)


@cache
def by_name() -> dict[str, Kind]:
    return {kind.kind: kind for kind in kinds()}


@cache
def _tables() -> engine.Tables:
    return engine.load(RELEASE).overlay(codegen.read(str(CRDS)))


@cache
def schema_of(kind: str, version: str) -> Schema:
    """The engine's schema of a kind in an apiVersion."""
    return (_tables() if by_name()[kind].custom else engine.load(RELEASE)).schema(version, kind)


def definitions() -> list[dict[str, Any]]:
    """The CustomResourceDefinitions."""
    return list(documents(CRDS.read_text(encoding="utf-8")))
