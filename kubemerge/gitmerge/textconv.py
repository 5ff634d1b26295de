"""One line for each field of a file, for `git diff`. Values of Secrets are masked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.paths import render

from ..apiserver.text.text import shown as in_one_line
from ..manifests.documents import read_documents
from ..output.secrets import masked
from .definitions import Definitions
from .rules import Place, identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.paths import Steps

    from .rules import Lookup


def lines(data: bytes, source: str) -> Iterator[str]:
    """The lines of a file: object, path and value. A file that cannot be parsed is returned as it is."""
    try:
        documents = [document for _, document in read_documents(data, source)]
    except MergeError:
        yield from data.decode(errors="replace").splitlines()
        return
    lookup = Definitions(at=None)
    for document in documents:
        for title, one, place in _objects(document, lookup):
            for steps, value in _fields(masked(one), place, (), lookup):
                yield in_one_line(f"{title}{render(steps)}: {json.dumps(value, ensure_ascii=False)}")


def _objects(document: Any, lookup: Lookup) -> Iterator[tuple[str, Any, Place]]:
    """The objects of a document, each with its title. A List is expanded."""
    if isinstance(document, dict) and isinstance(document.get("items"), list) and "kind" in document:
        for item in document["items"]:
            yield from _objects(item, lookup)
    elif document is not None:
        yield _title(document), document, Place.of(document, lookup)


def _title(document: Any) -> str:
    metadata = document.get("metadata") if isinstance(document, dict) else None
    if not isinstance(metadata, dict) or not isinstance(document.get("kind"), str):
        return ""
    name = metadata.get("name") or metadata.get("generateName") or ""
    namespace = metadata.get("namespace")
    return f"{document['kind']} {f'{namespace}/' if namespace else ''}{name}: "


def _fields(value: Any, place: Place, steps: Steps, lookup: Lookup) -> Iterator[tuple[Steps, Any]]:
    """The scalars and empty collections in a value, with their paths."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _fields(inner, place.child(key), (*steps, key), lookup)
    elif isinstance(value, list) and value:
        keys = place.keys([value])
        for at, inner in enumerate(value):
            step = identity(inner, keys) if keys else at
            yield from _fields(inner, place.element(inner, lookup), (*steps, at if step is None else step), lookup)
    else:
        yield steps, value
