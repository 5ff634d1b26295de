"""Conflicts between two patches, or between a config and another writer."""

from __future__ import annotations

from . import aliases
from .paths import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Conflict:
    """One field that two patches, or a config and another writer, change differently."""

    __slots__ = ("ours", "steps", "theirs")

    def __init__(self, steps: aliases.Steps, ours: aliases.Any, theirs: aliases.Any) -> None:
        self.steps, self.ours, self.theirs = steps, ours, theirs

    @property
    def path(self) -> str:
        """The path of the field, such as `spec.containers[name=web].image`."""
        return render(self.steps)

    def _facts(self) -> tuple[Any, ...]:
        return self.steps, self.ours, self.theirs

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]  # its values are lists and maps

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._facts()

    def __repr__(self) -> str:
        return f"Conflict({self.path!r}, ours={self.ours!r}, theirs={self.theirs!r})"
