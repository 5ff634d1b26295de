"""Requests with field selectors to a real server and to a served cluster, collected in one document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from .....conftest import read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
ASKED = read_yaml(HERE / "asked.yaml")
RECORDED = HERE / "recorded.json"
UNKNOWN = "spec.nothing"
"""A label that no kind has."""
DEFAULTED = ("metadata.name", "metadata.namespace")


class Reply(NamedTuple):
    """The status code and document of a response."""

    code: int
    document: Any


Ask = "Callable[[str, str, Any], Reply]"


class Served(NamedTuple):
    """A resource that can be listed."""

    group_version: str
    name: str
    kind: str

    @property
    def path(self) -> str:
        """The path of the collection."""
        root = f"/apis/{self.group_version}" if "/" in self.group_version else f"/api/{self.group_version}"
        return f"{root}/{self.name}"


def prepare(ask: Callable[[str, str, Any], Reply], wait: Callable[[], None]) -> None:
    """Create the objects with their status."""
    reply = ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", ASKED["crd"])
    assert reply.code == 201, reply
    wait()
    served = {(one.group_version, one.kind): one for one in resources(ask)}
    cluster_scoped = {"Node", "ClusterTrustBundle", "CertificateSigningRequest", "ResourceSlice"}
    for one in ASKED["objects"]:
        found = served[one["apiVersion"], one["kind"]]
        root, _, plural = found.path.rpartition("/")
        path = f"{root}/{plural}" if one["kind"] in cluster_scoped else f"{root}/namespaces/default/{plural}"
        reply = ask("POST", path, one)
        assert reply.code == 201, (one, reply)
        if "status" in one:
            content = {**reply.document, "status": one["status"]}
            reply = ask("PUT", f"{path}/{one['metadata']['name']}/status", content)
            assert reply.code == 200, (one, reply)


def resources(ask: Callable[[str, str, Any], Reply]) -> Iterator[Served]:
    """All listable resources, in all versions."""
    groups = ask("GET", "/apis", None).document["groups"]
    for version in ["v1", *(one["groupVersion"] for group in groups for one in group["versions"])]:
        listed = ask("GET", f"/apis/{version}" if "/" in version else f"/api/{version}", None).document
        for one in listed["resources"]:
            if "list" in one["verbs"] and "/" not in one["name"]:
                yield Served(version, one["name"], one["kind"])


def _selected(ask: Callable[[str, str, Any], Reply], path: str, selector: str) -> Any:
    """The names of selected objects, or the error."""
    reply = ask("GET", f"{path}?fieldSelector={quote(selector, safe='')}", None)
    if reply.code != 200:
        return f"{reply.code} {reply.document['message']}"
    ours = {one["metadata"]["name"] for one in ASKED["objects"]}
    return " ".join(sorted({one["metadata"]["name"] for one in reply.document["items"]} & ours))


def labels(ask: Callable[[str, str, Any], Reply]) -> dict[str, Any]:
    """The labels of each resource besides the common ones, and the error for others."""
    found: dict[str, Any] = {}
    for one in resources(ask):
        known = [label for label in ASKED["labels"] + _own(one) if "items" in _got(ask, one.path, f"{label}=x")]
        refusal = _selected(ask, one.path, f"{UNKNOWN}=x")
        found[f"{one.group_version} {one.kind}"] = {"labels": known, "refusal": refusal}
    return found


def _own(one: Served) -> list[str]:
    return ["spec.color", "spec.size", "spec.ok", "spec.other"] if one.kind == "Thing" else []


def _got(ask: Callable[[str, str, Any], Reply], path: str, selector: str) -> Any:
    return ask("GET", f"{path}?limit=1&fieldSelector={quote(selector, safe='')}", None).document


def _values(ask: Callable[[str, str, Any], Reply], path: str, label: str) -> dict[str, Any]:
    """The objects that each value selects, without values that select none, and for != only two values."""
    equal = {f"={value}": _selected(ask, path, f"{label}={value}") for value in ASKED["values"]}
    other = {f"!={value}": _selected(ask, path, f"{label}!={value}") for value in ("", "one")}
    return {**{value: names for value, names in equal.items() if names}, **other}


def everything(ask: Callable[[str, str, Any], Reply]) -> dict[str, Any]:
    """The whole document."""
    known = labels(ask)
    kinds = {(one["apiVersion"].partition("/")[0], one["kind"]) for one in ASKED["objects"]}
    kinds.add(("events.k8s.io", "Event"))
    selected = {
        f"{one.group_version} {one.kind}": {
            label: _values(ask, one.path, label) for label in known[f"{one.group_version} {one.kind}"]["labels"]
        }
        for one in resources(ask)
        if (one.group_version.partition("/")[0], one.kind) in kinds
    }
    forms = {form: _selected(ask, "/api/v1/configmaps", form) for form in ASKED["forms"]}
    return {"labels": known, "selected": selected, "forms": forms}
