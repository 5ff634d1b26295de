"""How a violation is told, and the parts of pods that all checks look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...unchecked import a_map, maps, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...protocol import Object

LISTS = ("initContainers", "containers", "ephemeralContainers")


class Violation(NamedTuple):
    """What is not allowed, in a few words, and where."""

    reason: str
    detail: str


def quoted(items: Iterable[str]) -> str:
    """The items in quotes."""
    return ", ".join(f'"{one}"' for one in items)


def plural(one: str, many: str, items: Sequence[object]) -> str:
    """The word for so many."""
    return one if len(items) == 1 else many


def named(containers: Sequence[str]) -> str:
    """Containers by name."""
    return f"{plural('container', 'containers', containers)} {quoted(containers)}"


def all_containers(spec: Object) -> Iterator[Object]:
    """Every container of a pod."""
    return (one for field in LISTS for _, one in maps(spec, field))


def context(one: Object) -> Object:
    """The security context of a pod or a container."""
    return a_map(one.get("securityContext"))


def who(spec: Object, is_bad: Callable[[Object], bool]) -> list[str]:
    """The pod and the containers whose security context is bad."""
    found = ["pod"] if is_bad(context(spec)) else []
    bad = [text(one.get("name")) for one in all_containers(spec) if is_bad(context(one))]
    return [*found, named(bad)] if bad else found


def contexts(spec: Object) -> list[Object]:
    """The security contexts of a pod and of its containers."""
    return [context(spec), *map(context, all_containers(spec))]


def in_windows(spec: Object) -> bool:
    """Whether a pod says that it runs on Windows."""
    return a_map(spec.get("os")).get("name") == "windows"


def has_own_users(spec: Object) -> bool:
    """Whether the users of a pod are not those of its node."""
    return spec.get("hostUsers") is False


def listed(value: Any) -> list[Any]:
    """The elements of a list; none of anything else."""
    return value if isinstance(value, list) else []
