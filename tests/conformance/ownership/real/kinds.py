"""The kinds that are written to the real server, with their objects and the engine's schemas."""

from __future__ import annotations

import os
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
RELEASE = os.environ.get("KUBEMERGE_REAL_RELEASE", "1.37")
"""The release of the real server, and of recorded responses without a release."""


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
def kinds(release: str = RELEASE) -> tuple[Kind, ...]:
    """The kinds, with the apiVersions that the release serves."""
    (entries,) = documents((HERE / "kinds.yaml").read_text(encoding="utf-8"))
    found = [Kind(**entry) for entry in entries if "kind" in entry]
    return tuple(one for one in found if one.custom or _is_served(one, release))


def _is_served(kind: Kind, release: str) -> bool:
    tables = engine.load(release)
    return all((version, kind.kind) in tables for version in (kind.apiVersion, *kind.also))


@cache
def versioned(release: str = RELEASE) -> tuple[Kind, ...]:
    """The kinds of versions.yaml, whose apiVersions have different fields, if the release serves them."""
    (entries,) = documents((HERE / "versions.yaml").read_text(encoding="utf-8"))
    return tuple(one for one in (Kind(**entry) for entry in entries) if one.custom or _is_served(one, release))


@cache
def by_name() -> dict[str, Kind]:
    return {kind.kind: kind for kind in kinds()}


@cache
def _tables(release: str) -> engine.Tables:
    return engine.load(release).overlay(codegen.read(str(CRDS)))


@cache
def schema_of(kind: str, version: str, release: str = RELEASE) -> Schema:
    """The engine's schema of a kind in an apiVersion."""
    return (_tables(release) if by_name()[kind].custom else engine.load(release)).schema(version, kind)


def definitions() -> list[dict[str, Any]]:
    """The CustomResourceDefinitions."""
    return list(documents(CRDS.read_text(encoding="utf-8")))
