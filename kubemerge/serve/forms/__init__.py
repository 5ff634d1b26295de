"""Which form a client wants an answer in, and the answer in that form: plain, Table, or metadata only; JSON or YAML."""

from .content_type import BODIES, UnknownFormat, body_form
from .form import Form
from .negotiation import NotAcceptable, wanted
from .tables import INITIAL_EVENTS_END

__all__ = ["BODIES", "INITIAL_EVENTS_END", "Form", "NotAcceptable", "UnknownFormat", "body_form", "wanted"]
