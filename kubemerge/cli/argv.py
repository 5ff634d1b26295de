"""Preprocess command lines: spellings that click does not support, such as `--force=true`, and meaningless words."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from ..manifests.kustomize import PREFIX as KUSTOMIZATION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAY_BE_EMPTY = frozenset({"-n", "--namespace", "-l", "--selector", "--field-selector", "--api-group", "--context"})
"""Options whose empty value kubectl treats as not given. A missing context is reported where it is looked up."""
_BOOLEAN_WORDS = frozenset({"true", "false"})
"""Values that may follow an option as a separate word, because nothing has such a name. Other words are arguments."""
_BOOLEANS = {"true": True, "True": True, "1": True, "t": True, "false": False, "False": False, "0": False, "f": False}


_VALUED = re.compile(r"(?P<name>--[A-Za-z][\w-]*|-\w)=(?P<value>.*)", re.DOTALL)
_OPTION = re.compile(r"--?[A-Za-z]")
"""The start of an option. A patch in YAML may start with a dash as well."""
_ADDRESS = re.compile(r"(?!https?://)[A-Za-z][\w+.-]*://")
"""An address of another scheme than http and https, such as s3://."""
_FETCH_ADDRESSES = ("fleet",)
"""Commands that open addresses of any kind themselves."""
_KUSTOMIZE = re.compile(r"(?:-k|--kustomize)(?:=(?P<value>.*))?|-k(?P<following>.+)", re.DOTALL)
"""kubectl's alternative to -f: a folder that kustomize builds."""
_FILES = ("-f", "--filename")


def normalized(command: click.Command, words: Sequence[str]) -> list[str]:
    """The words of a command line as click reads them. Words after `--` are left as they are."""
    own, rest = _split(words)
    own = _with_kustomizations(command, own)
    flags, optional = set(_flags(command)), dict(_optional_values(command))
    result = []
    for word, following in zip_longest(own, own[1:], fillvalue=""):
        known = {} if following in _BOOLEAN_WORDS else optional
        result += _normalized_word(word, flags, known)
    return result + rest


def _with_kustomizations(command: click.Command, words: list[str]) -> list[str]:
    """The words with `-f kustomization:DIR` for `-k DIR`, if the command reads files."""
    takes_files = any("-f" in one.opts for one in command.params)
    if not takes_files or not any(map(_KUSTOMIZE.fullmatch, words)):
        return words
    if any(word.startswith(_FILES) for word in words):
        raise click.UsageError("only one of -f or -k can be specified")
    result: list[str] = []
    rest = iter(words)
    for word in rest:
        found = _KUSTOMIZE.fullmatch(word)
        if not found:
            result.append(word)
            continue
        folder = found["value"] or found["following"] or next(rest, "")
        if not folder:
            raise click.UsageError("-k requires a folder with a kustomization")
        result += ["-f", f"{KUSTOMIZATION}{folder}"]
    return result


def _split(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words before `--`, and those from there on."""
    words = list(words)
    end = words.index("--") if "--" in words else len(words)
    return words[:end], words[end:]


def reject_unusable(command: click.Command, words: Sequence[str]) -> None:
    """Reject empty words, usually unset script variables, and addresses that kubemerge does not fetch."""
    flags = set(_flags(command))
    fetches = command.name in _FETCH_ADDRESSES
    before = ""
    for word in _split(words)[0]:
        valued = _VALUED.fullmatch(word)
        if not valued and _OPTION.match(word):
            before = word
            continue
        name, value = valued.groups() if valued else (before, word)
        if not value.strip() and name not in _MAY_BE_EMPTY:
            option = name if name.startswith("-") and name not in flags else ""
            if not option:
                raise click.UsageError("a command line argument is empty. Check the variables of your script")
            what = "patch" if option in ("-p", "--patch") else "name"
            raise click.UsageError(f"the {what} after {option} is empty. Pass a value, or omit {option}")
        if not fetches and _ADDRESS.match(value):
            raise click.UsageError(
                f"{value}: only http and https addresses are supported. Download the file, and pass its path"
            )
        before = word


def _flags(command: click.Command) -> Iterable[str]:
    """The flags of a command and its subcommands."""
    for one in command.params:
        if isinstance(one, click.Option) and one.is_flag:
            yield from one.opts
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from _flags(inner)


def _optional_values(command: click.Command) -> Iterable[tuple[str, str]]:
    """The options whose value is optional, with its default (kubectl's `NoOptDefVal`). They never use the next word."""
    for one in command.params:
        if isinstance(one, click.Option) and not one.is_flag and isinstance(one.flag_value, (str, bool)):
            yield from ((name, str(one.flag_value)) for name in one.opts)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from _optional_values(inner)


def _normalized_word(word: str, flags: set[str], optional: dict[str, str]) -> list[str]:
    """A word as click reads it. A flag that is set to false yields nothing."""
    valued = _VALUED.fullmatch(word)
    if not valued:
        return [f"{word}={optional[word]}"] if word in optional else [word]
    name, value = valued.groups()
    if name in flags and value in _BOOLEANS:
        return [name] if _BOOLEANS[value] else []
    return [name, value] if len(name) == 2 and name not in flags else [word]
