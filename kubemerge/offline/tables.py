"""The tables that a command works with: one release, with any number of specifications laid over it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import engine
from engine import MergeError, Tables

from ..manifests.fields import a_map
from ..manifests.files import ahead, is_address, take_stdin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine import Schema

    from ..manifests.objects import Manifest


def tables(
    release: str | None, schemas: tuple[str, ...], config: Sequence[str] = (), *, recursive: bool = False
) -> Tables:
    """The tables of a release with these specifications laid over them, the last on top.

    Below those are the CustomResourceDefinitions in a config, which describe the custom resources beside them.
    """
    found, over = engine.load(release), list(map(specification, schemas))
    definitions = list(_definitions(config, recursive))
    return Described(found, definitions, over) if definitions else laid_over(found, over)


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
    from ..manifests.documents import read_documents

    for source, data in ahead(config, recursive=recursive):
        if _DEFINITION.encode() in data:
            with suppress(MergeError):
                for line, document in read_documents(data, source):
                    yield from _definitions_in(document, source, line)


def _definitions_in(document: Any, source: str, line: int) -> list[Manifest]:
    from ..manifests.objects import objects_in

    try:
        return [one for one in objects_in(document, source, line) if one.key[1] == _DEFINITION]
    except MergeError:
        return []


class Described(Tables):
    """Tables with the kinds that definitions describe, each of which is read when an object of its kind turns up."""

    def __init__(self, below: Tables, definitions: Sequence[Manifest], over: Sequence[Tables]) -> None:
        self._below, self._over = below, over
        self._unread: dict[tuple[Any, ...], list[Manifest]] = {}
        for one in definitions:
            self._unread.setdefault(_group_and_kind(one), []).append(one)
        self._now = laid_over(below, over)

    def __getattr__(self, name: str) -> Any:
        """What tables hold is here what those hold that all definitions read so far have come to."""
        if name not in ("_kinds", "_types"):
            raise AttributeError(name)
        return getattr(self._now, name)

    def _read(self, wanted: Iterable[tuple[Any, ...]]) -> None:
        """Take in the definitions of these kinds."""
        found = [one for key in wanted for one in self._unread.pop(key, ())]
        for one in found:
            self._below = _with(self._below, one)
        if found:
            self._now = laid_over(self._below, self._over)

    def _ask(self, api_version: Any, kind: Any) -> None:
        """Take in what a kind needs; a definition that does not tell its kind might be of any."""
        self._read(((str(api_version).rpartition("/")[0], kind), ()))

    def __contains__(self, kind: object) -> bool:
        if isinstance(kind, tuple) and len(kind) == 2:
            self._ask(*kind)
        return super().__contains__(kind)

    def schema(self, api_version: str, kind: str) -> Schema:
        """The merge rules of a kind."""
        self._ask(api_version, kind)
        return super().schema(api_version, kind)

    def kinds(self) -> list[tuple[str, str]]:
        """Every (apiVersion, kind) that can be asked for, sorted; so all definitions are read."""
        self._read(list(self._unread))
        return super().kinds()


def _group_and_kind(definition: Manifest) -> tuple[Any, ...]:
    """What a definition describes; empty where it does not tell."""
    spec = a_map(definition.content.get("spec"))
    found = spec.get("group"), a_map(spec.get("names")).get("kind")
    return found if all(isinstance(one, str) for one in found) else ()


def _with(found: Tables, definition: Manifest) -> Tables:
    """The tables with the kind that a definition describes; one that cannot be read describes none, which is said."""
    import codegen

    from ..output.console import console

    try:
        found = found.overlay(codegen.read(definition.content))
    except MergeError as error:
        console().say(f"{definition.place}: {definition.title} describes no kind: {error}")
    else:
        console().detail(f"{definition.title} describes its kind: {definition.place}")
    return found
