"""Content negotiation: objects, Tables or metadata only, as JSON or YAML."""

from .content_type import BODIES, UnknownFormat, body_form
from .form import Form
from .negotiation import NotAcceptable, wanted

__all__ = ["BODIES", "Form", "NotAcceptable", "UnknownFormat", "body_form", "wanted"]
