"""The smallest patch for a drifted object, verified by the API server of the release.

A patch is computed from the live object and its goal. Then `reduction` leaves out the parts that it does not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine import MergeError
from engine.clientside.json_patch import operations
from engine.serverside.fields import trees
from engine.values.go_json import encode
from engine.values.plain import same

from .model import JSON, MERGE, STRATEGIC
from .reduction import PatchFields, Reduction

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema
    from engine.serverside.fields.trees import Tree

    from ..plan.requests import Requests, Response
    from .drift import Drift

    Object = dict[str, Any]
    Guard = Callable[[list[Object], Object], list[Object] | None]

VERSION = "/metadata/resourceVersion"
NOT_EQUAL = "the repaired object differs from the config, so the patch is not complete"
NOT_STABLE = "a second application of the patch changes the object again"
NOT_KEPT = "the next write of the tool changes the object again"


class Verified(NamedTuple):
    """A patch, and the object that the server stores for it."""

    type: str
    body: Any
    after: Object


class Patcher:
    """Computes and verifies the patches of one object."""

    def __init__(self, drift: Drift, requests: Requests, manager: str) -> None:
        self._drift, self._requests, self._manager = drift, requests, manager
        self._intent = drift.intent
        self.problems: list[str] = []

    def smallest(self) -> Verified | None:
        """The smallest patch that repairs the object. None if there is none, with the problems."""
        schema = self._intent.inputs.schema
        is_typed = schema is not None and schema.built_in
        found = self._reduced(STRATEGIC if is_typed else MERGE)
        problems = [*self.problems]
        if found is not None and _length(found) > _LEAST_FOR_JSON:
            other = self._reduced(JSON)
            found = other if other is not None and _length(other) < _length(found) else found
        if found is None and is_typed:
            found = self._reduced(MERGE)
        if found is None:
            found = self._reduced(JSON, _of_this_version)
        self.problems = [] if found is not None else problems
        return found

    def _reduced(
        self, way: str, guard: Callable[[list[Object], Object], list[Object] | None] | None = None
    ) -> Verified | None:
        for goal in (self._drift.goal, self._drift.target):
            body = None if goal is None else self._computed(way, goal)
            if not body or not self._repairs(body, way):
                continue
            fields = PatchFields(self._drift.atom, self._drift.live)
            field_of = fields.of_operation if way == JSON else fields.of_part
            body = Reduction(lambda part: self._unrepaired(part, way), field_of).smallest(body)
            if way == JSON:
                body = (guard or _guarded)(body, self._drift.live)
            return None if body is None else self._verified(body, way)
        return None

    def _computed(self, way: str, goal: Object) -> Any:
        """The whole patch from the live object to a goal."""
        schema: Schema | None = self._intent.inputs.schema
        live = self._drift.live
        try:
            if way == JSON:
                return operations(live, goal, schema)
            return engine.two_way_patch(live, goal, schema if way == STRATEGIC else None)
        except MergeError as error:
            self.problems.append(str(error))
            return None

    def _send(self, live: Object, body: Any, way: str) -> Response:
        intent = self._intent
        return self._requests.patch(live, intent.config, body, way, intent.inputs.schema, manager=self._manager)

    def _unrepaired(self, body: Any, way: str) -> Tree | None:
        """The fields that a patch leaves unrepaired. None if the server rejects it, or if fields of others change."""
        after = self._send(self._drift.live, body, way).object
        if after is None:
            return None
        return self._drift.unrepaired(after) or (None if self._drift.disturbed(after) else trees.EMPTY)

    def _repairs(self, body: Any, way: str) -> bool:
        """Whether the object is repaired after a patch."""
        response = self._send(self._drift.live, body, way)
        if response.object is None:
            self.problems[:] = [str(one) for one in response.problems] or [response.message]
            return False
        if self._drift.is_repaired(response.object):
            return True
        disturbed = self._drift.disturbed(response.object)
        self.problems[:] = [f"it would change {path}, which another manager owns" for path in disturbed] or [NOT_EQUAL]
        return False

    def _verified(self, body: Any, way: str) -> Verified | None:
        """The patch, if a second application and the tool's next write leave the object as it is."""
        after = self._send(self._drift.live, body, way).object
        if after is None:
            return None
        is_once = way == JSON and body[0]["path"] == VERSION
        again, next_write = after if is_once else self._send(after, body, way).object, self._drift.write(after).object
        if again is None or not same(_content(again), _content(after)):
            self.problems[:] = [NOT_STABLE]
            return None
        if self._drift.is_stable and (next_write is None or not self._drift.is_repaired(next_write)):
            self.problems[:] = [NOT_KEPT]
            return None
        return Verified(way, body, after)


_LEAST_FOR_JSON = 200
"""The length from which a JSON patch is considered as an alternative."""


def _content(content: Object) -> Object:
    served = ("managedFields", "resourceVersion", "generation")
    metadata = {key: value for key, value in content["metadata"].items() if key not in served}
    return {**content, "metadata": metadata}


def _length(found: Verified) -> int:
    return len(encode(found.body))


# ---- JSON patches ---------------------------------------------------------------------------------------------------


def _of_this_version(found: list[Object], live: Object) -> list[Object] | None:
    """The operations for this version of the live object only. A second application is rejected."""
    version = live["metadata"].get("resourceVersion")
    return [{"op": "test", "path": VERSION, "value": version}, *found] if version else None


def _guarded(found: list[Object], live: Object) -> list[Object] | None:
    """The operations with tests of the list elements that they change.

    None if an element has no scalar to test, or if an operation changes the length of a list or fails a second time.
    """
    guarded: list[Object] = []
    tested: set[str] = set()
    for one in found:
        parts = one["path"].split("/")[1:]
        value: Any = live
        for depth, part in enumerate(parts[:-1], 1):
            is_list = isinstance(value, list)
            value = value[int(part)] if is_list else value.get(_plain(part)) if isinstance(value, dict) else None
            place = "/" + "/".join(parts[:depth])
            if is_list and place not in tested:
                key = _identity(value, place, found)
                if key is None:
                    return None
                tested.add(place)
                guarded.append({"op": "test", "path": f"{place}/{key}", "value": value[_plain(key)]})
        if one["op"] == "remove" or isinstance(value, list):
            return None
        guarded.append(one)
    return guarded


def _identity(value: Any, place: str, found: list[Object]) -> str | None:
    """A scalar of a list element that the operations leave as it is."""
    if not isinstance(value, dict):
        return None
    changed = {one["path"] for one in found}
    keys = [key for key in ("name", "id", "key", *sorted(value)) if isinstance(value.get(key), str)]
    keys = [key.replace("~", "~0").replace("/", "~1") for key in keys]
    return next((key for key in keys if f"{place}/{key}" not in changed), None)


def _plain(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")
