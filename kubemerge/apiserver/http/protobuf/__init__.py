"""Bodies of requests in protobuf, read into the objects that the same client would have sent as JSON."""

from .bodies import BadBody, decoded, decoded_options

__all__ = ["BadBody", "decoded", "decoded_options"]
