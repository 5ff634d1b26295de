"""Findings that are known: a file with a fingerprint for each, which stays the same when lines and files move."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

from engine import MergeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .model import Found, Linted


class BadBaseline(MergeError):
    """A file that is not a baseline."""


def fingerprint(one: Linted, found: Found) -> str:
    """What tells a finding from others: the code, the object and the path."""
    words = "\0".join((found.finding.code, *one.id, found.finding.path))
    return sha256(words.encode(errors="replace")).hexdigest()[:32]


def counted(linted: Iterable[Linted]) -> Counter[str]:
    """How often each fingerprint is found."""
    return Counter(fingerprint(one, found) for one in linted for found in one.found)


def text(linted: Iterable[Linted]) -> str:
    """A baseline of these findings, sorted, so that a change of it reads well."""
    return json.dumps({"version": 1, "findings": dict(sorted(counted(linted).items()))}, indent=2) + "\n"


def read(data: str, file: str) -> Counter[str]:
    """The findings in a baseline."""
    try:
        found = json.loads(data)["findings"]
        if all(isinstance(count, int) for count in found.values()):
            return Counter(found)
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise BadBaseline(f"{file}: this is not a baseline; write one with --write-baseline")


def without(linted: Iterable[Linted], known: Mapping[str, int]) -> tuple[list[Linted], int]:
    """The objects without the findings that are known, each as often as it is; and how many those are."""
    left = Counter(known)
    kept, hidden = [], 0
    for one in linted:
        new = []
        for found in one.found:
            name = fingerprint(one, found)
            if left[name] > 0:
                left[name] -= 1
                hidden += 1
            else:
                new.append(found)
        kept.append(one.with_found(new))
    return kept, hidden
