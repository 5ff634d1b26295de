"""Runs kube-apiserver's code: a small Go program that is built once."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.conformance.build import binary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SOURCES = Path(__file__).parent.parent / "oracle"


def answers(questions: Iterable[dict[str, Any]], *, at_once: int = 200) -> Iterator[dict[str, Any]]:
    """The response to each question. Raises OracleUnavailable without Go or its modules."""
    program = binary(SOURCES)
    waiting: list[str] = []
    for question in questions:
        waiting.append(json.dumps(question))
        if len(waiting) >= at_once:
            yield from _asked(program, waiting)
            waiting = []
    yield from _asked(program, waiting)


def _asked(program: Path, lines: list[str]) -> Iterator[dict[str, Any]]:
    if lines:
        given = "\n".join(lines) + "\n"
        done = subprocess.run([program], input=given, capture_output=True, text=True, check=True)
        yield from map(json.loads, done.stdout.splitlines())
