"""Runs merge functions on documents that may not be JSON.

The functions themselves assume plain JSON and look only at the parts that they need. When one of them fails, its
documents are copied into a canonical form and it is called again. So anything that is not JSON gets an error with its
path, and of several errors the same one is reported for any order of keys.
"""

from __future__ import annotations

import _thread
from itertools import repeat

from ..errors import ConflictError, MergeError, NotAnObject, NotJson, SnakeCase, TooDeep, brief, flat
from .client_objects import SNAKE_CASE, is_snake_case, unwrap
from .plain import JSON_TYPES, copied, is_within, kind_name, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any, TypeVar

    from ..paths import Step, Steps

    Result = TypeVar("Result")

MAX_DEPTH = 300
"""The maximum nesting depth of maps and lists in a document."""

COMPILED = not hasattr(copied, "__code__")
"""Whether mypyc has compiled the modules that merge. Compiled functions do not count how deep they call each other, so
documents that are deeper than MAX_DEPTH, or hold themselves, never get to them."""

FRESH_STACK = 16 << 20
"""The size of a fresh stack. The default of musl is 128 KiB. Only the used part becomes memory."""

_starting = _thread.allocate_lock()
"""Held while the stack size of new threads, which all threads share, is changed."""

FAILURES = (RecursionError, MergeError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""What a merge function raises for documents that may not be plain JSON."""


_ALIKE = bytes.maketrans(b"[]", b"{}")
_NO_BRACKET = bytes({*range(256)} - {*b'"{[}]'})


def is_deep(text: str | bytes | bytearray, levels: int = MAX_DEPTH) -> bool:
    """True if a JSON text, or the start of one, has more than so many levels.

    They are counted, because the limit of Python's own parser differs between versions.
    """
    if isinstance(text, str):
        if text.count("{") + text.count("[") <= levels:
            return False
        text = text.encode(errors="replace")
    elif text.count(b"{") + text.count(b"[") <= levels:
        return False
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    left = text.translate(_ALIKE, _NO_BRACKET).replace(b'""', b"")
    if b'"' in left:  # some brackets may be in texts
        left = b"".join(left.split(b'"')[::2])
    for inner in range(1, levels + 1):
        outer = left.replace(b"{}", b"")
        if inner + outer.count(b"{") <= levels:
            return False
        if len(outer) == len(left):
            break
        left = outer
    return left.count(b"{") > (0 if b"{}" in left else levels)


def run(function: Callable[..., Result], **documents: Any) -> Result:
    """The result of the function on these documents; None counts as an empty object."""
    given: Collection[Any]
    given = documents.values()
    for document in given:
        if type(document) is not dict or SNAKE_CASE in document:
            given = [_object(name, document) for name, document in documents.items()]
            break
    if COMPILED:
        require_depth(*given)
    try:
        return function(*given)
    except ConflictError as error:
        raise flat(error) from None
    except FAILURES:
        pass  # the error below is unrelated to this one
    try:
        return with_room(lambda: function(*map(canonical, given)))
    except MergeError as error:
        raise flat(error) from None


def require_depth(*values: Any) -> None:
    """Refuse values of more than MAX_DEPTH levels."""
    if not with_room(lambda: all(map(is_within, values, repeat(MAX_DEPTH)))):
        raise TooDeep(MAX_DEPTH)


def run_plain(function: Callable[..., Result], **documents: Any) -> Result:
    """The same on copies, which are plain at any depth, for a function that looks only at parts of its documents."""
    return run(lambda *given: function(*map(copied, given)), **documents)


def with_room(function: Callable[[], Result]) -> Result:
    """The result of the function. It runs on a fresh stack if it recurses too deeply for the current one."""
    try:
        return function()
    except RecursionError:
        pass
    return run_on_fresh_stack(function)


def canonical_document(name: str, document: Any) -> Any:
    """A copy of a document in plain types; an error if it is not an object. `name` is its name in error messages."""
    found = unwrap(document)
    if not isinstance(found, dict):
        raise NotAnObject(name.replace("_", " "), document)
    return canonical(found)


def _object(name: str, document: Any) -> Any:
    if document is None:
        return {}
    found = document if type(document) is dict else canonical_document(name, document)
    if is_snake_case(found):
        raise SnakeCase(name.replace("_", " "))
    return found


def run_on_fresh_stack(function: Callable[[], Result]) -> Result:
    """The result of the function in a new thread, so the stack has space however deep the caller is.

    Without threads, as in a browser, a document that does not fit into the current stack is too deep.
    """
    results: list[Any] = []
    done = _thread.allocate_lock()
    done.acquire()

    def work() -> None:
        try:
            results.append(function())
        except RecursionError:
            results.append(TooDeep(MAX_DEPTH))
        except BaseException as error:
            results.append(error)
        finally:
            done.release()

    try:
        with _starting:
            size = _thread.stack_size()
            _thread.stack_size(max(size, FRESH_STACK))
            try:
                _thread.start_new_thread(work, ())
            finally:
                _thread.stack_size(size)
    except RuntimeError:  # also of a stack size that cannot be set
        raise TooDeep(MAX_DEPTH) from None
    done.acquire()
    if isinstance(results[0], BaseException):
        raise results[0]
    result: Result = results[0]
    return result


class _PathLink:
    """The path of a value as a linked list, which is cheap to extend."""

    __slots__ = ("depth", "step", "up")

    def __init__(self, up: _PathLink | None, step: Step) -> None:
        self.up, self.step = up, step
        self.depth: int = up.depth + 1 if up else 0

    def steps(self) -> Steps:
        found: list[Step] = []
        here: _PathLink | None = self
        while here is not None and here.up is not None:
            found.append(here.step)
            here = here.up
        return tuple(reversed(found))


def canonical(document: Any) -> Any:
    """A copy in plain types with sorted keys. Not recursive, so that any depth works."""
    root: list[Any] = [None]
    todo: list[tuple[Any, Any, Any, _PathLink]] = [(root, 0, document, _PathLink(None, ""))]
    while todo:
        holder, place, value, trail = todo.pop()
        made: Any
        if type(value) not in JSON_TYPES:
            value = unwrap(value)
        if isinstance(value, dict):
            made = dict.fromkeys(_keys(value, trail))
            inner = [(made, key, value[key], _PathLink(trail, key)) for key in made]
        elif isinstance(value, list):
            made = [None] * len(value)
            inner = [(made, at, item, _PathLink(trail, at)) for at, item in enumerate(value)]
        else:
            holder[place] = _scalar(value, trail)
            continue
        if trail.depth >= MAX_DEPTH:
            raise TooDeep(MAX_DEPTH)
        holder[place] = made
        todo += reversed(inner)
    return root[0]


def _keys(value: dict[Any, Any], trail: _PathLink) -> list[str]:
    for key in value:
        if not isinstance(key, str):
            raise _at(NotJson(key, f"the key {brief(key)} is {kind_name(key)}, but keys must be strings"), trail)
    return sorted(map(str.__str__, value))


def _scalar(value: Any, trail: _PathLink) -> Any:
    if value is None or type(value) is bool:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    try:
        if isinstance(value, int):
            return number(int(value))
        return number(float(value) if isinstance(value, float) else value)
    except NotJson as error:
        raise _at(error, trail) from None


def _at(error: MergeError, trail: _PathLink) -> MergeError:
    error.steps = trail.steps()
    return error
