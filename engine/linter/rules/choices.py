"""Fields of a former choice that stay beside the new one."""

from __future__ import annotations

from ...values.plain import ABSENT, same
from ..findings import INFO, WARNING, Finding
from ..values import fields, is_there
from .unions import CHOSEN_BY, ONE_OF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...paths import Steps
    from ..context import Case
    from ..places import Place
    from .unions import Choice


def left_over_members(case: Case, place: Place) -> Iterator[Finding]:
    """KM004: after the apply, more than one of the fields of which only one may be set."""
    group = ONE_OF.get(place.type_name)
    if group is None or type(place.config) is not dict:
        return
    result = fields(place.config if case.merged is None else place.merged)
    there = [name for name in group if is_there(result.get(name)) and result[name] != ""]
    ours = [name for name in there if is_there(place.config.get(name))]
    theirs = [name for name in there if name not in ours]
    if len(there) < 2 or not ours:
        return
    if theirs:
        message = f"Apply sets {ours[0]} and leaves {theirs[0]} of the live object beside it; only one may be set."
        advice = f"Set {theirs[0]} to null in the config."
        yield Finding("KM004", (*place.steps, theirs[0]), message, advice)
    else:
        message = f"The config sets both {ours[0]} and {ours[1]}; only one may be set."
        yield Finding("KM004", (*place.steps, ours[1]), message, f"Remove {ours[0]} or {ours[1]} from the config.")


def left_over_choices(case: Case, place: Place) -> Iterator[Finding]:
    """KM005: a field, often a default, that belongs to another choice than the one the config makes."""
    choice = CHOSEN_BY.get(place.type_name)
    if choice is None or type(place.config) is not dict:
        return
    result = fields(place.config if case.merged is None else place.merged)
    chosen = result.get(choice.by)
    if type(chosen) is not str:
        return
    for name in choice.members.values():
        if name == choice.members.get(chosen):
            continue
        steps = (*place.steps, name)
        if is_there(result.get(name)):
            yield _stays(case, choice, steps, f"{choice.by} {chosen}", ours=is_there(place.config.get(name)))
        elif _dropped(place, choice, name):
            message = f"The live {name} goes with the change to {choice.by} {chosen}: {_release(case)} drops it."
            yield Finding("KM005", steps, message, "Nothing needs to be done.", INFO)


def _stays(case: Case, choice: Choice, steps: Steps, chosen: str, *, ours: bool) -> Finding:
    name = str(steps[-1])
    effect = "the API server refuses it" if choice.refused else "it has no effect"
    severity = "" if choice.refused else WARNING
    if ours:
        message, advice = f"The config sets {name} beside {chosen}, and {effect}.", f"Remove {name} from the config."
    else:
        message = f"The live {name} stays beside {chosen} in {_release(case)}, and {effect}."
        advice = f"Set {name} to null in the config."
    return Finding("KM005", steps, message, advice, severity)


def _dropped(place: Place, choice: Choice, name: str) -> bool:
    """Whether $retainKeys clears a live field because of a new choice."""
    if place.rule is None or "retainKeys" not in place.rule.strategies or name in fields(place.config):
        return False
    live = fields(place.live)
    changed = not same(live.get(choice.by, ABSENT), place.config.get(choice.by, ABSENT))
    return changed and is_there(live.get(name)) and name not in fields(place.last)


def _release(case: Case) -> str:
    release = case.schema.release if case.schema else None
    return f"Kubernetes {release}" if release else "this schema"
