"""OpenAPI documents of what is served: v3 by group and version, and v2 as JSON and as protobuf."""

from .v2 import v2_json, v2_protobuf
from .v3 import document, index

__all__ = ["document", "index", "v2_json", "v2_protobuf"]
