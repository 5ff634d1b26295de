"""The reasons for the values of fields after an apply, as data."""

from __future__ import annotations

from engine.directives import ANNOTATION

from ..offline.at_path import beyond_the_end, changes_at, read_path
from ..offline.stored_changes import CHANGING, GENERATION
from .who_set import attributed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    import engine
    from engine.paths import Steps

    from ..offline.pairs import Merged
    from ..output.secrets import Shown
    from .who_set import AttributedChange

    T = TypeVar("T")


def with_reasons(results: Iterable[Merged], path: str | None) -> Iterator[tuple[Merged, list[AttributedChange]]]:
    """Each object that can have the field, with its changes at the path. If none can, that is an error."""
    for merged, changes in objects_with(results, path, changes_at, bool):
        yield merged, list(attributed(merged, changes))


def objects_with(
    results: Iterable[Merged], path: str | None, find: Callable[[Merged, Steps], T], has_fields: Callable[[T], bool]
) -> Iterator[tuple[Merged, T]]:
    """Each object that can have the field, with the result of `find` at the path. If none can, that is an error."""
    steps = read_path(path or "")
    problem: engine.MergeError | None = None
    known = False
    for merged in results:
        found = find(merged, steps)
        lacks = None if has_fields(found) or not path else _lacking_error(merged, path, steps)
        if lacks:
            problem = problem or lacks
            continue
        known = True
        yield merged, found
    if problem and not known:
        raise problem


def _lacking_error(merged: Merged, path: str, steps: Steps) -> engine.MergeError | None:
    """The error that an object can have no such field. A kind without a schema has no known fields, so it has none."""
    from ..kinds.explain import NoSuchField, field_at

    schema = merged.inputs.schema
    if schema is not None:
        try:
            field_at(schema, path.removeprefix("."))
        except NoSuchField as error:
            return error
    return beyond_the_end(merged, steps)


def is_changed(change: engine.Change, path: str | None) -> bool:
    """Whether a field changes. Fields that apply maintains itself count only if they were requested."""
    if change.before is None and change.after is None:
        return False
    follows = change.steps[-1:] == (ANNOTATION,) or change.steps == GENERATION
    return change.action in CHANGING and (bool(path) or not follows)


def facts(merged: Merged, found: Sequence[AttributedChange], shown: Shown) -> Iterator[dict[str, Any]]:
    """The changes as JSON data, the values of a Secret masked."""
    for change, set_by, owners in found:
        before, after = shown.values(change)
        yield {
            "object": merged.inputs.title,
            "path": change.path,
            "action": change.action,
            "before": before,
            "after": after,
            "reason": change.reason,
            **({"setBy": set_by, "owners": [_owner(one) for one in owners]} if set_by else {}),
        }


def _owner(owner: engine.Owner) -> dict[str, Any]:
    found = {"manager": owner.manager, "operation": owner.operation, "subresource": owner.subresource}
    return {**found, "time": owner.time}
