"""Changes of containers: their images, and their requests and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..generators.parts import BadOptions, amounts
from .pod_specs import containers, copied, map_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...cluster import Object

ALL = "*"


def split(words: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The words that name objects, and the images by the names of containers."""
    own: list[str] = []
    given: list[str] = []
    for word in words:
        if ("=" in word and not word.startswith("=")) or (word.endswith("-") and word != "-"):
            given.append(word)
        elif given:
            raise BadOptions(f"all resources must be specified before image changes: {word}")
        else:
            own.append(word)
    bad = [word for word in given if "=" not in word]
    if bad:
        raise BadOptions(f"invalid image format: {', '.join(bad)}")
    return tuple(own), dict(word.split("=", 1) for word in given)


def with_images(content: Object, images: Mapping[str, str], problems: list[str]) -> Object:
    """The object with these images; containers that it does not have are added to the problems."""
    after, spec = copied(content)
    for name, image in images.items():
        found = [one for one in containers(spec) if name in (ALL, one.get("name"))]
        for one in found:
            one["image"] = image
        if not found:
            problems.append(f'error: unable to find container named "{name}"')
    return after


def with_resources(content: Object, pattern: str, limits: str, requests: str, problems: list[str]) -> Object:
    """The object with these limits and requests in its containers."""
    after, spec = copied(content)
    found = list(containers(spec, pattern))
    for one in found:
        resources = map_at(one, "resources")
        for field, text in (("limits", limits), ("requests", requests)):
            if text:
                resources[field] = {**map_at(resources, field), **amounts(text, "invalid")}
    if not found:
        problems.append(f"error: unable to find container named {pattern}")
    return after
