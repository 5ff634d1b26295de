"""Union members of a former choice that remain beside those of the new choice."""

from __future__ import annotations

from ...values.plain import ABSENT, same
from ..findings import ERROR, INFO, WARNING
from ..rule import BOTH, LintRule, Problem
from ..unions import CHOSEN_BY, ONE_OF
from ..values import fields, is_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...paths import Steps
    from ..context import LintContext
    from ..field_values import FieldValues
    from ..unions import Discriminator


def left_over_members(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """More than one member of a union after the apply."""
    group = ONE_OF.get(place.type_name)
    if group is None or type(place.config) is not dict:
        return
    result = fields(place.config if context.merged is None else place.merged)
    present = [name for name in group if is_there(result.get(name)) and result[name] != ""]
    ours = [name for name in present if is_there(place.config.get(name))]
    theirs = [name for name in present if name not in ours]
    if len(present) < 2 or not ours:
        return
    if theirs:
        message = (
            f"Only one of {ours[0]} and {theirs[0]} may be set, but the apply sets {ours[0]} and keeps "
            f"{theirs[0]} of the live object."
        )
        advice = f"Set {theirs[0]} to null in the config."
        yield Problem((*place.steps, theirs[0]), message, advice)
    else:
        message = f"Only one of {ours[0]} and {ours[1]} may be set, but the config sets both."
        yield Problem((*place.steps, ours[1]), message, f"Remove {ours[0]} or {ours[1]} from the config.")


UNION_LEFT_OVER = LintRule(
    "KM004",
    "union-left-over",
    ERROR,
    meaning="Only one of these fields may be set, but both are set after the apply, so the API server rejects "
    "the object.",
    advice="Keep one of the fields, and set the other to null in the config.",
    explanation="""
        Some fields exclude each other: `value` and `valueFrom` of an environment variable, the handlers of a probe, the
        sources of a volume, `minAvailable` and `maxUnavailable`. The config sets another one than the live object has,
        and the old one is not in the last applied config. Both are then set after the apply, and the API server rejects
        the object.
        """,
    example="""
        # kind: v1 Pod
        # last-applied
        {}
        ---
        # config
        spec: {containers: [{name: web, env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]}
        ---
        # live
        spec: {containers: [{name: web, env: [{name: A, value: "1"}]}]}
        ---
        # result
        spec:
          containers:
            - {name: web, env: [{name: A, value: "1", valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}
        """,
    about=BOTH,
    check_place=left_over_members,
)


def left_over_choices(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """A field, often a default, that contradicts the discriminator in the config."""
    choice = CHOSEN_BY.get(place.type_name)
    if choice is None or type(place.config) is not dict:
        return
    result = fields(place.config if context.merged is None else place.merged)
    chosen = result.get(choice.by)
    if type(chosen) is not str:
        return
    for name in choice.members.values():
        if name == choice.members.get(chosen):
            continue
        steps = (*place.steps, name)
        if is_there(result.get(name)):
            yield _stays(context, choice, steps, f"{choice.by} {chosen}", ours=is_there(place.config.get(name)))
        elif _is_dropped(place, choice, name):
            message = f"The live {name} is removed by the change to {choice.by} {chosen} in {context.release}."
            yield Problem(steps, message, "No change is needed.", INFO)


def _stays(context: LintContext, choice: Discriminator, steps: Steps, chosen: str, *, ours: bool) -> Problem:
    name = str(steps[-1])
    effect = "the API server rejects it" if choice.refused else "it has no effect"
    severity = None if choice.refused else WARNING
    if ours:
        message, advice = f"The config sets {name} with {chosen}, and {effect}.", f"Remove {name} from the config."
    else:
        message = f"The live {name} remains with {chosen} in {context.release}, and {effect}."
        advice = f"Set {name} to null in the config."
    return Problem(steps, message, advice, severity)


def _is_dropped(place: FieldValues, choice: Discriminator, name: str) -> bool:
    """True if $retainKeys clears a live field because the discriminator changes."""
    if place.rule is None or "retainKeys" not in place.rule.strategies or name in fields(place.config):
        return False
    live = fields(place.live)
    changed = not same(live.get(choice.by, ABSENT), place.config.get(choice.by, ABSENT))
    return changed and is_there(live.get(name)) and name not in fields(place.last)


FORMER_TYPE_LEFT_OVER = LintRule(
    "KM005",
    "former-type-left-over",
    ERROR,
    meaning="The live object has a field that only the previous type allows, and apply may keep it.",
    advice="Set the field of the previous type to null in the config.",
    explanation="""
        A field such as `type` determines which other fields may be set. The live object still has a field of the
        previous type, often a default. Since 1.13, the strategy of a Deployment is merged with `retainKeys`, which
        removes the field, and the severity is `info`. Before 1.13 the field remains, and the API server rejects the
        object. The `updateStrategy` of a StatefulSet has no `retainKeys` in any release. That of a DaemonSet has none
        either, but the field has no effect there, so the severity is `warning`.
        """,
    example="""
        # kind: apps/v1 StatefulSet
        # last-applied
        {}
        ---
        # config
        spec: {updateStrategy: {type: OnDelete}}
        ---
        # live
        spec: {updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}}
        ---
        # result
        spec: {updateStrategy: {type: OnDelete, rollingUpdate: {partition: 0}}}
        """,
    about=BOTH,
    check_place=left_over_choices,
)

RULES = (UNION_LEFT_OVER, FORMER_TYPE_LEFT_OVER)
