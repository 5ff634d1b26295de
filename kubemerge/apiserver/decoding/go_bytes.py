"""Bytes as Go reads them from JSON: base64, or a list of numbers."""

from __future__ import annotations

import base64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


def problem(text: str) -> str:
    """Go's message about a text that is no base64; empty if it is."""
    place = wrong_byte(text)
    return "" if place is None else f"illegal base64 data at input byte {place}"


def printed(value: Any) -> Any:
    """Bytes as Go prints them; an imported object may hold something else."""
    if value is None:  # in a map
        return ""
    if isinstance(value, list):
        value = bytes(0 if one is None else one for one in value)
        return base64.b64encode(value).decode()
    if not isinstance(value, str) or problem(value):
        return value
    return base64.b64encode(base64.b64decode(value.replace("\r", "").replace("\n", ""))).decode()


def wrong_byte(value: str) -> int | None:
    """Where a text is not base64; None if it is."""
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
    """What is wrong from the first sign of padding on: one or two of them, and nothing after them."""
    if index == 2:
        if len(rest) < 2:
            return len(value)
        if rest[1][1] != "=":
            return rest[1][0]
    return more[0][0] if more else None
