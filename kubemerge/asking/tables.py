"""The tables that a command works with: one release, with any number of specifications laid over it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import engine
from engine import MergeError

from ..reading.files import ahead, is_address, take_stdin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import Tables

    from ..reading.manifests import Manifest


def tables(
    release: str | None, schemas: tuple[str, ...], config: Sequence[str] = (), *, recursive: bool = False
) -> Tables:
    """The tables of a release with these specifications laid over them, the last on top.

    Below those are the CustomResourceDefinitions in a config, which describe the custom resources beside them.
    """
    found = engine.load(release)
    for definition in _definitions(config, recursive):
        found = _described(found, definition)
    return laid_over(found, list(map(specification, schemas)))


def laid_over(found: Tables, specifications: Sequence[Tables]) -> Tables:
    """The tables with the kinds of specifications over them, the last on top."""
    for one in specifications:
        found = found.overlay(one)
    return found


def specification(source: str) -> Tables:
    """The kinds of a CRD or an OpenAPI document: a file, folder, address, or - for standard input."""
    import codegen  # brings its libraries along, which most commands do without

    if source == "-":
        take_stdin()
    return codegen.read(os.path.expanduser(source))  # noqa: PTH111 - may be an address


def specification_if_there(source: str) -> Tables | None:
    """The same; None for a text that means no such thing."""
    there = source == "-" or is_address(source) or os.path.exists(os.path.expanduser(source))  # noqa: PTH110, PTH111
    return specification(source) if there else None


_DEFINITION = "CustomResourceDefinition"


def _definitions(config: Sequence[str], recursive: bool) -> Iterator[Manifest]:
    """The CustomResourceDefinitions in a config; what is wrong with other documents is told when it is their turn."""
    from ..reading.documents import read_documents

    for source, data in ahead(config, recursive=recursive):
        if _DEFINITION.encode() in data:
            with suppress(MergeError):
                for line, document in read_documents(data, source):
                    yield from _definitions_in(document, source, line)


def _definitions_in(document: Any, source: str, line: int) -> list[Manifest]:
    from ..reading.manifests import objects_in

    try:
        return [one for one in objects_in(document, source, line) if one.key[1] == _DEFINITION]
    except MergeError:
        return []


def _described(found: Tables, definition: Manifest) -> Tables:
    """The tables with the kind that a definition describes; one that cannot be read describes none, which is said."""
    import codegen

    from ..showing.console import console

    try:
        found = found.overlay(codegen.read(definition.content))
    except MergeError as error:
        console().say(f"{definition.place}: {definition.title} describes no kind: {error}")
    else:
        console().detail(f"{definition.title} describes its kind: {definition.place}")
    return found
