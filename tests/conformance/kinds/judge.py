"""The embedded cluster's responses to the same requests, and their comparison."""

from __future__ import annotations

import json
import re
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.messages import Request
from kubemerge.apiserver.identity import DEFAULT_NAMESPACE
from kubemerge.cluster import open_cluster
from tests.conformance.ownership.compare import places
from tests.conformance.ownership.real.server import root_of

from .ask import bare

if TYPE_CHECKING:
    from .ask import Case

DRAWN = re.compile(
    r"/\S+(labels|matchLabels)/\S*controller-uid: |"
    r"/\S+(Time|Timestamp|timeAdded): ours \"20(2[5-9]|[3-9])\S+Z\", theirs \"20(2[5-9]|[3-9])\S+Z\"|"
    r"/spec/extra/authentication\.kubernetes\.io/credential-id/0: |"
    r"/spec/extra: ours \"nothing\", theirs \{\"authentication.kubernetes.io/credential-id|"
    r"/metadata/name: ours \"[0-9a-f]{8}-[0-9a-f-]{27}\", theirs \"[0-9a-f]{8}-[0-9a-f-]{27}\"|"
    r"/spec/(clusterIP|clusterIPs/0|ports/\d+/nodePort|healthCheckNodePort): ours \S+, theirs [\d\"]"
)
"""Random values and times of the request. In a dry run, a server draws ports and addresses from outside its ranges."""
LISTED = {
    "object has been modified": "a controller of the server was faster than the question",
    "compilation failed": "the parser of CEL goes on behind an error, and ours ends there",
}
"""Parts of rejections that are not compared, with the reasons."""
PLACES = {
    ("ValidatingWebhookConfiguration", "/metadata/generation"): "an empty list in a selector counts as a change",
    ("MutatingWebhookConfiguration", "/metadata/generation"): "an empty list in a selector counts as a change",
}
"""Fields that are not compared, with the reasons."""
REFUSED = 400
"""The first code of a rejection."""
FIRST_RECORDED = "1.37"
"""The release of recorded requests that do not name theirs."""
ASKED_BY = (("user", "admin"), ("group", "system:masters"))
"""The user of the real server, as impersonation headers."""


DRAWN_PORT = re.compile(r"(nodePort: Duplicate value: )\d+")
SUFFIX = "[bcdfghjklmnpqrstvwxz2456789]{5}"
"""The end of a generated name."""


class Agreement(IntEnum):
    """The degree of equality of two responses."""

    DIFFERENT = 0
    VERDICT = 1
    """Both accept, or both reject with the same code."""
    IDENTICAL = 2
    """The object, or the message in any order: a server lists the problems of a map in a random order."""
    ORDERED = 3


def release_of(case: Case) -> str:
    """The release of the real server."""
    return str(case.get("release", FIRST_RECORDED))


def ours(case: Case) -> dict[str, Any]:
    """The code, and the stored object or the message, through the paths of the API."""
    sent = json.dumps(case["body"], sort_keys=True).encode()
    with open_cluster(":memory:", release=release_of(case)) as cluster:
        resource = cluster.resource(case["version"], case["kind"])
        namespace = case.get("namespace", DEFAULT_NAMESPACE)
        place = [root_of(case["version"]), *(["namespaces", namespace] if resource.namespaced else ())]
        path = "/".join([*place, resource.plural])
        if resource.namespaced and namespace != DEFAULT_NAMESPACE:
            cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
        method = "POST"
        if case["do"] != "create":
            cluster.load([case["before"]])
            part = "/status" if case["do"] == "status" else ""
            method, path = "PUT", f"{path}/{case['before']['metadata']['name']}{part}"
        headers = {"content-type": "application/json"}
        found = Application(cluster).answer(Request(method, path, {"dryRun": ["All"]}, headers, sent, ASKED_BY))
        body = json.loads(found.body)  # type: ignore[arg-type]
        said = {"after": bare(body)} if found.status < REFUSED else {"said": body["message"]}
        return {"code": found.status, **said}


def _is_listed(case: Case, place: str) -> bool:
    """True if a difference between two objects is known: `places` begins with the path."""
    at = place.partition(":")[0]
    return (case["kind"], at) in PLACES


def in_parts(said: str) -> list[str]:
    """The parts of a rejection, without the prefix about the whole object."""
    return (said.partition(" is invalid: ")[2] or said).replace("[", "").replace("]", "").split(", ")


def _without_drawn(case: Case, said: str) -> str:
    """A rejection without ports and names that a server draws."""
    said = DRAWN_PORT.sub(r"\1N", said)
    metadata = case["body"].get("metadata")
    prefix = metadata.get("generateName") if isinstance(metadata, dict) else None
    if not prefix or not isinstance(prefix, str):
        return said
    return re.sub(f"({re.escape(json.dumps(prefix, ensure_ascii=False)[1:-1])}){SUFFIX}", r"\1", said)


def _in_any_order(said: str) -> list[str]:
    """The parts of a rejection, sorted: the problems of a map come in any order."""
    return sorted(in_parts(said))


def degree(case: Case, answer: dict[str, Any]) -> Agreement:
    """The degree of equality with the server's response; only drawn values are ignored."""
    if answer["code"] != case["code"]:
        return Agreement.DIFFERENT
    if differences(case, answer, strict=True):
        return Agreement.VERDICT
    return Agreement.ORDERED if answer.get("said") == case.get("said") else Agreement.IDENTICAL


def is_compared(case: Case) -> bool:
    """False if the server's message is known to differ."""
    return not any(words in case.get("said", "") for words in LISTED)


def differences(case: Case, answer: dict[str, Any], *, strict: bool = False) -> list[str]:
    """The differences from the server's response; empty if equal. Listed differences count if `strict`."""
    if not strict and not is_compared(case):
        return []
    if answer["code"] != case["code"]:
        return [f"ours {answer['code']} {answer.get('said', '')}", f"real {case['code']} {case.get('said', '')}"]
    if "after" in case:
        found = places(answer["after"], case["after"])
        return [one for one in found if not DRAWN.match(one) and (strict or not _is_listed(case, one))]
    said, real = (_without_drawn(case, str(one["said"])) for one in (answer, case))
    if _in_any_order(said) == _in_any_order(real):
        return []
    return [f"ours {answer['said']}", f"real {case['said']}"]
