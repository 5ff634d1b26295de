"""Responses in the requested form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .audit.record import current_record
from .messages import Response
from .negotiation import wanted

if TYPE_CHECKING:
    from ..protocol import Object
    from .messages import Request
    from .negotiation import Form
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
