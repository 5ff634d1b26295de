"""Fields that a manager's writes took, and whether it may own them."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from engine import MergeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..apiserver.write_log import Write

CHANGED, RESPELLED, UNCHANGED = "changed", "respelled", "unchanged"
_HOW = {
    CHANGED: "its value changed",
    RESPELLED: "the value is the same in other words",
    UNCHANGED: "its value did not change",
}
_PART = re.compile(r"\*\*|\*|[^*]+")
_WILD = {"**": ".*", "*": r"[^.\[\]]*"}


class NoWrites(MergeError):
    """A manager that has written nothing. Its name is probably wrong."""


class TakenField(NamedTuple):
    """A field that a manager took, and the write that took it."""

    write: Write
    number: int
    """The position of the write in the sequence."""
    path: str
    value: str
    """`changed`, `respelled` (`60s` and `1m0s`) or `unchanged`."""
    taken_from: tuple[str, ...]
    """The other managers that owned it before."""
    allowed: bool

    @property
    def object(self) -> str:
        """The object: its resource, subresource, name and namespace."""
        return title(self.write)

    @property
    def text(self) -> str:
        """The field, its owners before and the write, in a line."""
        taken = f"taken from {', '.join(self.taken_from)}" if self.taken_from else "taken"
        return f"{self.object}: {self.path}, {taken} by {self.write.verb}; {_HOW[self.value]}"


def title(write: Write) -> str:
    """The written object: `deployments.apps/status web in default`."""
    kind = f"{write.resource}.{write.group}" if write.group else write.resource
    place = f" in {write.namespace}" if write.namespace else ""
    return f"{kind}{f'/{write.subresource}' if write.subresource else ''} {write.name}{place}"


class AllowedFields:
    """Paths that managers may own, each with everything inside it. A manager without an entry may own all fields."""

    def __init__(self, paths: Mapping[str, Iterable[str]]) -> None:
        self.paths = {manager: list(some) for manager, some in paths.items()}
        self._patterns = {
            manager: re.compile("|".join(map(_pattern, some)) or "(?!)", re.DOTALL)
            for manager, some in self.paths.items()
        }

    def allows(self, manager: str, path: str) -> bool:
        """Whether a manager may own the field at a path."""
        return manager not in self._patterns or self._patterns[manager].fullmatch(path) is not None


def taken_fields(writes: Iterable[Write], allowed: AllowedFields) -> Iterator[TakenField]:
    """Each field of each object with the first write by which a manager took it, in the order of the writes."""
    seen: set[tuple[str, str, str]] = set()
    for number, write in enumerate(writes):
        changed = _Changed(write)
        for path in write.owned:
            key = write.manager, title(write), path
            if key not in seen:
                seen.add(key)
                others = tuple(write.taken_from.get(path, ()))
                may = allowed.allows(write.manager, path)
                yield TakenField(write, number, path, changed.value(path), others, may)


def require_writes(managers: Iterable[str], writes: Iterable[Write]) -> None:
    """Raise NoWrites for a manager that has written nothing."""
    found = {one.manager for one in writes}
    for manager in managers:
        if manager not in found:
            others = ", ".join(sorted(found)) or "none"
            raise NoWrites(f"{manager} has written nothing. Managers with writes: {others}")


def _pattern(path: str) -> str:
    """A regular expression for a path and everything inside it."""
    whole = "".join(_WILD.get(part, re.escape(part)) for part in _PART.findall(path.removesuffix(".**")))
    return rf"{whole}(?:[.\[].*)?"


class _Changed:
    """The changed paths of a write."""

    def __init__(self, write: Write) -> None:
        self._respelled = frozenset(write.respelled)
        self._sorted = sorted(write.changed)

    def value(self, path: str) -> str:
        if path in self._respelled:
            return RESPELLED
        return CHANGED if any(map(self._has, (path, f"{path}.", f"{path}["))) else UNCHANGED

    def _has(self, start: str) -> bool:
        """Whether a changed path is a field, or is inside it if `start` ends with a separator."""
        at = bisect_left(self._sorted, start)
        found = self._sorted[at : at + 1]
        return bool(found) and (found[0].startswith(start) if start[-1:] in (".", "[") else found[0] == start)
