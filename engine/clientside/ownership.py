"""Moving fields between a config and other writers, and putting objects under apply: kubectl's recipes as functions.

A field belongs to the config if config has it. A field that is in last-applied and no longer in config is cleared, so
handing a field over means removing it from both.
"""

from __future__ import annotations

from .. import aliases
from ..directives import ANNOTATION
from ..errors import BadFieldPath, MergeError, NotAnObject, brief
from ..paths import parse, render
from ..tables.identity import is_at
from ..values.guard import run_plain
from ..values.immutable import Record
from ..values.plain import ABSENT, copied
from .identity import require_same_object
from .last_applied import annotations_of, last_applied_text, read_last_applied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..paths import Step, Steps
    from ..values.plain import Object

SET_BY_THE_SERVER = (
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
)
"""Fields of metadata that a config does not have."""


class Move(Record):
    """The result of a move of ownership.

    config  the config to use from now on
    live    the live object with its new annotation; None if live is not needed
    patch   the JSON merge patch to send to the live object; empty if there is nothing to send
    told    what was done, one sentence each
    """

    __slots__ = ("config", "live", "patch", "told")

    config: aliases.Object
    live: aliases.Object | None
    patch: aliases.Object
    told: tuple[str, ...]

    def __init__(
        self,
        config: aliases.Object,
        live: aliases.Object | None,
        patch: aliases.Object,
        told: tuple[str, ...],
    ) -> None:
        self.config, self.live, self.patch, self.told = config, live, patch, told

    def explain(self) -> str:
        """What was done, in a few lines."""
        return "\n".join(self.told)

    def __repr__(self) -> str:
        return f"<Move: {'; '.join(self.told)}>"


def hand_over(config: aliases.Document, live: aliases.Document, path: str) -> Move:
    """Leave a field to another writer: remove it from config and last-applied, so that the next apply keeps it."""
    steps = _steps(path)

    def work(config: Object, live: Object) -> Move:
        require_same_object(config, live)
        last = read_last_applied(live)
        applied = last is not None and _get(last, steps) is not ABSENT
        if _get(config, steps) is ABSENT and not applied:
            raise BadFieldPath(path, "the config has no such field, so it is already left to other writers")
        notes = [f"{path} is no longer in the config"]
        if last is None or not applied:
            notes.append("the last applied config does not have it, so the next apply does not change it")
            return Move(_without(config, steps), copied(live), {}, tuple(notes))
        notes.append("the last applied config does not have it any more, so the next apply does not change it")
        patch = _annotation(last_applied_text(_without(last, steps)))
        return Move(_without(config, steps), _annotated(live, patch), patch, tuple(notes))

    return run_plain(work, config=config, live=live)


def take_over(config: aliases.Document, live: aliases.Document, path: str) -> Move:
    """Take a field into config with its live value; the other writer has to stop writing it."""
    steps = _steps(path)

    def work(config: Object, live: Object) -> Move:
        require_same_object(config, live)
        value = _get(live, steps)
        if value is ABSENT:
            raise BadFieldPath(path, "the live object has no such field. Add the value to the config yourself")
        notes = (
            f"{path} is now in the config, with the live value",
            "from the next apply on, the config takes precedence. Stop other writers",
        )
        return Move(_with(config, steps, copied(value)), copied(live), {}, notes)

    return run_plain(work, config=config, live=live)


def clear(config: aliases.Document, path: str) -> Move:
    """Make the next apply clear a field that config never had, such as a default, by a null in config."""
    steps = _steps(path)
    if not isinstance(steps[-1], str):
        raise BadFieldPath(path, "a list element cannot be null. Clear one of its fields")

    def work(config: Object) -> Move:
        notes = (
            f"{path} is null in the config, so every apply clears it in the live object",
            "the API server may set its default again. If so, remove the null from the config",
        )
        return Move(_with(config, steps, None), None, {}, notes)

    return run_plain(work, config=config)


def adopt(live: aliases.Document) -> Move:
    """Put an object under apply that was created without it: config and last-applied are made from live."""

    def work(live: Object) -> Move:
        config = copied({key: value for key, value in live.items() if key != "status"})
        metadata = config.get("metadata")
        if type(metadata) is not dict:
            raise NotAnObject("metadata of the live object", metadata)
        gone = [key for key in SET_BY_THE_SERVER if metadata.pop(key, ABSENT) is not ABSENT]
        others = {key: value for key, value in annotations_of(config).items() if key != ANNOTATION}
        metadata.pop("annotations", None)
        if others:
            metadata["annotations"] = others
        left = [f"metadata.{key}" for key in gone] + (["status"] if "status" in live else [])
        patch = _annotation(last_applied_text(config))
        notes = ["the config is a copy of the live object" + (f", without {', '.join(left)}" if left else "")]
        notes.append("the last applied config is now the config, so the next apply clears what you remove from it")
        return Move(config, _annotated(live, patch), patch, tuple(notes))

    return run_plain(work, live=live)


def _steps(path: str) -> Steps:
    if not isinstance(path, str):
        raise BadFieldPath(brief(path), "it is not a string")
    try:
        steps = parse(path)
    except ValueError as error:
        raise BadFieldPath(path, str(error)) from None
    if not steps or not isinstance(steps[0], str):
        raise BadFieldPath(path, "it must start with a field name")
    return steps


def _annotation(text: str) -> Object:
    return {"metadata": {"annotations": {ANNOTATION: text}}}


def _annotated(live: Object, patch: Object) -> Object:
    from ..json_merge import json_apply_patch

    return json_apply_patch(live, patch)


def _find(items: list[Any], step: Step) -> int:
    """The position of the element in a list, or -1."""
    if isinstance(step, int):
        return step if step < len(items) else -1
    if isinstance(step, str):
        return -1
    return next((position for position, item in enumerate(items) if is_at(item, step)), -1)


def _get(value: Any, steps: Steps) -> Any:
    """The value at the end of the steps, or ABSENT."""
    for step in steps:
        if isinstance(step, str):
            value = value.get(step, ABSENT) if type(value) is dict else ABSENT
        else:
            at = _find(value, step) if type(value) is list else -1
            value = value[at] if at >= 0 else ABSENT
    return value


def _without(document: Object, steps: Steps) -> Object:
    """A copy without the value at the end of the steps."""
    result: Object = copied(document)
    holder = _get(result, steps[:-1])
    step = steps[-1]
    if type(holder) is dict and isinstance(step, str):
        holder.pop(step, None)
    elif type(holder) is list and not isinstance(step, str):
        at = _find(holder, step)
        if at >= 0:
            del holder[at]
    return result


def _with(document: Object, steps: Steps, value: Any) -> Object:
    """A copy with a value at the end of the steps; missing maps and elements on the way are made."""
    result: Object = copied(document)
    holder: Any = result
    for at, step in enumerate(steps):
        last = at == len(steps) - 1
        fresh = value if last else [] if not isinstance(steps[at + 1], str) else {}
        holder = _put(holder, step, fresh, last, steps[: at + 1])
    return result


def _put(holder: Any, step: Step, fresh: Any, last: bool, at: Steps) -> Any:
    """Set the value of a step if it is the last step or missing; the value that is there now."""
    if isinstance(step, str) and type(holder) is dict:
        if last or holder.get(step) is None:
            holder[step] = fresh
        return holder[step]
    if type(holder) is list and not isinstance(step, str):
        place = _find(holder, step)
        if place >= 0:
            if last:
                holder[place] = fresh
            return holder[place]
        if isinstance(step, tuple):
            made = fresh if last else {**dict(step), **fresh} if type(fresh) is dict else fresh
            holder.append(made)
            return made
    raise MergeError(f"{render(at)} does not match the value in the config. Add it to the config yourself")
