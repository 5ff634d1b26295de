"""The effects of an upgrade on the objects of a fleet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine

from ...compare.chain import Side
from ...compare.replay import replay
from ...compare.sides import releases_of
from ...compare.upgrade.folded import at_least
from ...offline.tables import Schemas, laid_over
from ..rows import Row, json, row_of
from .base import Check, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...manifests.objects import Manifest


class Upgrade(Check):
    """The findings of `kubemerge compare FROM..TO -f`."""

    def __init__(self, rules: Rules, *, releases: str, severity: str = "notable") -> None:
        super().__init__()
        self._sides = [Side(one, laid_over(engine.load(one), rules.over)) for one in releases_of(releases)]
        self._others = rules.others()
        self._others.schemas = Schemas(self._sides[-1].tables)
        self._severity = severity

    def about(self, cluster: str, manifest: Manifest) -> Iterator[Row]:
        """The effects of the releases on one object."""
        found = at_least(replay(self._others.of(manifest), self._sides), self._severity)
        for one in found.findings:
            text = f"{one.at}: {one.text}{(f'. Fix: {one.advice}' if one.advice else '')}"
            values = {"before": json(one.before), "after": json(one.after)}
            words = {"path": one.path, "what": one.sort, "severity": one.severity, "text": text}
            yield row_of(cluster, manifest.content, manifest.source, **words, **values)
