"""Shared parts of generators: object metadata, containers, ports, and parsers for option values."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

from engine import MergeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...cluster import Object


class BadOptions(MergeError):
    """Options from which no object can be built."""


def head(api_version: str, kind: str, name: str, **metadata: Any) -> Object:
    """The beginning of an object."""
    return {"kind": kind, "apiVersion": api_version, "metadata": {"name": name, **given(metadata)}}


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are not empty, as Go omits empty ones."""
    return {key: value for key, value in values.items() if value}


def in_order(values: Mapping[str, Any]) -> dict[str, Any]:
    """A map as Go writes it: sorted by its keys."""
    return dict(sorted(values.items()))


# ---- pods ------------------------------------------------------------------------------------------------------------


def container(name: str, image: str, **fields: Any) -> Object:
    """A container, with the resources that Go always writes; `fields` come in Go's order."""
    before: dict[str, Any] = {key: fields.pop(key) for key in ("command", "args", "ports", "env") if key in fields}
    return {"name": name, "image": image, **given(before), "resources": {}, **given(fields)}


_SUFFIX = "bcdfghjklmnpqrstvwxz2456789"
"""The letters of random names."""


def container_name(image: str) -> str:
    """The name of a container that runs an image. If `_` or `.` has to be replaced, add a random suffix."""
    name = image.rpartition("/")[2].partition(":")[0].partition("@")[0]
    plain = re.sub(r"[_.]", "-", name)
    return name if plain == name else f"{plain}-{''.join(random.choices(_SUFFIX, k=5))}"  # noqa: S311 - no secret


# ---- texts -----------------------------------------------------------------------------------------------------------


def number_or_name(text: str) -> int | str:
    """The number if the text is one, otherwise the text: a port, or a percentage."""
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else text


def amounts(text: str) -> dict[str, str]:
    """`cpu=1,memory=1Gi` as quantities."""
    from engine.values.quantities import BadQuantity, canonical

    found = {}
    for spec in text.split(",") if text else ():
        parts = spec.split("=")
        if len(parts) != 2:
            raise BadOptions(f"Invalid argument syntax {spec}, expected <resource>=<value>")
        try:
            found[parts[0]] = canonical(parts[1])
        except BadQuantity as error:
            raise BadOptions(str(error)) from None
    return in_order(found)


def label_selector(text: str) -> Object:
    """A label selector in object form: `matchLabels` for equality, `matchExpressions` for the rest."""
    labels: dict[str, str] = {}
    expressions: list[Object] = []
    for part in re.split(r",(?![^(]*\))", text) if text else ():
        found = _REQUIREMENT.fullmatch(part)
        if not found:
            raise BadOptions(f'couldn\'t parse the selector string "{text}": {part!r} is not a requirement')
        if found["equal"]:
            labels[found["key"]] = found["value"]
        elif found["differs"]:
            raise BadOptions('"!=" is not a valid label selector operator')
        elif found["set"]:
            values = sorted(one.strip() for one in found["values"].split(","))
            operator = "In" if found["set"] == "in" else "NotIn"
            expressions.append({"key": found["key"], "operator": operator, "values": values})
        else:
            expressions.append({"key": found["key"], "operator": "DoesNotExist" if found["no"] else "Exists"})
    return given({"matchLabels": in_order(labels), "matchExpressions": expressions})


_WORD = r"[\w./-]"
_REQUIREMENT = re.compile(
    rf"\s*(?P<no>!)?\s*(?P<key>{_WORD}+)\s*"
    rf"(?:(?P<equal>==?)\s*(?P<value>{_WORD}*)|(?P<differs>!=)\s*(?P<other>{_WORD}*)"
    r"|(?P<set>in|notin)\s*\((?P<values>[^)]*)\))?\s*"
)


# ---- ports -----------------------------------------------------------------------------------------------------------

_PORT_NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")


def service_port(text: str) -> tuple[int, int | str]:
    """The port of a service and its target port: `80`, `80:8080`, `80:http`."""
    first, _, target = text.partition(":")
    if not re.fullmatch(r"\d+", first) or int(first) > 65535:
        why = "value out of range" if re.fullmatch(r"\d+", first) else "invalid syntax"
        raise BadOptions(f'strconv.ParseUint: parsing "{first}": {why}')
    if not target:
        return int(first), int(first)
    found = number_or_name(target)
    problems = _wrong_number(found) if isinstance(found, int) else _wrong_name(found)
    if problems:
        raise BadOptions(",".join(problems))
    return int(first), found


def _wrong_number(port: int) -> Sequence[str]:
    return [] if 1 <= port <= 65535 else ["must be between 1 and 65535, inclusive"]


def _wrong_name(name: str) -> Sequence[str]:
    rules = {
        "must be no more than 15 characters": len(name) > 15,
        "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)": not re.fullmatch("[-a-z0-9]*", name),
        "must contain at least one letter (a-z)": not re.search("[a-z]", name),
        "must not contain consecutive hyphens": "--" in name,
        "must not begin or end with a hyphen": name.startswith("-") or name.endswith("-"),
    }
    return [rule for rule, broken in rules.items() if broken]
