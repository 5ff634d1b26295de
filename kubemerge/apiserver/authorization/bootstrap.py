"""The roles and bindings that a server creates or updates at its start, like the hook `rbac/bootstrap-roles`.

The table `bootstrap.txt` has one rule on each line, and after an empty line one object on each line, with the first and
the last minor release that creates it. The rules of an object are indexes.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..kinds.builtin_kinds import RBAC_GROUP
from ..resources import key_in_store
from ..unchecked import as_map, maps
from .rules import missing_rules, rules_in

if TYPE_CHECKING:
    from ..managed_fields import ManagedFieldsRecorder
    from ..protocol import Object
    from ..storage.changes import Changes

TABLE = Path(__file__).with_name("bootstrap.txt")
NEWEST = 37
"""The last minor release in the table. Its objects are those of newer releases, too."""
STABLE_SINCE = 8
"""The first minor release with rbac.authorization.k8s.io/v1."""
PROTECTED = "rbac.authorization.kubernetes.io/autoupdate"
"""The annotation with which users keep a server from updating a role or binding."""


@cache
def bootstrap_objects(minor: int) -> tuple[Object, ...]:
    """Return the roles and bindings that a server of this release creates. They must not be changed."""
    rules, _, lines = TABLE.read_text(encoding="ascii").partition("\n\n")
    known = list(map(json.loads, rules.splitlines()))
    version = f"{RBAC_GROUP}/{'v1' if minor >= STABLE_SINCE else 'v1beta1'}"
    made = []
    for line in lines.splitlines():
        since, until, text = line.split(" ", 2)
        if int(since) <= min(minor, NEWEST) <= int(until):
            content: dict[str, Any] = {"apiVersion": version, **json.loads(text)}
            if content.get("rules"):
                content["rules"] = [known[index] for index in content["rules"]]
            made.append(content)
    return tuple(made)


def ensure_objects(changes: Changes, recorder: ManagedFieldsRecorder) -> None:
    """Create missing roles and bindings, and add missing rules and subjects to the others."""
    for wanted in bootstrap_objects(changes.kinds.minor):
        key = key_in_store(wanted)
        live = changes.get(key)
        if live is not None and "roleRef" in live and live["roleRef"] != wanted["roleRef"] and not _is_protected(live):
            changes.remove(key, live)
            live = None
        if live is None:
            uid, now = changes.origins.uid(), changes.origins.now()
            made = {**wanted, "metadata": {**wanted["metadata"], "uid": uid, "creationTimestamp": now}}
            changes.save(key, recorder.created(made, changes.resource(wanted)), None)
            continue
        updated = _updated(live, wanted)
        if updated != live and not _is_protected(live):
            changes.save(key, recorder.updated(live, updated, changes.resource(live), None), live)


def _is_protected(live: Object) -> bool:
    return as_map(live["metadata"].get("annotations")).get(PROTECTED) == "false"


def _updated(live: Object, wanted: Object) -> Object:
    """Return the object with what it lacks. Additional rules, subjects and labels stay."""
    metadata = dict(live["metadata"])
    for field in ("labels", "annotations"):
        found = {**as_map(wanted["metadata"].get(field)), **as_map(metadata.get(field))}
        if found:
            metadata[field] = found
    content = {**live, "metadata": metadata}
    missing = missing_rules(rules_in(live), rules_in(wanted))
    if missing:
        content["rules"] = [*(live.get("rules") or ()), *(rule.content() for rule in missing)]
    present = [one for _, one in maps(live, "subjects")]
    subjects = [one for _, one in maps(wanted, "subjects") if one not in present]
    if subjects:
        content["subjects"] = [*present, *subjects]
    if "aggregationRule" in wanted and not live.get("aggregationRule"):
        content["aggregationRule"] = wanted["aggregationRule"]
    return content
