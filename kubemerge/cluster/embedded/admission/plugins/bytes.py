"""Bytes in objects: base64, as a server reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.unchecked import a_map

from ....errors import NAMELESS, BadRequest, Invalid

if TYPE_CHECKING:
    from ....protocol import Object
    from .around import Around

FIELDS = {"Secret": "data", "ConfigMap": "binaryData"}
_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


def read(content: Object, around: Around) -> Object:
    """An object whose bytes can be read; a patch is refused in other words than a whole object."""
    why = problem(content)
    if why and around.live is not None:
        raise Invalid(f"{NAMELESS}patch: Invalid value: {{...}}: {why}", [why])
    if why:
        raise unreadable(content, why)
    return content


def check(content: Object) -> None:
    """Refuse an object whose bytes cannot be read."""
    why = problem(content) if content.get("apiVersion") == "v1" and content.get("kind") in FIELDS else ""
    if why:
        raise unreadable(content, why)


def unreadable(content: Object, why: str) -> BadRequest:
    """The refusal of an object that cannot be read."""
    kind = content["kind"]
    return BadRequest(f'{kind} in version "v1" cannot be handled as a {kind}: {why}')


def problem(content: Object) -> str:
    """Why the bytes of an object cannot be read; empty if they can."""
    for value in a_map(content.get(FIELDS[content["kind"]])).values():
        place = wrong_byte(value) if isinstance(value, str) else None
        if place is not None:
            return f"illegal base64 data at input byte {place}"
    return ""


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
