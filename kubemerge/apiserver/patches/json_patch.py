"""JSON patches (RFC 6902), as kubectl applies them.

kubectl is more lenient than the standard. It counts a negative index from the end of a list, treats a missing value as
null, adds a missing value in a map that is to be replaced, and copies it as null. It ignores the part of a path before
the first slash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codegen.documents.limits import MAX_NODES
from engine import MergeError, TooDeep
from engine.values.guard import MAX_DEPTH, canonical
from engine.values.plain import ABSENT, copied, kind_name, same

from .json_pointers import BadPointer, PointerTarget, find, size, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NEEDED = {
    "add": ("path",),
    "copy": ("from", "path"),
    "move": ("from", "path"),
    "remove": ("path",),
    "replace": ("path",),
    "test": ("path",),
}
"""The operations with their required fields."""


class BadJsonPatch(MergeError):
    """An invalid JSON patch, or an operation that cannot be applied. The message names it."""


def apply_json_patch(target: Any, patch: Any, note: Callable[[str], None] = lambda _: None) -> Any:
    """Apply the operations of a JSON patch one by one. `note` is called with lenient ones."""
    document, operations = canonical(target), canonical(patch)
    if not isinstance(operations, list):
        raise BadJsonPatch(
            f"a JSON patch is a list of operations, not {kind_name(operations)}; as in [{{op: remove, path: /x}}]"
        )
    work = _Work(document, note)
    for number, operation in enumerate(operations, 1):
        _check(operation, number)
        work.do(operation, f"operation {number} ({operation['op']} {operation['path'] or 'of everything'})")
    return canonical(work.document)


def _check(operation: Any, number: int) -> None:
    def refuse(problem: str) -> None:
        raise BadJsonPatch(f"operation {number} {problem}")

    if not isinstance(operation, dict):
        refuse(f"is {kind_name(operation)}; an operation is a mapping with op and path")
    op = operation.get("op")
    if not isinstance(op, str) or op not in NEEDED:
        said = "has no op" if op is None else f"has the op {op!r}"
        refuse(f"{said}; it is one of {', '.join(NEEDED)}")
    for name in NEEDED[op]:
        if name not in operation:
            refuse(f"({op}) has no {name}")
        value = operation[name]
        if name != "value" and (not isinstance(value, str) or (value and "/" not in value)):
            refuse(f"({op}) has the {name} {value!r}; a {name} begins with /, as in /spec/replicas")


class _Work:
    """A document during the patch, and the number of values copied in it."""

    def __init__(self, document: Any, note: Callable[[str], None]) -> None:
        self.document, self.note, self.copied = document, note, 0

    def do(self, operation: dict[str, Any], called: str) -> None:
        """Apply one operation. `called` is its name in errors."""
        try:
            for step in self._steps(operation, called):
                self.document = _done(step, self.document)
        except RecursionError:
            raise TooDeep(MAX_DEPTH) from None
        except BadPointer as error:
            raise BadJsonPatch(f"{called}: {error.message}") from None

    def _steps(self, operation: dict[str, Any], called: str) -> Iterator[dict[str, Any]]:
        """The values to add, remove or replace. Each step is made after the one before is done."""
        op = operation["op"]
        if op in ("copy", "move"):
            operation = {**operation, "value": self._taken(op, operation, called)}
            if op == "move":
                yield {"op": "remove", "path": self._find(operation["from"]).pointer}
        place = self._find(operation["path"], adding=op in ("add", "copy", "move"))
        if op == "test":
            _test(place, operation.get("value"))
        elif op == "remove":
            yield {"op": op, "path": _there(place).pointer}
        else:
            if "value" not in operation:
                self.note(f"{called}: it has no value, which kubectl takes for null")
            if op == "replace":
                yield self._replacing(place, operation.get("value"), called)
            elif place.pointer:
                yield {"op": "add", "path": place.pointer, "value": operation.get("value")}
            else:
                raise BadPointer("the whole object can be replaced only")

    def _find(self, pointer: str, *, adding: bool = False) -> PointerTarget:
        return find(self.document, split(pointer), adding=adding)

    def _replacing(self, place: PointerTarget, value: Any, called: str) -> dict[str, Any]:
        if place.value is ABSENT:
            self.note(f"{called}: there is nothing to replace, so kubectl adds it")
        return {"op": "add" if place.value is ABSENT else "replace", "path": place.pointer, "value": value}

    def _taken(self, op: str, operation: dict[str, Any], called: str) -> Any:
        source = self._find(operation["from"])
        if op == "copy" and source.value is ABSENT:
            self.note(f"{called}: there is nothing to copy, so kubectl sets null")
            return None
        value = _there(source).value
        if op == "move":
            if operation["path"].startswith(f"{operation['from']}/"):
                raise BadPointer("a value cannot be moved into itself")
            return value
        self.copied += size(value, MAX_NODES)
        if self.copied > MAX_NODES:
            raise BadPointer(f"the patch copies more than {MAX_NODES} values; split it up")
        return copied(value)


def _test(path: PointerTarget, value: Any) -> None:
    there = None if path.value is ABSENT else path.value
    if not same(there, value):
        raise BadPointer("the test fails: another value is there" if path.value is not ABSENT else path.problem)


def _there(place: PointerTarget) -> PointerTarget:
    if place.value is ABSENT:
        raise BadPointer(place.problem)
    if not place.pointer:
        raise BadPointer("the whole object cannot be removed, moved or copied")
    return place


def _done(step: dict[str, Any], document: Any) -> Any:
    """Apply one step, whose path exists. Only the replacement of the whole document returns a new one."""
    if not step["path"]:
        return step["value"]
    *above, last = split(step["path"])
    holder = document
    for part in above:
        holder = holder[int(part) if isinstance(holder, list) else part]
    key: Any = last
    if isinstance(holder, list):
        key = len(holder) if last == "-" else int(last)
    if step["op"] == "remove":
        del holder[key]
    elif step["op"] == "add" and isinstance(holder, list):
        holder.insert(key, step["value"])
    else:
        holder[key] = step["value"]
    return document
