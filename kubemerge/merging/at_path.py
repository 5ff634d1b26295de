"""Which changes of an object are meant by a path that somebody typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.paths import parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import Change
    from engine.paths import Steps


def changes_at(changes: Iterable[Change], path: str) -> list[Change]:
    """The changes at or below a path; else that of the value which was taken whole and has something at the path.

    Elements of lists need not be named.
    """
    found = list(changes)
    below = [change for change in found if _is_at(change.path, path)]
    if below:
        return below
    try:
        wanted = parse(path)
    except ValueError:
        return []
    return [change for change in found if _has_inside(change, wanted)]


def _is_at(place: str, path: str) -> bool:
    bare = "".join(part.partition("[")[0] for part in place.split("]"))
    return any(text == path or text.startswith((f"{path}.", f"{path}[")) for text in (place, bare))


def _has_inside(change: Change, wanted: Steps) -> bool:
    rest = _behind(change.steps, wanted)
    return bool(rest) and any(_holds(value, rest or ()) for value in (change.before, change.after))


def _behind(place: Steps, wanted: Steps) -> Steps | None:
    """What is left of a path behind a place on it; None for a place that is not on it."""
    for step in place:
        if wanted[:1] == (step,):
            wanted = wanted[1:]
        elif isinstance(step, str) or (wanted and not isinstance(wanted[0], str)):
            return None
    return wanted


def _holds(value: Any, steps: Steps) -> bool:
    """Whether something stands below a value."""
    if not steps:
        return True
    step, rest = steps[0], steps[1:]
    if isinstance(value, list):
        if isinstance(step, str):
            return any(_holds(item, steps) for item in value)
        items = (
            value[step : step + 1] if isinstance(step, int) else [item for item in value if _is_it(item, dict(step))]
        )
        return any(_holds(item, rest) for item in items)
    return isinstance(value, dict) and step in value and _holds(value[step], rest)


def _is_it(item: Any, keys: dict[str, Any]) -> bool:
    """Whether an element has these keys; a scalar is its own."""
    return all((item.get(key) if isinstance(item, dict) else item) == value for key, value in keys.items())
