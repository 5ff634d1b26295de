"""Responses in a comparable form, and those of the embedded cluster."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.authorization.authorizer import MODES
from kubemerge.apiserver.crd.deadlines import Unfinished
from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.metadata import SUFFIX
from kubemerge.cluster import open_cluster

from ..recordings import read_recorded, write_recorded
from ..wordings.replay import answer_of, request_of
from .scenarios import LIVE, RELEASE, Object, place

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubemerge.apiserver.http.messages import Request, Response

RECORDED = Path(__file__).parent / "recorded"
VOLATILE = (
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "managedFields",
    "selfLink",
    "generation",
    "deletionTimestamp",
)
CONTROLLERS = "-*"
"""The server was recorded without kube-controller-manager."""
Answer = dict[str, Any]
Recorded = dict[str, Any]
"""requests: the scenario. answers: its responses, or rejected: the message for an object of the setup."""
_DRAWN = re.compile(
    r"\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<=\")10\.0\.\d+\.\d+(?=\")|\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"
)
"""Values that a server draws: tokens, uids, addresses and times."""


class SetupRejected(Exception):
    """An object of a setup that the server rejects."""


def answer(code: int, content: Any, warnings: str, request: Object) -> Answer:
    """A response: code, warnings, and the parts of a Status, or the object without values that only a server sets."""
    body = request.get("body")
    prefix = (body.get("metadata") or {}).get("generateName") if isinstance(body, dict) else None
    text = _DRAWN.sub("*", json.dumps([content, warnings]))
    if prefix:
        text = re.sub(rf"\b{prefix}[{SUFFIX}]{{5}}\b", f"{prefix}*****", text)
    content, warnings = json.loads(text)
    found = answer_of(code, content, warnings)
    found["warnings"].sort()  # a server evaluates policies in any order
    if code >= 300:
        details = content.get("details") or {}
        parts = {"reason": content.get("reason", ""), "details": details}
        return {**found, **parts}
    kept = without_volatile(content) if content.get("kind") != "Status" else {"kind": "Status"}
    return {**found, "object": kept}


def without_volatile(content: Object) -> Object:
    metadata = {key: one for key, one in (content.get("metadata") or {}).items() if key not in VOLATILE}
    if metadata.get("generateName"):
        metadata.pop("name", None)
    items = {"items": [without_volatile(one) for one in content["items"]]} if "items" in content else {}
    return {**content, "metadata": metadata, **items}


def response_of(application: Application, request: Request) -> Response:
    """The response to a request, with the calls of webhooks between its attempts."""
    patience = application.deadline(request)
    while True:
        try:
            with patience.here():
                return application.answer(request)
        except Unfinished as unfinished:
            unfinished.finish()


def with_live_version(body: Any, live: Callable[[], Object]) -> Any:
    """The body with the resourceVersion of the live object, if it asks for it with `live`."""
    if not isinstance(body, dict) or (body.get("metadata") or {}).get("resourceVersion") != LIVE:
        return body
    version = live().get("metadata", {}).get("resourceVersion", "1")
    return {**body, "metadata": {**body["metadata"], "resourceVersion": version}}


def sent_to_ours(application: Application, one: Object) -> Answer:
    body = with_live_version(one.get("body"), lambda: _live(application, one["path"].partition("?")[0]))
    request = request_of({**one, "body": body})
    if one.get("user"):
        who = (("user", one["user"]), *(("group", group) for group in one.get("groups") or ()))
        request = replace(request, impersonation=who)
    found = response_of(application, request)
    content = json.loads(found.body) if isinstance(found.body, bytes) and found.body else {}
    warnings = ", ".join(value for name, value in found.headers if name.lower() == "warning")
    return answer(found.status, content, warnings, one)


def _live(application: Application, path: str) -> Object:
    body = response_of(application, request_of({"method": "GET", "path": path})).body
    found: Object = json.loads(body) if isinstance(body, bytes) else {}
    return found


def ours(scenario: Object, release: str = RELEASE) -> list[Answer]:
    """The responses of an embedded cluster."""
    with open_cluster(":memory:", release=release, controllers=CONTROLLERS) as cluster:
        cluster.use_authorization(scenario.get("authorization", MODES[0]))
        application = Application(cluster)
        for one in scenario["setup"]:
            found = sent_to_ours(application, {"method": "POST", "path": place(one, named=False), "body": one})
            if found["code"] >= 300:
                raise SetupRejected(f"{one['kind']}: {found['message']}")
        return [sent_to_ours(application, one) for one in scenario["requests"]]


def answers_of_ours(scenario: Object) -> list[Any]:
    """The responses of an embedded cluster, or the message for an object of the setup that it rejects."""
    try:
        return ours(scenario)
    except SetupRejected as error:
        return [str(error)]


def answers_in(one: Recorded) -> list[Any]:
    """The recorded responses, or the message for an object of the setup."""
    answers: list[Any] = one["answers"] if "answers" in one else [one["rejected"]]
    return answers


def requests_of(scenario: Object) -> str:
    """What identifies the requests of a scenario."""
    return json.dumps([scenario["setup"], scenario["requests"]], sort_keys=True)


def recorded(area: str) -> dict[str, Recorded]:
    """The recorded responses by the names of scenarios."""
    return read_recorded(RECORDED / f"{area}.json.gz")


def record(area: str, found: dict[str, Recorded]) -> None:
    """Write the responses of an area."""
    write_recorded(RECORDED / f"{area}.json.gz", found)
