"""What a lint rule is: one record, from which the checks, the lists of codes and the page on lint are made."""

from __future__ import annotations

from ..values.immutable import Immutable
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..paths import Steps
    from .context import Context
    from .places import Place

    Check = Callable[[Context], Iterator["Problem"]]
    PlaceCheck = Callable[[Context, Place], Iterator["Problem"]]


class Problem:
    """What a check finds: where, and what happens; with an advice or a severity unlike the usual ones of its rule."""

    __slots__ = ("advice", "message", "severity", "steps")

    def __init__(self, steps: Steps, message: str, advice: str = "", severity: str = "") -> None:
        self.steps, self.message, self.advice, self.severity = steps, message, advice, severity


class LintRule(Immutable):
    """Everything about one rule. Never changes.

    code         "KM001" and so on, which never changes its meaning
    slug         a short name, such as "duplicate-merge-key"
    severity     "error", "warning" or "info", where a problem says nothing else
    meaning      what it is, in one sentence
    way_out      what to do about it, in one sentence, where a problem says nothing else
    explanation  when it happens and why, in Markdown
    example      documents in YAML that have the problem; the first line says their kind, and each has its title
    check        finds it by looking at everything at once
    check_place  finds it at one place
    """

    __slots__ = (  # noqa: RUF023 - in the order in which they are filled
        "code",
        "slug",
        "severity",
        "meaning",
        "way_out",
        "explanation",
        "example",
        "check",
        "check_place",
    )

    code: str
    slug: str
    severity: str
    meaning: str
    way_out: str
    explanation: str
    example: str
    check: Check | None
    check_place: PlaceCheck | None

    def __init__(
        self,
        code: str,
        slug: str,
        severity: str,
        *,
        meaning: str,
        way_out: str,
        explanation: str,
        example: str,
        check: Check | None = None,
        check_place: PlaceCheck | None = None,
    ) -> None:
        told, shown = _without_margin(explanation), _without_margin(example)
        self._fill(code, slug, severity, meaning, way_out, told, shown, check, check_place)

    def finding(self, problem: Problem) -> Finding:
        """A problem that one of the checks has found, as everybody gets to see it."""
        severity = problem.severity or self.severity
        return Finding(self.code, self.slug, severity, problem.steps, problem.message, problem.advice or self.way_out)

    def __repr__(self) -> str:
        return f"<LintRule {self.code} {self.slug}>"


def _without_margin(text: str) -> str:
    """The lines of a text without the indentation of the first one."""
    lines = text.strip("\n").rstrip().split("\n")
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] for line in lines)
