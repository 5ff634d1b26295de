"""Assertions for property tests of operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..apiserver.http.listening.running import Serving

MOST_LINES = 10


def assert_converges(server: Serving, reconcile: Callable[[], object], *, runs: int = 1) -> None:
    """Fail if a reconcile function still changes objects after some runs, although nobody else writes.

    `server` is the `kube_server` fixture. `reconcile` does one run of the operator, and is called `runs` + 1 times.
    With the default, the second run in a row must not change anything. The AssertionError names each write of the last
    run.
    """
    for _ in range(runs):
        reconcile()
    before = len(server.writes())
    reconcile()
    writes = server.writes()[before:]
    if writes:
        from ..ownership.taken_fields import title

        lines = [
            f"  {title(one)}: {one.verb} by {one.manager} changed {', '.join(one.changed) or 'only managedFields'}"
            for one in writes
        ]
        head = f"run {runs + 1} of the reconcile function changed objects again:"
        more = [f"  and {len(lines) - MOST_LINES} more"] if len(lines) > MOST_LINES else []
        raise AssertionError("\n".join([head, *lines[:MOST_LINES], *more]))
