"""The inputs of `kubemerge plan`: the config, live objects, and the tool's own objects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ..inputs import files
from .merge import ALL_NEW, Applying, with_notes
from .merge_request import MergeRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...manifests.objects import Manifest
    from ...offline.live_cluster import LiveCluster
    from ...offline.pairs import Inputs, Others
    from ...plan import Plan, PlanOptions
    from ...plan.cluster_view import ClusterView
    from ...repair import Repair

KUBECTL, HELM = "kubectl", "helm"


class Planning:
    """Plans all objects of a config as one tool applies them.

    `documents` are files with the tool's own objects, and `crds` files with the definitions of a chart's `crds` folder.
    """

    def __init__(
        self,
        tool: str,
        asked: MergeRequest,
        options: dict[str, Any],
        documents: Sequence[str] = (),
        crds: Sequence[str] = (),
    ) -> None:
        self._tool, self._namespace, self._options = tool, asked.namespace, options
        self._documents, self._crds = documents, crds
        if not asked.config and not (tool == HELM and options.get("rollback") is not None):
            raise click.UsageError("pass the rendered manifests with -f")
        own = {name: getattr(asked, name) for name in MergeRequest.__slots__}
        self._applying = Applying(asked if tool == KUBECTL else MergeRequest(**{**own, "namespace": None}))

    @property
    def exit_code(self) -> int:
        """2 once something has failed."""
        return self._applying.exit_code

    def plan(self) -> Plan | None:
        """The plan; None if the input cannot be used."""
        found = self._applying.together(self._planned)
        if found is None or not self._applying.all_unknown:
            return found
        return replace(found, notes=(ALL_NEW, *found.notes))

    def repair(self) -> Repair | None:
        """The repair of drifted objects; None if the input cannot be used."""
        return self._applying.together(self._repaired)

    def _planned(self, others: Others | LiveCluster, manifests: Sequence[Manifest]) -> Plan:
        from ...plan import plan

        return plan(self._tool, *self._read(others, manifests))

    def _repaired(self, others: Others | LiveCluster, manifests: Sequence[Manifest]) -> Repair:
        from ...repair import repair_objects

        return repair_objects(self._tool, *self._read(others, manifests))

    def _read(
        self, others: Others | LiveCluster, manifests: Sequence[Manifest]
    ) -> tuple[list[Inputs], ClusterView, PlanOptions]:
        """The objects of the config, the view of the cluster, and the options of the tool."""
        from ...manifests.objects import read_manifests
        from ...plan import PlanOptions
        from ...plan.tools import placed

        definitions = tuple(read_manifests(self._crds, files(), recursive=True))
        documents = tuple([one.content for one in read_manifests(self._documents, files())])
        view = self._view(others, [*definitions, *manifests])
        if self._tool == HELM and not documents:
            from ...plan.helm.release import stored_releases

            documents = stored_releases(view, self._options.get("release_name"), self._namespace)
        namespace = self._namespace
        options = PlanOptions(namespace=namespace, documents=documents, definitions=definitions, **self._options)
        objects = [
            with_notes(view.inputs(one)) for one in others.prefetched(placed(self._tool, manifests, view, options))
        ]
        return objects, view, options

    def _view(self, others: Others | LiveCluster, manifests: Sequence[Manifest]) -> ClusterView:
        from ...offline.live_cluster import LiveCluster
        from ...plan.cluster_view import ClusterView

        server = self._applying.server_for(others, manifests)
        if isinstance(others, LiveCluster):
            return ClusterView(others.of, server, others.require, others.listed)
        return ClusterView(others.of, server, None, others.listed)
