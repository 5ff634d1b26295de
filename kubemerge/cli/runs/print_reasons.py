"""Print the reason for every field's value after an apply: the implementation of `kubemerge why`."""

from __future__ import annotations

from ...output.secrets import Shown
from ...ownership.reasons import facts, is_changed, with_reasons
from ...ownership.who_set import untracked
from ..terminal.colours import ACTIONS, painted
from ..terminal.console import console, tell
from ..terminal.stdout import print_facts
from .merge import Applying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import engine

    from ...offline.pairs import Merged, OnServer
    from .merge_request import MergeRequest

UNTRACKED = (
    "the live object has no managedFields, so other writers of a field are unknown (kubectl get -o yaml "
    "--show-managed-fields)"
)
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
    found_facts: list[dict[str, Any]] = []
    nobody_knows = False
    for merged, found in with_reasons(applying, path):
        shown = Shown(merged.before, merged.after, secrets=show_secrets)
        printed = [one for one in found if shown.may_print(one.change.steps)]
        nobody_knows = nobody_knows or untracked(merged, printed)
        if changed:
            printed, nobody_knows = [one for one in printed if is_changed(one.change, path)], False
        if output == "text" and changed:
            rows = [(one.change, f", {_in_words(shown.values(one.change))}") for one in printed]
            _table(merged.inputs.title, rows, f"no changes{(f' at {path}' if path else '')}")
        elif output == "text":
            nowhere = f"{path or 'the object'} is not in the config, the live object or the last applied config"
            rule = "" if printed else _rule(merged, path)
            _table(merged.inputs.title, [(one.change, "") for one in printed], f"{nowhere}{rule}")
        else:
            found_facts += facts(merged, printed, shown)
    if output == "json":
        print_facts(found_facts)
    if nobody_knows:
        console().say(UNTRACKED)
    return applying.exit_code


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
