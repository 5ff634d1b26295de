"""The tables that a command works with: one release, with any number of specifications laid over it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import engine
from engine import MergeError, Tables
from engine.values.unchecked import a_map

from ..manifests.files import is_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine import Schema

    from ..manifests.files import Files
    from ..manifests.objects import Manifest

    Tell = Callable[[str, bool], None]


def tables(
    release: str | None,
    schemas: tuple[str, ...],
    files: Files,
    config: Sequence[str] = (),
    *,
    recursive: bool = False,
    tell: Tell = lambda _text, _important: None,
) -> Tables:
    """The tables of a release with these specifications laid over them, the last on top.

    Below those are the CustomResourceDefinitions in a config, which describe the custom resources beside them. `tell`
    hears of each of those that is read: a line, and whether it has to be seen.
    """
    found, over = engine.load(release), [specification(one, files) for one in schemas]
    definitions = list(_definitions(config, files, recursive))
    return Described(found, definitions, over, tell) if definitions else laid_over(found, over)


def laid_over(found: Tables, specifications: Sequence[Tables]) -> Tables:
    """The tables with the kinds of specifications over them, the last on top."""
    for one in specifications:
        found = found.overlay(one)
    return found


def specification(source: str, files: Files) -> Tables:
    """The kinds of a CRD or an OpenAPI document: a file, folder, address, or - for standard input."""
    import codegen  # brings its libraries along, which most commands do without

    if source == "-":
        files.take_stdin()
    return codegen.read(os.path.expanduser(source))  # noqa: PTH111 - may be an address


def specification_if_there(source: str, files: Files) -> Tables | None:
    """The same; None for a text that means no such thing."""
    there = source == "-" or is_address(source) or os.path.exists(os.path.expanduser(source))  # noqa: PTH110, PTH111
    return specification(source, files) if there else None


_DEFINITION = "CustomResourceDefinition"


def _definitions(config: Sequence[str], files: Files, recursive: bool) -> Iterator[Manifest]:
    """The CustomResourceDefinitions in a config; what is wrong with other documents is told when it is their turn."""
    from ..manifests.documents import read_documents

    for source, data in files.ahead(config, recursive=recursive):
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

    def __init__(self, below: Tables, definitions: Sequence[Manifest], over: Sequence[Tables], tell: Tell) -> None:
        self._below, self._over, self._tell = below, over, tell
        self._unread: dict[tuple[Any, ...], list[Manifest]] = {}
        for one in definitions:
            self._unread.setdefault(_group_and_kind(one), []).append(one)
        self._become()

    def _become(self) -> None:
        vars(self).update(vars(laid_over(self._below, self._over)))

    def _read(self, wanted: Iterable[tuple[Any, ...]]) -> None:
        """Take in the definitions of these kinds."""
        found = [one for key in wanted for one in self._unread.pop(key, ())]
        for one in found:
            self._below = _with(self._below, one, self._tell)
        if found:
            self._become()

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


def _with(found: Tables, definition: Manifest, tell: Tell) -> Tables:
    """The tables with the kind that a definition describes; one that cannot be read describes none, which is said."""
    import codegen

    try:
        found = found.overlay(codegen.read(definition.content))
    except MergeError as error:
        tell(f"{definition.place}: {definition.title} describes no kind: {error}", True)
    else:
        tell(f"{definition.title} describes its kind: {definition.place}", False)
    return found
