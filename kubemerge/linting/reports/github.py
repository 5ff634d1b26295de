"""The report as GitHub workflow commands, which GitHub shows next to the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...apiserver.text.text import shown
from ...manifests.uris import path_of

if TYPE_CHECKING:
    from .model import Linted, LintResult, Report, Unread

LEVELS = {"error": "error", "warning": "warning", "info": "notice"}
_ESCAPES = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_IN_PROPERTIES = (*_ESCAPES, (":", "%3A"), (",", "%2C"))


def github(report: Report) -> str:
    """One command per finding, and one for every file that could not be read."""
    unread = [_unread(one) for one in report.unread]
    return "\n".join([*unread, *(_finding(one, found) for one, found in report.findings())])


def _finding(one: Linted, found: LintResult) -> str:
    finding = found.finding
    place = {"file": path_of(one.source), "line": found.line, "col": found.column}
    message = one.text(finding)
    return _command(LEVELS[finding.severity], {**place, "title": f"{finding.code} {finding.name}"}, message)


def _unread(unread: Unread) -> str:
    return _command("error", {"file": path_of(unread.source), "line": unread.line}, unread.text)


def _command(level: str, properties: dict[str, object], message: str) -> str:
    pairs = ",".join(f"{name}={_escaped(str(value), _IN_PROPERTIES)}" for name, value in properties.items())
    return f"::{level} {pairs}::{_escaped(shown(message), _ESCAPES)}"


def _escaped(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for character, escape in escapes:
        text = text.replace(character, escape)
    return text
