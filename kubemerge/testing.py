"""Assertions for tests of operators."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .apiserver.http.listening.running import Serving
    from .apiserver.write_log import Write

__all__ = ["assert_owns"]
_PART = re.compile(r"\*\*|\*|[^*]+")
_WILD = {"**": ".*", "*": r"[^.\[\]]*"}


def assert_owns(server: Serving, manager: str, allowed: Iterable[str]) -> None:
    """Fail if a manager's writes took fields that it may not own.

    `server` is `kube_server`. `allowed` are paths, each with everything inside it: `metadata.finalizers`, `status`,
    `spec.containers[name=web].image`. `*` stands for one part of a path, such as a name, and `**` for any number of
    them. The AssertionError names each other field, and the write that took it. A manager without writes is an error,
    too, because its name is probably wrong.
    """
    writes, paths = server.writes(manager), list(allowed)
    if not writes:
        others = sorted({one.manager for one in server.writes()})
        raise AssertionError(f"{manager} has written nothing. Managers with writes: {', '.join(others) or 'none'}")
    may_own = re.compile("|".join(map(_pattern, paths)) or "(?!)", re.DOTALL).fullmatch
    taken = [line for one in _first_writes(writes) for line in _lines(*one, may_own)]
    if taken:
        head = f"{manager} took fields that it may not own (allowed: {', '.join(paths) or 'none'}):"
        raise AssertionError("\n".join([head, *taken]))


def _pattern(path: str) -> str:
    """A regular expression for a path and everything inside it."""
    whole = "".join(_WILD.get(part, re.escape(part)) for part in _PART.findall(path.removesuffix(".**")))
    return rf"{whole}(?:[.\[].*)?"


def _first_writes(writes: Sequence[Write]) -> Iterator[tuple[Write, list[str]]]:
    """Each write with the fields that no earlier write to the object took."""
    seen: set[tuple[str, str]] = set()
    for write in writes:
        new = [path for path in write.owned if (_object(write), path) not in seen]
        seen.update((_object(write), path) for path in new)
        yield write, new


def _lines(write: Write, paths: list[str], may_own: Callable[[str], object]) -> Iterator[str]:
    for path in paths:
        if may_own(path):
            continue
        if path in write.respelled:
            how = "the value is the same in other words"
        elif path in write.changed or any(one.startswith((f"{path}.", f"{path}[")) for one in write.changed):
            how = "its value changed"
        else:
            how = "its value did not change"
        others = write.taken_from.get(path)
        taken = f"taken from {', '.join(others)}" if others else "taken"
        yield f"  {_object(write)}: {path}, {taken} by {write.verb}; {how}"


def _object(write: Write) -> str:
    kind = f"{write.resource}.{write.group}" if write.group else write.resource
    place = f" in {write.namespace}" if write.namespace else ""
    return f"{kind}{f'/{write.subresource}' if write.subresource else ''} {write.name}{place}"
