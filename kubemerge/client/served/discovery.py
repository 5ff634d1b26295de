"""What a server serves: asked in two requests where it can answer so, and group by group where it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine

from ...apiserver.errors import ClusterError, ConnectError
from ...apiserver.protocol import Resource
from ...apiserver.unchecked import a_list, a_map, text
from ..wire import limits
from ..wire.answer import maps_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from ..wire.ahead import Ahead
    from ..wire.transport import Transport

_FORM = "g=apidiscovery.k8s.io;v={};as=APIGroupDiscoveryList"
AGGREGATED = ",".join(f"application/json;{_FORM.format(one)}" for one in ("v2", "v2beta1")) + ",application/json"
_QUERY = (("timeout", "32s"),)
_ALL_TYPES = ("apply", "json", "merge", "strategic")
_CUSTOM_TYPES = ("apply", "json", "merge")
REPLICAS = "spec.replicas"


def resources(transport: Transport, ahead: Ahead, release: str) -> list[Resource]:
    """Every kind in every version; the groups in the order of the server, and the preferred version of each first."""
    found: list[Resource] = []
    built_in = _built_in(release)
    for path in ("/api", "/apis"):
        content = transport.ask("GET", path, _QUERY, accept=AGGREGATED).map()
        if content.get("kind") == "APIGroupDiscoveryList":
            found += _aggregated(content, built_in)
        else:
            found += _legacy(content, path, transport, ahead, built_in)
    if not found:
        raise ConnectError(f"{transport.host} serves no kinds. Check that it is an API server")
    return found


def _aggregated(content: Mapping[str, Any], built_in: Collection[tuple[str, str]]) -> Iterator[Resource]:
    for group in maps_in(content, "items"):
        name = text(a_map(group.get("metadata")).get("name"))
        for version in maps_in(group, "versions"):
            for one in maps_in(version, "resources"):
                kind = text(a_map(one.get("responseKind")).get("kind"))
                parts = {text(part.get("subresource")) for part in maps_in(one, "subresources")}
                head = {**one, "name": one.get("resource"), "kind": kind, "namespaced": one.get("scope") != "Cluster"}
                made = _resource(name, text(version.get("version")), head, parts, built_in)
                if made is not None:
                    yield made


def _legacy(
    content: Mapping[str, Any], path: str, transport: Transport, ahead: Ahead, built_in: Collection[tuple[str, str]]
) -> Iterator[Resource]:
    """The kinds of each group, which are asked for at once; a group that does not answer is left out, as by kubectl."""
    wanted: list[tuple[str, str, str]] = []
    if path == "/api":
        wanted += [("", version, f"/api/{version}") for version in map(text, a_list(content.get("versions")))]
    for listed_group in maps_in(content, "groups"):
        name = text(listed_group.get("name"))
        preferred = text(a_map(listed_group.get("preferredVersion")).get("version"))
        versions = [text(one.get("version")) for one in maps_in(listed_group, "versions")]
        versions.sort(key=lambda one, best=preferred: one != best)  # type: ignore[misc]
        wanted += [(name, version, f"/apis/{name}/{version}") for version in versions]
    if len(wanted) > limits.VERSIONS:
        raise ConnectError(
            f"{transport.host} serves more than {limits.VERSIONS} API versions. Check that it is an API server"
        )
    answers = ahead.all([lambda at=at: _asked(transport, at) for _, _, at in wanted])  # type: ignore[misc]
    for (group, version, _), answer in zip(wanted, answers, strict=True):
        listed = [one for one in maps_in(answer, "resources") if text(one.get("name"))]
        parts: dict[str, set[str]] = {}
        for one in listed:
            name, slash, part = one["name"].partition("/")
            if slash:
                parts.setdefault(name, set()).add(part)
        for one in listed:
            if "/" in one["name"]:
                continue
            made = _resource(group, version, one, parts.get(one["name"], set()), built_in)
            if made is not None:
                yield made


def _asked(transport: Transport, path: str) -> dict[str, Any]:
    try:
        return transport.ask("GET", path, _QUERY).map()
    except ClusterError:
        return {}


def _resource(
    group: str, version: str, one: Mapping[str, Any], parts: set[str], known: Collection[tuple[str, str]]
) -> Resource | None:
    """A resource of the API; None for what has no name or kind, as that of a server that does not answer now."""
    plural, kind = text(one.get("name")), text(one.get("kind"))
    if not plural or not kind or not version:
        return None
    built_in = (group, kind) in known
    return Resource(
        group=group,
        version=version,
        kind=kind,
        plural=plural,
        namespaced=one.get("namespaced") is True,
        short_names=tuple(map(str, a_list(one.get("shortNames")))),
        patch_types=_ALL_TYPES if built_in else _CUSTOM_TYPES,
        has_status="status" in parts,
        built_in=built_in,
        singular=text(one.get("singularResource")) or text(one.get("singularName")),
        scaled_by=REPLICAS if "scale" in parts else None,
        verbs=tuple(map(str, a_list(one.get("verbs")))),
        categories=tuple(map(str, a_list(one.get("categories")))),
    )


def _built_in(release: str) -> frozenset[tuple[str, str]]:
    """The kinds of Kubernetes, in its newest release and in this one."""
    wanted = {release, engine.releases()[-1]} & {*engine.releases()}
    kinds = [key for one in wanted for key in engine.load(one).kinds()]
    return frozenset((api.rpartition("/")[0], kind) for api, kind in kinds)


def in_order(found: list[Resource]) -> list[Resource]:
    """The same, with the kinds of a group together: the preferred version of each comes first."""
    place = {(one.group, one.kind): number for number, one in reversed(list(enumerate(found)))}
    return sorted(found, key=lambda one: place[one.group, one.kind])
