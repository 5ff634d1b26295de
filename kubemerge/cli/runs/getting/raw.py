"""`get --raw`: the response for an API path, from a server or, where supported, from the embedded cluster."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.values.go_json import encode

from ....actions.scale import part_of
from ....apiserver.errors import NoResource
from ....cluster import AnswersPaths, Reference

if TYPE_CHECKING:
    from ....cluster import Cluster, Resource

_PATH = re.compile(
    r"/(?:api/(?P<core>v1)|apis/(?P<group>[^/]+)/(?P<version>[^/]+))(?:/namespaces/(?P<namespace>[^/]+)(?=/.))?"
    r"/(?P<plural>[^/]+)(?:/(?P<name>[^/]+)(?:/(?P<part>status|scale))?)?/?"
)
_HEALTH = ("/healthz", "/livez", "/readyz")


def text_at(cluster: Cluster, path: str) -> str:
    """The body of a GET response: an object, a list of objects, or `ok`."""
    if isinstance(cluster, AnswersPaths):
        return cluster.raw(path).decode("utf-8", "replace")
    path = path.partition("?")[0]
    if path in _HEALTH:
        return "ok"
    found = _PATH.fullmatch(path)
    if not found:
        raise NoResource
    api_version = found["core"] or f"{found['group']}/{found['version']}"
    resource = _called(cluster, api_version, found["plural"])
    if not found["name"]:
        return _list(cluster, resource, found["namespace"])
    live = cluster.get(Reference(api_version, resource.kind, found["name"], found["namespace"]))
    return f"{encode(part_of(cluster, live, found['part']) if found['part'] else live)}\n"


def _called(cluster: Cluster, api_version: str, plural: str) -> Resource:
    for one in cluster.resources():
        if one.api_version == api_version and one.plural == plural:
            return one
    raise NoResource


def _list(cluster: Cluster, resource: Resource, namespace: str | None) -> str:
    items = list(cluster.list(resource.api_version, resource.kind, namespace=namespace))
    bare = [{key: value for key, value in one.items() if key not in ("apiVersion", "kind")} for one in items]
    head = {"kind": f"{resource.kind}List", "apiVersion": resource.api_version, "metadata": {"resourceVersion": ""}}
    return f"{encode({**head, 'items': bare})}\n"
