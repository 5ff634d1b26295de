"""`-o` and related options: a word, or a word with a text such as `jsonpath={.metadata.name}`."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

JSONPATH, JSONPATH_AS_JSON, GO_TEMPLATE, CUSTOM_COLUMNS = (
    "jsonpath",
    "jsonpath-as-json",
    "go-template",
    "custom-columns",
)
WORDS = ("json", "kyaml", "name", "yaml")
"""The output forms without a text, shared by all commands that print objects."""
_FROM_FILE = {
    "jsonpath-file": JSONPATH,
    "go-template-file": GO_TEMPLATE,
    "templatefile": GO_TEMPLATE,
    "custom-columns-file": CUSTOM_COLUMNS,
}
_TEMPLATES = {JSONPATH: JSONPATH, JSONPATH_AS_JSON: JSONPATH_AS_JSON, GO_TEMPLATE: GO_TEMPLATE, "template": GO_TEMPLATE}
_OF_ALL = {*WORDS, *_TEMPLATES, "jsonpath-file", "go-template-file", "templatefile"}
_OF_GET = {*_OF_ALL, "wide", CUSTOM_COLUMNS, "custom-columns-file"}


class Form(str):
    """An output form: a word such as `yaml` or `jsonpath`, with its text."""

    __slots__ = ("missing_is_empty", "text")

    text: str
    missing_is_empty: bool
    """Whether a template prints nothing for a missing field. Otherwise a missing field is an error."""

    def __new__(cls, form: str, text: str = "", *, missing_is_empty: bool = True) -> Form:
        """A word with its text."""
        made = super().__new__(cls, form)
        made.text, made.missing_is_empty = text, missing_is_empty
        return made


def read(given: str | None, template: str | None, known: set[str], *, missing_is_empty: bool = True) -> Form | None:
    """The output form that `-o` and `--template` select. None if neither is given."""
    if given is None and template is None:
        return None
    word, equals, text = (given or GO_TEMPLATE).partition("=")
    if word not in known or (equals and word in WORDS):
        allowed = ",".join(sorted(known))
        raise click.UsageError(
            f'unable to match a printer suitable for the output format "{given}", allowed formats are: {allowed}'
        )
    if word in WORDS or word == "wide":
        return Form(word)
    text = text or template or ""
    if not text and word in _OF_ALL:
        raise click.UsageError("template format specified but no template given")
    if not text:
        raise click.UsageError(f"{word} format specified but no custom columns given")
    if word in _FROM_FILE:
        word, text = _FROM_FILE[word], _in_file(text)
        text = _columns(text) if word == CUSTOM_COLUMNS else text
    return Form(_TEMPLATES.get(word, word), text, missing_is_empty=missing_is_empty)


def _columns(text: str) -> str:
    """The columns in a file: a line of titles, and a line of paths."""
    titles, paths = (line.split() for line in [*text.splitlines(), "", ""][:2])
    if len(titles) != len(paths):
        raise click.UsageError(f"number of headers ({len(titles)}) and field specifications ({len(paths)}) don't match")
    return ",".join(f"{title}:{path}" for title, path in zip(titles, paths, strict=True))


def _in_file(name: str) -> str:
    try:
        with open(name, encoding="utf-8") as stream:  # noqa: PTH123 - pathlib takes a while to import
            return stream.read()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = (error.strerror or "").lower() if isinstance(error, OSError) else "the file is not UTF-8 text"
        raise click.UsageError(f"error reading --template {name}, open {name}: {reason}") from None


def _complete(_: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    known = _OF_GET if parameter.name == "output_of_get" else _OF_ALL
    words = sorted(word if word in (*WORDS, "wide") else f"{word}=" for word in known)
    return [word for word in words if word.startswith(incomplete)]


managed_fields_option = click.option(
    "--show-managed-fields", is_flag=True, help="With -o: include metadata.managedFields."
)
_template_option = click.option(
    "--template", metavar="TEXT", help="Template text, or template file, for -o go-template."
)
_missing_option = click.option(
    "--allow-missing-template-keys",
    "missing_is_empty",
    type=bool,
    is_flag=False,
    flag_value=True,
    default=True,
    show_default=True,
    help="Print nothing for fields that are missing in a template. `false` makes them an error.",
)


def _output_option(known: set[str], said: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def gathered(
            *arguments: Any, output: str | None, template: str | None, missing_is_empty: bool, **options: Any
        ) -> Any:
            form = read(output, template, known, missing_is_empty=missing_is_empty)
            return command(*arguments, output=form, **options)

        wrapped: Callable[..., Any] = gathered
        for option in (
            managed_fields_option,
            _missing_option,
            _template_option,
            click.option("-o", "--output", metavar="FORM", shell_complete=_complete, help=said),
        ):
            wrapped = option(wrapped)
        return wrapped

    return decorate


_FORMS = "yaml, json, kyaml, name, jsonpath=TEMPLATE, jsonpath-as-json=TEMPLATE or go-template=TEMPLATE"
result_option = _output_option(_OF_ALL, f"Print the objects instead of result lines: {_FORMS}.")
"""`-o`, `--template`, `--allow-missing-template-keys` and `--show-managed-fields` of commands that change objects.

The form is passed as `output`, a `Form` or None.
"""
get_output_option = _output_option(_OF_GET, f"Output format: wide, custom-columns=TITLE:PATH,..., {_FORMS}.")
"""The same options for `get`."""
