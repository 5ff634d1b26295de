"""Documents about the server: discovery, OpenAPI, version, health."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import discovery
from .messages import JSON, READS, Response, indent, json_response, ordered_json_response
from .statuses import not_allowed

if TYPE_CHECKING:
    from ..cluster import EmbeddedCluster
    from .messages import Request

TEXT = "text/plain; charset=utf-8"
PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
"""The media type of OpenAPI v2 as protobuf. Clients also write `@` in place of the second dot."""
KEPT = (("Cache-Control", "public, immutable"),)
"""The headers of a document requested by its hash, which never changes."""


class Information:
    """Documents about a cluster, cached until its definitions change."""

    def __init__(self, cluster: EmbeddedCluster) -> None:
        self._cluster = cluster
        self._served: discovery.ServedResources | None = None

    def about(self, request: Request, parts: list[str]) -> Response | None:
        """Return the document at a path that is not one of objects, or None. Reject unsupported methods."""
        only_get, any_method = _is_only_get(parts), _is_any_method(parts)
        if request.method not in READS and not (only_get or any_method):
            return None
        found = self._document(request, parts)
        if found is not None and only_get and request.method != "GET":
            raise not_allowed()
        return found

    def _document(self, request: Request, parts: list[str]) -> Response | None:
        if parts[:1] and parts[0] in discovery.CHECKS:
            return _health(request, parts)
        if parts == ["version"]:
            return indent(ordered_json_response(discovery.version(self._cluster.patch_release)))
        served = self._served = discovery.served_by(self._cluster, self._served)
        if not parts:
            return indent(json_response(discovery.root(served)))
        if parts[0] in ("api", "apis"):
            return _discovery(served, request, parts)
        if parts[:2] == ["openapi", "v2"]:
            return _openapi_v2(served, request)
        return _openapi_v3(served, request, parts[2:]) if parts[:2] == ["openapi", "v3"] else None


def _is_only_get(parts: list[str]) -> bool:
    """Whether the document at a path rejects other methods: the version, and lists of versions and resources."""
    return parts in (["version"], ["api"]) or (parts[:1], len(parts)) in ((["api"], 2), (["apis"], 3))


def _is_any_method(parts: list[str]) -> bool:
    """Whether the document at a path is sent for any method: health, and lists of groups."""
    return parts[:1] == ["apis"] or bool(parts and parts[0] in discovery.CHECKS)


def _health(request: Request, parts: list[str]) -> Response | None:
    exclude = request.query.get("exclude", [])
    found = discovery.health("/".join(parts), verbose="verbose" in request.query, exclude=exclude)
    return None if found is None else Response(found.encode(), 200, TEXT)


def _discovery(served: discovery.ServedResources, request: Request, parts: list[str]) -> Response | None:
    if len(parts) > (2 if parts[0] == "api" else 3):
        return None
    if len(parts) > 1:
        legacy = len(parts) == 2 and parts[0] == "apis"
        api_version = parts[1] if parts[0] == "api" else "/".join(parts[1:])
        found = discovery.group(served, parts[1]) if legacy else discovery.resource_list(served, api_version)
        known = ("/" in api_version) is (parts[0] == "apis")
        return None if found is None or not (legacy or known) else ordered_json_response(found)
    vary = ("Vary", "Accept")
    for accepted in request.headers.get("accept", "").split(","):
        words = [word.strip() for word in accepted.split(";")]
        wanted = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        if words[0] not in (JSON, "*/*", "application/*") and words[0]:
            continue
        if wanted.get("as") == "APIGroupDiscoveryList" and wanted.get("g") == "apidiscovery.k8s.io":
            document = discovery.aggregated(served, parts[0], wanted.get("v", ""))
            if document is not None:
                media = f"{JSON};g=apidiscovery.k8s.io;v={wanted['v']};as=APIGroupDiscoveryList"
                return _sent(document, request, media, vary, ("Cache-Control", "public"))
        elif "as" not in wanted:
            break
    address = request.headers.get("host", "")
    return ordered_json_response(
        discovery.versions(served, address) if parts[0] == "api" else discovery.groups(served), vary
    )


def _openapi_v2(served: discovery.ServedResources, request: Request) -> Response:
    from . import openapi  # slow to import

    for accepted in request.headers.get("accept", "").split(","):
        media = accepted.partition(";")[0].strip().replace("@", ".")
        if media == PROTOBUF:
            return _sent(openapi.v2_protobuf(served), request, PROTOBUF)
        if media in (JSON, "*/*"):
            break
    return _sent(openapi.v2_json(served), request, JSON)


def _openapi_v3(served: discovery.ServedResources, request: Request, parts: list[str]) -> Response | None:
    from . import openapi

    if not parts:
        index = openapi.index(served)
        return None if index is None else json_response(index)
    path = "/".join(parts)
    document = openapi.document(served, path)
    if document is None:
        return None
    asked = request.asked("hash")
    if asked and asked != document.hash:
        return Response(b"", 301, JSON, (("Location", f"/openapi/v3/{path}?hash={document.hash}"),))
    return _sent(document, request, JSON, *(KEPT if asked else ()))


def _sent(document: discovery.Document, request: Request, media: str, *headers: tuple[str, str]) -> Response:
    tags = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
    found = (("ETag", document.etag), *headers)
    if document.etag in tags or "*" in tags:
        return Response(b"", 304, media, found)
    return Response(document.data, 200, media, found)
