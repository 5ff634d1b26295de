"""What lint says of one file, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .reports.model import Linted, Unread


class FileReport(NamedTuple):
    """What lint says of one file."""

    linted: list[Linted]
    unread: list[Unread]
    passed_over: list[str]
    """What the documents are that are not for an API server."""
    without_schema: list[str]
    """Kinds of objects of which no schema is known, once for each object."""
    needs_definitions: bool
    """Whether what is said depends on the CustomResourceDefinitions that are in other files."""
