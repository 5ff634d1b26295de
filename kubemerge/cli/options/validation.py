"""`--validate`: handling of fields that a kind does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...apiserver.request_options import IGNORE, STRICT, WARN

if TYPE_CHECKING:
    from collections.abc import Callable

_YES, _NO = ("strict", "true", "t", "1", "True", "TRUE"), ("ignore", "false", "f", "0", "False", "FALSE")
MEANS = {**dict.fromkeys(_YES, STRICT), "warn": WARN, **dict.fromkeys(_NO, IGNORE)}
"""The field validation that each word selects."""


def _read(_: click.Context, __: click.Parameter, value: str) -> str:
    if value not in MEANS:
        allowed = "must be one of: strict (or true), warn, ignore (or false)"
        raise click.UsageError(f'invalid - validate option "{value}"; {allowed}')
    return MEANS[value]


def validate_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--validate`, passed as `validate` in the API's words: Strict, Warn or Ignore."""
    return click.option(
        "--validate",
        is_flag=False,
        flag_value="strict",
        default="strict",
        show_default=True,
        metavar="[strict|warn|ignore]",
        callback=_read,
        help="Unknown fields: reject the object (strict), drop them with a warning (warn), or drop them "
        "silently (ignore).",
    )(command)
