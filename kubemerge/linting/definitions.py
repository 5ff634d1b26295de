"""CustomResourceDefinitions in the linted files: each file is parsed once, for its own findings and as schemas."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..apiserver.unchecked import as_map
from ..manifests.documents import read_documents
from ..offline.tables import definitions_in_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..manifests.objects import Manifest

    File = tuple[str, bytes]

DEFINITION = b"CustomResourceDefinition"
_KIND = rb"""\bkind["']?[ \t]*:[ \t]*["']?(\w+)"""


def definitions_in(files: Iterable[File]) -> list[File]:
    """The files that may contain CustomResourceDefinitions."""
    return [one for one in files if DEFINITION in one[1]]


def kinds_in(files: Iterable[File]) -> set[str]:
    """The names that follow `kind:` in the files, as a fast estimate of the kinds of their objects."""
    find = re.compile(_KIND).findall
    return {name.decode(errors="replace") for _, data in files for name in find(data)}


def first_kind(data: bytes) -> bytes:
    """The name that first follows `kind:` in a file, as a fast estimate of the kind of its first object."""
    found = re.search(_KIND, data)
    return found[1] if found else b""


def kind_of_definition(content: dict[str, Any]) -> str | None:
    """The kind that a definition describes."""
    kind = as_map(as_map(content.get("spec")).get("names")).get("kind")
    return kind if isinstance(kind, str) else None


class DefinitionFiles:
    """The files with definitions, each parsed once. `documents` returns their documents, and reads other files."""

    def __init__(self, files: Sequence[File]) -> None:
        self.definitions: list[Manifest] = []
        self._parsed: dict[int, tuple[bytes, str, list[tuple[int, Any]], MergeError | None]] = {}
        for source, data in definitions_in(files):
            self._parse(source, data)

    def documents(self, data: bytes, source: str) -> Iterator[tuple[int, Any]]:
        """The documents of a file. Those of a parsed file are returned only once, to free their memory."""
        found = self._parsed.get(id(data))
        if found is None or found[0] is not data or found[1] != source:
            yield from read_documents(data, source)
            return
        del self._parsed[id(data)]
        _, _, documents, problem = found
        yield from documents
        if problem is not None:
            raise problem

    def _parse(self, source: str, data: bytes) -> None:
        documents: list[tuple[int, Any]] = []
        problem = None
        try:
            for line, document in read_documents(data, source):
                documents.append((line, document))
                self.definitions += definitions_in_document(document, source, line)
        except MergeError as error:  # reported when the file is linted
            problem = error
        self._parsed[id(data)] = data, source, documents, problem
