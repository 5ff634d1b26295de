"""The affinity of a Pod with scheduling gates: node affinity may change, Pod affinity may not."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from kubemerge.apiserver.eras import in_release
from kubemerge.apiserver.validation import updates

TERM = "requiredDuringSchedulingIgnoredDuringExecution"
AWAY: dict[str, Any] = {"podAntiAffinity": {TERM: [{"topologyKey": "k"}]}}
NODES: dict[str, Any] = {"nodeAffinity": {TERM: {"nodeSelectorTerms": [{}]}}}


@pytest.mark.parametrize(
    ("before", "after", "allowed"),
    [
        (AWAY, None, False),
        (None, AWAY, False),
        (AWAY, {**AWAY, **NODES}, True),
        (None, NODES, True),
        ({**AWAY, **NODES}, NODES, False),
        (AWAY, AWAY, True),
    ],
)
def test_only_the_affinity_to_nodes_may_change(before: Any, after: Any, allowed: bool) -> None:
    spec: dict[str, Any] = {"schedulingGates": [{"name": "a.b/c"}], "containers": [{"name": "c", "image": "i"}]}
    old, new = ({"spec": {**deepcopy(spec), **({"affinity": one} if one else {})}} for one in (before, after))
    found = in_release(updates.pod(new, old), 37)
    assert [one.path for one in found] == ([] if allowed else ["spec"])
