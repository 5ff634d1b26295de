"""The lint report of one file, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .reports.model import Linted, Unread


class FileReport(NamedTuple):
    """The lint report of one file."""

    linted: list[Linted]
    unread: list[Unread]
    skipped: list[str]
    """The purposes of documents that are not for an API server."""
    without_schema: list[str]
    """Kinds of objects without a known schema, one entry for each object."""
    needs_definitions: bool
    """Whether the report depends on CustomResourceDefinitions in other files."""
