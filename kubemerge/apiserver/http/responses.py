"""Responses in the requested form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .audit.record import current_record
from .messages import JSON, Response, json_response
from .negotiation import METADATA, UNCHANGED, Form, NotAcceptable, accepted, check_produced, wanted

if TYPE_CHECKING:
    from ..protocol import Object
    from .messages import Request
    from .routing import Target


def form_of(request: Request, target: Target, *, watch: bool = False) -> Form:
    """Return the form that the client accepts."""
    accepted = request.headers.get("accept", "")
    return wanted(
        accepted,
        include_object=request.asked("includeObject"),
        listing=request.method == "GET" and not target.name,
        watch=watch,
        built_in=target.resource.built_in,
    )


def response_in_form(form: Form, document: Object, status: int = 200) -> Response:
    """Return a response with this document, which is already in the form."""
    record = current_record()
    if record is not None:
        record.returned(document)
    return Response(form.encoded(document), status, form.media_type)


def virtual_form(request: Request) -> Form:
    """Return the form that the client accepts of an object that is never stored, such as a review."""
    accept = request.headers.get("accept", "")
    check_produced(accept)
    return accepted(accept, METADATA)


def virtual_response(form: Form, document: Object, status: int = 201) -> Response:
    """Return a response with an object that is never stored."""
    return response_in_form(form, form.of_virtual(document), status)


def error_status_response(request: Request, document: Object, headers: tuple[tuple[str, str], ...]) -> Response:
    """Return a response with the Status of an error: in YAML if the client prefers it, or else in JSON."""
    try:
        form = accepted(request.headers.get("accept", ""), UNCHANGED)
    except NotAcceptable:
        form = Form()
    if form.media_type == JSON:
        return json_response(document, document["code"], *headers)
    return response_in_form(form, document, document["code"])._replace(headers=headers)
