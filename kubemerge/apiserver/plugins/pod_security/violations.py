"""Violations of Pod security levels, and parts of Pods shared by all checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...unchecked import as_map, as_text, maps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...protocol import Object

LISTS = ("initContainers", "containers", "ephemeralContainers")


class Violation(NamedTuple):
    """A violation in a few words, and its details."""

    reason: str
    detail: str


def quoted(items: Iterable[str]) -> str:
    """Return the items in quotes."""
    return ", ".join(f'"{one}"' for one in items)


def plural(one: str, many: str, items: Sequence[object]) -> str:
    """Return the singular or plural word."""
    return one if len(items) == 1 else many


def named(containers: Sequence[str]) -> str:
    """Return the containers by name."""
    return f"{plural('container', 'containers', containers)} {quoted(containers)}"


def all_containers(spec: Object) -> Iterator[Object]:
    """Return every container of a Pod."""
    return (one for field in LISTS for _, one in maps(spec, field))


def context(one: Object) -> Object:
    """Return the security context of a Pod or container."""
    return as_map(one.get("securityContext"))


def violators(spec: Object, is_bad: Callable[[Object], bool]) -> list[str]:
    """Return the Pod and containers whose security context is bad."""
    found = ["pod"] if is_bad(context(spec)) else []
    bad = [as_text(one.get("name")) for one in all_containers(spec) if is_bad(context(one))]
    return [*found, named(bad)] if bad else found


def contexts(spec: Object) -> list[Object]:
    """Return the security contexts of a Pod and of its containers."""
    return [context(spec), *map(context, all_containers(spec))]


def in_windows(spec: Object) -> bool:
    """Whether a Pod sets its operating system to Windows."""
    return as_map(spec.get("os")).get("name") == "windows"


def has_own_users(spec: Object) -> bool:
    """Whether a Pod runs in a user namespace."""
    return spec.get("hostUsers") is False


def listed(value: Any) -> list[Any]:
    """Return the elements of a list. Other values have none."""
    return value if isinstance(value, list) else []
