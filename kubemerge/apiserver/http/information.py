"""Documents about the server: discovery, OpenAPI, version, health."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from . import discovery
from .discovery.health import OPENAPI_V3_SINCE
from .messages import JSON, READS, Response, indent, json_response, ordered_json_response
from .negotiation import UNCHANGED, NotAcceptable, accepted, check_produced
from .statuses import not_allowed

if TYPE_CHECKING:
    from ..cluster import EmbeddedCluster
    from ..protocol import Object
    from .messages import Request
    from .negotiation import Form

TEXT = "text/plain; charset=utf-8"
PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
"""The media type of OpenAPI v2 as protobuf. Clients also write `@` in place of the second dot."""
VARY = ("Vary", "Accept")
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
        if only_get and request.method != "GET":
            if self._document(replace(request, headers={}), parts) is None:
                return None
            raise not_allowed()
        return self._document(request, parts)

    def _document(self, request: Request, parts: list[str]) -> Response | None:
        if parts[:1] and parts[0] in discovery.CHECKS:
            return _health(request, parts)
        if parts == ["version"]:
            check_produced(request.headers.get("accept", ""), (JSON,))
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
    """Return discovery in the form that the client accepts."""
    path, accept = parts[0], request.headers.get("accept", "")
    if len(parts) > (2 if path == "api" else 3):
        return None
    if len(parts) > 1:
        is_group = len(parts) == 2 and path == "apis"
        api_version = parts[1] if path == "api" else "/".join(parts[1:])
        found = discovery.group(served, parts[1]) if is_group else discovery.resource_list(served, api_version)
        if found is None or not (is_group or ("/" in api_version) is (path == "apis")):
            return None
        if not is_group and served.of(api_version)[0].built_in:
            check_produced(accept)
        return _in_form(accepted(accept, UNCHANGED), found)
    if path == "api":
        check_produced(accept)
    with suppress(NotAcceptable):
        form = accepted(accept, discovery.shapes(served.minor))
        if form.shape:
            media = f"{form.media_type};g={discovery.GROUP};v={form.version};as={form.shape}"
            return _sent(discovery.aggregated(served, path, form), request, media, VARY, ("Cache-Control", "public"))
    form = accepted(accept, UNCHANGED)
    legacy = discovery.versions(served, request.headers.get("host", "")) if path == "api" else discovery.groups(served)
    return _in_form(form, legacy, VARY)


def _in_form(form: Form, document: Object, *headers: tuple[str, str]) -> Response:
    return Response(form.encoded(document), 200, form.media_type, headers)


def _openapi_v2(served: discovery.ServedResources, request: Request) -> Response:
    from . import openapi  # slow to import

    for clause in request.headers.get("accept", "").split(","):
        media = clause.partition(";")[0].strip().replace("@", ".")
        if media == PROTOBUF:
            return _sent(openapi.v2_protobuf(served), request, PROTOBUF)
        if media in (JSON, "*/*"):
            break
    return _sent(openapi.v2_json(served), request, JSON)


def _openapi_v3(served: discovery.ServedResources, request: Request, parts: list[str]) -> Response | None:
    from . import openapi

    if not parts:
        index = openapi.index(served)
        return None if index is None else json_response(index)._replace(media_type=TEXT)
    path = "/".join(parts)
    document = openapi.document(served, path)
    if document is None:
        return Response(b"", 404, "") if served.minor >= OPENAPI_V3_SINCE else None
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
