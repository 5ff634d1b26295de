"""The inputs of `kubemerge plan`: the config, live objects, and the tool's own objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .merge import Applying, with_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...manifests.objects import Manifest
    from ...offline.live_cluster import LiveCluster
    from ...offline.pairs import Others
    from ...plan import Plan
    from .merge_request import MergeRequest


class Planning:
    """Plans all objects of a config as one tool applies them."""

    def __init__(self, tool: str, asked: MergeRequest, options: dict[str, Any]) -> None:
        self._tool, self._asked, self._options = tool, asked, options
        self._applying = Applying(asked)

    @property
    def exit_code(self) -> int:
        """2 once something has failed."""
        return self._applying.exit_code

    def plan(self) -> Plan | None:
        """The plan; None if the input cannot be used."""
        return self._applying.together(self._planned)

    def _planned(self, others: Others | LiveCluster, manifests: Sequence[Manifest]) -> Plan:
        from ...plan import PlanOptions, plan
        from ...plan.surroundings import Surroundings

        around = Surroundings(others.of, self._applying.server_for(others, manifests))
        objects = [with_notes(others.of(one)) for one in others.prefetched(manifests)]
        return plan(self._tool, objects, around, PlanOptions(namespace=self._asked.namespace, **self._options))
