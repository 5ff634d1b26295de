"""A function that recurses too deeply is called again in a thread with a larger stack."""

from __future__ import annotations

import runpy
import sys
import threading

import pytest

from kubemerge.apiserver.regex import large_stack
from kubemerge.apiserver.regex.large_stack import FRAMES, with_large_stack


def deep(levels: int) -> int:
    return 1 + deep(levels - 1) if levels else 0


def test_a_deep_recursion_succeeds_in_a_thread_that_does_not_keep_the_process_alive() -> None:
    seen: list[bool] = []

    def work() -> int:
        seen.append(threading.current_thread().daemon)
        return deep(FRAMES // 4)

    before = sys.getrecursionlimit(), threading.stack_size()
    assert with_large_stack(work) == FRAMES // 4
    assert seen == [False, True]
    assert (sys.getrecursionlimit(), threading.stack_size()) == before


def test_an_error_arrives() -> None:
    with pytest.raises(ZeroDivisionError):
        with_large_stack(lambda: deep(FRAMES // 4) // 0)


def test_the_stack_is_within_the_limit_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """`threading.stack_size` of Python on Windows raises ValueError for 256 MiB or more."""
    monkeypatch.setattr(sys, "platform", "win32")
    assert runpy.run_path(large_stack.__file__)["STACK"] < 256 * 1024 * 1024
