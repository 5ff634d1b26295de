"""Names of new objects, by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..eras import Era
from ..kinds.builtin_kinds import (
    ADDRESS,
    ANY_NAME,
    DOMAIN_NAME,
    GROUP_RESOURCE,
    KINDS,
    LABEL,
    PATH_SEGMENT,
    KindFacts,
)
from ..problems import Problem, invalid, required
from .eras import SERVICE_NAME, SERVICE_NAME_BEFORE, SET_NAME, SET_NAME_BEFORE
from .names import label, subdomain
from .values.formats import dns_1035_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..unchecked import Object


def path_segment(name: str) -> Iterator[str]:
    """Validate a name that is a path segment."""
    if name in (".", ".."):
        yield f"may not be '{name}'"
    yield from part_of_path_segment(name)


def part_of_path_segment(name: str) -> Iterator[str]:
    """Validate the beginning of a name that is a path segment."""
    yield from (f"may not contain '{sign}'" for sign in "/%" if sign in name)


def address(name: str) -> Iterator[str]:
    """Validate a name that is an IP address."""
    from ipaddress import ip_address

    try:
        canonical = str(ip_address(name))
    except ValueError:
        yield "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
        return
    mapped = getattr(ip_address(name), "ipv4_mapped", None)
    if mapped is not None:
        yield "must not be an IPv4-mapped IPv6 address"
    elif canonical != name:
        yield f'must be in canonical form ("{canonical}")'


def group_resource(name: str) -> Iterator[str]:
    """Validate a name that is an API group and a resource."""
    group, dot, resource = name.rpartition(".")
    if not dot:
        yield "name must be in the form of <group>.<resource>"
        return
    yield from (f"the group segment {why}" for why in subdomain(group))
    yield from (f"the resource segment {why}" for why in dns_1035_label(resource))


def any_name(_: str) -> Iterator[str]:
    """Accept any name: the kind validates it, or only the last check of all kinds does."""
    return iter(())


RULES: dict[str, Callable[[str], Iterator[str]]] = {
    DOMAIN_NAME: subdomain,
    LABEL: label,
    PATH_SEGMENT: path_segment,
    ADDRESS: address,
    ANY_NAME: any_name,
    GROUP_RESOURCE: group_resource,
}
"""The check of each kind of name."""
PREFIX_IS_NAME = ("rbac.authorization.k8s.io",)
"""The groups whose kinds check a generateName like a name."""
ALWAYS = Era()
NAMES = {
    ("apps", "StatefulSet"): ((SET_NAME_BEFORE, subdomain), (SET_NAME, label)),
    ("", "Service"): ((SERVICE_NAME_BEFORE, dns_1035_label), (SERVICE_NAME, label)),
}
"""The kinds with other names in some releases."""


def problems(metadata: Object, group: str, kind: str) -> Iterator[Problem]:
    """Validate name and generateName of a new object."""
    name, prefix = metadata.get("name"), metadata.get("generateName")
    facts = KINDS.get((group, kind)) or KindFacts(kind)
    most = facts.longest_name
    for era, rule in NAMES.get((group, kind)) or ((ALWAYS, RULES[facts.names_are]),):
        if isinstance(prefix, str) and prefix and group in PREFIX_IS_NAME:
            yield from (invalid("metadata.generateName", prefix, why) for why in rule(prefix))
        elif isinstance(prefix, str) and prefix:
            yield from era.limit(_of_prefix(prefix, rule))
        if isinstance(name, str) and name:
            yield from era.limit(invalid("metadata.name", name, why) for why in rule(name))
    if isinstance(name, str) and name:
        if most and len(name) > most:
            yield invalid("metadata.name", name, f"must be no more than {most} characters")
    elif not prefix:
        yield required("metadata.name", "name or generateName is required")


def path_problems(metadata: Object) -> Iterator[Problem]:
    """Validate name and generateName of a new object as parts of its path."""
    name, prefix = metadata.get("name"), metadata.get("generateName")
    if isinstance(prefix, str) and prefix:
        yield from _of_prefix(prefix, path_segment)
    if isinstance(name, str):
        yield from (invalid("metadata.name", name, why) for why in path_segment(name))


def prefix_problems(metadata: Object, group: str, kind: str, *, again: bool) -> Iterator[Problem]:
    """Validate the generateName of an existing object. Some kinds check it with `again`."""
    prefix = metadata.get("generateName")
    if isinstance(prefix, str) and prefix:
        yield from _of_prefix(prefix, path_segment)
        if again:
            yield from _of_prefix(prefix, RULES[(KINDS.get((group, kind)) or KindFacts(kind)).names_are])


def _of_prefix(prefix: str, rule: Callable[[str], Iterator[str]]) -> Iterator[Problem]:
    found = part_of_path_segment(prefix) if rule is path_segment else rule(as_a_name(prefix))
    return (invalid("metadata.generateName", prefix, why) for why in found)


def as_a_name(prefix: str) -> str:
    """Return a generateName as a name: characters follow a final dash."""
    return f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix
