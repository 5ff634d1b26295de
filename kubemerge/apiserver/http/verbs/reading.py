"""GET of one object, or of a list in pages."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ...eras import minor_of
from ...errors import BadRequest, Invalid, NotFound
from ...field_selectors import combined_selector
from ...identity import ObjectId
from ...kinds.builtin_kinds import stored_in
from ...problems import forbidden, invalid, unsupported
from ...storage.pages import ListOptions, Page
from ..messages import encode_opaque
from ..responses import form_of, response_in_form
from ..statuses import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...cluster import EmbeddedCluster
    from ...protocol import Object
    from ..messages import Request, Response
    from ..routing import Target

MOST_VERSION = (1 << 64) - 1
"""The largest number that a resourceVersion may be."""
UNCACHED = ("", "Event")
"""The kind that servers do not cache. Other lists at resourceVersion 0 come from the cache, which has no pages."""
NOT_EXPORTED_SINCE = 21
"""The first minor release that rejects the parameter `export`. Here, earlier releases ignore it."""
EXACT, NOT_OLDER = "Exact", "NotOlderThan"


def get(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Return one object or subresource."""
    form = form_of(request, target)
    if request.flag("export") and minor_of(cluster.release) >= NOT_EXPORTED_SINCE:
        raise BadRequest("the export parameter, deprecated since v1.14, is no longer supported")
    version = requested_version(request, status=500)
    if version and version > (now := cluster.version()):
        raise too_large(version, now)
    try:
        found = cluster.get(target.reference, subresource=target.part or None)
    except NotFound:
        if target.resource.kind == "ComponentStatus":
            raise NotFound("componentstatus", target.name) from None
        raise
    return response_in_form(form, form.of_object(found, target.resource, cluster))


class ListPosition(NamedTuple):
    """The resourceVersion of a list, and the position where a page begins."""

    version: int | None = None
    after: ObjectId | None = None


def list_(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Return the objects of a kind, all of them or a page."""
    form = form_of(request, target)
    if "sendInitialEvents" in request.query:
        problem = forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")
        raise Invalid.of("ListOptions.meta.k8s.io", "", [problem])
    found = page_of(cluster, request, target)
    metadata: Object = {"resourceVersion": str(found.version)}
    if found.last is not None:
        metadata["continue"] = _token(found.version, found.last)
        if found.remaining is not None:
            metadata["remainingItemCount"] = found.remaining
    content = form.of_list(found.items, target.resource, cluster, metadata)
    return response_in_form(form, content)


def page_of(cluster: EmbeddedCluster, request: Request, target: Target) -> Page:
    """Return the requested page."""
    selects = selects_of(cluster, request, target)
    version = requested_version(request)
    limit = 0 if version == 0 and _is_cached(target) else max(request.number("limit") or 0, 0)
    position = _position(cluster, request, target, version, limit)
    namespace = target.namespace
    return cluster.page(ListOptions(target.resource, namespace, selects, limit, position.after, position.version))


def _is_cached(target: Target) -> bool:
    """Whether a list at resourceVersion 0 comes from the watch cache of a server."""
    kind = target.resource.kind
    return (stored_in(target.resource.group, kind), kind) != UNCACHED


def selects_of(cluster: EmbeddedCluster, request: Request, target: Target) -> Callable[[Object], bool] | None:
    """Return the test of the selectors of a request, or None."""
    labels, fields = request.asked("labelSelector"), request.asked("fieldSelector")
    if target.name:
        named = f"metadata.name={target.name}"
        fields = f"{fields},{named}" if fields else named
    return combined_selector(labels, fields, cluster, target.resource)


def requested_version(request: Request, *, status: int = 400) -> int | None:
    """The resourceVersion of a request. None if it is missing, 0 for any. `status` is that of an invalid one."""
    text = request.asked("resourceVersion")
    if not text:
        return None
    wrong = _parse_problem(text)
    if wrong:
        problem = invalid("resourceVersion", text, f'strconv.ParseUint: parsing "{text}": {wrong}')
        if status != BadRequest.code:
            raise RequestError(status, "", str(problem))
        raise BadRequest(f"invalid resource version: {problem}")
    return int(text)


def _parse_problem(text: str) -> str:
    """Go's error for a text that is no resourceVersion, or an empty text."""
    if not (text.isascii() and text.isdigit()):
        return "invalid syntax"
    digits = text.lstrip("0")
    too_long = len(digits) > len(str(MOST_VERSION))
    return "value out of range" if too_long or int(digits or "0") > MOST_VERSION else ""


def _position(
    cluster: EmbeddedCluster, request: Request, target: Target, version: int | None, limit: int
) -> ListPosition:
    """Return the position where a page begins. `version` is the resourceVersion of the request."""
    token, match = request.asked("continue"), request.asked("resourceVersionMatch")
    _check_match(match, version, token)
    if token:
        if version:
            raise BadRequest("specifying resource version is not allowed when using continue")
        return _continued(token, target)
    if not version:
        return ListPosition()
    now = cluster.version()
    if version > now:
        raise too_large(version, now)
    exact = match == EXACT or (not match and limit)
    return ListPosition(version if exact else None)


def _check_match(match: str, version: int | None, token: str) -> None:
    if not match:
        return
    problems = []
    if version is None:
        problems.append(
            forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided")
        )
    if token:
        problems.append(
            forbidden("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided")
        )
    if match not in (EXACT, NOT_OLDER):
        problems.append(unsupported("resourceVersionMatch", match, [EXACT, NOT_OLDER, ""]))
    elif match == EXACT and version == 0:
        why = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'
        problems.append(forbidden("resourceVersionMatch", why))
    if problems:
        raise Invalid.of("ListOptions.meta.k8s.io", "", problems)


def too_large(version: int, now: int) -> RequestError:
    """The error for a resourceVersion that does not exist yet."""
    causes = [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}]
    message = f"Timeout: Too large resource version: {version}, current: {now}"
    return RequestError(504, "Timeout", message, causes=causes, retryAfterSeconds=1)


def _token(version: int, last: ObjectId) -> str:
    return encode_opaque({"v": "meta.k8s.io/v1", "rv": version, "start": f"{last.namespace}/{last.name}"})


def _continued(token: str, target: Target) -> ListPosition:
    try:
        found: Any = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        namespace, _, name = found["start"].partition("/")
        version = found["rv"]
        if not isinstance(version, int):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error, RecursionError):
        raise BadRequest("invalid continue token: continue key is not valid") from None
    kind = target.resource.kind
    return ListPosition(version, ObjectId(stored_in(target.resource.group, kind), kind, namespace, name))
