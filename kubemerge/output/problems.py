"""Problems in reports: in the server's words, without the values of Secrets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..apiserver.problems import OMITTED, Printed
from .secrets import MASK, OF_OTHERS, SHOWN, is_secret

if TYPE_CHECKING:
    from typing import Any

    from ..apiserver.problems import Problem

_FIRST_STEP = re.compile(r"[^.\[]*")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_PRINTED = re.compile(r"(?<=got &\{).*?(?=\}(?:\n  \.|\Z))", re.DOTALL)
"""A value that Go prints without quotes, in an error about the type of a field."""
_NUMBER = re.compile(r"\bnumber \S+(?= into )")
"""A number that cannot be parsed. Other values are not in the message."""


def masked(problem: Problem, document: Any) -> Problem:
    """The problem without its value if it belongs to a Secret. Names of entries and metadata are not masked.

    The server's own details about a v1 Secret contain no values. A custom resource named Secret has rules of another
    author, which may print them, so its detail is omitted as well.
    """
    if not is_secret(document):
        return problem
    if not problem.kind:
        detail = _PRINTED.sub(MASK, _NUMBER.sub("number", problem.detail))
        return problem._replace(detail=_QUOTED.sub(f'"{MASK}"', detail))
    is_custom = "/" in str(document.get("apiVersion", ""))
    match = _FIRST_STEP.match(problem.path)
    first = match[0] if match else ""
    if first in SHOWN or (is_custom and first in OF_OTHERS):
        return problem
    is_name = isinstance(problem.value, str) and problem.path == f"{first}[{problem.value}]"
    value = problem.value if problem.value == OMITTED or is_name else Printed(MASK)
    return problem._replace(value=value, detail="" if is_custom else problem.detail)
