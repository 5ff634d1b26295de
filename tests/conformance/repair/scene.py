"""Random drift: an object that a tool has applied, writes of other managers to it, and the next config of the tool."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import engine

from ..livediff.drafts import draft, joined, refresh, whole, without_choices_of_servers
from ..livediff.subjects import schema_of
from ..ownership.real.server import NAMESPACE

if TYPE_CHECKING:
    from ..livediff.drafts import Draft
    from ..ownership.real.server import Server

Object = dict[str, Any]
TOOLS = {("kubectl", False): 50, ("kubectl", True): 30, ("flux", True): 20}
"""The tools, each with whether it applies server-side, and its weight."""
MANAGERS = {("kubectl", False): "kubectl-client-side-apply", ("kubectl", True): "kubectl"}
FLUX = "kustomize-controller"
FOREIGN = ("kubectl-edit", "kubectl-edit", "helm", "web-operator", "kube-controller-manager", "intruder", "kubectl")
WRITES = ("merge", "merge", "put", "apply", "scale", "labels", "json")
COMMON = "Deployment,StatefulSet,DaemonSet,Service,ConfigMap,Secret,HorizontalPodAutoscaler,CronJob,Ingress,Real,Kept"
NOT_EXPORTED = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation", "selfLink")


@dataclass
class Scene:
    """One object on its way."""

    draft: Draft
    tool: str
    is_server_side: bool

    @property
    def manager(self) -> str:
        """The tool's field manager."""
        return MANAGERS.get((self.tool, self.is_server_side), FLUX)


def scene(server: Server, seed: int, only: str = "") -> Scene | None:
    """Write the object and its drift to the server. None if the server rejects the object."""
    one = draft(seed, apart=False, only=only or (COMMON if seed % 3 else ""))
    random = one.random
    tool, is_server_side = random.choices([*TOOLS], [*TOOLS.values()])[0]
    found = Scene(one, tool, is_server_side)
    if not _applied(server, found):
        return None
    for _ in range(random.choice((1, 1, 2, 3))):
        refresh(server, one)
        _foreign(server, one)
    if not refresh(server, one):
        return None
    one.config = deepcopy(one.start) if random.random() < 0.6 else joined(one)
    _place(one, one.config)
    one.config = json.loads(json.dumps(one.respelled(one.config)))
    _place(one, one.config)
    return found


def _place(one: Draft, config: Object) -> None:
    metadata = config["metadata"] = {
        key: value for key, value in config["metadata"].items() if key not in (*NOT_EXPORTED, "generateName")
    }
    metadata["name"] = one.name
    config.pop("status", None)
    if one.kind.cluster:
        metadata.pop("namespace", None)
    else:
        metadata["namespace"] = NAMESPACE


def _applied(server: Server, found: Scene) -> bool:
    """Apply the first config as the tool does; True if the object exists then."""
    one = found.draft
    plain = whole(one)
    _place(one, plain)
    for config in (without_choices_of_servers(one.start), plain):
        _place(one, config)
        one.start = config
        if found.is_server_side:
            query = {"fieldManager": found.manager, "force": "true"}
            answer = server.ask("PATCH", one.path(), config, kind="apply", **query)
        else:
            try:
                body = engine.apply(config, None, schema_of(one.version, one.kind.kind)).patch
            except engine.MergeError:
                continue
            answer = server.ask("POST", one.path(there=False), body, fieldManager=found.manager)
        if answer.done:
            return True
    return False


def _foreign(server: Server, one: Draft) -> None:
    """One write of another manager, which may be rejected."""
    random, drawer, version = one.random, one.drawer, one.version
    manager, what = random.choice(FOREIGN), random.choice(WRITES)
    if what == "scale" and one.kind.scale:
        size = {"spec": {"replicas": random.randint(0, 4)}}
        server.ask("PATCH", one.path("scale"), size, kind="merge", fieldManager=manager)
    elif what == "labels":
        more = {"metadata": {"labels": {"other": "x"}, "annotations": {"other.example/y": "z"}}}
        server.ask("PATCH", one.path(), more, kind="merge", fieldManager=manager)
    elif what == "put":
        server.ask("PUT", one.path(), drawer.changed(one.live, version), fieldManager=manager)
    elif what == "apply":
        config = drawer.document(version, 0.3)
        _place(one, config)
        manager = "kubectl-operator" if manager == "kubectl" else manager
        server.ask("PATCH", one.path(), config, kind="apply", fieldManager=manager, force="true")
    elif what == "json":
        server.ask("PATCH", one.path(), drawer.operations(one.live, version), kind="json", fieldManager=manager)
    else:
        server.ask("PATCH", one.path(), drawer.patch(one.live, version), kind="merge", fieldManager=manager)
