"""The repair of a scenario by kubemerge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kubemerge.manifests.objects import Manifest, manifests_in
from kubemerge.offline.pairs import Inputs
from kubemerge.plan.cluster_view import ClusterView
from kubemerge.plan.tools import PlanOptions
from kubemerge.repair import repair_objects

from ..gitops.replay import server
from ..livediff.subjects import schema_of

if TYPE_CHECKING:
    from kubemerge.repair import ObjectRepair

Object = dict[str, Any]


def repaired(case: Object) -> ObjectRepair:
    """The repair of the only object of a case."""
    (config,) = manifests_in(json.dumps(case["config"]).encode(), "config.json")
    live = Manifest("live.yaml", case["live"])
    inputs = Inputs(config, live, schema_of(*config.key))
    options = PlanOptions(server_side="true" if case["server_side"] else "false", namespace="tests")
    found = repair_objects(case["tool"], [inputs], ClusterView(lambda _: inputs, server()), options)
    return found.objects[0]
