"""Migration reports as text and JSON: the effects on each object, and the commands that resolve problems."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import FieldSet
from engine.serverside.fields import trees
from engine.serverside.fields.path_elements import to_step
from engine.serverside.owners import is_autoscaler
from engine.values.go_json import encode

from ..apiserver.text.text import how_many
from ..apiserver.text.text import shown as in_one_line
from ..manifests.live import path_of
from ..output.secrets import Shown
from .tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..cluster import Object
    from ..offline.pairs import Inputs
    from .places import MigratedField
    from .plan import Migration

STATES = {
    "refused": "rejected by the API server",
    "conflict": "in conflict",
    "left behind": "with fields left behind",
    "untracked": "without managedFields",
    "ready": "ready",
    "new": "new",
}
"""Descriptions of the states, in the order of the summary."""
UNRESOLVED = ("refused", "conflict", "left behind")

SECTIONS = {
    "conflicts": "conflicts: other managers own these fields, so the apply is rejected",
    "taken": "taken over from other managers by the forced apply",
    "left": "left behind: a previous writer still owns them, so they remain when removed from the config",
    "shared": "shared: another manager also owns them, so they remain when removed from the config",
    "removed": "removed from the object",
    "changed": "set to another value",
}
"""The lists of a migration, each with its title."""
_MOST = 8
"""Maximum number of fields of one list printed as text."""
_LONGEST = 60


class Planned(NamedTuple):
    """One object with its migration."""

    inputs: Inputs
    migration: Migration
    written: bool = False
    """Whether the fields of former writers have been handed over."""


def summary(planned: Sequence[Planned]) -> str:
    """All objects in one line: `3 objects: 1 in conflict, 2 ready`."""
    counts = Counter(one.migration.state for one in planned)
    parts = [f"{counts[state]} {words}" for state, words in STATES.items() if counts[state]]
    return f"{how_many(len(planned), 'object')}: {', '.join(parts)}"


def lines(planned: Planned, *, secrets: bool = False) -> Iterator[str]:
    """The report of one object."""
    inputs, found = planned.inputs, planned.migration
    yield f"{inputs.title}: {STATES[found.state]}"
    shown = Shown(inputs.live.content if inputs.live else None, inputs.config, secrets=secrets)
    for problem in found.refused:
        yield f"  the API server rejects the result: {problem}"
    for name, words in SECTIONS.items():
        places: tuple[MigratedField, ...] = getattr(found, name)
        if places:
            yield f"  {words}"
            for place in places[:_MOST]:
                yield f"    {_field_line(place, name, shown)}"
            if len(places) > _MOST:
                yield f"    and {how_many(len(places) - _MOST, 'more field')} (-o json lists them)"
    if found.handed:
        yield f"  handed over by {TOOLS[found.by].title} itself: {', '.join(map(in_one_line, found.handed))}"
    if planned.written:
        yield f"  handed over now, to {found.manager}"
    found_fixes = [*fixes(planned)]
    if found_fixes:
        yield "  Fix:"
        for words, command in found_fixes:
            yield f"    {words}{':' if command else ''}"
            if command:
                yield f"      {command}"


def _field_line(place: MigratedField, name: str, shown: Shown) -> str:
    live, config = shown.at(place.steps, place.live, place.config)
    owners = ", ".join([in_one_line(str(owner)) for owner in place.owners])
    owned = f", owned by {owners}" if owners else ""
    if name in ("removed", "left", "shared"):
        return f"{place.path}{owned}"
    return f"{place.path}: config {_brief(config)}, live {_brief(live)}{owned}"


def _brief(value: Any) -> str:
    if value is None:
        return "has none"
    text = encode(value)
    return f"has {text if len(text) <= _LONGEST else f'{text[: _LONGEST - 3]}...'}"


def fixes(planned: Planned) -> Iterator[tuple[str, str]]:
    """The fixes for conflicts and for fields left behind: a description, with a command if possible."""
    inputs, found = planned.inputs, planned.migration
    tool = TOOLS[found.by]
    own_name = "" if found.manager == tool.manager or not tool.by_kubectl else f" --field-manager {found.manager}"
    scaled = [one for one in found.conflicts if any(map(is_autoscaler, one.owners))]
    if scaled:
        yield f"remove {scaled[0].path} from the config: the autoscaler keeps it", ""
    if len(found.conflicts) > len(scaled):
        fields = "it" if len(found.conflicts) - len(scaled) == 1 else "them"
        yield f"to take {fields} over", f"{tool.force.format(file=inputs.manifest.source)}{own_name}"
        yield f"to leave {fields} to the others, remove {fields} from the config", ""
        yield f"to share {fields}, set {fields} to the live value in the config", ""
    if (found.left or found.refused) and not planned.written and found.patch:
        what = "the fields of previous writers" if found.refused else "the fields left behind"
        yield f"to hand over {what}, add --write. In your own cluster, run", _command(planned)
    if found.state == "untracked" and found.left:
        yield "to have it handed over: apply it once, which records the current owners, and run this command again", ""
    known = _tools_of(found)
    if known:
        yield f"to also hand over shared fields, add {' '.join(f'--from {name}' for name in known)}", ""


def _command(planned: Planned) -> str:
    inputs = planned.inputs
    kind, _, name = inputs.title.partition("/")
    namespace = inputs.config["metadata"].get("namespace")
    at = f" -n {namespace}" if namespace else ""
    live = f" --live {path_of(inputs.live.source)}" if inputs.live else ""
    found = planned.migration
    options = "".join([f" --from {one}" for one in found.before])
    options += f" --field-manager {found.manager}" if found.manager != TOOLS[found.by].manager else ""
    command = f"kubemerge migrate -f {inputs.manifest.source}{live} --by {found.by}{options} -o patch"
    return f'kubectl patch {kind} {name}{at} --type=json -p "$({command})"'


def _tools_of(found: Migration) -> list[str]:
    """The tools among the managers that share fields; of several tools with one manager, the first."""
    names = {(owner.manager, owner.operation) for place in found.shared for owner in place.owners}
    known = []
    for name, tool in TOOLS.items():
        theirs = {(writer.name, writer.operation) for writer in tool.before if not writer.is_prefix} & names
        if theirs and name != found.by:
            known.append(name)
            names -= theirs
    return known


def facts(planned: Planned, *, secrets: bool = False) -> dict[str, Any]:
    """One object as JSON data."""
    inputs, found = planned.inputs, planned.migration
    shown = Shown(inputs.live.content if inputs.live else None, inputs.config, secrets=secrets)
    return {
        "object": inputs.title,
        "file": inputs.manifest.source,
        "line": inputs.manifest.line,
        "by": found.by,
        "manager": found.manager,
        "state": found.state,
        "refused": list(found.refused),
        **{name: [_facts(place, shown) for place in getattr(found, name)] for name in SECTIONS},
        "handed": list(found.handed),
        "written": planned.written,
        "fixes": [{"text": words, "command": command} for words, command in fixes(planned)],
        "patch": _patch(found.patch, shown),
    }


def _patch(patch: Sequence[Object], shown: Shown) -> list[Object]:
    """The patch; empty for a Secret with values in its field sets, which no server writes."""
    entries = [entry for one in patch if isinstance(one.get("value"), list) for entry in one["value"]]
    paths = [path for entry in entries for path in trees.paths(FieldSet.parse(entry.get("fieldsV1")).tree)]
    return list(patch) if all(shown.may_print(tuple(map(to_step, path))) for path in paths) else []


def _facts(place: MigratedField, shown: Shown) -> dict[str, Any]:
    live, config = shown.at(place.steps, place.live, place.config)
    return {
        "path": place.path,
        "config": config,
        "live": live,
        "owners": [
            {"manager": one.manager, "operation": one.operation, "subresource": one.subresource, "time": one.time}
            for one in place.owners
        ],
    }
