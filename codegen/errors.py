"""Errors of specifications."""

from __future__ import annotations

from engine import MergeError

from .credentials import without_credentials

MAX_POINTER = 400
"""Maximum characters of a JSON pointer in a message; a hostile specification has names of any length."""


class SpecError(MergeError):
    """A specification that cannot be read: the source, the JSON pointer into it, and the expected content."""

    def __init__(self, source: str, expected: str, *, pointer: str = "", found: str = "") -> None:
        source, expected, found = map(without_credentials, (source, expected, found))
        self.source, self.pointer, self.expected, self.found = source, pointer, expected, found
        place = (
            pointer
            if len(pointer) <= MAX_POINTER
            else f"{pointer[: MAX_POINTER // 2]}...{pointer[-MAX_POINTER // 2 :]}"
        )
        where = f"{source}#{place}" if place else source
        super().__init__(one_line(f"{where}: expected {expected}{f'; found {found}' if found else ''}"))


class SpecWarning(UserWarning):
    """A part of a specification that is ignored, because Kubernetes ignores it as well."""


class Unreachable(SpecError):
    """An address that cannot be reached, with the reason."""

    def __init__(self, source: str, why: str) -> None:
        super().__init__(source, "a server that can be reached", found=why)
        self.message = one_line(f"{self.source}: the address cannot be reached: {self.found}")


def one_line(text: str) -> str:
    """The text with unprintable characters escaped, because a specification may contain terminal codes."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def pointer_of(*steps: object) -> str:
    """The JSON pointer (RFC 6901) with these keys and positions."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def brief(value: object, limit: int = 60) -> str:
    """A value for an error message: short, one line, ASCII."""
    text = ascii(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
