"""The checks by their names, and specifications to create them in workers."""

from __future__ import annotations

from hashlib import blake2b
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ...apiserver.registry.feature_gates import set_gates
from .base import Rules
from .definitions import MARK, Known

if TYPE_CHECKING:
    from .base import Check

SEARCH = "definitions"
"""The name of the search for definitions, which skips other objects."""
CHECKS = {
    "lint": "Lint",
    "upgrade": "Upgrade",
    "drift": "Drift",
    "owners": "Owners",
    "migrate": "Migrate",
    "helm": "Helm",
    "repair": "Repair",
    SEARCH: "Definitions",
}
"""The class of each check, in the module of its name."""
WITH_DEFINITIONS = {"lint", "drift", "owners", "migrate", "repair"}
"""The checks that depend on the definitions of a cluster. The definitions are the same in every release."""
FIND_MISSING = frozenset({"drift", "repair"})
"""The checks that report missing objects."""
_KEPT = 4
"""Number of definition sets for which a check is cached: most clusters have the same ones."""


class CheckSpec(NamedTuple):
    """A check with its options, as it is sent to workers."""

    check: str
    rules: Rules = Rules()
    options: tuple[tuple[str, Any], ...] = ()
    about: str = ""
    """A hash of everything that affects the results, except the definitions of a cluster."""
    known: Known = Known()
    """The definitions of each cluster."""
    searched: bool = False
    """Whether the dumps are searched for definitions."""

    def create(self, cluster: str = "") -> Check:
        """Create the check, with the definitions of a cluster."""
        set_gates(dict(self.rules.gates))
        made = getattr(import_module(f"{__package__}.{self.check}"), CHECKS[self.check])
        found: Check = made(self.rules._replace(dumped=self.known.contents(cluster)), **dict(self.options))
        return found

    def about_of(self, cluster: str | None) -> str:
        """A hash of everything that affects the results of a cluster; of any cluster, if it is unknown."""
        definitions = self.known.about(cluster)
        if not definitions:
            return self.about
        return blake2b(repr((self.about, definitions)).encode(), digest_size=16).hexdigest()


class Checks:
    """A check for each cluster."""

    def __init__(self, spec: CheckSpec) -> None:
        self._spec = spec
        self._created: dict[tuple[int, ...], Check] = {}
        self.mark = MARK if spec.check == SEARCH else b""
        """A word in every text that the check looks at; empty if it looks at all texts."""

    def of(self, cluster: str) -> Check:
        """The check for a cluster, shared by those with the same definitions."""
        which = self._spec.known.of.get(cluster, ())
        found = self._created.get(which)
        if found is None:
            if len(self._created) >= _KEPT:
                del self._created[next(iter(self._created))]
            found = self._created[which] = self._spec.create(cluster)
        return found
