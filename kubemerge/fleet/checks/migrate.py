"""The effects of the first server-side apply on the objects of a fleet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.clientside.last_applied import read_last_applied
from engine.directives import ANNOTATION

from ...apiserver.pipeline import Server
from ...manifests.objects import BadManifest, is_object
from ...migrate import plan_migration
from ...migrate.report import SECTIONS
from ...output.secrets import Shown
from ..rows import Row, json, row_of
from .config import ConfigComparison, ConfigFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ...manifests.objects import Manifest
    from ...migrate import MigratedField, Migration
    from .base import Rules

_SEVERITIES = {
    "conflicts": "error",
    "taken": "warning",
    "left": "warning",
    "shared": "info",
    "removed": "warning",
    "changed": "warning",
}


class Migrate(ConfigComparison):
    """The results of `kubemerge migrate` for the config or, without one, for the last applied configuration."""

    def __init__(
        self,
        rules: Rules,
        *,
        config: tuple[ConfigFile, ...] | None = None,
        by: str = "kubectl",
        before: Sequence[str] = (),
        manager: str | None = None,
    ) -> None:
        super().__init__(config or (), rules)
        self._is_given = config is not None
        self._by, self._before, self._manager = by, tuple(before), manager

    def _server(self, cluster: str) -> Server:
        """A server of the release with the definitions of a cluster; the last one is cached."""
        return self._once(cluster, lambda schemas, definitions: Server(schemas.patch_release, definitions))

    def about(self, cluster: str, manifest: Manifest) -> Iterator[Row]:
        """The effects on one object."""
        live = self._config.placed(cluster, manifest)
        self.seen.setdefault(cluster, set())
        wanted = self._wanted(cluster, live)
        if wanted is None:
            return
        inputs = self._config.inputs(cluster, wanted, live)
        found = plan_migration(
            inputs.config,
            live.content,
            inputs.schema,
            by=self._by,
            before=self._before,
            manager=self._manager,
            server=self._server(cluster),
        )
        shown = Shown(live.content, inputs.config)
        yield from self._refused(cluster, live, found, shown)
        for section, severity in _SEVERITIES.items():
            place: MigratedField
            for place in getattr(found, section):
                before, after = shown.at(place.steps, place.live, place.config)
                owners = f": {', '.join(map(str, place.owners))}" if place.owners else ""
                words = {"path": place.path, "what": section, "severity": severity}
                text = f"{SECTIONS[section].partition(':')[0]}{owners}"
                values = {"before": json(before), "after": json(after), "text": text}
                yield row_of(cluster, live.content, live.source, **words, **values)

    def _wanted(self, cluster: str, live: Manifest) -> Manifest | None:
        if self._is_given:
            return self._config.of(cluster).get(live.id)
        last = read_last_applied(live.content)
        return None if last is None else _of_the_same(live, last)

    def _refused(self, cluster: str, live: Manifest, found: Migration, shown: Shown) -> Iterator[Row]:
        for problem in found.refused:
            text = (
                "the API server rejects the result" if shown.hides else f"the API server rejects the result: {problem}"
            )
            yield row_of(cluster, live.content, live.source, what="refused", severity="error", text=text)


def _of_the_same(live: Manifest, last: dict[str, Any]) -> Manifest | None:
    """The last applied configuration; None if it is another object's, with annotations copied by a controller."""
    if not is_object(last):
        raise BadManifest(
            f"the annotation {ANNOTATION} does not contain an object. Remove it, or pass the config with -f"
        )
    placed = {**last, "metadata": {"namespace": live.id.namespace, **last["metadata"]}}
    same = live.with_content(placed).id[1:] == live.id[1:]  # an older version of a kind may be in another group
    return live.with_content(last) if same else None
