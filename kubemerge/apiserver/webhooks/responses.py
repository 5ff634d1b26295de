"""Bodies of responses: a review, or the error that Go's client returns."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..http.bodies import InvalidJson, of_json, of_yaml
from ..text.go_text import quoted
from .calls import CallError

if TYPE_CHECKING:
    from ..protocol import Object
    from .client import HttpResponse

LONGEST_TEXT = 2048
MESSAGES = {
    400: "the server rejected our request for an unknown reason",
    401: "the server has asked for the client to provide credentials",
    404: "the server could not find the requested resource",
    405: "the server does not allow this method on the requested resource",
    406: "the server was unable to respond with a content type that the client supports",
    409: "the server reported a conflict",
    422: "the server rejected our request due to an error in our request",
    429: "the server has received too many requests and has asked us to try again later",
    503: "the server is currently unable to handle the request",
    504: "the server was unable to return a response in the time allotted, but may still be processing the request",
}
OWN_TEXT = (403, 415)
"""Statuses whose message is the body."""
LAST_SUCCESS = 206


def review_in(found: HttpResponse, group: str, kind: str, version: str) -> Object:
    """Return the review in a response, of the version that was sent. Raise CallError."""
    if not 200 <= found.status <= LAST_SUCCESS:
        raise CallError(_status_text(found))
    if not found.body:
        media_type = found.media_type or "application/json"
        raise CallError(f"0-length response with status code: {found.status} and content type: {media_type}")
    content = _decoded(found.body)
    for name in ("kind", "apiVersion"):
        if not isinstance(content.get(name, ""), str):
            raise CallError(f"couldn't get version/kind; json parse error: {_mismatch(content[name], name)}")
    sent = f"{group}/{version}"
    api_version, found_kind = content.get("apiVersion") or sent, content.get("kind") or kind
    if (api_version, found_kind) == (sent, kind):
        return content
    own = {(f"{group}/{one}", kind) for one in VERSIONS}
    if (api_version, found_kind) not in own | {("v1", one) for one in META_KINDS}:
        raise CallError(f'no kind "{found_kind}" is registered for version "{api_version}" in scheme "{SCHEME}"')
    given = f"{api_version.rpartition('/')[2]}.{found_kind}"
    raise CallError(f"converting ({given}) to ({version}.{kind}): unknown conversion")


def check_kind(content: Object, group: str, kind: str, version: str) -> None:
    """Raise CallError for a review without its kind."""
    api_version, given = content.get("apiVersion") or "", content.get("kind") or ""
    expected = f"{group}/{version}, Kind={kind}"
    got = f"{api_version if '/' in api_version else f'/{api_version}'}, Kind={given}"
    if got != expected:
        raise CallError(f"expected webhook response of {expected}, got {got}")


def _decoded(body: bytes) -> Object:
    """The map in a body of JSON or YAML. Null is an empty one."""
    try:
        content: Any = of_json(body) if body.lstrip()[:1] in (b"{", b"[") else of_yaml(body)
    except InvalidJson as error:
        raise CallError(f"couldn't get version/kind; json parse error: {error}") from None
    except (MergeError, RecursionError) as error:
        raise CallError(f"couldn't get version/kind; json parse error: {error}") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise CallError(f"couldn't get version/kind; json parse error: {_mismatch(content, '')}")
    return content


VERSIONS = ("v1", "v1beta1")
META_KINDS = ("Status", "APIVersions", "APIGroupList", "APIGroup", "APIResourceList")
SCHEME = "pkg/runtime/scheme.go:111"
TYPES = {bool: "bool", str: "string", list: "array", dict: "object"}
TYPE_META = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'


def _mismatch(value: Any, name: str) -> str:
    found = TYPES.get(type(value), "number")
    if name:
        return f"json: cannot unmarshal {found} into Go struct field .{name} of type string"
    return f"json: cannot unmarshal {found} into Go value of type {TYPE_META}"


def _of_status(content: Object) -> str:
    return str(content.get("message") or "unknown")


def _status_text(found: HttpResponse) -> str:
    """The message for a status that is no success."""
    if found.status >= 400 and found.body and _is_json(found.media_type):
        content: Any = None
        with suppress(InvalidJson, MergeError):
            content = of_json(found.body)
        if isinstance(content, dict) and content.get("kind") == "Status" and content.get("apiVersion") == "v1":
            return _of_status(content)
    text = "unknown"
    if not found.media_type or found.media_type.startswith("text/"):
        text = found.body[:LONGEST_TEXT].decode(errors="replace").strip()
    if found.status in OWN_TEXT:
        return text
    if found.status in MESSAGES:
        return MESSAGES[found.status]
    if found.status >= 500:
        return f"an error on the server ({quoted(text)}) has prevented the request from succeeding"
    return f"the server responded with the status code {found.status} but did not return more information"


def _is_json(media_type: str) -> bool:
    return not media_type or media_type.partition(";")[0].strip() == "application/json"
