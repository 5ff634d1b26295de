"""What is said about a specification that cannot be read."""

from __future__ import annotations

from engine import MergeError


class SpecError(MergeError):
    """A specification that cannot be read: the source, the JSON pointer into it, and what was expected."""

    def __init__(self, source: str, expected: str, *, pointer: str = "", found: str = "") -> None:
        self.source, self.pointer, self.expected, self.found = source, pointer, expected, found
        where = f"{source}#{pointer}" if pointer else source
        super().__init__(_one_line(f"{where}: expected {expected}{f'; found {found}' if found else ''}"))


class Unreachable(SpecError):
    """An address behind which no server answers, and why in few words."""

    def __init__(self, source: str, why: str) -> None:
        super().__init__(source, "a server that can be reached", found=why)
        self.message = _one_line(f"{source}: the address cannot be reached: {why}")


def _one_line(text: str) -> str:
    """The text without what a terminal would obey or could not show: a specification chooses its names."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def pointer_of(*steps: object) -> str:
    """The JSON pointer (RFC 6901) that leads through these keys and positions."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def brief(value: object, limit: int = 60) -> str:
    """A value as it can be quoted in an error: short, one line, plain characters."""
    text = ascii(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
