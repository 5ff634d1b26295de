"""kubectl options without effect on the embedded cluster. They are accepted so that scripts run."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from ..terminal.console import console
from .durations import duration

if TYPE_CHECKING:
    from collections.abc import Callable


class Accepted(NamedTuple):
    """An option that has no effect: its commands, the reason, and further arguments for click."""

    commands: str
    why: str
    facts: dict[str, Any]


_YES_OR_NO: dict[str, Any] = {"type": bool, "is_flag": False, "flag_value": True, "metavar": "[true|false]"}
_DURATION: dict[str, Any] = {"metavar": "DURATION", "callback": duration(zero=0.0), "default": "0"}
_CASCADE: dict[str, Any] = {
    "type": click.Choice(["background", "foreground", "orphan"]),
    "is_flag": False,
    "flag_value": "background",
}
ACCEPTED = {
    "--wait": Accepted("apply replace", "objects without finalizers are deleted at once", _YES_OR_NO),
    "--cascade": Accepted("apply", "owned objects are not garbage-collected", _CASCADE),
    "--grace-period": Accepted("apply", "the embedded cluster runs no containers", {"type": int, "metavar": "SECONDS"}),
    "--openapi-patch": Accepted("apply", "rules come from the merge tables", _YES_OR_NO),
    "--concurrency": Accepted("diff", "objects are compared one at a time", {"type": int, "metavar": "COUNT"}),
    "--timeout": Accepted("scale", "the command does not wait", _DURATION),
    "--chunk-size": Accepted("get", "lists are not chunked", {"type": int, "metavar": "COUNT"}),
}
"""The options."""


def with_accepted(command: click.Command) -> click.Command:
    """The command with kubectl's additional options. They are not passed to it, but -v lists those given."""
    known = {flag for one in command.params for flag in one.opts}
    missing = [flag for flag, one in ACCEPTED.items() if command.name in one.commands.split() and flag not in known]
    if missing:
        at = next((index for index, one in enumerate(command.params) if one.name == "quiet"), len(command.params))
        command.params[at:at] = map(_option, missing)
        command.callback = _telling(command.callback)
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        with_accepted(inner)
    return command


def _option(flag: str) -> click.Option:
    _, why, facts = ACCEPTED[flag]
    return click.Option([flag], expose_value=False, help=f"Accepted but ignored: {why}.", **facts)


def _telling(callback: Callable[..., Any] | None) -> Callable[..., Any]:
    """A command that, with -v, first reports which of those options were given."""

    def reporting(*arguments: Any, **options: Any) -> Any:
        context = click.get_current_context()
        for flag in ACCEPTED:
            source = context.get_parameter_source(flag.removeprefix("--").replace("-", "_"))
            own = next((one for one in context.command.params if flag in one.opts), None)
            if own is not None and not own.expose_value and source is ParameterSource.COMMANDLINE:
                console().detail(f"{flag} has no effect here")
        return callback(*arguments, **options) if callback else None

    return wraps(callback)(reporting) if callback else reporting
