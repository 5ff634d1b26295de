"""What the API server makes of an object before it stores it: default values, and a judgement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import defaults, validation
from .errors import Invalid

if TYPE_CHECKING:
    from .kinds import Kinds
    from .protocol import Object, Resource


def admitted(content: Object, live: Object | None, resource: Resource, kinds: Kinds) -> Object:
    """The object with the values that it leaves out filled in; Invalid if the API does not allow it."""
    content = defaults.fill(content, live, kinds.release, kinds.definition(resource))
    problems = validation.problems(content, live)
    if problems:
        raise Invalid(validation.refusal(content, problems), problems)
    return content
