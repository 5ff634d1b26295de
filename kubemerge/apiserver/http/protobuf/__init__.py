"""Protobuf request bodies, decoded to the objects that a client would send as JSON."""

from .bodies import BadBody, decoded, decoded_options

__all__ = ["BadBody", "decoded", "decoded_options"]
