"""What all works have in common: options that can be sent to workers, and looking past what fails."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine import BadAnnotation, MergeError

from ...manifests.files import Files
from ...manifests.objects import Manifest, manifests_in
from ...offline.pairs import Others
from ...offline.tables import Schemas
from ..rows import POISONED, Row, row_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import Tables

    from ..reading.items import Item


class Rules(NamedTuple):
    """The tables that a work uses: of a release, with specifications laid over it."""

    release: str | None = None
    over: tuple[Tables, ...] = ()
    definitions: tuple[dict[str, Any], ...] = ()
    """The CustomResourceDefinitions among them."""
    dumped: tuple[dict[str, Any], ...] = ()
    """Those of the cluster."""

    def schemas(self, definitions: Sequence[Manifest] = ()) -> Schemas:
        """The schemas of objects."""
        dumped = [Manifest("the cluster", one) for one in self.dumped]
        return Schemas(engine.load(self.release), self.over, (*dumped, *definitions))

    def others(self) -> Others:
        """What belongs to an object of which nothing but itself is known."""
        return Others((), None, self.schemas(), Files())


class Work:
    """Something that is done with one object after the other."""

    kinds: dict[str, int]
    """How many objects of each kind it has looked at; of what cannot be read, the kind is empty."""
    seen: dict[str, set[str]]
    """For each cluster that is held against the config, the objects of it that are there, where that matters."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Begin with another part."""
        self.kinds, self.seen = {}, {}

    @property
    def objects(self) -> int:
        """How many objects it has looked at."""
        return sum(self.kinds.values())

    def _count(self, kind: str = "") -> None:
        self.kinds[kind] = self.kinds.get(kind, 0) + 1

    def prepare(self, cluster: str) -> None:
        """Read what belongs to a cluster, which may take long and is about no object; what fails is told of each."""

    def rows(self, item: Item) -> list[Row]:
        """What is said of the objects in a text: usually of one. What fails is a row too, and not the end."""
        found: list[Row] = []
        if item.problem:
            self._count()
            return [poisoned(item, item.problem)]
        try:
            for row in self._rows(item):
                found.append(row)  # noqa: PERF402 - what was found before a failure is kept
        except Exception as error:  # whatever an object does to us, it is one of millions
            self._count()
            found.append(poisoned(item, _why(error)))
        return found

    def _rows(self, item: Item) -> Iterator[Row]:
        for manifest in manifests_in(item.text, item.source):
            self._count(manifest.content["kind"])
            try:
                found = [*self.about(item.cluster, manifest)]
            except Exception as error:
                found = [poisoned(item, _why(error), manifest.content)]
            yield from found

    def about(self, cluster: str, manifest: Manifest) -> Iterator[Row]:
        """What is said of one object."""
        raise NotImplementedError


def poisoned(item: Item, why: str, content: dict[str, Any] | None = None) -> Row:
    """The row of an object that could not be looked at."""
    words = {"what": POISONED, "severity": "error", "text": why}
    if content is not None:
        with suppress(Exception):
            return row_of(item.cluster, content, item.source, **words)
    return Row(item.cluster, source=item.source, **words)


def _why(error: Exception) -> str:
    """What is wrong; the words of other errors than ours may hold parts of the object, so they are not told."""
    if isinstance(error, BadAnnotation):
        return f"the annotation {error.annotation} {error.reason}. Remove it"
    if isinstance(error, MergeError):
        return str(error)
    if isinstance(error, (RecursionError, MemoryError)):
        return "it is nested too deeply, or too large"
    return f"kubemerge failed with {type(error).__name__}. This is a bug in kubemerge"
