"""Warnings of duplicate container ports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import as_number, as_text, maps
from .eras import PORT_NAMES, PORTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..unchecked import Object
    from .eras import DatedWarning


def of_containers(containers: Sequence[tuple[str, Object]]) -> Iterator[DatedWarning]:
    """Return the port warnings of a Pod's containers, each with its path."""
    every = [(f"{at}.ports[{index}]", port) for at, one in containers for index, port in maps(one, "ports")]
    yield from _numbers(every)
    named: dict[str, str] = {}
    for at, port in every:
        name = as_text(port.get("name"))
        if name and name in named:
            first = named[name]
            why = f"services and probes that select ports by name will use {first}"
            yield PORT_NAMES(f'{at}: duplicate port name "{name}" with {first}, {why}')
        elif name:
            named[name] = at


def _numbers(every: list[tuple[str, Object]]) -> Iterator[DatedWarning]:
    taken: dict[tuple[object, object], list[tuple[str, Object]]] = {}
    for at, port in every:
        host, address = as_number(port.get("hostPort")) or 0, as_text(port.get("hostIP"))
        if address and not host:
            yield PORTS(f"{at}: hostIP set without hostPort: {_printed(port)}")
        others = taken.setdefault((port.get("containerPort"), port.get("protocol")), [])
        for place, other in others:
            its_host, its_address = as_number(other.get("hostPort")) or 0, as_text(other.get("hostIP"))
            if (host, address) == (its_host, its_address):
                yield PORTS(f"{at}: duplicate port definition with {place}")
            elif not host or not its_host:
                yield PORTS(f"{at}: overlapping port definition with {place}")
            elif host == its_host and bool(address) != bool(its_address):
                yield PORTS(f"{at}: dangerously ambiguous port definition with {place}")
        others.append((at, port))


def _printed(port: Object) -> str:
    name, address = as_text(port.get("name")), as_text(port.get("hostIP"))
    numbers = (
        f"HostPort:{as_number(port.get('hostPort')) or 0} ContainerPort:{as_number(port.get('containerPort')) or 0}"
    )
    return f"{{Name:{name} {numbers} Protocol:{as_text(port.get('protocol'))} HostIP:{address}}}"
