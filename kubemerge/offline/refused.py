"""Rejections of an object from a file in one line, without the values of Secrets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..output.secrets import is_secret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..apiserver.protocol import Object


_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_NUMBER = re.compile(r"\bnumber \S+(?= into )")
"""The value that cannot be read, if it is a number; other values are not in the message."""


def in_words(problems: Sequence[str], content: Object) -> str:
    """The first of the problems, and how many there are; of a Secret only where it is."""
    first = problems[0].partition("\n")[0]
    if is_secret(content):
        first = _NUMBER.sub("number", first) if first.startswith("json: ") else first.partition(": ")[0]
        first = _QUOTED.sub('"***"', first)
    return f"{first}{f', and {len(problems) - 1} more' if len(problems) > 1 else ''}"
