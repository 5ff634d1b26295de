"""Specifications to merge tables: reads OpenAPI and CustomResourceDefinitions, prints `generated/`."""

from __future__ import annotations

from .errors import SpecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .reading import read

__all__ = ["SpecError", "read"]


def __getattr__(name: str) -> Any:
    """`read`, when it is first used: who only wants YAML read should not wait for all that specifications need."""
    if name != "read":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .reading import read

    globals()[name] = read
    return read
