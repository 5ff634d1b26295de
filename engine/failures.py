"""Base class of all engine errors: their facts, message, pickling and tracebacks."""

from __future__ import annotations

from . import aliases
from .paths import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class MergeError(Exception):
    """Base class of all engine errors. Has the path, and a one-sentence message with the problem and its fix.

    Each caller prepends its path step while the error propagates, so a successful merge does no work for it.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.steps: aliases.Steps = ()

    @property
    def path(self) -> str:
        """The path of the error, such as `spec.containers[name=web].image`; empty for the document itself."""
        return render(self.steps) if self.steps else ""

    def within(self, step: aliases.Step) -> MergeError:
        """The same error with a step prepended to its path."""
        self.steps = (step, *self.steps)
        return self

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.steps else self.message

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.args == other.args and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), self.args))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by facts, because the constructors have different arguments."""
        return _again, (type(self), self.args, {name: _portable(fact) for name, fact in vars(self).items()})


def _again(kind: type[MergeError], args: tuple[Any, ...], facts: dict[str, Any]) -> MergeError:
    """Restore a pickled or copied error."""
    error = kind.__new__(kind, *args)
    vars(error).update(facts)
    return error


def _portable(fact: Any) -> Any:
    """A fact that can be pickled; otherwise its short repr."""
    import pickle

    try:
        pickle.dumps(fact)
    except Exception:  # a repr can raise any exception
        return brief(fact)
    return fact


def flat(error: MergeError) -> MergeError:
    """The error without inner causes and tracebacks, for the public functions."""
    error.__cause__ = error.__context__ = None
    error.__suppress_context__ = True
    return error.with_traceback(None)


def brief(value: object) -> str:
    """The repr of a value, shortened for a message."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # ValueError: an integer has more digits than Python prints
        return f"a deep or large {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def spans(releases: aliases.Sequence[str]) -> str:
    """A range of releases as text: `1.7 to 1.15 and 1.20`."""
    runs: list[list[int]] = []
    for minor in (int(release.partition(".")[2]) for release in releases):
        if runs and runs[-1][1] == minor - 1:
            runs[-1][1] = minor
        else:
            runs.append([minor, minor])
    return " and ".join(f"1.{a}" if a == b else f"1.{a} to 1.{b}" for a, b in runs)
