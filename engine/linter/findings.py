"""Lint findings: one problem at one path, with a stable code."""

from __future__ import annotations

from .. import aliases
from ..paths import render
from ..values.immutable import Immutable

ERROR: aliases.Severity = "error"
WARNING: aliases.Severity = "warning"
INFO: aliases.Severity = "info"


class Finding(Immutable):
    """A value that apply would lose, or another surprise. Immutable.

    code      "KM001" and so on; `name` is its short slug
    severity  "error", "warning" or "info"
    path      the path, such as `spec.ports[port=53]`; `steps` is the same for programs
    message   the effect, in one sentence
    advice    the fix, in one sentence
    """

    # the order of the constructor
    __slots__ = ("code", "name", "severity", "steps", "message", "advice")  # noqa: RUF023

    code: str
    name: str
    severity: aliases.Severity
    steps: aliases.Steps
    message: str
    advice: str

    def __init__(
        self, code: str, name: str, severity: aliases.Severity, steps: aliases.Steps, message: str, advice: str
    ) -> None:
        self._fill(code, name, severity, steps, message, advice)

    @property
    def path(self) -> str:
        """The path, such as `spec.ports[port=53]`; `.` for the object itself."""
        return render(self.steps)

    def _facts(self) -> tuple[str, ...]:
        return self.code, self.path, self.message, self.advice, self.severity

    def __repr__(self) -> str:
        return f"<Finding {self.code} {self.severity} at {self.path}: {self.message}>"
