"""PEM blocks, and the part of X.509 that decides whether a server accepts a certificate or request.

Signatures are not verified: a request's signature matters only to its signer.
"""

from __future__ import annotations

import re
from base64 import b64decode
from datetime import datetime, timezone
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK = re.compile(
    r"(?:^|\n)-----BEGIN (?P<type>[^\n]*?)-----[ \t]*\r?\n(?P<head>(?:[^\n:]+:[^\n]*\n)*)(?P<body>[^-]*?)"
    r"-----END (?P=type)-----[ \t]*(?=\r?\n|$)"
)
SEQUENCE, SET, INTEGER, BITS, OCTETS, OBJECT_ID, BOOLEAN = 0x30, 0x31, 0x02, 0x03, 0x04, 0x06, 0x01
VERSION, ATTRIBUTES, EXTENSIONS = 0xA0, 0xA0, 0xA3
UTC_TIME, GENERAL_TIME = 0x17, 0x18
EMAIL, HOST = 0x81, 0x82
"""The tags of alternative names."""
BASIC_CONSTRAINTS, ALTERNATIVE_NAMES = bytes.fromhex("551d13"), bytes.fromhex("551d11")
ORGANIZATION = bytes.fromhex("55040a")
RSA = bytes.fromhex("2a864886f70d010101")
ELLIPTIC = bytes.fromhex("2a8648ce3d0201")
ED25519 = bytes.fromhex("2b6570")
CURVES = {
    bytes.fromhex("2b81040021"): "P-224",
    bytes.fromhex("2a8648ce3d030107"): "P-256",
    bytes.fromhex("2b81040022"): "P-384",
    bytes.fromhex("2b81040023"): "P-521",
}


class Malformed(ValueError):
    """Invalid bytes. The text is Go's error, without the names of Go types."""

    def __init__(self, why: str = "structure error: tags don't match") -> None:
        super().__init__(f"asn1: {why}")


class Block(NamedTuple):
    """One PEM block."""

    type: str
    headers: bool
    content: bytes


class DerValue(NamedTuple):
    """A DER value: its tag and content."""

    tag: int
    content: bytes


class PublicKey(NamedTuple):
    """A public key: the name of its algorithm, and its size in bits or its curve."""

    kind: str
    bits: int = 0
    curve: str = ""


class Certificate(NamedTuple):
    """The part of a certificate that servers compare with a request."""

    key: bytes
    """The key in its PKIX form."""
    not_before: datetime
    not_after: datetime
    hosts: list[str]
    emails: list[str]


def blocks(text: str) -> Iterator[Block]:
    """Yield the PEM blocks in a text. Like Go, skip unreadable text."""
    for match in _BLOCK.finditer(text):
        try:
            content = b64decode("".join(match["body"].split()), validate=True)
        except ValueError:
            continue
        yield Block(match["type"], bool(match["head"]), content)


def parts(content: bytes) -> list[DerValue]:
    """Return consecutive DER values."""
    found = []
    while content:
        part, content = _first(content)
        found.append(part)
    return found


def _first(content: bytes) -> tuple[DerValue, bytes]:
    if len(content) < 2:
        raise Malformed("syntax error: truncated tag or length")
    size, start = content[1], 2
    if size >= 0x80:
        start += size & 0x7F
        digits = content[2:start]
        if not 0 < len(digits) <= 4 or len(digits) != size & 0x7F or digits[0] == 0:
            raise Malformed
        size = int.from_bytes(digits, "big")
        if size < 0x80:
            raise Malformed
    if len(content) < start + size:
        raise Malformed("syntax error: data truncated")
    return DerValue(content[0], content[start : start + size]), content[start + size :]


def sequence(content: bytes) -> list[DerValue]:
    """Return the values in a sequence that spans all bytes."""
    if not content:
        raise Malformed("syntax error: sequence truncated")
    whole, rest = _first(content)
    if whole.tag != SEQUENCE:
        raise Malformed
    if rest:
        raise Malformed("syntax error: trailing data")
    return parts(whole.content)


def _tags(found: list[DerValue], *expected: int) -> None:
    for part, tag in zip(found, expected, strict=False):
        if part.tag != tag:
            raise Malformed
    if len(found) < len(expected):
        raise Malformed("syntax error: sequence truncated")


def request_key(content: bytes) -> PublicKey:
    """Return the public key of a certificate request. Raise Malformed for other bytes."""
    try:
        return _key(requested_key(content))
    except IndexError:
        raise Malformed from None


def requested_key(content: bytes) -> bytes:
    """Return the public key of a certificate request in its PKIX form. Raise Malformed for other bytes."""
    outer = sequence(content)
    _tags(outer, SEQUENCE, SEQUENCE, BITS)
    inner = parts(outer[0].content)
    _tags(inner, INTEGER, SEQUENCE, SEQUENCE, ATTRIBUTES)
    return inner[2].content


def public_key(content: bytes) -> PublicKey:
    """Return the public key in its PKIX form. Raise Malformed for other bytes."""
    sequence(content)
    try:
        return _key(parts(content)[0].content)
    except IndexError:
        raise Malformed from None


def organizations(content: bytes) -> list[str]:
    """Return the organizations in the subject of a certificate request."""
    inner = parts(sequence(content)[0].content)
    found = []
    for attributes in parts(inner[1].content):
        for attribute in parts(attributes.content):
            name, value = parts(attribute.content)[:2]
            if name.content == ORGANIZATION:
                found.append(value.content.decode("utf-8", "replace"))
    return found


def _key(content: bytes) -> PublicKey:
    found = parts(content)
    _tags(found, SEQUENCE, BITS)
    algorithm = parts(found[0].content)
    _tags(algorithm, OBJECT_ID)
    name, bits = algorithm[0].content, found[1].content[1:]
    if name == RSA:
        modulus = sequence(bits)[0]
        return PublicKey("RSA", int.from_bytes(modulus.content, "big").bit_length())
    if name == ELLIPTIC:
        curve = CURVES.get(algorithm[1].content)
        if curve is None:
            raise Malformed
        return PublicKey("ECDSA", curve=curve)
    return PublicKey("Ed25519" if name == ED25519 else "")


def is_authority(content: bytes) -> bool:
    """Whether a certificate is a CA certificate. Raise Malformed for other bytes."""
    try:
        inner = _inside(content)
        found = _extension(inner, BASIC_CONSTRAINTS)
        constraints = [] if found is None else sequence(found)
    except IndexError:
        raise Malformed from None
    return bool(constraints) and constraints[0] == DerValue(BOOLEAN, b"\xff")


def certificate(content: bytes) -> Certificate:
    """Return a certificate. Raise Malformed for other bytes."""
    try:
        inner = _inside(content)
        times = parts(inner[3].content)
        found = _extension(inner, ALTERNATIVE_NAMES)
        named = [] if found is None else sequence(found)
        _key(inner[5].content)
        hosts, emails = ([one.content.decode("ascii") for one in named if one.tag == tag] for tag in (HOST, EMAIL))
        return Certificate(inner[5].content, _time(times[0]), _time(times[1]), hosts, emails)
    except (IndexError, UnicodeDecodeError):
        raise Malformed from None


def certificate_key(content: bytes) -> bytes:
    """Return the public key of a certificate in its PKIX form. Raise Malformed for other bytes."""
    try:
        return _inside(content)[5].content
    except IndexError:
        raise Malformed from None


def _inside(content: bytes) -> list[DerValue]:
    """The fields of a certificate from its serial number on."""
    outer = sequence(content)
    _tags(outer, SEQUENCE, SEQUENCE, BITS)
    inner = parts(outer[0].content)
    if inner[0].tag == VERSION:
        inner = inner[1:]
    _tags(inner, INTEGER, SEQUENCE, SEQUENCE, SEQUENCE, SEQUENCE, SEQUENCE)
    return inner


def _extension(inner: list[DerValue], name: bytes) -> bytes | None:
    """The content of an extension, or None."""
    for part in inner[6:]:
        for one in sequence(part.content) if part.tag == EXTENSIONS else ():
            found = parts(one.content)
            if found[0] == DerValue(OBJECT_ID, name):
                return found[-1].content
    return None


def _time(value: DerValue) -> datetime:
    form = {UTC_TIME: "%y%m%d%H%M%SZ", GENERAL_TIME: "%Y%m%d%H%M%SZ"}.get(value.tag)
    if form is None:
        raise Malformed
    try:
        found = datetime.strptime(value.content.decode("ascii"), form).replace(tzinfo=timezone.utc)
    except ValueError:
        raise Malformed from None
    return found.replace(year=found.year - 100) if value.tag == UTC_TIME and found.year >= 2050 else found
