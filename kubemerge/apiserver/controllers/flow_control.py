"""The FlowSchemas and priority levels of a new server, like the hook `priority-and-fairness-config-producer`.

The table `flow_control.txt` has one object on each line, with the first and the last minor release that creates it. Its
source is `pkg/apis/flowcontrol/bootstrap` of k8s.io/apiserver. A server creates deleted ones again within a minute.
Here, they stay deleted until the next start.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from . import server_objects
from .bootstrap import SERVER
from .server_objects import FieldsOwner, owned

if TYPE_CHECKING:
    from ..protocol import Object
    from ..storage.changes import Changes

SCHEMA = ("flowcontrol.apiserver.k8s.io", "FlowSchema")
LEVEL = ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration")
TABLE = "flow_control.txt"
NEWEST = 37
"""The last minor release in the table. Newer releases have the same objects."""
VERSIONS = ((29, "v1"), (26, "v1beta3"), (23, "v1beta2"), (20, "v1beta1"))
"""The first minor releases that write a version of these objects."""
PRODUCED_SINCE = 22
"""The first minor release with a field manager and an annotation for these objects."""
PRODUCER, CONSUMER = "api-priority-and-fairness-config-producer-v1", "api-priority-and-fairness-config-consumer-v1"
APPLIED_SINCE = 26
"""The first minor release that writes the condition of a FlowSchema with a server-side apply."""
UPDATED = "apf.kubernetes.io/autoupdate-spec"
_CONDITION = owned("lastTransitionTime", "message", "reason", "status", "type")


@cache
def _table(minor: int) -> tuple[Object, ...]:
    """The objects of a release. They must not be changed."""
    from pathlib import Path  # many commands only need the names of the kinds

    lines = Path(__file__).with_name(TABLE).read_text(encoding="ascii").splitlines()
    rows = (line.split(" ", 2) for line in lines)
    return tuple(json.loads(text) for since, until, text in rows if int(since) <= min(minor, NEWEST) <= int(until))


def ensure_objects(changes: Changes) -> None:
    """Create the missing priority levels and FlowSchemas."""
    minor = changes.kinds.minor
    version = next((version for since, version in VERSIONS if minor >= since), None)
    for row in _table(minor) if version else ():
        metadata: Object = {"name": row["name"], "generation": 1}
        fields: Object = {"f:spec": _owned(row["spec"])}
        if minor >= PRODUCED_SINCE:
            metadata["annotations"] = {UPDATED: "true"}
            fields["f:metadata"] = {"f:annotations": owned(UPDATED)}
        made = {"apiVersion": f"{SCHEMA[0]}/{version}", "kind": row["kind"], "metadata": metadata, "spec": row["spec"]}
        owners = [FieldsOwner(fields, PRODUCER if minor >= PRODUCED_SINCE else SERVER)]
        made["status"] = {}
        if row["kind"] == SCHEMA[1]:
            level = row["spec"]["priorityLevelConfiguration"]["name"]
            made["status"] = {
                "conditions": [{**dangling(level, exists=True), "lastTransitionTime": changes.origins.now()}]
            }
            owners.insert(0, _condition_owner(minor))
        server_objects.create(changes, made, *owners)


def dangling(level: str, *, exists: bool) -> Object:
    """Return the condition of a FlowSchema, without its time."""
    said = "and it exists" if exists else "but there is no such object"
    return {
        "type": "Dangling",
        "status": "False" if exists else "True",
        "reason": "Found" if exists else "NotFound",
        "message": f'This FlowSchema references the PriorityLevelConfiguration object named "{level}" {said}',
    }


def _condition_owner(minor: int) -> FieldsOwner:
    operation = "Apply" if minor >= APPLIED_SINCE else "Update"
    conditions: Object = {".": {}} if operation == "Update" else {}
    conditions['k:{"type":"Dangling"}'] = _CONDITION
    return FieldsOwner({"f:status": {"f:conditions": conditions}}, CONSUMER, operation, "status")


def _owned(value: Any, field: str = "spec") -> Object:
    """The owned fields of a spec. A list has one owner. A struct without a pointer is not an owned field itself."""
    if not isinstance(value, dict):
        return {}
    inner = {f"f:{name}": _owned(one, name) for name, one in value.items()}
    return inner if field in _STRUCTS else {".": {}, **inner}


_STRUCTS = frozenset({"spec", "priorityLevelConfiguration"})
"""The fields whose Go types are structs, not pointers."""
