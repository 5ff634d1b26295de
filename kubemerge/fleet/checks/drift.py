"""Differences between the live objects of a fleet and their config."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diff.difference import Difference, Show
from ...offline.pairs import MergeOptions, merge
from ...offline.prediction import Prediction
from ..rows import Row, json, row_of
from .config import ConfigComparison, ConfigFile

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Set

    from ...manifests.objects import Manifest
    from ...offline.pairs import Inputs
    from .base import Rules
    from .release_config import ReleasesOf

MISSING = "missing"


class Drift(ConfigComparison):
    """The changes of an apply of the config, as in `kubemerge diff`."""

    def __init__(self, rules: Rules, *, config: tuple[ConfigFile | ReleasesOf, ...]) -> None:
        super().__init__(config, rules)

    def _prediction(self, cluster: str) -> Prediction:
        """A server of the release with the definitions of a cluster; the last one is cached."""
        return self._once(cluster, lambda schemas, definitions: Prediction(schemas.patch_release, definitions))

    def _inputs(self, cluster: str, manifest: Manifest) -> Inputs | None:
        """A live object with its config; None if the config does not have it. The object is recorded in `seen`."""
        live = self._config.placed(cluster, manifest)
        seen = self.seen.setdefault(cluster, set())
        wanted = self._config.of(cluster).get(live.id)
        if wanted is None:
            return None
        seen.add("/".join(live.id))
        return self._config.inputs(cluster, wanted, live)

    def about(self, cluster: str, manifest: Manifest) -> Iterator[Row]:
        """The fields of one live object that an apply would change."""
        inputs = self._inputs(cluster, manifest)
        if inputs is None or inputs.live is None:
            return
        how = MergeOptions()
        merged = self._prediction(cluster).of(merge(inputs, how), how)
        difference = Difference(merged, Show())
        if not difference.differs:
            return
        for one in difference.facts():
            words = {"path": one["path"], "what": one["action"], "severity": "warning", "text": one["reason"]}
            values = {"before": json(one["before"]), "after": json(one["after"])}
            yield row_of(cluster, inputs.live.content, manifest.source, **words, **values)

    def missing(self, cluster: str, seen: Set[str], there: Container[str]) -> Iterator[Row]:
        """The config objects missing in a cluster: those not in `seen`. `there` has the kinds in the dump."""
        for identity, one in self._config.of(cluster).items():
            if "/".join(identity) not in seen:
                text = "in the config, but not in the cluster"
                if identity.kind not in there:
                    text = f"in the config, but the dump has no {identity.kind}. Dump that kind too"
                words = {"what": MISSING, "severity": "error", "text": text}
                yield row_of(cluster, one.content, one.place, **words)
