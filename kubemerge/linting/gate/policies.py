"""Results of admission policies for one object, with their places in the object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.plain import same

from ...apiserver.errors import PolicyRejection
from ...apiserver.kinds.builtin_kinds import VALIDATING_POLICY
from ...apiserver.policies.decisions import PolicyWarning
from ...apiserver.policies.kinds import group_kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.paths import Steps

    from ...apiserver.pipeline import Stored
    from ...apiserver.protocol import Object
    from ...apiserver.resources import Kinds

_FIELDS = re.compile(r"\b(?:object)((?:\.\??[A-Za-z_]\w*|\[[0-9]+\])+)")
_STEP = re.compile(r"\.\??([A-Za-z_]\w*)|\[([0-9]+)\]")


class PolicyProblem(NamedTuple):
    """A denial or a warning, with its place in the object."""

    steps: Steps
    message: str


class Overridden(NamedTuple):
    """A field of the config to which a mutating policy gives another value."""

    steps: Steps
    before: Any
    after: Any
    policy: str
    binding: str


class PolicyResults(NamedTuple):
    """The results of all policies for one object."""

    denials: Sequence[PolicyProblem] = ()
    warnings: Sequence[PolicyProblem] = ()
    overridden: Sequence[Overridden] = ()
    types: Sequence[PolicyProblem] = ()
    """If the object is a policy: the expressions that fit no matched kind."""


NO_POLICIES = PolicyResults()


def policy_results(content: Object, stored: Stored, kinds: Kinds) -> PolicyResults:
    """Return the results of policies in the result of a write, and of the object if it is a policy."""
    error = stored.error
    denials = []
    if isinstance(error, PolicyRejection):
        places = _place(error.expression, content)
        denials = [PolicyProblem(places, error.causes[0] if error.causes else str(error))]
    warned = [one for one in stored.warnings if isinstance(one, PolicyWarning)]
    warnings = [PolicyProblem(_place(one.expression, content), str(one)) for one in warned]
    found: dict[Steps, Overridden] = {}
    for one in stored.mutations:
        for steps, before, after in _changed(content, one.before, one.after):
            found.setdefault(steps, Overridden(steps, before, after, one.policy, one.binding))
    types = (
        list(_type_problems(content, kinds))
        if group_kind(content) == VALIDATING_POLICY and stored.object is not None
        else []
    )
    results = PolicyResults(denials, warnings, list(found.values()), types)
    return results if any(results) else NO_POLICIES


def _type_problems(policy: Object, kinds: Kinds) -> Iterator[PolicyProblem]:
    from ...apiserver.policies.type_checking import checks  # needs the definitions of all kinds

    for one in checks(policy, kinds):
        matched = ", ".join(f"{kind.group}/{kind.version} {kind.name}".lstrip("/") for kind, _ in one.errors)
        for message in one.common:
            yield PolicyProblem(("spec", "validations", one.place, one.field), f"{message}, checked with {matched}")


def without_policies(warnings: Sequence[str]) -> tuple[str, ...]:
    """Return the warnings that no policy caused."""
    return tuple([one for one in warnings if not isinstance(one, PolicyWarning)])


def _place(expression: str, content: Object) -> Steps:
    """The first field of an expression that the object has, or nothing."""
    longest: Steps = ()
    for found in _FIELDS.finditer(expression):
        steps = _existing([int(at) if at else name for name, at in _STEP.findall(found[1])], content)
        if len(steps) > len(longest):
            longest = steps
    return longest


def _existing(steps: Sequence[str | int], content: Any) -> Steps:
    found: list[str | int] = []
    for step in steps:
        is_there = step in content if isinstance(content, dict) else False
        if isinstance(step, int) and isinstance(content, list):
            is_there = step < len(content)
        if not is_there:
            break
        content = content[step]
        found.append(step)
    return tuple(found)


def _changed(config: Any, before: Any, after: Any, at: Steps = ()) -> Iterator[tuple[Steps, Any, Any]]:
    """The fields of a config whose values differ in two objects."""
    if isinstance(config, dict) and isinstance(before, dict) and isinstance(after, dict):
        for key, value in config.items():
            if key in before:
                yield from _changed(value, before[key], after.get(key), (*at, key))
    elif isinstance(config, list) and isinstance(before, list) and len(config) == len(before):
        for place, value in enumerate(config):
            yield from _changed(value, before[place], _counterpart(before, after, place), (*at, place))
    elif not same(before, after):
        yield at, before, after


def _counterpart(before: list[Any], after: Any, place: int) -> Any:
    """The element after a change: the one of the same name, or at the same place of a list that is as long."""
    if not isinstance(after, list):
        return None
    one = before[place]
    name = one.get("name") if isinstance(one, dict) else None
    if name is not None:
        return next((other for other in after if isinstance(other, dict) and other.get("name") == name), None)
    if len(after) == len(before):
        return after[place]
    return one if any(same(one, other) for other in after) else None
