"""Names in device APIs (drivers, pools, attributes, capacities), and lists with a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..problems import Problem, invalid, required, too_long
from ..unchecked import as_list, as_text, maps
from ..validation import names
from ..validation.eras import NAME_PARTS, NAME_PARTS_BEFORE
from ..validation.values import formats
from .csi_drivers import driver_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..unchecked import Object

    Check = Callable[[str, Object], Iterator[Problem]]

_NO_DOMAIN = "a fully qualified name must be a domain and a name separated by a slash"
LONGEST_IDENTIFIER, LONGEST_POOL = 32, 253


def qualified(at: str, name: str) -> Iterator[Problem]:
    """Validate the name of an attribute or a capacity, with an optional domain."""
    parts = name.split("/")
    if len(parts) == 2:
        for part, value in (("domain", parts[0]), ("name", parts[1])):
            if not value:
                why = f"the {part} must not be empty"
                yield from NAME_PARTS_BEFORE.limit([required(at, why)])
                yield from NAME_PARTS.limit([invalid(at, "", why)])
        if parts[0]:
            yield from driver_name(at, parts[0])
    if not name:
        yield from NAME_PARTS_BEFORE.limit([required(at, "name required")])
        yield from NAME_PARTS.limit(_identifier(at, name))
    elif len(parts) <= 2 and parts[-1]:
        yield from _identifier(at, parts[-1])


def fully_qualified(at: str, name: str) -> Iterator[Problem]:
    """Validate the name of an attribute with its domain."""
    yield from qualified(at, name)
    if "/" not in name:
        if name:
            yield from NAME_PARTS_BEFORE.limit([invalid(at, name, "must include a domain")])
        yield from NAME_PARTS.limit([invalid(at, name, _NO_DOMAIN)])


def _identifier(at: str, name: str) -> Iterator[Problem]:
    if len(name.encode()) > LONGEST_IDENTIFIER:
        yield too_long(at, LONGEST_IDENTIFIER)
    yield from formats.each(at, name, names.c_identifier)


def pool_name(at: str, name: str) -> Iterator[Problem]:
    """Validate the name of a pool."""
    if not name:
        yield required(at)
        return
    if len(name.encode()) > LONGEST_POOL:
        yield too_long(at, LONGEST_POOL)
    for part in name.split("/"):
        yield from formats.each(at, part, names.subdomain)


def each_item(at: str, owner: Object, field: str, most: int, judge: Check) -> Iterator[Problem]:
    """Validate each item of a list. A list above its declared limit is not checked."""
    listed = list(maps(owner, field))
    for index, one in listed if len(listed) <= most else ():
        yield from judge(f"{at}.{field}[{index}]", one)


def each_text(
    at: str, owner: Object, field: str, most: int, judge: Callable[[str, str], Iterator[Problem]]
) -> Iterator[Problem]:
    """Validate each text of a list. A list above its declared limit is not checked."""
    listed = [as_text(one) for one in as_list(owner.get(field))]
    for index, one in enumerate(listed if len(listed) <= most else ()):
        yield from judge(f"{at}.{field}[{index}]", one)
