"""Known findings: a file with a fingerprint for each, which stays the same when lines and files move."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from engine import MergeError

from ...manifests.uris import path_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .model import Linted, LintResult, Report, Unread


class BadBaseline(MergeError):
    """A file that is not a baseline."""


def fingerprint(one: Linted, found: LintResult) -> str:
    """The identity of a finding: a hash of the code, the object and the path."""
    words = "\0".join((found.finding.code, *one.id, found.finding.path))
    return sha256(words.encode(errors="replace")).hexdigest()[:32]


def fingerprint_of_unread(one: Unread) -> str:
    """The same for something unreadable: the code and the file."""
    return sha256(f"{one.code}\0{path_of(one.source)}".encode(errors="replace")).hexdigest()[:32]


def counted(report: Report) -> Counter[str]:
    """The number of findings with each fingerprint."""
    found = Counter(fingerprint(one, found) for one, found in report.findings())
    found.update(fingerprint_of_unread(one) for one in report.unread if one.code)
    return found


def text(report: Report) -> str:
    """A baseline of these findings, sorted, so that its changes are easy to review."""
    return json.dumps({"version": 1, "findings": dict(sorted(counted(report).items()))}, indent=2) + "\n"


def read(data: str, file: str) -> Counter[str]:
    """The findings in a baseline."""
    try:
        found = json.loads(data)["findings"]
        if all(isinstance(count, int) for count in found.values()):
            return Counter(found)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise BadBaseline(f"{file}: not a baseline. Write one with --write-baseline")


def without(report: Report, known: Mapping[str, int]) -> Report:
    """The report without known findings, each as often as it is known."""
    left = Counter(known)
    kept, hidden = [], 0
    for one in report.linted:
        new = []
        for found in one.found:
            if _takes(left, fingerprint(one, found)):
                hidden += 1
            else:
                new.append(found)
        kept.append(one.with_found(new))
    unread = [one for one in report.unread if not (one.code and _takes(left, fingerprint_of_unread(one)))]
    hidden += len(report.unread) - len(unread)
    return replace(report, linted=kept, unread=unread, hidden=report.hidden + hidden)


def _takes(left: Counter[str], name: str) -> bool:
    """Whether one of these is left; it is then removed."""
    if left[name] <= 0:
        return False
    left[name] -= 1
    return True
