"""The works by their names, as they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from .base import Rules

if TYPE_CHECKING:
    from .base import Work

WORKS = {"lint": "Lint", "upgrade": "Upgrade", "drift": "Drift", "owners": "Owners", "migrate": "Migrate"}
"""The class of each work, in the module of its name."""


class Asked(NamedTuple):
    """A work with its options, as it is sent to workers."""

    work: str
    rules: Rules = Rules()
    options: tuple[tuple[str, Any], ...] = ()
    about: str = ""
    """A hash of all that decides what is said."""

    def made(self) -> Work:
        """The work, ready to begin."""
        found: Work = getattr(import_module(f"{__package__}.{self.work}"), WORKS[self.work])(
            self.rules, **dict(self.options)
        )
        return found
