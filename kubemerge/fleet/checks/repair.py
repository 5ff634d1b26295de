"""The repair of drifted objects of a fleet: the fields of each object, and the patch that restores them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...apiserver.pipeline import Server
from ...offline.pairs import Inputs
from ...output.secrets import Shown
from ...plan.cluster_view import ClusterView
from ...plan.report import owner_text
from ...plan.tools import PlanOptions
from ...repair import repair_objects
from ...repair.model import HAND_OVER, PATCH
from ...repair.report import command, is_hidden
from ..rows import Row, json, row_of
from .drift import Drift

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ...manifests.objects import Manifest
    from ...repair import DriftedField, ObjectRepair
    from .base import Rules
    from .config import ConfigFile

FAILED = "failed"
_LIVE_IS_GONE = "removed from the live object"


class Repair(Drift):
    """The results of `kubemerge plan --repair` for each object."""

    def __init__(
        self,
        rules: Rules,
        *,
        config: tuple[ConfigFile, ...],
        tool: str = "kubectl",
        server_side: str | None = None,
        force_conflicts: bool = False,
        manager: str | None = None,
        settings: Sequence[dict[str, Any]] = (),
    ) -> None:
        super().__init__(rules, config=config)
        self._tool = tool
        self._options = PlanOptions(
            server_side=server_side,
            force_conflicts=force_conflicts,
            manager=manager,
            documents=tuple(settings),
        )

    def _server(self, cluster: str) -> Server:
        """A server of the release with the definitions of a cluster; the last one is cached."""
        return self._once(
            cluster, lambda schemas, definitions: Server(schemas.patch_release, definitions, keeps_owners=True)
        )

    def about(self, cluster: str, manifest: Manifest) -> Iterator[Row]:
        """The drifted fields of one live object, and the patch that repairs it."""
        inputs = self._inputs(cluster, manifest)
        if inputs is None or inputs.live is None:
            return
        live = inputs.live

        def find(other: Manifest) -> Inputs:
            is_same = other.id == inputs.manifest.id
            return Inputs(other, live if is_same else None, inputs.schema if is_same else None)

        view = ClusterView(find, self._server(cluster))
        for one in repair_objects(self._tool, [inputs], view, self._options).objects:
            yield from _rows(cluster, live, one)


def _rows(cluster: str, live: Manifest, one: ObjectRepair) -> Iterator[Row]:
    shown = Shown(one.before, one.config)
    for problem in one.problems:
        text = f"it cannot be repaired: {problem}"
        yield row_of(cluster, live.content, live.source, what=FAILED, severity="error", text=text)
    for field in one.fields:
        if field.repair in (PATCH, HAND_OVER) and shown.may_print(field.steps):
            before, after = shown.at(field.steps, field.live, field.intended)
            what, severity = (HAND_OVER, "info") if field.repair == HAND_OVER else (field.drift, "warning")
            words = {"path": field.path, "what": what, "severity": severity, "text": _text(field)}
            yield row_of(cluster, live.content, live.source, before=json(before), after=json(after), **words)
    if one.patch is not None:
        body = None if is_hidden(one, secrets=False) else json(one.patch.body)
        words = {"what": PATCH, "severity": "warning", "text": command(one)}
        yield row_of(cluster, live.content, live.source, after=body, **words)


def _text(field: DriftedField) -> str:
    owners = ", ".join(map(owner_text, field.owners))
    set_by = f"set by {owners}" if owners else _LIVE_IS_GONE if field.live is None else "set by an unknown manager"
    return f"{set_by}: {field.reason}" if field.reason else set_by
