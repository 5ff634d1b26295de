"""Common parts of all checks: options that can be sent to workers, and handling of failures."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine import BadAnnotation, MergeError

from ...manifests.files import Files
from ...manifests.objects import Manifest, manifests_in
from ...offline.pairs import Others
from ...offline.tables import Schemas
from ..rows import UNREADABLE, Row, row_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import Tables

    from ..reading.items import Item


class Rules(NamedTuple):
    """The tables of a check: those of a release, with specifications overlaid."""

    release: str | None = None
    over: tuple[Tables, ...] = ()
    definitions: tuple[dict[str, Any], ...] = ()
    """The CustomResourceDefinitions among them."""
    dumped: tuple[dict[str, Any], ...] = ()
    """The definitions of the cluster."""
    gates: tuple[tuple[str, bool], ...] = ()
    """The feature gates that the clusters set."""

    def schemas(self, definitions: Sequence[Manifest] = ()) -> Schemas:
        """The schemas of objects."""
        dumped = [Manifest("the cluster", one) for one in self.dumped]
        return Schemas(engine.load(self.release), self.over, (*dumped, *definitions))

    def others(self) -> Others:
        """The inputs of an object without any other objects."""
        return Others((), None, self.schemas(), Files())


class Check:
    """A command of `kubemerge fleet`, applied to one object after the other."""

    kinds: dict[str, int]
    """Number of checked objects of each kind; unreadable data has an empty kind."""
    seen: dict[str, set[str]]
    """For each cluster compared with the config, the objects of the config found in it, if that matters."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Start another part."""
        self.kinds, self.seen = {}, {}

    @property
    def objects(self) -> int:
        """Number of checked objects."""
        return sum(self.kinds.values())

    def _count(self, kind: str = "") -> None:
        self.kinds[kind] = self.kinds.get(kind, 0) + 1

    def prepare(self, cluster: str) -> None:
        """Read the data of a cluster, which may be slow; failures are reported for each object."""

    def rows(self, item: Item) -> list[Row]:
        """The rows for the objects in a text, usually one. A failure becomes a row too, and does not end the run."""
        found: list[Row] = []
        if item.problem:
            self._count()
            return [error_row(item, item.problem)]
        try:
            for row in self._rows(item):
                found.append(row)  # noqa: PERF402 - what was found before a failure is kept
        except Exception as error:  # any error is about one object of millions
            self._count()
            found.append(error_row(item, _why(error)))
        return found

    def _rows(self, item: Item) -> Iterator[Row]:
        for manifest in manifests_in(item.text, item.source):
            self._count(manifest.content["kind"])
            try:
                found = [*self.about(item.cluster, manifest)]
            except Exception as error:
                found = [error_row(item, _why(error), manifest.content)]
            yield from found

    def about(self, cluster: str, manifest: Manifest) -> Iterator[Row]:
        """The rows for one object."""
        raise NotImplementedError


def error_row(item: Item, why: str, content: dict[str, Any] | None = None) -> Row:
    """The row of an object that could not be checked."""
    words = {"what": UNREADABLE, "severity": "error", "text": why}
    if content is not None:
        with suppress(Exception):
            return row_of(item.cluster, content, item.source, **words)
    return Row(item.cluster, source=item.source, **words)


def _why(error: Exception) -> str:
    """The problem in words. Messages of unexpected errors may contain parts of the object, so they are left out."""
    if isinstance(error, BadAnnotation):
        return f"the annotation {error.annotation} {error.reason}. Remove it"
    if isinstance(error, MergeError):
        return str(error)
    if isinstance(error, (RecursionError, MemoryError)):
        return "it is nested too deeply, or too large"
    return f"kubemerge failed with {type(error).__name__}. This is a bug in kubemerge"
