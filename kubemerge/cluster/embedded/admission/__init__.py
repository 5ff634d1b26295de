"""What the API server makes of an object before it stores it: default values, and validation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...protocol import Object, Resource
    from ..kinds import Kinds


def admitted(
    content: Object,
    live: Object | None,
    resource: Resource,
    kinds: Kinds,
    book: Callable[[Object], Object],
    subresource: str | None = None,
) -> Object:
    """The object with its default values filled in; raises Invalid if the API does not allow it.

    `book` notes who owns what. That comes after the default values, and before what was allocated is kept.
    """
    from ...errors import Invalid  # late, because others only need the default values
    from .checks import validation
    from .defaults import fill as defaults
    from .fields.decoded import decoded
    from .kinds.strategy import prepared

    definition = kinds.definition(resource)
    wrong = _wrong_values(content, definition, kinds.release) if definition is not None else []
    if wrong:
        raise Invalid(validation.refusal(content, wrong), wrong)
    content = book(defaults.filled(content, kinds.release, definition))
    content = defaults.with_allocated(content, live, kinds.release)
    content = prepared(content, live, subresource)
    problems = validation.problems(content, live, subresource)
    if problems and live is not None:  # an imported object may differ from how one is stored here
        live = decoded(live, resource, kinds)
        problems = validation.problems(content, defaults.fill(live, live, kinds.release, definition), subresource)
    if problems:
        raise Invalid(validation.refusal(content, problems), problems)
    return content


def _wrong_values(content: Object, definition: Object, release: str) -> list[str]:
    """The wrong values in a custom resource; an API server looks at numbers of replicas once all types are right."""
    from .. import crd_scale
    from . import crd_types

    return crd_types.problems(content, definition, release) or list(crd_scale.problems(content, definition))
