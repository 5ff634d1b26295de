"""What the API server makes of an object before it stores it: default values, and a judgement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import crd_types, defaults, validation
from .empties import without_empties
from .errors import Invalid

if TYPE_CHECKING:
    from .kinds import Kinds
    from .protocol import Object, Resource


def admitted(content: Object, live: Object | None, resource: Resource, kinds: Kinds) -> Object:
    """The object with the values that it leaves out filled in; Invalid if the API does not allow it."""
    definition = kinds.definition(resource)
    wrong = crd_types.problems(content, definition, kinds.release) if definition is not None else []
    if wrong:
        raise Invalid(validation.refusal(content, wrong), wrong)
    content = defaults.fill(content, live, kinds.release, definition)
    problems = validation.problems(content, live)
    if problems and live is not None:  # one that was taken in from elsewhere may lack what is filled in here
        problems = validation.problems(content, defaults.fill(live, live, kinds.release, definition))
    if problems:
        raise Invalid(validation.refusal(content, problems), problems)
    return without_empties(content, kinds.schema(resource)) if resource.built_in else content
