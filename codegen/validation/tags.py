"""Validation tags as nested tuples: `beta(since: "1.37")=+k8s:maxItems=32` is `("beta", ("maxItems", 32))`."""

from __future__ import annotations

import re
from typing import Any

from ..errors import SpecError, brief

Tag = tuple[Any, ...]
STAGES = ("alpha", "beta")
"""The stages of a rule before it is stable, as the outermost tag."""
_NAME = re.compile(r"[a-zA-Z][\w-]*")
_ARGUMENTS = re.compile(r"\(((?:[^()\"`]|\"[^\"]*\"|`[^`]*`)*)\)")
_ARGUMENT = re.compile(r"\s*(?:(\w+)\s*:\s*)?(\"[^\"]*\"|`[^`]*`|[^,\"`]+)\s*(?:,|\Z)")


def parse(text: str) -> tuple[str, Tag]:
    """The stage of a tag (empty for a standard one), and the tag: its name, its arguments, and its payload."""
    tag = _parse(text, text)
    if tag[0] in STAGES:
        return str(tag[0]), tag[-1]
    return "", tag


def _parse(text: str, whole: str) -> Tag:
    name = _NAME.match(text)
    if not name:
        raise _unknown_tag(whole)
    rest, arguments = text[name.end() :], ()
    if found := _ARGUMENTS.match(rest):
        rest, arguments = rest[found.end() :], _arguments(found[1])
    if not rest:
        return name[0], *arguments
    if rest.startswith("=+k8s:"):
        return name[0], *arguments, _parse(rest.removeprefix("=+k8s:"), whole)
    if rest.startswith("="):
        return name[0], *arguments, _value(rest[1:])
    raise _unknown_tag(whole)


def _arguments(text: str) -> Tag:
    """Positional arguments as values, named ones as pairs."""
    found = _ARGUMENT.findall(text)
    return tuple((name, _value(value.strip())) if name else _value(value.strip()) for name, value in found)


def _value(text: str) -> str | int | bool:
    if re.fullmatch(r"-?[0-9]+", text):
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    return text[1:-1] if text[:1] in ('"', "`") and text[-1:] == text[:1] and len(text) > 1 else text


def _unknown_tag(text: str) -> SpecError:
    return SpecError("a validation tag", "NAME, NAME(ARGUMENTS) or NAME=VALUE", found=brief(text))
