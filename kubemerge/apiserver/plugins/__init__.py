"""Admission plugins, which change or reject an object depending on others. `table` contains their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .table import MUTATING, NEW, READ, STATUS, VALIDATING

if TYPE_CHECKING:
    from ..problems import Problem
    from ..protocol import Object
    from .context import AdmissionContext
    from .table import Plugin, ProblemFinder


def read(content: Object, group: str, kind: str, context: AdmissionContext) -> Object:
    """Return the object as a server decodes it, before managedFields are recorded."""
    return _through(READ.get((group, kind), ()), content, context)


def admit(content: Object, group: str, kind: str, context: AdmissionContext) -> Object:
    """Return the object after mutating admission, before validation. Raise Forbidden if a plugin rejects it."""
    steps = MUTATING.get((group, kind), ())
    content = _through(steps, content, context)
    if context.policies is None:
        return content
    return context.policies.mutate(content, lambda mutated: _through(steps, mutated, context))


def problems_of_new(content: Object, group: str, kind: str, context: AdmissionContext) -> list[Problem]:
    """Return the problems of a new object that depend on others."""
    return _problems(NEW, content, (group, kind), context)


def problems_of_status(content: Object, group: str, kind: str, context: AdmissionContext) -> list[Problem]:
    """Return the problems of a changed status that depend on other objects, for a write to the status."""
    return _problems(STATUS, content, (group, kind), context) if context.subresource == "status" else []


def _problems(
    table: dict[tuple[str, str], tuple[int, ProblemFinder]],
    content: Object,
    group_kind: tuple[str, str],
    context: AdmissionContext,
) -> list[Problem]:
    since, check = table.get(group_kind, (0, None))
    return [*check(content, context)] if check is not None and context.minor >= since else []


def validate(content: Object, group: str, kind: str, context: AdmissionContext) -> None:
    """Reject a valid object that is not allowed together with others."""
    for since, check in VALIDATING.get((group, kind), ()):
        if context.minor >= since:
            check(content, context)
    if context.policies is not None:
        context.policies.validate(content)


def _through(steps: tuple[tuple[int, Plugin], ...], content: Object, context: AdmissionContext) -> Object:
    for since, step in steps:
        if context.minor >= since:
            content = step(content, context)
    return content
