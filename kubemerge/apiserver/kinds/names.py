"""Names of kinds: plurals, short names, names in commands, and the order of versions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.tables.served import rank

from .builtin_kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Collection

    Key = tuple[str, str]
    """A kind: its apiVersion and its name."""

__all__ = ["KindName", "names_of", "plural", "rank"]

_BY_NAME = {kind: facts for (_, kind), facts in KINDS.items()}
"""Facts by kind alone: no two groups store kinds of the same name."""


def plural(kind: str) -> str:
    """Return the plural, which is the name of the resource."""
    name = kind.lower()
    if kind in _BY_NAME and _BY_NAME[kind].plural:
        return _BY_NAME[kind].plural
    if name.endswith(("s", "x", "ch")):
        return f"{name}es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"


@cache
def names_of(kind: str) -> frozenset[str]:
    """Return the names of a built-in kind, in lower case. Other kinds may have an irregular plural."""
    short = _BY_NAME[kind].short_names if kind in _BY_NAME else ()
    return frozenset((kind.lower(), plural(kind), *short))


_QUALIFIED = re.compile(r"(?P<api>[\w.-]+/[\w-]+|[\w-]+)/(?P<name>\w*)(?:\.(?P<rest>.*))?", re.DOTALL)


@dataclass(frozen=True)
class KindName:
    """A kind as users write it: `Deployment`, `deployments`, `deploy`, `deployments.apps`, `deployments.v1.apps`, or
    `apps/v1/Deployment`.

    The path of a field may follow: `deploy.spec`, `deployments.apps.spec`, `apps/v1/Deployment.spec`.
    """

    name: str
    rest: str
    """The text after the name: a group, a version, both, or a path."""
    api_version: str = ""
    """The text before the name."""

    @classmethod
    def read(cls, text: str) -> KindName:
        """Parse a word."""
        found = _QUALIFIED.fullmatch(text)
        if found:
            return cls(found["name"], found["rest"] or "", found["api"])
        name, _, rest = text.partition(".")
        return cls(name, rest)

    def means(self, api_version: str, names: Collection[str]) -> bool:
        """Whether it is the kind of this apiVersion with these names."""
        return self.calls(api_version, names) and not self.path(api_version)

    def calls(self, api_version: str, names: Collection[str]) -> bool:
        """Whether it begins with the kind, whatever follows."""
        return self.name.lower() in names and self.api_version in ("", api_version)

    def path(self, api_version: str) -> str:
        """Return the text after a kind of this apiVersion: the path of a field, or another group."""
        group, _, version = api_version.rpartition("/")
        for place in (f"{version}.{group}", group, version):
            if place and f"{self.rest.lower()}.".startswith(f"{place}."):
                return self.rest[len(place) + 1 :]
        return self.rest
