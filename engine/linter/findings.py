"""What lint finds: one problem at one place, under a code that never changes its meaning."""

from __future__ import annotations

from ..paths import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from ..paths import Steps

ERROR, WARNING, INFO = "error", "warning", "info"


class Finding:
    """Something that apply would lose or do unexpectedly. Never changes.

    code      "KM001" and so on; `name` is its short slug
    severity  "error", "warning" or "info"
    path      where, as `spec.ports[port=53]`; `steps` is the same for programs
    message   what happens, in one sentence
    advice    the way out, in one sentence
    """

    __slots__ = ("advice", "code", "message", "name", "severity", "steps")

    code: str
    name: str
    severity: str
    steps: Steps
    message: str
    advice: str

    def __init__(self, code: str, name: str, severity: str, steps: Steps, message: str, advice: str) -> None:
        put = object.__setattr__
        put(self, "code", code)
        put(self, "name", name)
        put(self, "severity", severity)
        put(self, "steps", steps)
        put(self, "message", message)
        put(self, "advice", advice)

    @property
    def path(self) -> str:
        """Where it is, as `spec.ports[port=53]`; `.` for the object itself."""
        return render(self.steps)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Finding never changes; {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Finding never changes; {name!r} cannot be removed")

    def _facts(self) -> tuple[str, ...]:
        return self.code, self.path, self.message, self.advice, self.severity

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def __reduce__(self) -> tuple[Any, ...]:
        return Finding, (self.code, self.name, self.severity, self.steps, self.message, self.advice)

    def __repr__(self) -> str:
        return f"<Finding {self.code} {self.severity} at {self.path}: {self.message}>"
