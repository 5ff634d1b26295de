"""The smallest patch for a drifted object, verified by the API server of the release.

A patch is computed from the live object and its goal. Then every part without which the object is still repaired is
left out. A part is a field, an element of a list, or a directive.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine import MergeError
from engine.clientside.json_patch import operations
from engine.values.go_json import encode
from engine.values.plain import same

from .model import JSON, MERGE, STRATEGIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import Schema

    from ..plan.requests import Requests, Response
    from .drift import Drift

    Object = dict[str, Any]
    Place = tuple[str | int, ...]
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
        self._known: dict[tuple[str, str], bool] = {}

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
            body = _without_parts(body, lambda part: self._repairs(part, way))
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

    def _repairs(self, body: Any, way: str) -> bool:
        """Whether the object is repaired after a patch. Each patch is sent once."""
        key = way, encode(body)
        if key not in self._known:
            self._known[key] = self._is_enough(body, way)
        return self._known[key]

    def _is_enough(self, body: Any, way: str) -> bool:
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


# ---- reduction ------------------------------------------------------------------------------------------------------


def _without_parts(body: Any, repairs: Callable[[Any], bool]) -> Any:
    """The patch without the parts that it does not need. Larger parts are tried first, until none can go."""
    while True:
        smaller = _pruned(body, repairs)
        if smaller is body:
            return body
        body = smaller


def _pruned(body: Any, repairs: Callable[[Any], bool]) -> Any:
    """The patch after one pass. The last parts are tried first, so positions in lists stay valid."""
    pending: list[Place] = [()]
    while pending:
        around = pending.pop(0)
        keys = _keys(_at(body, around))
        for key in reversed(keys) if len(keys) > 1 or not around else ():  # an only part stands for the one around it
            smaller = without_part(body, (*around, key))
            if smaller and repairs(smaller):
                body = smaller
        pending += [(*around, key) for key in _keys(_at(body, around)) if _is_divisible((*around, key), body)]
    return body


def places(body: Any, above: Place = ()) -> Iterator[Place]:
    """The removable parts of a patch: larger ones first. The operations of a JSON patch are its parts."""
    keys = _keys(_at(body, above))
    yield from ((*above, key) for key in keys)
    for key in keys:
        if _is_divisible((*above, key), body):
            yield from places(body, (*above, key))


def _keys(value: Any) -> list[Any]:
    return [*value] if isinstance(value, dict) else [*range(len(value))] if isinstance(value, list) else []


def _at(body: Any, place: Place) -> Any:
    """The part at a place; None if it is gone."""
    for step in place:
        there = isinstance(body, dict) and step in body
        there = there or (isinstance(body, list) and isinstance(step, int) and step < len(body))
        if not there:
            return None
        body = body[step]
    return body


def _is_divisible(place: Place, body: Any) -> bool:
    """Whether a part has parts. The operations of a JSON patch have none."""
    if isinstance(body, list):
        return False
    value = _at(body, place)
    return isinstance(value, dict) or (isinstance(value, list) and _has_parts(place[-1], value))


def _has_parts(key: Any, value: list[Any]) -> bool:
    return bool(value) and all(isinstance(one, dict) for one in value) and not str(key).startswith("$")


def without_part(body: Any, place: Place) -> Any:
    """The patch without one part, and without maps that are empty then."""
    found = deepcopy(body)
    around = [found]
    for step in place[:-1]:
        around.append(around[-1][step])
    del around[-1][place[-1]]
    for depth in range(len(place) - 1, 0, -1):
        if around[depth]:
            break
        del around[depth - 1][place[depth - 1]]
    return found


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
