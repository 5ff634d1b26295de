"""What the embedded cluster says to the same questions, and whether that is the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kubemerge.cluster import ClusterError, open_cluster
from tests.conformance.ownership.compare import places

from .ask import RELEASE, bare

if TYPE_CHECKING:
    from .ask import Case

DRAWN = re.compile(
    r"/\S+(labels|matchLabels)/\S*controller-uid: |"
    r"/spec/(clusterIP|clusterIPs/0|ports/\d+/nodePort|healthCheckNodePort): ours \S+, theirs [\d\"]"
)
"""What a server draws; in a dry run, it draws from outside its ranges."""
READ = 400
"""An object that cannot be read: the words are compared elsewhere."""


def ours(case: Case) -> dict[str, Any]:
    """The code, and the object that is stored or the text that is said."""
    with open_cluster(":memory:", release=RELEASE) as cluster:
        try:
            if case["do"] == "create":
                return {"code": 201, "after": bare(cluster.create(case["body"], dry_run=True))}
            cluster.load([case["before"]])
            subresource = "status" if case["do"] == "status" else None
            return {"code": 200, "after": bare(cluster.replace(case["body"], subresource=subresource, dry_run=True))}
        except ClusterError as error:
            return {"code": error.code, "said": str(error)}


def _in_any_order(said: str) -> list[str]:
    """The parts of a refusal: what is wrong in a map comes in any order."""
    return sorted(said.replace("[", "").replace("]", "").split(", "))


def differences(case: Case, answer: dict[str, Any]) -> list[str]:
    """How an answer differs from the server's; empty if it does not."""
    if "parsing time" in case.get("said", ""):
        return []
    if answer["code"] != case["code"]:
        return [f"ours {answer['code']} {answer.get('said', '')}", f"real {case['code']} {case.get('said', '')}"]
    if "after" in case:
        return [
            one
            for one in places(answer["after"], case["after"])
            if not (case["do"] == "create" and one.startswith("/status")) and not DRAWN.match(one)
        ]
    if case["code"] == READ or _in_any_order(answer["said"]) == _in_any_order(case["said"]):
        return []
    return [f"ours {answer['said']}", f"real {case['said']}"]
