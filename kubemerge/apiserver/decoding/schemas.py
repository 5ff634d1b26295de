"""The schemas of a release, for decoding."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from engine import Schema, Tables

    from ..protocol import Resource

    class Schemas(Protocol):
        """The merge tables of a release, and the schema of a resource. `Kinds` implements it."""

        @property
        def tables(self) -> Tables:
            """Return the tables."""

        def schema(self, resource: Resource) -> Schema:
            """Return the schema of a resource."""
