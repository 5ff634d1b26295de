"""Signer names: a domain name, a slash, and a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..problems import Problem, invalid, required, too_long
from ..text.go_text import quoted
from ..validation import names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST_DOMAIN, LONGEST = 253, 571
NO_SLASH = "must be a fully qualified domain and path of the form 'example.com/signer-name'"


def signer_name(at: str, name: str) -> Iterator[Problem]:
    """Validate a signer name."""
    if not name:
        yield required(at)
        return
    parts = name.split("/")
    if len(parts) != 2:
        yield invalid(at, name, NO_SLASH)
        return
    if len(parts[0].encode()) > LONGEST_DOMAIN:
        yield too_long(at, LONGEST_DOMAIN)
    yield from _labels(at, parts[0], names.label)
    if "." not in parts[0]:
        yield invalid(at, parts[0], "should be a domain with at least two segments separated by dots")
    yield from _labels(at, parts[1], names.subdomain)
    if len(name.encode()) > LONGEST:
        yield too_long(at, LONGEST)


def _labels(at: str, part: str, rule: Callable[[str], Iterator[str]]) -> Iterator[Problem]:
    """The problems of the first invalid label."""
    for label in part.split("."):
        whys = list(rule(label))
        yield from (invalid(at, part, f"validating label {quoted(label)}: {why}") for why in whys)
        if whys:
            return
