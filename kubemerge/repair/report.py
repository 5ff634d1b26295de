"""Drift repairs as text, JSON, YAML and Markdown, and the patches alone."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ..apiserver.text.text import how_many
from ..apiserver.text.text import shown as in_one_line
from ..migrate.tools import CLIENT_SIDE
from ..output.secrets import Shown, is_secret
from ..plan.model import SERVER_SIDE
from ..plan.report import brief, owner_facts, owner_text, section
from .model import CREATE, DRIFTED, FAILED, HAND_OVER, HANDED_OVER, IGNORED, MISSING, PATCH, SKIPPED, SYNCED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .model import DriftedField, ObjectRepair, Repair

_ORDER = (DRIFTED, MISSING, HANDED_OVER, FAILED, SKIPPED, SYNCED)
_TITLES = {
    PATCH: "repaired by the patch",
    HAND_OVER: "left to other managers. --force-conflicts takes them over",
    IGNORED: "left alone",
}
_NO_TIME = "the API server does not record who removed it"
NEEDS_SECRETS = "the patch has values of a Secret. Use --show-secrets to print it"
IN_FILE, MANIFEST = "PATCH_FILE", "MANIFEST"
"""The files in commands, for a patch that is not shown and for a missing object."""


def summary(repair: Repair) -> str:
    """All objects in one line: `3 objects, 1 drifted, 2 in sync: 2 fields to repair, 1 left to others`."""
    counts = Counter(one.state for one in repair.objects)
    parts = [f"{counts[state]} {state}" for state in _ORDER if counts[state]]
    fields = Counter(field.repair for one in repair.objects for field in one.fields)
    found = [f"{how_many(fields[PATCH], 'field')} to repair"] if fields[PATCH] else []
    found += [f"{how_many(fields[HAND_OVER], 'field')} left to others"] if fields[HAND_OVER] else []
    text = ", ".join([how_many(len(repair.objects), "object"), *parts])
    return f"{text}: {', '.join(found)}" if found else text


def lines(repair: Repair, *, secrets: bool = False, everything: bool = False) -> Iterator[str]:
    """The repair as text. Objects in sync are printed only with `everything`."""
    yield summary(repair)
    yield from (f"  note: {note}" for note in repair.notes)
    for one in repair.objects:
        if everything or one.state not in (SYNCED, SKIPPED) or one.fields or one.notes:
            yield ""
            yield from object_lines(one, secrets=secrets)


def object_lines(one: ObjectRepair, *, secrets: bool = False) -> Iterator[str]:
    """The repair of one object as text."""
    where = f" in namespace {one.namespace}" if one.namespace else ""
    yield in_one_line(f"{one.title}{where}: {one.state}")
    shown = Shown(one.before, one.config, secrets=secrets)
    yield from (in_one_line(f"  note: {note}") for note in one.notes)
    yield from (in_one_line(f"  it cannot be repaired: {problem}") for problem in one.problems)
    for repair, title in _TITLES.items():
        yield from section(title, [_field_line(field, shown) for field in one.of(repair)])
    found = command(one, secrets=secrets)
    if found:
        yield f"  Fix: {found}"


def _field_line(field: DriftedField, shown: Shown) -> str:
    if not shown.may_print(field.steps):
        return "an element of a list of values"
    live, intended = _values(field, shown)
    owners = ", ".join([owner_text(one) for one in field.owners])
    by = f", set by {owners}" if owners else ""
    why = field.reason or (_NO_TIME if live is None else "")
    return f"{field.path}: config {brief(intended)}, live {brief(live)}{by}{f': {why}' if why else ''}"


def _values(field: DriftedField, shown: Shown) -> tuple[Any, Any]:
    """The live and the intended value, masked if necessary."""
    return shown.at(field.steps, field.live, field.intended) if shown.hides else (field.live, field.intended)


def command(one: ObjectRepair, *, secrets: bool = False) -> str:
    """The command that repairs an object; empty without a patch."""
    patch = one.patch
    if patch is None:
        return ""
    by = f" --field-manager {shlex.quote(patch.manager)}"
    if patch.type == CREATE:
        is_apply = patch.manager == CLIENT_SIDE.name
        verb = "apply --server-side" if one.method == SERVER_SIDE else "apply" if is_apply else "create"
        return f"kubectl {verb}{'' if is_apply else by} -f {MANIFEST}"
    place = f" -n {shlex.quote(one.namespace)}" if one.namespace else ""
    words = f"kubectl patch {patch.resource} {shlex.quote(one.name)}{place} --type {patch.type}{by}"
    if is_hidden(one, secrets=secrets):
        return f"{words} --patch-file {IN_FILE}"
    return f"{words} -p {shlex.quote(encode(patch.body))}"


def is_hidden(one: ObjectRepair, *, secrets: bool) -> bool:
    """Whether the patch of an object is not printed, because it has values of a Secret."""
    return not secrets and (is_secret(one.config) or is_secret(one.before))


# ---- JSON and patches -----------------------------------------------------------------------------------------------


def facts(repair: Repair, *, secrets: bool = False) -> dict[str, Any]:
    """The repair as JSON data."""
    states = Counter(one.state for one in repair.objects)
    return {
        "tool": repair.tool,
        "failed": repair.failed,
        "drift": repair.has_drift,
        "counts": {state: states[state] for state in _ORDER if states[state]},
        "notes": list(repair.notes),
        "objects": [object_facts(one, secrets=secrets) for one in repair.objects],
    }


def object_facts(one: ObjectRepair, *, secrets: bool = False) -> dict[str, Any]:
    """One object as JSON data. The patch is null if there is none, or if it is hidden."""
    shown = Shown(one.before, one.config, secrets=secrets)
    found = {"apiVersion": one.api_version, "kind": one.kind, "namespace": one.namespace, "name": one.name}
    return {
        **found,
        "place": one.place,
        "state": one.state,
        "method": one.method,
        "fields": [_field_facts(field, shown) for field in one.fields],
        "patch": None if one.patch is None else {**_patch_facts(one, secrets=secrets), "command": command(one)},
        "problems": list(one.problems),
        "notes": list(one.notes),
    }


def _field_facts(field: DriftedField, shown: Shown) -> dict[str, Any]:
    may_print = shown.may_print(field.steps)
    live, intended = _values(field, shown)
    return {
        "path": field.path if may_print else "",
        "drift": field.drift,
        "repair": field.repair,
        "config": intended,
        "live": live,
        "owners": [*map(owner_facts, field.owners)] if may_print else [],
        "reason": field.reason,
    }


def _patch_facts(one: ObjectRepair, *, secrets: bool) -> dict[str, Any]:
    patch = one.patch
    if patch is None:
        return {}
    hidden = is_hidden(one, secrets=secrets)
    return {
        "type": patch.type,
        "body": None if hidden else patch.body,
        "hidden": hidden,
        "fieldManager": patch.manager,
        "resource": patch.resource,
        "resourceVersion": patch.resource_version,
    }


def documents(repair: Repair, *, secrets: bool = False) -> Iterator[dict[str, Any]]:
    """A document for each patch, with its target. Patches with values of Secrets are left out, unless shown."""
    for one in repair.objects:
        if one.patch is None or is_hidden(one, secrets=secrets):
            continue
        target: dict[str, Any] = {"apiVersion": one.api_version, "kind": one.kind, "name": one.name}
        target |= {"namespace": one.namespace} if one.namespace else {}
        if one.patch.resource_version:
            target["resourceVersion"] = one.patch.resource_version
        yield {
            "target": target,
            "type": one.patch.type,
            "fieldManager": one.patch.manager,
            "patch": one.patch.body,
        }


def hidden_patches(repair: Repair, *, secrets: bool = False) -> list[ObjectRepair]:
    """The objects whose patch is not printed."""
    return [one for one in repair.objects if one.patch is not None and is_hidden(one, secrets=secrets)]
