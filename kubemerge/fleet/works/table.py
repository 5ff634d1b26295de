"""The works by their names, and requests for them."""

from __future__ import annotations

from hashlib import blake2b
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from .base import Rules
from .definitions import Known

if TYPE_CHECKING:
    from .base import Work

WORKS = {
    "lint": "Lint",
    "upgrade": "Upgrade",
    "drift": "Drift",
    "owners": "Owners",
    "migrate": "Migrate",
    "definitions": "Definitions",
}
"""The class of each work, in the module of its name."""
WITH_DEFINITIONS = {"lint", "drift", "owners", "migrate"}
"""The works that depend on the definitions of a cluster. The definitions are the same in every release."""
_KEPT = 4
"""Number of definition sets for which a work is cached: most clusters have the same ones."""


class Asked(NamedTuple):
    """A work with its options, as it is sent to workers."""

    work: str
    rules: Rules = Rules()
    options: tuple[tuple[str, Any], ...] = ()
    about: str = ""
    """A hash of everything that affects the results, except the definitions of a cluster."""
    known: Known = Known()
    """The definitions of each cluster."""
    searched: bool = False
    """Whether definitions are searched for."""

    def made(self, cluster: str = "") -> Work:
        """Create the work."""
        made = getattr(import_module(f"{__package__}.{self.work}"), WORKS[self.work])
        found: Work = made(self.rules._replace(dumped=self.known.contents(cluster)), **dict(self.options))
        return found

    def about_of(self, cluster: str | None) -> str:
        """A hash of everything that affects the results of a cluster; of any cluster, if it is unknown."""
        definitions = self.known.about(cluster)
        if not definitions:
            return self.about
        return blake2b(repr((self.about, definitions)).encode(), digest_size=16).hexdigest()


class Works:
    """A work for each cluster."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._made: dict[tuple[int, ...], Work] = {}

    def of(self, cluster: str) -> Work:
        """The work for a cluster, shared by those with the same definitions."""
        which = self._asked.known.of.get(cluster, ())
        found = self._made.get(which)
        if found is None:
            if len(self._made) >= _KEPT:
                del self._made[next(iter(self._made))]
            found = self._made[which] = self._asked.made(cluster)
        return found
