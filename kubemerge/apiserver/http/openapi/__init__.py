"""OpenAPI documents of the served resources: v3 by group and version, v2 as JSON and protobuf."""

from .v2 import v2_json, v2_protobuf
from .v3 import document, index

__all__ = ["document", "index", "v2_json", "v2_protobuf"]
