"""Larger stacks for deeply nested expressions and patterns."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from engine.errors import TooDeep
from engine.values.guard import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")

FRAMES = 40_000
"""Python frames for the deepest expression: 250 levels, each with some operators, and a few frames for each."""
STACK = (512 if sys.platform != "win32" else 255) * 1024 * 1024
"""The address space of a thread's stack. Only the used part becomes memory. Windows has a limit of 256 MiB."""
_one_at_a_time = threading.Lock()
_here = threading.local()


def with_large_stack(function: Callable[[], Result]) -> Result:
    """Call a function, and call it again on a larger stack if it recurses too deeply. It must be repeatable."""
    try:
        return function()
    except RecursionError:
        if getattr(_here, "large", False):
            raise
    return _on_a_large_stack(function)


def _on_a_large_stack(function: Callable[[], Result]) -> Result:
    found: list[Any] = []

    def work() -> None:
        _here.large = True
        try:
            found.append((function(), None))
        except BaseException as error:
            found.append((None, error))

    with _one_at_a_time:
        limit, size = sys.getrecursionlimit(), threading.stack_size()
        try:
            threading.stack_size(STACK)
            sys.setrecursionlimit(max(limit, FRAMES))
            thread = threading.Thread(target=work, daemon=True)
            try:
                thread.start()
            except RuntimeError:  # browsers have no threads
                raise TooDeep(MAX_DEPTH) from None
            threading.stack_size(size)
            thread.join()
        finally:
            threading.stack_size(size)
            sys.setrecursionlimit(limit)
    result, error = found[0]
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]
