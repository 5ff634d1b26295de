"""The schemas of a release, as far as objects are read by them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from engine import Schema, Tables

    from ..protocol import Resource

    class Schemas(Protocol):
        """The merge tables of a release, and the schema of a resource by them. `Kinds` is one."""

        @property
        def tables(self) -> Tables:
            """The tables."""

        def schema(self, resource: Resource) -> Schema:
            """The schema of a resource."""
