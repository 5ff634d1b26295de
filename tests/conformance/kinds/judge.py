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
LISTED = {
    "parsing time": "the text of times is not looked at",
    "illegal base64 data": "base64 is not decoded when an object is read",
    "extendedResourceName": "the words about names of extended resources are others in a DeviceClass",
    "inlineVolumeSpec": "a volume inside of an attachment is not judged",
    "object has been modified": "a controller of the server was faster than the question",
    "compilation failed": "CEL expressions are not compiled",
    "does not parse as X.509": "certificates are not read",
    "must evaluate to": "CEL expressions are not compiled",
    "url must be a valid URL": "the words are those of Go",
    "validating label": "the parts of a signer's name are judged as a whole",
}
"""Words of the server's refusals that are not compared, with the reasons."""
_OF_REQUESTS = ("/spec/extra", "/spec/groups", "/spec/username")
PLACES = {
    ("APIService", "/status/conditions"): "a local APIService is not noted to be available, with the time",
    **{("CertificateSigningRequest", at): "the embedded cluster has no users" for at in _OF_REQUESTS},
    ("CertificateSigningRequest", "/status/conditions/0/lastTransitionTime"): "times of conditions are not filled in",
    ("CertificateSigningRequest", "/status/conditions/0/lastUpdateTime"): "times of conditions are not filled in",
    ("ValidatingWebhookConfiguration", "/metadata/generation"): "an empty list in a selector counts as a change",
    ("MutatingWebhookConfiguration", "/metadata/generation"): "an empty list in a selector counts as a change",
}
"""Fields that are not compared, with the reasons."""
LONG = {"{...}:", "[...]:"}
"""What stands for a long map or list in our words."""
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


def _is_listed(case: Case, place: str) -> bool:
    """Whether a difference between two objects is known: `places` begins with the path."""
    at = place.partition(":")[0]
    return (case["kind"], at) in PLACES


def _in_any_order(said: str) -> list[str]:
    """The parts of a refusal: what is wrong in a map comes in any order."""
    return sorted((said.partition(" is invalid: ")[2] or said).replace("[", "").replace("]", "").split(", "))


def is_compared(case: Case) -> bool:
    """Whether the words of the server are not among those that are known to differ."""
    return not any(words in case.get("said", "") for words in LISTED)


def differences(case: Case, answer: dict[str, Any]) -> list[str]:
    """How an answer differs from the server's; empty if it does not."""
    if not is_compared(case):
        return []
    if answer["code"] != case["code"]:
        return [f"ours {answer['code']} {answer.get('said', '')}", f"real {case['code']} {case.get('said', '')}"]
    if "after" in case:
        found = places(answer["after"], case["after"])
        return [one for one in found if not _is_listed(case, one) and not DRAWN.match(one)]
    said = str(answer["said"])
    is_cut = bool(LONG & {*said.split()})
    if case["code"] == READ or is_cut or _in_any_order(said) == _in_any_order(case["said"]):
        return []
    return [f"ours {answer['said']}", f"real {case['said']}"]
