"""Discovery: two requests for aggregated documents, or one for each group on older servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine

from ...apiserver.errors import ClusterError, ConnectError
from ...apiserver.protocol import Resource
from ...apiserver.unchecked import as_list, as_map, as_text
from ..wire import limits
from ..wire.response import require_maps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from ..wire.transport import Transport
    from ..wire.work_queue import WorkQueue

_FORM = "g=apidiscovery.k8s.io;v={};as=APIGroupDiscoveryList"
AGGREGATED = ",".join(f"application/json;{_FORM.format(one)}" for one in ("v2", "v2beta1")) + ",application/json"
_QUERY = (("timeout", "32s"),)
_ALL_TYPES = ("apply", "json", "merge", "strategic")
_CUSTOM_TYPES = ("apply", "json", "merge")
REPLICAS = "spec.replicas"


def resources(transport: Transport, ahead: WorkQueue, release: str) -> list[Resource]:
    """Return every kind in every version, groups in the order of the server, the preferred version first."""
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
    for group in require_maps(content, "items"):
        name = as_text(as_map(group.get("metadata")).get("name"))
        for version in require_maps(group, "versions"):
            for one in require_maps(version, "resources"):
                kind = as_text(as_map(one.get("responseKind")).get("kind"))
                parts = {as_text(part.get("subresource")) for part in require_maps(one, "subresources")}
                head = {**one, "name": one.get("resource"), "kind": kind, "namespaced": one.get("scope") != "Cluster"}
                made = _resource(name, as_text(version.get("version")), head, parts, built_in)
                if made is not None:
                    yield made


def _legacy(
    content: Mapping[str, Any], path: str, transport: Transport, ahead: WorkQueue, built_in: Collection[tuple[str, str]]
) -> Iterator[Resource]:
    """The kinds of each group, requested in parallel. Like kubectl, failing groups are skipped."""
    wanted: list[tuple[str, str, str]] = []
    if path == "/api":
        wanted += [("", version, f"/api/{version}") for version in map(as_text, as_list(content.get("versions")))]
    for listed_group in require_maps(content, "groups"):
        name = as_text(listed_group.get("name"))
        preferred = as_text(as_map(listed_group.get("preferredVersion")).get("version"))
        versions = [as_text(one.get("version")) for one in require_maps(listed_group, "versions")]
        versions.sort(key=lambda one, best=preferred: one != best)  # type: ignore[misc]
        wanted += [(name, version, f"/apis/{name}/{version}") for version in versions]
    if len(wanted) > limits.VERSIONS:
        raise ConnectError(
            f"{transport.host} serves more than {limits.VERSIONS} API versions. Check that it is an API server"
        )
    answers = ahead.all([lambda at=at: _asked(transport, at) for _, _, at in wanted])  # type: ignore[misc]
    for (group, version, _), answer in zip(wanted, answers, strict=True):
        listed = [one for one in require_maps(answer, "resources") if as_text(one.get("name"))]
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
    """A resource of the API. None without a name or kind, as from an unavailable server."""
    plural, kind = as_text(one.get("name")), as_text(one.get("kind"))
    if not plural or not kind or not version:
        return None
    built_in = (group, kind) in known
    return Resource(
        group=group,
        version=version,
        kind=kind,
        plural=plural,
        namespaced=one.get("namespaced") is True,
        short_names=tuple(map(str, as_list(one.get("shortNames")))),
        patch_types=_ALL_TYPES if built_in else _CUSTOM_TYPES,
        has_status="status" in parts,
        built_in=built_in,
        singular=as_text(one.get("singularResource")) or as_text(one.get("singularName")),
        scaled_by=REPLICAS if "scale" in parts else None,
        verbs=tuple(map(str, as_list(one.get("verbs")))),
        categories=tuple(map(str, as_list(one.get("categories")))),
    )


def _built_in(release: str) -> frozenset[tuple[str, str]]:
    """The built-in kinds, of the newest release and of this one."""
    wanted = {release, engine.releases()[-1]} & {*engine.releases()}
    kinds = [key for one in wanted for key in engine.load(one).kinds()]
    return frozenset((api.rpartition("/")[0], kind) for api, kind in kinds)


def group_by_kind(found: list[Resource]) -> list[Resource]:
    """Group versions by kind, the preferred version first."""
    place = {(one.group, one.kind): number for number, one in reversed(list(enumerate(found)))}
    return sorted(found, key=lambda one: place[one.group, one.kind])
