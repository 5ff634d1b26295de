"""Python loads this where its folder is on the path: then objects with some names kill the process, or keep it."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kubemerge.fleet.checks.base import Check

if TYPE_CHECKING:
    from kubemerge.fleet.reading.items import Item
    from kubemerge.fleet.rows import Row


def _crash() -> None:
    import ctypes

    ctypes.string_at(0)


def _turn() -> None:
    while True:
        pass  # without using memory, because growing memory is another test


def _too_large() -> None:
    held = []
    while True:
        held.append(bytearray(os.urandom(1 << 20) * 16))
        time.sleep(0.01)


def _in_c() -> None:
    """Wait with the lock of the interpreter held, where no other thread of Python runs."""
    import ctypes

    ctypes.PyDLL(None).sleep(600)


def _once() -> None:
    """Die, but the first time only."""
    mark = Path(os.environ["KILLED_ONCE"])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


DOES = {
    b"crashes": _crash,
    b"aborts": os.abort,
    b"exits": lambda: os._exit(3),
    b"is-killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    b"sleeps": lambda: time.sleep(600),
    b"turns": _turn,
    b"sleeps-in-c": _in_c,
    b"grows": _too_large,
    b"dies-once": _once,
}
_rows = Check.rows


def rows(self: Check, item: Item) -> list[Row]:
    named = re.search(rb"poison-([a-z-]+)", item.text)
    if named:
        DOES[named[1]]()
    return _rows(self, item)


Check.rows = rows  # type: ignore[method-assign]
