"""Options of `kubectl apply` that have no meaning for a cluster in a file, and are taken so that scripts run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..showing.console import console

if TYPE_CHECKING:
    from collections.abc import Callable

_KEPT = "Taken for kubectl's sake: {}."
_YES_OR_NO: dict[str, Any] = {"type": bool, "is_flag": False, "flag_value": True, "metavar": "[true|false]"}
ACCEPTED: dict[str, dict[str, Any]] = {
    "--wait": {**_YES_OR_NO, "help": _KEPT.format("what goes is gone at once, or has finalizers")},
    "--validate": {
        "type": click.Choice(["strict", "warn", "ignore", "true", "false"]),
        "is_flag": False,
        "flag_value": "strict",
        "help": _KEPT.format("the cluster judges as it always does"),
    },
    "--field-manager": {"metavar": "NAME", "help": _KEPT.format("no managedFields are written")},
    "--cascade": {
        "type": click.Choice(["background", "foreground", "orphan"]),
        "is_flag": False,
        "flag_value": "background",
        "help": _KEPT.format("nothing collects what an object owns"),
    },
    "--grace-period": {"type": int, "metavar": "SECONDS", "help": _KEPT.format("nothing runs here")},
    "--openapi-patch": {**_YES_OR_NO, "help": _KEPT.format("the rules come from the tables")},
}
"""The options, and what click has to know of them."""


def accepted_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Those options; they do not reach the command, which calls `tell_ignored` once."""
    for flag, facts in reversed(ACCEPTED.items()):
        command = click.option(flag, expose_value=False, **facts)(command)
    return command


def tell_ignored(context: click.Context) -> None:
    """Say which of them were given, to who asks for details."""
    for flag in ACCEPTED:
        name = flag.removeprefix("--").replace("-", "_")
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            console().detail(f"{flag} changes nothing here")
