"""The bodies of requests, read as their media type says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codegen.documents.problems import BadDocument
from codegen.documents.reader import as_patch
from engine import MergeError
from engine.values.go_json import decode

from ..cluster.errors import BadRequest
from .forms import body_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from .http import Request

DELETE_OPTIONS = "DeleteOptions"


def media_type(request: Request) -> str:
    """The media type of the body, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def content_of(request: Request, api_version: str, kind: str, *, built_in: bool = True) -> Any:
    """What the body says, which should be of this kind; None if there is none."""
    form = body_form(request.headers.get("content-type", ""), built_in=built_in)
    if not request.body:
        return None
    return of_protobuf(request.body, api_version, kind) if form == "protobuf" else READERS[form](request.body)


def of_protobuf(body: bytes, api_version: str, kind: str) -> Any:
    """The object in a protobuf body."""
    from .protobuf import decoded, decoded_options  # their table is large

    return decoded_options(body) if kind == DELETE_OPTIONS else decoded(body, api_version, kind)


def of_json(body: bytes) -> Any:
    """The value of a JSON body."""
    try:
        return decode(body)
    except (MergeError, ValueError) as error:
        raise BadRequest(f"the body is not JSON: {error}") from None


def of_yaml(body: bytes) -> Any:
    """The value of a YAML body, which may be JSON."""
    if body.lstrip()[:1] == b"{":
        try:
            return decode(body)
        except (MergeError, ValueError):
            pass  # a YAML flow mapping begins as JSON does
    try:
        return next((one for _, one in as_patch(body)), None)
    except BadDocument as error:
        raise BadRequest(f"error decoding YAML: {error.problem}") from None


READERS: dict[str, Callable[[bytes], Any]] = {"json": of_json, "yaml": of_yaml}
