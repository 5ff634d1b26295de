"""OpenAPI v2 definitions of built-in types in one release, by name or by kind."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import engine

from ...eras import minor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

META = "io.k8s.apimachinery.pkg.apis.meta.v1"
OBJECT_META, LIST_META = f"{META}.ObjectMeta", f"{META}.ListMeta"
STATUS, PATCH, DELETE_OPTIONS = f"{META}.Status", f"{META}.Patch", f"{META}.DeleteOptions"
QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
REFERENCE = "#/definitions/"
_REFERENCES = re.compile(r'"\$ref":"#/definitions/([^"]+)"')
_KINDS = "x-kubernetes-group-version-kind"
"""The extension with the kinds of a definition."""


class Definitions:
    """The definitions of a release, each read on first use."""

    def __init__(self, minor: int) -> None:
        from generated.definitions import DEFINITIONS  # a megabyte, and a server starts without it

        self._texts = {name: text for name, first, last, text in DEFINITIONS if first <= minor <= (last or minor)}
        self._kinds: dict[tuple[str, str, str], str] = {}
        for name, text in self._texts.items():
            if _KINDS in text:
                for kind in self.schema(name)[_KINDS]:
                    self._kinds[kind["group"], kind["version"], kind["kind"]] = name

    def schema(self, name: str) -> dict[str, Any]:
        """Return the definition with this name. The caller may change it."""
        if name == QUANTITY:
            return {"type": "string"}
        return cast(dict[str, Any], json.loads(self._texts[name]))

    def of_kind(self, group: str, version: str, kind: str) -> str | None:
        """Return the name of the definition of a kind."""
        return self._kinds.get((group, version, kind))

    def needed(self, names: Iterable[str]) -> Iterator[str]:
        """Yield the names of these definitions and of all that they reference, sorted."""
        found: set[str] = set()
        waiting = [name for name in names if name in self._texts]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += _REFERENCES.findall(self._texts[name])
        return iter(sorted(found))

    def every(self) -> list[str]:
        """Return the names of all definitions."""
        return sorted(self._texts)


@cache
def definitions(minor: int) -> Definitions:
    """Return the definitions of a release. Releases newer than all have those of the newest."""
    newest = max(minor_of(release) for release in engine.releases())
    return Definitions(min(minor, newest))
