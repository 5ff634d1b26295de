"""One run over a fleet from its options to its summary."""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import contextmanager
from glob import glob
from typing import TYPE_CHECKING, Any

from ...fleet.extra import library
from ...fleet.rows import POISONED
from ...fleet.running import Where
from ...fleet.summary import facts, text
from ...fleet.whole import Outcome, Run, carry_out, digest
from ...fleet.works.base import Rules
from ...fleet.works.config import ConfigFile
from ...fleet.works.table import Asked
from ...linting.files import read_quietly
from ...linting.pool import processors
from ...offline.tables import specification
from ...output.text import how_many
from ..inputs import files
from ..terminal.console import console, echo
from ..terminal.progress import Line, bar
from ..terminal.stdout import print_facts
from .linting.running import definitions_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...fleet.summary import Summary

_UNDECIDED = {"untracked", POISONED}
"""What says that nothing is known about an object."""
_HARMLESS = {"migrate": {"info"}}
"""Severities that do not count as a finding, by work."""


def run(work: str, options: dict[str, Any], own: dict[str, Any], *, quiet: bool) -> int:
    """Carry a run out, and tell what it came to; `quiet` says that findings do not count."""
    library("pyarrow"), library("fsspec")
    if "config" in own:
        own["config"] = _config(own["config"])
    asked = _asked(work, options, own)
    asked.made()  # what is wrong with the options is said now, and not by a worker
    where = Where(options["scheduler"], options["workers"] or processors(), options["memory"])
    with _progress() as told:
        wanted = Run(asked, options["dumps"], options["out"], where, options["by"], options["size"], options["replace"])
        outcome = carry_out(wanted, told)
    _tell(outcome, options)
    return _exit_code(work, outcome, quiet=quiet)


def _asked(work: str, options: dict[str, Any], own: dict[str, Any]) -> Asked:
    schemas = options["schema"]
    over = tuple([specification(one, files()) for one in schemas])
    read = read_quietly(schemas)
    rules = Rules(options.get("release"), over, tuple([one.content for one in definitions_of(read)]))
    own = {name: tuple(value) if isinstance(value, list) else value for name, value in own.items()}
    return Asked(work, rules, tuple(own.items()), digest(work, rules.release, schemas, read, sorted(own.items())))


def _config(paths: Sequence[str]) -> tuple[ConfigFile, ...]:
    """The files of the config; those of a path with `{cluster}` are for the cluster that is there in the path."""
    found: list[ConfigFile] = []
    for path in paths:
        whole, mark, rest = path.partition("{cluster}")
        if not mark:
            found += [ConfigFile("", source, data) for source, data in _files(path)]
            continue
        first = f"{whole}*{rest.partition('/')[0]}"
        pattern = re.compile(re.escape(whole) + "([^/]+)" + re.escape(rest.partition("/")[0]) + r"\Z")
        for place in sorted(glob(first)):  # noqa: PTH207 - it may be absolute
            match = pattern.match(place)
            inside = "/".join(one for one in (place, rest.partition("/")[2]) if one)
            if match and os.path.exists(inside):  # noqa: PTH110
                found += [ConfigFile(match[1], source, data) for source, data in _files(inside)]
    return tuple(found)


def _files(path: str) -> list[tuple[str, bytes]]:
    return list(files().contents([path], recursive=True))


def _tell(outcome: Outcome, options: dict[str, Any]) -> None:
    for part, why in outcome.failed:
        console().complain(f"{part.source.name}: part of it is not in the results: {why}")
    if outcome.again:
        console().say(f"{how_many(outcome.again, 'part')} of an earlier run taken as they are")
    if options["output"] == "json":
        print_facts(facts(outcome.summary))
    else:
        for line in text(outcome.summary):
            echo(line)
    console().say(f"the rows are in {options['out']}")


def _exit_code(work: str, outcome: Outcome, *, quiet: bool) -> int:
    summary: Summary = outcome.summary
    if outcome.failed or any(summary.unreadable(what) for what in _UNDECIDED):
        return 2
    harmless = _HARMLESS.get(work, set())
    return int(not quiet and any(key[3] not in harmless for key in summary.counts))


@contextmanager
def _progress() -> Iterator[Callable[[int, int, int, int], None]]:
    """What to tell of each part: how far it is, how many objects a second, and how long it will take."""
    line = Line() if sys.stderr.isatty() else None
    began = time.monotonic()

    def told(done: int, total: int, objects: int, before: int) -> None:
        if line is not None:
            line.show(progress(done, total, objects, before, time.monotonic() - began))

    try:
        yield told
    finally:
        if line is not None:
            line.remove()


def progress(done: int, total: int, objects: int, before: int, seconds: float) -> str:
    """The line of progress: `[===>  ]  40% 12000 objects, 830 a second, 2 min left`."""
    left = seconds * (total - done) / max(done - before, 1)
    rest = f"{left / 60:.0f} min" if left >= 90 else f"{left:.0f} s"
    return f"{bar(done, total)} {objects} objects, {objects / max(seconds, 0.001):.0f} a second, {rest} left"
