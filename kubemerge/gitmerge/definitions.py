"""Merge rules of kinds: from the newest release, and from definitions of custom resources in a repository."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import engine
from engine import MergeError

from ..apiserver.unchecked import as_map
from ..linting.repository import git
from ..manifests.documents import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema, Tables

MOST_FILES = 5
"""Files with definitions that are read for one kind."""
_PLAIN = re.compile(r"[A-Za-z0-9]+\Z")


class Definitions:
    """Finds the merge rules of kinds, and searches the repository once for each unknown kind."""

    def __init__(self, *, at: str | None = ".") -> None:
        self._at = at
        self._tables: Tables | None = None
        self._found: dict[tuple[str, str], Schema | None] = {}

    def __call__(self, api_version: str, kind: str) -> Schema | None:
        """The merge rules of a kind. None for an unknown kind."""
        key = api_version, kind
        if key not in self._found:
            self._tables = self._tables or engine.load()
            self._found[key] = _schema(self._tables, key) or self._of_repository(self._tables, key)
        return self._found[key]

    def _of_repository(self, tables: Tables, key: tuple[str, str]) -> Schema | None:
        if self._at is None or "/" not in key[0] or not _PLAIN.match(key[1]):
            return None
        for definition in _definitions(key, self._at):
            import codegen

            try:
                found = _schema(tables.overlay(codegen.read(definition)), key)
            except MergeError:
                continue
            if found is not None:
                return found
        return None


def _schema(tables: Tables, key: tuple[str, str]) -> Schema | None:
    try:
        return tables.schema(*key)
    except MergeError:
        return None


def _definitions(key: tuple[str, str], at: str) -> Iterator[dict[str, Any]]:
    """The definitions of a kind in the files that git tracks."""
    patterns = ("-e", "CustomResourceDefinition", "-e", rf"kind: *[\"']*{key[1]}\>")
    found = git.asked("grep", "-lzI", "--all-match", *patterns, "--", "*.yaml", "*.yml", at=at)
    for name in (found or b"").decode(errors="replace").split("\0")[:MOST_FILES]:
        if name:
            yield from _in_file(f"{at}/{name}", key)


def _in_file(path: str, key: tuple[str, str]) -> Iterator[dict[str, Any]]:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - pathlib takes a while to import
            documents = [document for _, document in read_documents(stream.read(), path)]
    except (OSError, MergeError):
        return
    for document in documents:
        if isinstance(document, dict) and document.get("kind") == "CustomResourceDefinition":
            spec = as_map(document.get("spec"))
            if (spec.get("group"), as_map(spec.get("names")).get("kind")) == (key[0].partition("/")[0], key[1]):
                yield document
