"""The tables of a command: those of one release, with any number of specifications overlaid."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import chain

import engine
from engine import MergeError
from engine.tables.served import group_of, unserved

from ..apiserver.unchecked import as_map
from ..manifests.files import is_address
from ..manifests.live import contents_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence
    from typing import Any

    from engine import Schema, Tables

    from ..manifests.files import Files
    from ..manifests.objects import Manifest

    Tell = Callable[[str, bool], None]


def tables(release: str | None, specifications: Sequence[str], files: Files) -> Tables:
    """The tables of a release with these specifications overlaid, the last on top."""
    return laid_over(engine.load(release), [specification(one, files) for one in specifications])


def laid_over(found: Tables, specifications: Sequence[Tables]) -> Tables:
    """The tables with the kinds of specifications overlaid, the last on top."""
    for one in specifications:
        found = found.overlay(one)
    return found


def specification(source: str, files: Files) -> Tables:
    """The kinds of a CRD or an OpenAPI document: a file, folder, URL, or - for standard input."""
    import codegen  # slow to import, and most commands do not need it

    if source == "-":
        files.take_stdin()
    return codegen.read(os.path.expanduser(source))  # noqa: PTH111 - may be an address


def specification_if_there(source: str, files: Files) -> Tables | None:
    """The same; None if the file does not exist."""
    there = source == "-" or is_address(source) or os.path.exists(os.path.expanduser(source))  # noqa: PTH110, PTH111
    return specification(source, files) if there else None


def _definitions(config: Sequence[str], files: Files, recursive: bool, *, live: bool = False) -> Iterator[Manifest]:
    """The CustomResourceDefinitions in a config; errors in other documents are reported when these are read."""
    dumps = chain.from_iterable([contents_of(path) for path in config]) if live else ()
    for source, data in chain(files.ahead(config, recursive=recursive), dumps):
        yield from definitions_of(source, data)


def definitions_of(source: str, data: bytes) -> Iterator[Manifest]:
    """The CustomResourceDefinitions in the bytes of one file; errors in other documents are left to their reader."""
    from ..manifests.documents import read_documents

    if b"CustomResourceDefinition" in data:  # few files match, and only these are read twice
        with suppress(MergeError):
            for line, document in read_documents(data, source):
                yield from definitions_in_document(document, source, line)


def definitions_in_document(document: Any, source: str, line: int) -> list[Manifest]:
    """The CustomResourceDefinitions in one document of a file; none if one of its objects is invalid."""
    from ..apiserver.kinds.builtin_kinds import DEFINITION
    from ..manifests.objects import objects_in

    try:
        return [one for one in objects_in(document, source, line) if one.key[1] == DEFINITION[1]]
    except MergeError:
        return []


def _nobody(_line: str, _important: bool) -> None:
    """A `tell` that reports nothing."""


def definitions_in(config: Sequence[str], files: Files, *, recursive: bool = False) -> Iterator[Manifest]:
    """The CustomResourceDefinitions in a config, for callers that assemble their schemas."""
    return _definitions(config, files, recursive)


def schemas(
    release: str | None,
    specifications: Sequence[str],
    files: Files,
    config: Sequence[str] = (),
    *,
    recursive: bool = False,
    live: bool = False,
    tell: Tell = _nobody,
) -> Schemas:
    """The schemas of the objects of a config, which with `live` may be in a dump."""
    found, over = engine.load(release), [specification(one, files) for one in specifications]
    return Schemas(found, over, _definitions(config, files, recursive, live=live), tell)


class Schemas:
    """The schemas of the objects of a config.

    They come from a release, from specifications that override it, and with the lowest precedence from the
    CustomResourceDefinitions in the config. A definition is read when an object of its kind is found. `tell` is called
    for each of them, with a line and its importance.
    """

    def __init__(
        self, below: Tables, over: Sequence[Tables] = (), definitions: Iterable[Manifest] = (), tell: Tell = _nobody
    ) -> None:
        self._below, self._over, self._now, self._tell = below, over, laid_over(below, over), tell
        self._unread: dict[tuple[Any, ...], list[Manifest]] = {}
        self._found: dict[tuple[str, str], Schema | None] = {}
        """The schemas that were requested, until another definition is read."""
        self.definitions = list(definitions)
        """The CustomResourceDefinitions in the config."""
        for one in self.definitions:
            self._unread.setdefault(_group_and_kind(one), []).append(one)

    @property
    def release(self) -> str | None:
        """The release of the base tables."""
        return self._below.release

    @property
    def patch_release(self) -> str | None:
        """The release of the base tables, as `1.36.1` if its merge algorithms are not those of the newest patch."""
        return self._below.patch_release

    def of(self, key: tuple[str, str]) -> Schema | None:
        """The merge rules of a kind; None if they are unknown."""
        if key not in self._found:
            self._take_in(_of_kind(key))
            self._found[key] = self._now.schema(*key) if key in self._now else None
        return self._found[key]

    def tables(self, key: tuple[str, str]) -> Tables:
        """The tables that have a kind, or should; if it is missing, with all definitions, which can be suggested."""
        self._take_in(_of_kind(key))
        if unserved(key, self._now):
            self._take_in(list(self._unread))
        return self._now

    def load(self, kinds: Container[str]) -> None:
        """Read the definitions of these kinds before the first object."""
        self._take_in([one for one in self._unread if one and one[1] in kinds])

    def _take_in(self, kinds: Iterable[tuple[Any, ...]]) -> None:
        """Read the definitions of these kinds."""
        found = [one for kind in kinds for one in self._unread.pop(kind, ())]
        for one in found:
            self._below = _with(self._below, one, self._tell)
        if found:
            self._now = laid_over(self._below, self._over)
            self._found.clear()


def _of_kind(key: tuple[str, str]) -> tuple[tuple[Any, ...], ...]:
    """The keys of definitions that may describe a kind: its own, and the one of unclear definitions."""
    return (group_of(key[0]), key[1]), ()


def _group_and_kind(definition: Manifest) -> tuple[Any, ...]:
    """The group and kind that a definition describes; empty if they are missing."""
    spec = as_map(definition.content.get("spec"))
    found = spec.get("group"), as_map(spec.get("names")).get("kind")
    return found if all(isinstance(one, str) for one in found) else ()


def _with(found: Tables, definition: Manifest, tell: Tell) -> Tables:
    """The tables with the kind that a definition describes; an unreadable one is reported and left out."""
    from ..apiserver.crd.definitions.tables import tables_of

    try:
        found = found.overlay(tables_of(definition.content))
    except MergeError as error:
        tell(f"{definition.place}: {definition.title} defines no kind: {error}", True)
    else:
        tell(f"{definition.title} defines its kind: {definition.place}", False)
    return found
