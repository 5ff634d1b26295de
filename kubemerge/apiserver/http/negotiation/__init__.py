"""Content negotiation: objects, Tables or metadata only, as JSON or YAML."""

from .content_type import BODIES, UnknownFormat, body_form
from .form import Form
from .negotiation import METADATA, UNCHANGED, NotAcceptable, Shapes, accepted, check_produced, wanted

__all__ = [
    "BODIES",
    "METADATA",
    "UNCHANGED",
    "Form",
    "NotAcceptable",
    "Shapes",
    "UnknownFormat",
    "accepted",
    "body_form",
    "check_produced",
    "wanted",
]
