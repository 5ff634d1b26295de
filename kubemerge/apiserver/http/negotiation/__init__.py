"""Which form a client wants an answer in, and the answer in that form: plain, Table, or metadata only; JSON or YAML."""

from .content_type import BODIES, UnknownFormat, body_form
from .form import Form
from .negotiation import NotAcceptable, wanted

__all__ = ["BODIES", "Form", "NotAcceptable", "UnknownFormat", "body_form", "wanted"]
