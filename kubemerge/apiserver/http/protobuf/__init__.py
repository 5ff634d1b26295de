"""Protobuf request bodies, decoded to the objects that a client would send as JSON."""

from .bodies import BadBody, decode_body, decode_options

__all__ = ["BadBody", "decode_body", "decode_options"]
