"""Objects inside custom resources: they have a kind, and metadata as every object has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.guard import with_room

from ...metadata_checks import problems as metadata_problems
from .problems import Problem, invalid, required

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema as MergeSchema

    from .schemas import Schema

WORD = "x-kubernetes-embedded-resource"
