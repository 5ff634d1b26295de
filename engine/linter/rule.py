"""Lint rule records, from which the checks, the list of codes and the lint page are generated."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .. import aliases
from ..values.immutable import Immutable
from .context import LintContext
from .field_values import FieldValues
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..paths import Steps


CLIENT, SERVER, BOTH = "client-side apply", "server-side apply", "both"
"""The kind of apply that a rule is about."""


class Problem:
    """One problem found by a check: path and message. Advice and severity override those of the rule."""

    __slots__ = ("advice", "message", "severity", "steps")

    def __init__(self, steps: Steps, message: str, advice: str = "", severity: aliases.Severity | None = None) -> None:
        self.steps, self.message, self.advice, self.severity = steps, message, advice, severity


class LintRule(Immutable):
    """Everything about one lint rule. Immutable.

    code         "KM001" and so on; a code never changes its meaning
    slug         a short name, such as "duplicate-merge-key"
    severity     "error", "warning" or "info", unless a problem has its own
    meaning      the problem, in one sentence
    advice      the fix, in one sentence, unless a problem has its own advice
    explanation  the cause and the conditions, in Markdown
    example      YAML documents with the problem; the first line gives their kind, and each has a title
    about        "client-side apply", "server-side apply" or "both"
    needs_live   true if it needs a live object or last-applied; it is skipped for a new object
    check        checks all documents at once
    check_place  checks one field
    """

    __slots__ = (  # noqa: RUF023 - the order of the constructor
        "code",
        "slug",
        "severity",
        "meaning",
        "advice",
        "explanation",
        "example",
        "about",
        "needs_live",
        "check",
        "check_place",
    )

    code: str
    slug: str
    severity: aliases.Severity
    meaning: str
    advice: str
    explanation: str
    example: str
    about: str
    needs_live: bool
    check: Callable[[LintContext], Iterator[Problem]] | None
    check_place: Callable[[LintContext, FieldValues], Iterator[Problem]] | None

    def __init__(
        self,
        code: str,
        slug: str,
        severity: aliases.Severity,
        *,
        meaning: str,
        advice: str,
        explanation: str,
        example: str,
        about: str = CLIENT,
        needs_live: bool = False,
        check: Callable[[LintContext], Iterator[Problem]] | None = None,
        check_place: Callable[[LintContext, FieldValues], Iterator[Problem]] | None = None,
    ) -> None:
        explanation, example = _dedent(explanation), _dedent(example)
        self._fill(code, slug, severity, meaning, advice, explanation, example, about, needs_live, check, check_place)

    def finding(self, problem: Problem) -> Finding:
        """The finding for a problem that a check of this rule has found."""
        severity = problem.severity or self.severity
        return Finding(self.code, self.slug, severity, problem.steps, problem.message, problem.advice or self.advice)

    def __repr__(self) -> str:
        return f"<LintRule {self.code} {self.slug}>"


def _dedent(text: str) -> str:
    lines = text.strip("\n").rstrip().split("\n")
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] for line in lines)
