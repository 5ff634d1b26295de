"""JSON patches as a server applies them, with its error messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from codegen.documents.limits import MAX_NODES
from engine.values.plain import copied, same

from ..patches.json_pointers import size
from .values import PatchError

if TYPE_CHECKING:
    from collections.abc import Callable

MISSING = "missing value"
_INDEX = re.compile(r"[+-]?[0-9]+", re.ASCII)


class TestFailed(PatchError):
    """A failed `test` operation. The whole patch is then ignored."""


def apply_operations(document: Any, operations: list[dict[str, Any]]) -> Any:
    """Return the document after all operations. Raise PatchError."""
    document, values = copied(document), 0
    for one in operations:
        apply = OPERATIONS.get(one["op"])
        if apply is None:
            raise PatchError(f"Unexpected kind: {one['op']}")
        if one["op"] == "copy":  # each copy can double the document
            values += size(_taken(document, one)[2], MAX_NODES)
            if values > MAX_NODES:
                raise PatchError(f"the patch copies more than {MAX_NODES} values. Split it up")
        document = apply(document, one)
    return document


def _find(document: Any, path: str) -> tuple[Any, str] | None:
    """The parent of a path, and its last step. None if there is no parent."""
    steps = path.split("/")
    if len(steps) < 2:
        return None
    for step in steps[1:-1]:
        try:
            document = _get(document, _decoded(step))
        except PatchError:
            return None
        if not isinstance(document, (dict, list)):
            return None
    return document, _decoded(steps[-1])


def _decoded(step: str) -> str:
    return re.sub("~[01]", lambda found: "/" if found[0] == "~1" else "~", step)


def _place(key: str, count: int) -> int:
    if _INDEX.fullmatch(key) is None:
        raise PatchError(f'strconv.Atoi: parsing "{key}": invalid syntax')
    place = int(key)
    if place >= count or place < -count:
        raise PatchError(f"Unable to access invalid index: {place}: invalid index referenced")
    return place + count if place < 0 else place


def _get(of: Any, key: str) -> Any:
    """The value of a key, None if a map lacks it."""
    return of.get(key) if isinstance(of, dict) else of[_place(key, len(of))]


def _insert(of: Any, key: str, value: Any) -> None:
    if isinstance(of, dict):
        of[key] = value
    elif key == "-":
        of.append(value)
    else:
        if _INDEX.fullmatch(key) is None:
            why = f'strconv.Atoi: parsing "{key}": invalid syntax'
            raise PatchError(f"value was not a proper array index: '{key}': {why}")
        of.insert(_place(key, len(of) + 1), value)


def _delete(of: Any, key: str) -> None:
    if isinstance(of, dict):
        if key not in of:
            raise PatchError(f"Unable to remove nonexistent key: {key}: {MISSING}")
        del of[key]
    else:
        del of[_place(key, len(of))]


def _around(doing: str, work: Callable[[], Any]) -> Any:
    try:
        return work()
    except PatchError as error:
        raise PatchError(f"{doing}: {error}") from None


def _add(document: Any, one: dict[str, Any]) -> Any:
    path = one["path"]
    found = _find(document, path)
    if found is None:
        raise PatchError(f'add operation does not apply: doc is missing path: "{path}": {MISSING}')
    _around(f"error in add for path: '{path}'", lambda: _insert(*found, one.get("value")))
    return document


def _remove(document: Any, one: dict[str, Any]) -> Any:
    path = one["path"]
    found = _find(document, path)
    if found is None:
        raise PatchError(f'remove operation does not apply: doc is missing path: "{path}": {MISSING}')
    _around(f"error in remove for path: '{path}'", lambda: _delete(*found))
    return document


def _replace(document: Any, one: dict[str, Any]) -> Any:
    path, value = one["path"], one.get("value")
    if not path:
        if not isinstance(value, (dict, list)):
            raise PatchError("replace operation value must be object or array: %!w(<nil>)")
        return value
    found = _find(document, path)
    if found is None:
        raise PatchError(f"replace operation does not apply: doc is missing path: {path}: {MISSING}")
    owner, key = found
    try:
        _get(owner, key)
    except PatchError:
        raise PatchError(f"replace operation does not apply: doc is missing key: {path}: {MISSING}") from None
    owner[key if isinstance(owner, dict) else _place(key, len(owner))] = value
    return document


def _taken(document: Any, one: dict[str, Any]) -> tuple[Any, str, Any]:
    """The source of a move or copy, and its value."""
    op, path = one["op"], one.get("from")
    if path is None:
        raise PatchError(f"{op} operation failed to decode from: operation, missing from field: {MISSING}")
    found = _find(document, path)
    if found is None:
        raise PatchError(f"{op} operation does not apply: doc is missing from path: {path}: {MISSING}")
    doing = f"error in move for path: '{found[1]}'" if op == "move" else f"error in copy for from: '{path}'"
    return (*found, _around(doing, lambda: _get(*found)))


def _target(document: Any, one: dict[str, Any]) -> tuple[Any, str]:
    found = _find(document, one["path"])
    if found is None:
        why = f"doc is missing destination path: {one['path']}"
        raise PatchError(f"{one['op']} operation does not apply: {why}: {MISSING}")
    return found


def _move(document: Any, one: dict[str, Any]) -> Any:
    owner, key, value = _taken(document, one)
    _around(f"error in move for path: '{key}'", lambda: _delete(owner, key))
    target = _target(document, one)
    _around(f"error in move for path: '{one['path']}'", lambda: _insert(*target, value))
    return document


def _copy(document: Any, one: dict[str, Any]) -> Any:
    value = _taken(document, one)[2]
    target = _target(document, one)
    _around("error while adding value during copy", lambda: _insert(*target, copied(value)))
    return document


def _test(document: Any, one: dict[str, Any]) -> Any:
    path = one["path"]
    value = document
    if path:
        found = _find(document, path)
        if found is None:
            raise PatchError(f"test operation does not apply: is missing path: {path}: {MISSING}")
        value = _around(f"error in test for path: '{path}'", lambda: _get(*found))
    if not same(value, one.get("value")):
        raise TestFailed(f"testing value {path} failed: test failed")
    return document


OPERATIONS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "add": _add,
    "remove": _remove,
    "replace": _replace,
    "move": _move,
    "copy": _copy,
    "test": _test,
}
