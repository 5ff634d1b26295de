"""The options of a request, checked before its object is decoded."""

from __future__ import annotations

from enum import Enum

from .errors import Invalid
from .problems import Problem, unsupported

STRICT, WARN, IGNORE = "Strict", "Warn", "Ignore"
"""The values of fieldValidation: reject unknown fields, warn about them, or ignore them."""


class SentTypes(Enum):
    """The result when the types of a sent object were checked before."""

    UNCHECKED = "unchecked"
    FIT = "all values fit"
    KNOWN = "all values fit, and all fields are known"


def check_directive(options: str, field_validation: str | None) -> None:
    """Reject an invalid fieldValidation."""
    problems = directive_problems(field_validation)
    if problems:
        raise Invalid.of(f"{options}.meta.k8s.io", "", problems)


def directive_problems(field_validation: str | None) -> list[Problem]:
    """Return the problem of an invalid fieldValidation."""
    if field_validation in (None, "", STRICT, WARN, IGNORE):
        return []
    return [unsupported("fieldValidation", field_validation, ["", IGNORE, STRICT, WARN])]
