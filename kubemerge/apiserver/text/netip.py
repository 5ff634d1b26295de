"""Parsing IP addresses and prefixes, with the errors of Go's `net/netip`."""

from __future__ import annotations

import ipaddress
from typing import NoReturn

from .go_text import quoted

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
FULL = 16
"""The size of an IPv6 address in bytes."""
HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
NO_DIGIT = "each colon-separated field must have at least one digit"
BEFORE_IPV4 = "embedded IPv4 address must replace the final 2 fields of the address"
TOO_MANY = "too many hex fields to fit an embedded IPv4 at the end of the address"


class BadAddress(ValueError):
    """An invalid address or prefix, with Go's error message."""


def address(text: str) -> Address:
    """Parse an address. Raise BadAddress."""
    first = next((char for char in text if char in ".:%"), "")
    if first == ":":
        return _version_6(text)
    if first != ".":
        _fail(text, "missing IPv6 address" if first else "unable to parse IP")
    _check_fields(text, text)
    return ipaddress.IPv4Address(text)


def prefix(text: str) -> tuple[Address, int]:
    """Parse an address with a prefix length. Raise BadAddress."""
    before, slash, bits = text.rpartition("/")
    said = f"netip.ParsePrefix({quoted(text)}): "
    if not slash:
        raise BadAddress(f"{said}no '/'")
    try:
        found = address(before)
    except BadAddress as error:
        raise BadAddress(f"{said}{error}") from None
    if "%" in before:
        raise BadAddress(f"{said}IPv6 zones cannot be present in a prefix")
    if not (bits.isascii() and bits.isdecimal()) or (len(bits) > 1 and bits[0] == "0"):
        raise BadAddress(f"{said}bad bits after slash: {quoted(bits)}")
    if len(bits) > 3 or int(bits) > found.max_prefixlen:
        raise BadAddress(f"{said}prefix length out of range")
    return found, int(bits)


def _fail(text: str, why: str, at: str = "") -> NoReturn:
    raise BadAddress(f"ParseAddr({quoted(text)}): {why}{f' (at {quoted(at)})' if at else ''}")


def _check_fields(text: str, fields: str) -> None:
    value = digits = dots = 0
    for at, char in enumerate(fields):
        if char in "0123456789":
            if digits == 1 and value == 0:
                _fail(text, "IPv4 field has octet with leading zero")
            value, digits = value * 10 + int(char), digits + 1
            if value > 255:
                _fail(text, "IPv4 field has value >255")
        elif char == ".":
            if at == 0 or at == len(fields) - 1 or fields[at - 1] == ".":
                _fail(text, "IPv4 field must have at least one digit", fields[at:])
            if dots == 3:
                _fail(text, "IPv4 address too long")
            value, digits, dots = 0, 0, dots + 1
        else:
            _fail(text, "unexpected character", fields[at:])
    if dots < 3:
        _fail(text, "IPv4 address too short")


def _version_6(text: str) -> Address:
    whole, percent, zone = text.partition("%")
    if percent and not zone:
        _fail(text, "zone must be a non-empty string")
    compressed = whole.startswith("::")
    rest = whole[2:] if compressed else whole
    filled = 0
    while rest and filled < FULL:
        filled, rest = _group(text, rest, filled, compressed)
        if rest.startswith(":"):
            if compressed:
                _fail(text, "multiple :: in address", rest)
            compressed, rest = True, rest[1:]
    if rest:
        _fail(text, "trailing garbage after address", rest)
    if filled < FULL and not compressed:
        _fail(text, "address string too short")
    if filled == FULL and compressed:
        _fail(text, "the :: must expand to at least one field of zeros")
    return ipaddress.IPv6Address(whole)


def _group(text: str, rest: str, filled: int, compressed: bool) -> tuple[int, str]:
    """Read one group, or a final IPv4 address. Return the bytes so far, and the text after the colon."""
    length = next((at for at, char in enumerate(rest) if char not in HEXADECIMAL), len(rest))
    if length > 4:
        _fail(text, "each group must have 4 or less digits", rest)
    if length == 0:
        _fail(text, NO_DIGIT, rest)
    if rest[length : length + 1] == ".":
        if not compressed and filled != FULL - 4:
            _fail(text, BEFORE_IPV4, rest)
        if filled + 4 > FULL:
            _fail(text, TOO_MANY, rest)
        _check_fields(text, rest)
        return filled + 4, ""
    rest = rest[length:]
    if rest and rest[0] != ":":
        _fail(text, "unexpected character, want colon", rest)
    if rest == ":":
        _fail(text, "colon must be followed by more characters", rest)
    return filled + 2, rest[1:]
