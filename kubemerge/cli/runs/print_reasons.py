"""Print the reason for every field's value after an apply: the implementation of `kubemerge why`."""

from __future__ import annotations

from engine.directives import ANNOTATION

from ...offline.at_path import beyond_the_end, changes_at, read_path
from ...offline.stored_changes import GENERATION
from ...output.secrets import Shown
from ...ownership.who_set import AttributedChange, attributed, untracked
from ..terminal.colours import ACTIONS, painted
from ..terminal.console import console, tell
from ..terminal.stdout import print_facts
from .merge import Applying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    import engine
    from engine.paths import Steps

    from ...offline.pairs import Merged, OnServer
    from .merge_request import MergeRequest

UNTRACKED = (
    "the live object has no managedFields, so other writers of a field are unknown (kubectl get -o yaml "
    "--show-managed-fields)"
)
_CHANGING = ("added", "changed", "cleared", "reordered")
"""Actions of an apply on fields that it changes."""
_WIDEST = 56
"""Maximum length of a path whose reason is printed next to it."""


def print_reasons(
    asked: MergeRequest,
    path: str | None = None,
    output: str = "text",
    *,
    changed: bool = False,
    show_secrets: bool = False,
    by: OnServer | None = None,
    raw: bool = False,
) -> int:
    """Print the reason for every field, for those at a path, or only for changes. Return the exit code."""
    applying = Applying(asked, by=by, predicts=not raw)
    facts: list[dict[str, Any]] = []
    nobody_knows = False
    for merged, found in _told(applying, path):
        shown = Shown(merged.before, merged.after, secrets=show_secrets)
        printed = [one for one in found if shown.may_print(one.change.steps)]
        nobody_knows = nobody_knows or untracked(merged, printed)
        if changed:
            printed, nobody_knows = [one for one in printed if _changes(one.change, path)], False
        if output == "text" and changed:
            rows = [(one.change, f", {_in_words(shown.values(one.change))}") for one in printed]
            _table(merged.inputs.title, rows, f"no changes{(f' at {path}' if path else '')}")
        elif output == "text":
            nowhere = f"{path or 'the object'} is not in the config, the live object or the last applied config"
            rule = "" if printed else _rule(merged, path)
            _table(merged.inputs.title, [(one.change, "") for one in printed], f"{nowhere}{rule}")
        else:
            facts += _facts(merged, printed, shown)
    if output == "json":
        print_facts(facts)
    if nobody_knows:
        console().say(UNTRACKED)
    return applying.exit_code


def _told(results: Iterable[Merged], path: str | None) -> Iterator[tuple[Merged, list[AttributedChange]]]:
    """Each object that can have the field, with its changes at the path. If none can, that is an error."""
    steps = read_path(path or "")
    problem: engine.MergeError | None = None
    known = False
    for merged in results:
        changes = changes_at(merged, steps)
        lacks = None if changes or not path else lacking_error(merged, path, steps)
        if lacks:
            problem = problem or lacks
            continue
        known = True
        yield merged, list(attributed(merged, changes))
    if problem and not known:
        raise problem


def lacking_error(merged: Merged, path: str, steps: Steps) -> engine.MergeError | None:
    """The error that an object can have no such field. A kind without a schema has no known fields, so it has none."""
    from ...kinds.explain import NoSuchField, field_at

    schema = merged.inputs.schema
    if schema is not None:
        try:
            field_at(schema, path.removeprefix("."))
        except NoSuchField as error:
            return error
    return beyond_the_end(merged, steps)


def _facts(merged: Merged, printed: list[AttributedChange], shown: Shown) -> Iterator[dict[str, Any]]:
    """The changes for programs, the values of a Secret masked."""
    for change, set_by, owners in printed:
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
    facts = {"manager": owner.manager, "operation": owner.operation, "subresource": owner.subresource}
    return {**facts, "time": owner.time}


def _rule(merged: Merged, path: str | None) -> str:
    """The merge rule of a field that no object sets, if the kind has it."""
    from ...kinds.explain import NoSuchField, field_at
    from ...output.words import client_side, noun

    schema = merged.inputs.schema
    if schema is None or not path:
        return ""
    try:
        rule = field_at(schema, path.removeprefix("."))
    except NoSuchField:
        return ""
    return f" (it can be set: {noun(rule)}, {client_side(rule)})"


def _changes(change: engine.Change, path: str | None) -> bool:
    """Whether a field changes. Fields that apply maintains itself count only if they were requested."""
    if change.before is None and change.after is None:
        return False
    follows = change.steps[-1:] == (ANNOTATION,) or change.steps == GENERATION
    return change.action in _CHANGING and (bool(path) or not follows)


def _in_words(values: tuple[Any, Any]) -> str:
    """A value before and after."""
    from ...compare.reports.text import value

    before, after = map(value, values)
    return f"{before} -> {after}"


def _table(title: str, rows: Sequence[tuple[engine.Change, str]], nothing: str) -> None:
    """The reasons for one object in columns. Each field is one line for searching, except on a narrow terminal."""
    lines = [painted(title, "title")]
    if not rows:
        lines.append(f"  {nothing}")
    width = min(max((len(change.path) for change, _ in rows), default=0), _WIDEST)
    for change, values in rows:
        lines.append(f"  {change.path:{width}}  {painted(change.reason, ACTIONS[change.action])}{values}")
    tell(lines)
