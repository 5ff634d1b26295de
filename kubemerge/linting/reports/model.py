"""The results of lint, as data that every report is printed from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...apiserver.text.text import how_many, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine import Finding

    from ...apiserver.identity import ObjectId


@dataclass(frozen=True)
class LintResult:
    """A finding, with its position in the file."""

    finding: Finding
    line: int
    column: int


@dataclass(frozen=True)
class Linted:
    """An object with its line and its findings, in the order of the lines."""

    source: str
    title: str
    id: ObjectId
    line: int
    found: tuple[LintResult, ...]
    version: str = ""
    """Its apiVersion."""
    namespace: str | None = None
    """The namespace in its metadata."""
    template: str = ""
    """The chart template that a rendered object comes from (`# Source:`), if the object is in another file."""
    scales: ObjectId | None = None
    """For an autoscaler, the object that it scales."""
    if_scaled: LintResult | None = None
    """The finding that an object with a number of replicas has if an autoscaler scales it."""

    def with_found(self, found: Iterable[LintResult]) -> Linted:
        """The same object with these findings."""
        return replace(self, found=tuple(found))

    def text(self, finding: Finding) -> str:
        """The text of a finding without its position: the object, the field, the message, the fix, and the template."""
        return f"{self.title} {finding.path}: {finding.message} {finding.advice}{self.from_template}"

    @property
    def from_template(self) -> str:
        """The template, as a suffix for messages; empty if there is none."""
        return f" (rendered from {self.template})" if self.template else ""


@dataclass(frozen=True)
class Unread:
    """Something that could not be read or linted, with the reason."""

    source: str
    line: int
    problem: str
    code: str = ""
    """The code to suppress it; empty if that is impossible."""

    @property
    def text(self) -> str:
        """The problem with its code."""
        return f"{self.problem} ({self.code})" if self.code else self.problem


@dataclass(frozen=True)
class Report:
    """The complete results of one lint run."""

    linted: Sequence[Linted]
    unread: Sequence[Unread]
    skipped: Counter[str] = field(default_factory=Counter)
    """Number of documents that are not for an API server, by their purpose."""
    without_schema: Counter[str] = field(default_factory=Counter)
    """Number of objects of each kind without a known schema."""
    hidden: int = 0
    """Number of findings left out because they are in the baseline, or were there before."""

    def findings(self) -> Iterator[tuple[Linted, LintResult]]:
        """Every finding with its object."""
        return ((one, found) for one in self.linted for found in one.found)

    @property
    def summary(self) -> str:
        """The number of findings, in a line."""
        count = sum(len(one.found) for one in self.linted)
        touched = sum(bool(one.found) for one in self.linted)
        objects = how_many(len(self.linted), "object")
        found = f"{how_many(count, 'finding')} in {touched} of {objects}" if count else f"no findings in {objects}"
        known = f"{how_many(self.hidden, 'finding')} in the baseline" if self.hidden else ""
        kinds = ", ".join(f"{what} ({count})" for what, count in sorted(self.skipped.items()))
        passed = f"skipped: {kinds}" if kinds else ""
        return "; ".join(part for part in (found, known, passed) if part)

    @property
    def schemas_missing(self) -> str:
        """The number of objects without a schema, in a sentence; empty if all have one."""
        count = sum(self.without_schema.values())
        if not count:
            return ""
        named = some(sorted(self.without_schema), 5)
        return (
            f"no schema for {how_many(count, 'object')} ({named}), so only schema-independent rules were "
            "checked (see --schema)"
        )
