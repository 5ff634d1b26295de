"""The Pod of `run`, and the Service that goes with it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .parts import BadOptions, container, given, head, labels_of, pairs
from .sources import wrong_variable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Schema

    from ...cluster import Cluster, Object

_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[a-fA-F0-9:]+\])(?::\d+)?"
_PART = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_IMAGE = re.compile(
    rf"(?:{_HOST}/)?{_PART}(?:/{_PART})*(?::\w[\w.-]{{0,127}})?"
    r"(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?",
    re.ASCII,
)
RESTARTS = ("Always", "OnFailure", "Never")
PULLS = ("Always", "IfNotPresent", "Never")


@dataclass(frozen=True)
class Run:
    """What `run` was asked for."""

    image: str
    port: str
    labels: str
    annotations: Sequence[str]
    env: Sequence[str]
    restart: str
    image_pull_policy: str
    command: bool
    privileged: bool
    stdin: bool
    tty: bool
    leave_stdin_open: bool
    expose: bool


def check(wanted: Run) -> None:
    """Refuse what no Pod can be made of."""
    if wanted.restart not in RESTARTS:
        raise BadOptions(f"invalid restart policy: {wanted.restart}, valid values are: {', '.join(RESTARTS)}")
    if wanted.image_pull_policy and wanted.image_pull_policy not in PULLS:
        known = ", ".join(PULLS)
        raise BadOptions(f"invalid image pull policy: {wanted.image_pull_policy}, valid values are: {known}")
    if not _IMAGE.fullmatch(wanted.image):
        raise BadOptions(f'invalid image name "{wanted.image}": invalid reference format')
    if wanted.tty and not wanted.stdin:
        raise BadOptions("-i/--stdin is required for containers with -t/--tty=true")
    if wanted.expose and not wanted.port:
        raise BadOptions("--port must be set when exposing a service")
    if wanted.port and not re.fullmatch(r"[+-]?\d+", wanted.port):
        raise BadOptions("--port must be a number")


def pod(name: str, wanted: Run, words: Sequence[str]) -> Object:
    """A Pod with one container."""
    fields = {
        "command" if wanted.command else "args": list(words),
        "ports": [{"containerPort": int(wanted.port)}] if wanted.port else [],
        "env": [_variable(text) for text in wanted.env],
        "imagePullPolicy": wanted.image_pull_policy,
        "securityContext": {"privileged": True} if wanted.privileged else None,
        "stdin": wanted.stdin,
        "stdinOnce": wanted.stdin and not wanted.leave_stdin_open,
        "tty": wanted.tty,
    }
    only = container(name, wanted.image, **fields)
    spec = {"containers": [only], "restartPolicy": wanted.restart, "dnsPolicy": "ClusterFirst"}
    marks = {"labels": _labels(name, wanted), "annotations": pairs(wanted.annotations, "annotations")}
    return {**head("v1", "Pod", name, **marks), "spec": spec, "status": {}}


def _labels(name: str, wanted: Run) -> dict[str, str]:
    return labels_of(wanted.labels) if wanted.labels else {"run": name}


def _variable(text: str) -> Object:
    name, equals, value = text.partition("=")
    if not equals or not name or wrong_variable(name):
        raise BadOptions(f"invalid env: {text}")
    return {"name": name, **given({"value": value})}


def service_of(name: str, wanted: Run) -> Object:
    """The Service of `run --expose`."""
    port = int(wanted.port)
    labels = labels_of(wanted.labels) if wanted.labels else {}
    ports = [{"protocol": "TCP", "port": port, "targetPort": port}]
    spec = {"ports": ports, "selector": _labels(name, wanted)}
    return {**head("v1", "Service", name, labels=labels), "spec": spec, "status": {"loadBalancer": {}}}


# ---- overrides -------------------------------------------------------------------------------------------------------


def overridden(content: Object, text: str, patch_type: str, cluster: Cluster) -> Object:
    """The object with `--overrides` laid over it."""
    if not text:
        return content
    from ...apiserver.patches.patch_types import patched

    try:
        patch: Any = json.loads(text)
    except ValueError:
        raise BadOptions(f"--overrides is not JSON: {text}") from None
    if patch_type not in ("json", "merge", "strategic"):
        raise BadOptions(f"invalid override type: {patch_type}")
    key = content["apiVersion"], content["kind"]

    def schema() -> Schema:
        found = cluster.schema(*key)
        if found is None:
            raise BadOptions(f"there is no schema that says how {key[1]} merges; use --override-type=merge")
        return found

    return patched(content, patch, patch_type, cluster.resource(*key), schema)
