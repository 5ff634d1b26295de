"""Go types of fields: named strings, 64-bit integers, times, bytes, and embedded structs.

The table in `go_type_table` lists struct types with the fields whose Go type does not follow from OpenAPI, as
`field:type`. `VolumeSource>hostPath` is a field of an embedded struct. After `=` comes the element type of a named list
or map. `python -m tests.kubemerge.apiserver.http.protobuf.oracle --write` prints it from the types of 1.37.
"""

from __future__ import annotations

from functools import lru_cache

TIME, MICRO_TIME, BYTES = "v1.Time", "v1.MicroTime", "[]uint8"
RANGES = {"int64": (-(2**63), 2**63), "uint8": (0, 2**8), "int32": (-(2**31), 2**31)}
"""Integer ranges, without the second number."""


@lru_cache(maxsize=1)
def _lines() -> dict[str, str]:
    from .go_type_table import TABLE  # most objects do not need it

    return dict(line.split(" ", 1) for line in TABLE.split("\n")[1:-1])


@lru_cache(maxsize=1)
def _by_name() -> dict[str, str]:
    """The lines by group and type name, without the version. The newest version counts."""
    return {_unversioned(owner): line for owner, line in sorted(_lines().items())}


def _unversioned(owner: str) -> str:
    module, _, name = owner.rpartition(".")
    return f"{module.partition('_')[0]}.{name}"


@lru_cache(maxsize=4096)
def types_of(owner: str) -> dict[str, str]:
    """Return the Go types of a struct's fields that do not follow from OpenAPI, by JSON name.

    A version missing in 1.37 is assumed to equal another one of the group.
    """
    return {name.rpartition(">")[2]: type_ for name, type_ in _fields(owner) if type_}


@lru_cache(maxsize=4096)
def embedded_in(owner: str) -> dict[str, tuple[str, ...]]:
    """Return the names of the embedded structs of each field, the outermost first."""
    found = ((name.rpartition(">")[2], tuple(name.split(">")[:-1])) for name, _ in _fields(owner))
    return {name: embedded for name, embedded in found if embedded}


def _fields(owner: str) -> list[tuple[str, str]]:
    line = _lines().get(owner) or _by_name().get(_unversioned(owner), "")
    parts = (word.partition(":") for word in line.split())
    return [(name, type_) for name, _, type_ in parts]


def element(type_: str) -> str:
    """Return the element type of a list or map. Empty if it follows from OpenAPI."""
    name, _, named = type_.partition("=")
    if named or not name:
        return named
    return name[2:] if name.startswith("[]") else name.partition("]")[2]
