"""The embedded server's results for the same cases, and their comparison."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.messages import Request
from kubemerge.apiserver.resources import Kinds
from kubemerge.cluster import open_cluster
from tests.conformance.ownership.compare import places
from tests.conformance.ownership.real.server import NAMESPACE, root_of

from ..kinds.ask import bare
from ..kinds.judge import ASKED_BY, DRAWN, REFUSED
from .cases import place
from .record import warnings_of

if TYPE_CHECKING:
    from .cases import Case
    from .record import Result

HEADERS = {"content-type": "application/json"}


def ours(case: Case, release: str) -> Result | None:
    """The result of the embedded server. None if the release lacks the kind."""
    with open_cluster(":memory:", release=release) as cluster:
        at = place(Kinds(release, list), case)
        if at is None:
            return None
        plural, namespaced = at
        root = root_of(case.content["apiVersion"])
        path = "/".join([root, *(["namespaces", NAMESPACE] if namespaced else ()), plural])
        cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        server = Application(cluster)

        def send(method: str, where: str, body: Any, *, dry: bool) -> tuple[int, Any, list[str]]:
            query = {"dryRun": ["All"]} if dry else {}
            answer = server.answer(Request(method, where, query, HEADERS, json.dumps(body).encode(), ASKED_BY))
            header = ", ".join(value for key, value in answer.headers if key.lower() == "warning")
            return answer.status, json.loads(answer.body), warnings_of(header)  # type: ignore[arg-type]

        status, body, warnings = send("POST", path, case.content, dry=case.update is None)
        if case.update is not None and status < REFUSED:
            metadata = {**body["metadata"], **case.update.get("metadata", {})}
            metadata["resourceVersion"] = body["metadata"]["resourceVersion"]
            changed = {**case.update, "metadata": metadata}
            status, body, warnings = send("PUT", f"{path}/{metadata['name']}", changed, dry=True)
        said = {"after": bare(body)} if status < REFUSED else {"said": body["message"]}
        return {"code": status, "warnings": warnings, **said}


def differences(own: Result, real: Result) -> dict[str, list[str]]:
    """The differences by what differs: the verdict, warnings, or stored fields."""
    found: dict[str, list[str]] = {}
    if own["code"] != real["code"]:
        found["verdict"] = [f"ours {own['code']} {own.get('said', '')}", f"real {real['code']} {real.get('said', '')}"]
        return found
    if sorted(own["warnings"]) != sorted(real["warnings"]):
        false = [f"false: {one}" for one in own["warnings"] if one not in real["warnings"]]
        found["warnings"] = false + [f"missed: {one}" for one in real["warnings"] if one not in own["warnings"]]
    if "after" in real:
        stored = [one for one in places(own["after"], real["after"]) if not DRAWN.match(one)]
        if stored:
            found["stored"] = stored
    elif named(own["said"]) != named(real["said"]):
        found["message"] = [f"ours {own['said']}", f"real {real['said']}"]
    return found


def named(said: str) -> set[tuple[str, str]]:
    """The fields in a rejection, with the types of their errors. Values were printed otherwise before 1.35."""
    return {*PROBLEM.findall(said.partition(" is invalid: ")[2])} or {("", said)}


PROBLEM = re.compile(
    r"(?:^|[ \[])([\w.\[\]/-]+): "
    r"(Invalid value|Required value|Forbidden|Unsupported value|Duplicate value|Not found|Too long|Too many)\b"
)
"""A field in a rejection, and the type of its error."""
