"""The values of `-o` of `get`: a word, or a word followed by a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Callable

JSONPATH, CUSTOM_COLUMNS = "jsonpath", "custom-columns"
_WORDS = ("yaml", "json", "wide", "name")
_WITH_TEXT = {JSONPATH: "'{.metadata.name}'", CUSTOM_COLUMNS: "NAME:.metadata.name"}
"""The words that need a text, with an example of one."""


class Output(NamedTuple):
    """How to print."""

    form: str = ""
    text: str = ""


def _read(context: click.Context, parameter: click.Parameter, value: str | None) -> Output:
    form, _, text = (value or "").partition("=")
    if form in _WITH_TEXT and not text:
        problem = f"{form} needs a text: {form}={_WITH_TEXT[form]}"
    elif value is None or value in _WORDS or form in _WITH_TEXT:
        return Output(form, text)
    else:
        known = (*_WORDS, *(f"{word}={example}" for word, example in _WITH_TEXT.items()))
        problem = f"{value!r} is not one of {', '.join(known)}"
    raise click.BadParameter(problem, context, parameter)


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [word for word in (*_WORDS, *(f"{word}=" for word in _WITH_TEXT)) if word.startswith(incomplete)]


output_option: Callable[..., Any] = click.option(
    "-o",
    "--output",
    callback=_read,
    shell_complete=_complete,
    metavar="FORM",
    help="Print the objects: yaml or json; their names: name; more columns: wide; what is at paths: "
    "jsonpath=TEMPLATE or custom-columns=TITLE:PATH,...",
)
