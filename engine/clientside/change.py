"""One entry in the explanation of an outcome: a field and the reason for its value."""

from __future__ import annotations

from .. import aliases
from ..paths import render
from ..tables.rules import Rule
from ..values.immutable import Record
from ..values.plain import ABSENT


class Change(Record):
    """One field (or element) and the reason for its value.

    path    the path, such as `spec.containers[name=web].image`
    action  "added", "changed", "cleared", "kept", "unchanged", "matched" (an element) or "reordered" (a list)
    before  the live value; None if there is none
    after   the merged value; None if there is none
    reason  the reason, in terms of config, last-applied and live
    rule    the `Rule` of the field, or None
    """

    __slots__ = ("action", "after", "before", "reason", "rule", "steps")

    action: aliases.Action
    after: aliases.Any
    before: aliases.Any
    reason: str
    rule: Rule | None
    steps: aliases.Steps

    def __init__(
        self,
        steps: aliases.Steps,
        action: aliases.Action,
        before: aliases.Any,
        after: aliases.Any,
        reason: str,
        rule: Rule | None,
    ) -> None:
        self.steps, self.action, self.reason, self.rule = steps, action, reason, rule
        self.before = None if before is ABSENT else before
        self.after = None if after is ABSENT else after

    @property
    def path(self) -> str:
        """The path, such as `spec.containers[name=web].image`."""
        return render(self.steps)

    def __repr__(self) -> str:
        return f"<Change {self.path}: {self.action}: {self.reason}>"
