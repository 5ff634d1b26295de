"""Responses with the reviews that webhooks got, and those of the embedded cluster."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.metadata import SUFFIX
from kubemerge.cluster import open_cluster

from ..policies import replay as policies
from ..policies.replay import Answer, SetupRejected
from ..policies.scenarios import RELEASE, place
from ..recordings import read_recorded, write_recorded
from .scenarios import Object, answers_of, configurations_of, setup_of

if TYPE_CHECKING:
    from .stub import Stub

RECORDED = Path(__file__).parent / "recorded"
BY_SETUP = "fieldManager=setup"
PORT = re.compile(r"(?<=revision=)\d+|127\.0\.0\.1:\d+(->127\.0\.0\.1:\d+)?|(?<=\.svc:)\d+|(?<=localhost:)\d+")
DRAWN = ("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp")


def masked(found: Answer, reviews: list[tuple[str, Object]], request: Object) -> Answer:
    """A response with its reviews, without values that only a server sets."""
    # A server also converts objects for its watch cache, at any time.
    seen = [{"to": path, **_review(review, request)} for path, review in reviews if not path.startswith("/convert/")]
    seen.sort(key=lambda one: (one["to"].startswith("/v"), one["to"] if one["to"].startswith("/v") else ""))
    text = policies._DRAWN.sub("*", PORT.sub("PORT", json.dumps({**found, "reviews": seen})))
    body = request.get("body")
    prefix = (body.get("metadata") or {}).get("generateName") if isinstance(body, dict) else None
    if prefix:
        text = re.sub(rf"\b{prefix}[{SUFFIX}]{{5}}\b", f"{prefix}*****", text)
    answer: Answer = json.loads(text)
    (answer.get("object") or {}).get("metadata", {}).pop("continue", None)
    return answer


def _review(review: Object, request: Object) -> Object:
    asked = {name: one for name, one in review["request"].items() if name != "uid"}
    if not request.get("user"):
        asked.pop("userInfo", None)
    for name in ("object", "oldObject"):
        asked[name] = _object(asked.get(name), request)
    return {"apiVersion": review["apiVersion"], "kind": review["kind"], "request": asked}


def _object(content: Any, request: Object) -> Any:
    if not isinstance(content, dict):
        return content
    metadata: Object = {name: "*" if name in DRAWN else one for name, one in (content.get("metadata") or {}).items()}
    if metadata.get("generateName") and "name" in metadata:
        metadata["name"] = "*"
    if "managedFields" in metadata:
        entries = [{**one, "time": "*"} for one in metadata["managedFields"]]  # in the order of their times
        metadata["managedFields"] = sorted(entries, key=lambda one: json.dumps(one, sort_keys=True))
    return {**content, "metadata": metadata}


def ours(scenario: Object, stub: Stub) -> list[Answer]:
    """The responses of an embedded cluster."""
    with open_cluster(":memory:", release=RELEASE) as cluster:
        services = {
            f"default/{name}": f"https://127.0.0.1:{stub.ports['good']}" for name in scenario.get("services", ())
        }
        application = Application(cluster, services=services)
        stub.begin(answers_of(scenario))
        for one in (*setup_of(scenario, stub), *configurations_of(scenario, stub)):
            sent = {"method": "POST", "path": f"{place(one, named=False)}?{BY_SETUP}", "body": one}
            found = policies.sent_to_ours(application, sent)
            if found["code"] >= 300:
                raise SetupRejected(f"{one['kind']}: {found['message']}")
        answers = []
        for one in scenario["requests"]:
            stub.forget()
            found = policies.sent_to_ours(application, one)
            answers.append(masked(found, stub.reviews, one))
        return answers


def answers_of_ours(scenario: Object, stub: Stub) -> list[Any]:
    """The responses of an embedded cluster, or the message for an object of the setup that it rejects."""
    try:
        return ours(scenario, stub)
    except SetupRejected as error:
        return [str(error)]


def requests_of(scenario: Object) -> str:
    """What identifies the requests of a scenario."""
    return json.dumps([scenario["setup"], scenario["hooks"], scenario["requests"]], sort_keys=True)


def recorded(area: str) -> dict[str, Object]:
    """The recorded responses by the names of scenarios."""
    return read_recorded(RECORDED / f"{area}.json.gz")


def record(area: str, found: dict[str, Object]) -> None:
    """Write the responses of an area."""
    write_recorded(RECORDED / f"{area}.json.gz", found)
