"""Bytes in JSON as Go decodes them: base64, or a list of numbers."""

from __future__ import annotations

import base64
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ORDINARY = re.compile(r"[A-Za-z0-9+/]*={0,2}")
"""Valid base64 without line breaks, if its length is a multiple of four."""
_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


def problem(text: str) -> str:
    """Return Go's error for invalid base64, or an empty text."""
    place = wrong_byte(text)
    return "" if place is None else f"illegal base64 data at input byte {place}"


def printed(value: Any) -> Any:
    """Return bytes as Go prints them. An imported object may have other values."""
    if value is None:  # in a map
        return ""
    if isinstance(value, list):
        value = bytes(0 if one is None else one for one in value)
        return base64.b64encode(value).decode()
    if not isinstance(value, str) or problem(value):
        return value
    return base64.b64encode(base64.b64decode(value.replace("\r", "").replace("\n", ""))).decode()


def wrong_byte(value: str) -> int | None:
    """Return the position of the first invalid base64 character, or None."""
    if len(value) % 4 == 0 and _ORDINARY.fullmatch(value):
        return None
    signs = [(place, sign) for place, sign in enumerate(value) if sign not in "\r\n"]
    for start in range(0, len(signs), 4):
        four = signs[start : start + 4]
        for index, (place, sign) in enumerate(four):
            if sign in _SIGNS:
                continue
            if sign != "=" or index < 2:
                return place
            return _after_padding(value, four[index:], signs[start + 4 :], index)
        if len(four) < 4:
            return len(value) - len(four)
    return None


def _after_padding(value: str, rest: list[tuple[int, str]], more: list[tuple[int, str]], index: int) -> int | None:
    """The position of an error after the start of padding: one or two `=`, and nothing after them."""
    if index == 2:
        if len(rest) < 2:
            return len(value)
        if rest[1][1] != "=":
            return rest[1][0]
    return more[0][0] if more else None
