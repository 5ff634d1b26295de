"""Content negotiation by the Accept header."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from ...errors import BadRequest, ClusterError
from ...problems import invalid
from .form import SHAPES, VERSIONS, Form
from .media_types import JSON, YAML

ANSWERS = (JSON, YAML)
"""The media types of responses, the preferred one first. Clients that read protobuf read JSON as well."""
STREAMED = (f"{JSON};stream=watch",)
INCLUDED = ("", "Metadata", "Object", "None")
"""The parts of an object that rows of a Table may contain. The default is its metadata."""
Shapes = frozenset[tuple[str, str, str]]
"""The shapes that a response can have: kind, group and version."""
OBJECTS: Shapes = frozenset((kind, "meta.k8s.io", version) for kind in SHAPES for version in VERSIONS)
METADATA: Shapes = frozenset(one for one in OBJECTS if one[0] == "PartialObjectMetadata")
"""The shapes of objects that are never stored, such as reviews."""
UNCHANGED: Shapes = frozenset()
"""No shapes: discovery and errors are never converted."""


class NotAcceptable(ClusterError):
    """A client that accepts none of the server's forms. The web framework of servers adds empty details."""

    code, reason = 406, "NotAcceptable"

    def __init__(self, message: str, details: dict[str, str] | None = None) -> None:
        self.details = details
        super().__init__(message)


@dataclass
class _Clause:
    media_type: str
    quality: float = 1.0
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def is_vague(self) -> bool:
        return "*" in self.media_type

    def takes(self, media_type: str) -> bool:
        """Whether the clause accepts this media type."""
        return self.media_type in (media_type, "*/*", f"{media_type.partition('/')[0]}/*")


def wanted(
    accept: str, *, include_object: str = "", listing: bool = False, watch: bool = False, built_in: bool = True
) -> Form:
    """Return the form that a client accepts. Raise NotAcceptable if the server has none.

    `include_object` is the parameter of that name. A `listing` returns several objects, and a `watch` a stream of
    events.
    """
    if built_in:
        check_produced(accept, (*ANSWERS, *(STREAMED if listing or watch else ())))
    form = accepted(accept, OBJECTS)
    if watch and form.media_type not in {one.partition(";")[0] for one in STREAMED}:
        raise NotAcceptable(f"only the following media types are accepted: {', '.join(STREAMED)}")
    if form.shape != "Table":
        return form
    if include_object not in INCLUDED:
        why = invalid("includeObject", include_object, "must be 'Metadata', 'Object', 'None', or empty")
        raise BadRequest(f"Unable to convert to Table as requested: {why}")
    return form.with_objects(include_object or "Metadata")


def check_produced(accept: str, produced: tuple[str, ...] = ANSWERS) -> None:
    """The check of a server's web framework, which supports neither parameters nor `application/*`."""
    named = {one.partition(";")[0].strip() for one in accept.split(",")} if accept else {"*/*"}
    if named.isdisjoint((*produced, "*/*")):
        raise NotAcceptable(f"406: Not Acceptable\n\nAvailable representations: {', '.join(produced)}", {})


@lru_cache(64)
def accepted(accept: str, shapes: Shapes) -> Form:
    """Return the first form that a client accepts, in one of the shapes or unchanged. Raise NotAcceptable."""
    if not accept:
        return Form()
    clauses = [clause for one in accept.split(",") if (clause := _clause(one)) is not None]
    clauses.sort(key=lambda one: (-one.quality, one.is_vague))
    for clause in clauses:
        for media_type in ANSWERS:
            form = _form(media_type, clause.parameters, shapes) if clause.takes(media_type) else None
            if form is not None:
                return form
    raise NotAcceptable(f"only the following media types are accepted: {', '.join(ANSWERS)}")


def _clause(given: str) -> _Clause | None:
    media_type, *parameters = given.split(";")
    media_type = media_type.strip(" ")
    if media_type == "*":
        media_type = "*/*"
    if media_type.count("/") != 1 or media_type.endswith("/"):
        return None
    clause = _Clause("/".join(part.strip(" ") for part in media_type.split("/")))
    for one in parameters:
        name, equals, value = one.partition("=")
        if equals and value and "=" not in value:
            if name.strip(" ") == "q":
                clause.quality = _number(value)
            else:
                clause.parameters[name.strip(" ")] = value.strip(" ")
    return clause


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _form(media_type: str, parameters: dict[str, str], shapes: Shapes) -> Form | None:
    versions = ("", "v1") if shapes is OBJECTS else ("",)
    if parameters.get("stream", "") not in ("", "watch") or parameters.get("sv", "") not in versions:
        return None
    if parameters.get("stream") and media_type == YAML:
        return None
    pretty = parameters.get("pretty") == "1"
    if not {"as", "g", "v"} & parameters.keys():
        return Form(media_type, pretty=pretty)
    shape, group, version = (parameters.get(one, "") for one in ("as", "g", "v"))
    return Form(media_type, shape, version, pretty=pretty) if (shape, group, version) in shapes else None
