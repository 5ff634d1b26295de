"""The codes of lint: printing them, and selecting them."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from engine import MergeError

from ...output.addresses import lint_page
from ..gate.rules import ALL as RULES
from ..gate.rules import GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.linter import LintRule

SEVERITIES = ("info", "warning", "error")
"""From the least severe to the worst."""


class UnknownCode(MergeError):
    """A word that does not select a code of lint."""

    def __init__(self, word: str) -> None:
        self.word = word
        known = {name.lower(): name for rule in RULES.values() for name in (rule.code, rule.slug)}
        known |= {name: name for name in GROUPS}
        is_whole = len(word) == len("KM001") and word[2:].isdigit()  # other numbers do not reveal the intended code
        near = [] if is_whole else get_close_matches(word.lower(), known, n=3)
        meant = f"Did you mean {' or '.join(known[one] for one in near)}?" if near else "See `kubemerge lint --list`"
        super().__init__(f"unknown code {word!r}. {meant}")


def selected(select: Sequence[str], ignore: Iterable[str]) -> frozenset[str]:
    """The codes selected by code, beginning of a code, or name: all by default, without the ignored ones."""
    wanted = [code for word in _words(select) for code in meant(word)]
    if select and not wanted:
        raise UnknownCode("")
    return frozenset(wanted or RULES).difference(*(meant(word) for word in _words(ignore)))


def meant(word: str) -> list[str]:
    """The codes that a word stands for: `KM001`, `km00`, `duplicate-merge-key`, and groups such as `server`."""
    folded = GROUPS.get(word.lower(), word).lower()
    found = [rule.code for rule in RULES.values() if rule.code.lower().startswith(folded) or rule.slug == folded]
    if not found:
        raise UnknownCode(word)
    return found


def stands_for(word: str, code: str, slug: str) -> bool:
    """Whether a word in a file stands for a code; unknown words are allowed there."""
    folded = GROUPS.get(word.lower(), word).lower()
    return code.lower().startswith(folded) or slug == folded


def names_unread(words: Iterable[str], code: str) -> bool:
    """Whether one of these words is the code or name of something unreadable; a group does not suppress it."""
    return bool(code) and any(word.lower() in (code.lower(), RULES[code].slug) for word in words)


def _words(given: Iterable[str]) -> Iterator[str]:
    return (word.strip() for text in given for word in text.split(",") if word.strip())


def table() -> str:
    """Every code, one per line."""
    return "\n".join(f"{rule.code}  {rule.severity:7}  {rule.slug}" for rule in RULES.values())


def explained(word: str) -> str:
    """The meaning of the codes that a word stands for, with the fix."""
    return "\n\n".join(map(_explained, (RULES[code] for code in meant(word))))


def _explained(rule: LintRule) -> str:
    told = f"{rule.code} {rule.slug} ({rule.severity})\n\n  {rule.meaning}\n  Fix: {rule.advice}"
    return f"{told}\n  Example: {lint_page(rule.code)}"
