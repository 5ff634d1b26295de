"""Fields of the status of a Pod that an update leaves out, by release. `http/wire` compares 1.37 with a real server."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.cluster import Reference, open_cluster

POD = Reference("v1", "Pod", "p", "default")
CONTAINERS = [{"name": "c", "image": "nginx"}]
CLAIMS = [{"name": "a", "resourceClaimName": "p-a"}]
STATUS: dict[str, Any] = {
    "conditions": [{"type": "Ready", "status": "True", "observedGeneration": 1}],
    "observedGeneration": 1,
    "resourceClaimStatuses": CLAIMS,
}


@pytest.mark.parametrize(
    ("release", "kept"),
    [
        ("1.33", {"qosClass"}),
        ("1.34", {"qosClass", "observedGeneration"}),
        ("1.36", {"qosClass", "observedGeneration"}),
        ("1.37", {"qosClass", "observedGeneration", "resourceClaimStatuses"}),
    ],
)
def test_fields_that_an_update_leaves_out(release: str, kept: set[str]) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        spec = {"containers": CONTAINERS, "resourceClaims": [{"name": "a", "resourceClaimTemplateName": "t"}]}
        cluster.create({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec})
        status = STATUS if release >= "1.34" else {**STATUS, "resourceClaimStatuses": None}
        cluster.patch(POD, {"status": status}, "merge", subresource="status")
        conditions = [{"type": "Ready", "status": "False"}]
        content = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": CONTAINERS}}
        after = cluster.replace({**content, "status": {"conditions": conditions}}, subresource="status")["status"]
        assert set(after) - {"conditions", "phase"} == kept
        assert ("observedGeneration" in after["conditions"][0]) == ("observedGeneration" in kept)
