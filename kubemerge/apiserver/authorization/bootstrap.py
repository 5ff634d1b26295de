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
from .reconciliation import is_protected, reconciled

if TYPE_CHECKING:
    from ..managed_fields import ManagedFieldsRecorder
    from ..protocol import Object
    from ..storage.changes import Changes

TABLE = Path(__file__).with_name("bootstrap.txt")
NEWEST = 37
"""The last minor release in the table. Its objects are those of newer releases, too."""
STABLE_SINCE = 8
"""The first minor release with rbac.authorization.k8s.io/v1."""


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
        if live is not None and "roleRef" in live and live["roleRef"] != wanted["roleRef"] and not is_protected(live):
            changes.remove(key, live)
            live = None
        if live is None:
            uid, now = changes.origins.uid(), changes.origins.now()
            made = {**wanted, "metadata": {**wanted["metadata"], "uid": uid, "creationTimestamp": now}}
            changes.save(key, recorder.created(made, changes.resource(wanted)), None)
            continue
        updated = reconciled(live, wanted)
        if updated is not live and not is_protected(live):
            changes.save(key, recorder.updated(live, updated, changes.resource(live), None), live)
