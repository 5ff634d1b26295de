"""The syntax of names in device APIs: drivers, pools, attributes and capacities; and lists that have a limit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.values.unchecked import a_list, maps, text

from ..problems import Mark, Printed, Problem, declarative, duplicate, invalid, required, too_long
from ..problems import too_many as more_than
from ..validation import names
from ..validation.pod_spec import printed
from ..validation.values import formats
from .csi_drivers import driver_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.values.unchecked import Object

    Check = Callable[[str, Object], Iterator[Problem]]

_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*"
_NO_IDENTIFIER = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric "
    f"characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', {names.USED} '{_IDENTIFIER}')"
)
LONGEST_DOMAIN, LONGEST_IDENTIFIER, LONGEST_POOL = 63, 32, 253
NO_DOMAIN = "a fully qualified name must be a domain and a name separated by a slash"


def too_many(at: str, count: int, most: int, mark: Mark = declarative) -> Problem:
    """The list has more items than allowed."""
    return mark(more_than(at, count, most))


def qualified(at: str, name: str) -> Iterator[Problem]:
    """The problems of the name of an attribute or a capacity, which may have a domain."""
    parts = name.split("/")
    if len(parts) == 2:
        if not parts[0]:
            yield invalid(at, "", "the domain must not be empty")
        else:
            yield from driver_name(at, parts[0])
        if not parts[1]:
            yield invalid(at, "", "the name must not be empty")
    if len(parts) <= 2 and (parts[-1] or len(parts) == 1):
        yield from _identifier(at, parts[-1])


def fully_qualified(at: str, name: str) -> Iterator[Problem]:
    """The problems of a name that has to have a domain; its type declares them."""
    parts = name.split("/")
    if len(parts) == 2:
        if not parts[0]:
            yield declarative(invalid(at, "", "prefix must not be empty"))
        else:
            if len(parts[0].encode()) > LONGEST_DOMAIN:
                yield declarative(too_long(at, LONGEST_DOMAIN))
            yield from (
                declarative(invalid(at, parts[0], f"prefix: {why}")) for why in names.declared_subdomain(parts[0])
            )
        if not parts[1]:
            yield declarative(invalid(at, "", "name must not be empty"))
    if len(parts) <= 2 and (parts[-1] or len(parts) == 1):
        yield from map(declarative, _identifier(at, parts[-1]))
    if len(parts) == 1:
        yield declarative(invalid(at, name, NO_DOMAIN))


def _identifier(at: str, name: str) -> Iterator[Problem]:
    if len(name.encode()) > LONGEST_IDENTIFIER:
        yield too_long(at, LONGEST_IDENTIFIER)
    if not re.fullmatch(_IDENTIFIER, name):
        yield invalid(at, name, _NO_IDENTIFIER)


def pool_name(at: str, name: str) -> Iterator[Problem]:
    """The problems of the name of a pool."""
    if not name:
        yield required(at)
        return
    if len(name.encode()) > LONGEST_POOL:
        yield too_long(at, LONGEST_POOL)
    for part in name.split("/"):
        yield from formats.each(at, part, names.subdomain)


def declared_pool_name(at: str, name: str) -> Iterator[Problem]:
    """The problems of the name of a pool in an allocation; its type declares them."""
    if not name:
        yield declarative(required(at))
        return
    if len(name.encode()) > LONGEST_POOL:
        yield declarative(too_long(at, LONGEST_POOL))
    for index, part in enumerate(name.split("/")):
        if not part:
            yield declarative(invalid(at, name, f"segment {index}: must not be empty"))
        else:
            yield from (
                declarative(invalid(at, part, f"segment {index}: {why}")) for why in names.declared_subdomain(part)
            )


def extended_resource(at: str, name: str) -> Iterator[Problem]:
    """The problems of the name of an extended resource; its type declares them."""
    if "/" not in name:
        yield declarative(invalid(at, name, "a name must be a domain-prefixed path, such as 'example.com/my-prop'"))
    elif "kubernetes.io/" in name:
        yield declarative(invalid(at, name, 'must not have "kubernetes.io/" domain'))
    if name.startswith("requests."):
        yield declarative(invalid(at, name, 'must not have "requests." prefix'))
    yield from (declarative(invalid(at, name, why)) for why in names.key(f"requests.{name}"))


def unique(
    at: str, owner: Object, field: str, most: int, judge: Check, *, key: str = "name", of: str
) -> Iterator[Problem]:
    """The problems of a list of items with distinct keys; `of` is their type, which declares limit and keys."""
    listed = list(maps(owner, field))
    if len(listed) > most:
        yield too_many(f"{at}.{field}", len(listed), most)
        return
    taken: set[str] = set()
    for index, one in listed:
        yield from judge(f"{at}.{field}[{index}]", one)
        name = text(one.get(key))
        if name in taken:
            yield declarative(duplicate(f"{at}.{field}[{index}]", Printed(printed.as_sent(of, one))))
        taken.add(name)


def texts(
    at: str,
    owner: Object,
    field: str,
    most: int,
    judge: Callable[[str, str], Iterator[Problem]],
) -> Iterator[Problem]:
    """The problems of a list of distinct texts."""
    listed = [text(one) for one in a_list(owner.get(field))]
    if len(listed) > most:
        yield too_many(f"{at}.{field}", len(listed), most)
        return
    for index, one in enumerate(listed):
        yield from judge(f"{at}.{field}[{index}]", one)
    for index, one in enumerate(listed):
        if one in listed[:index]:
            yield declarative(duplicate(f"{at}.{field}[{index}]", one))
