"""Conversions of the webhook server: between `spec.size` (v1) and `spec.replicas` (v2), with faults."""

from __future__ import annotations

import copy
from typing import Any

Object = dict[str, Any]
RENAMED = {"v1": "size", "v2": "replicas"}


def converted(request: Object, answer: Object) -> Object:
    """The response to a conversion request. `set` has values by path, `drop` paths, `result` and `objects` replace."""
    wanted = request["desiredAPIVersion"]
    objects = [_converted(one, wanted, answer) for one in request["objects"]]
    found = {"uid": request["uid"], "convertedObjects": objects, "result": {"status": "Success"}}
    return found | {name: one for name, one in answer.items() if name in ("uid", "convertedObjects", "result")}


def _converted(content: Object, wanted: str, answer: Object) -> Object:
    found = copy.deepcopy(content)
    before, after = (RENAMED.get(one.rpartition("/")[2]) for one in (content["apiVersion"], wanted))
    spec = found.get("spec") or {}
    if before in spec and after:
        spec[after] = spec.pop(before)
    found["apiVersion"] = wanted
    if after == "size":
        spec.pop("shape", None)
    for path, value in (answer.get("set") or {}).items():
        *above, last = path.split(".")
        holder = found
        for part in above:
            holder = holder.setdefault(part, {})
        if value is None:
            holder.pop(last, None)
        else:
            holder[last] = value
    return found
