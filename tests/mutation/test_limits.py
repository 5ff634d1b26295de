"""A process ends by a signal if it works too long, or waits in vain."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from .limits import limit

if TYPE_CHECKING:
    from collections.abc import Callable


def work() -> None:
    limit(0.05)
    while True:
        pass


def wait() -> None:
    limit(100, idle=1)
    time.sleep(1000)


def both() -> None:
    limit(0.2)
    limit(0)
    begun = time.process_time()
    while time.process_time() < begun + 0.5:
        pass


@pytest.mark.parametrize(("child", "code"), [(work, -signal.SIGPROF), (wait, -signal.SIGALRM), (both, 0)])
def test_how_a_process_ends(child: Callable[[], None], code: int) -> None:
    process = os.fork()
    if not process:
        try:
            child()
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == code
