"""A fleet run, from its options to its summary."""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import contextmanager
from glob import escape, glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen.credentials import without_credentials
from engine import MergeError
from engine.version import __version__

from ...apiserver.registry.feature_gates import gates_set
from ...apiserver.text.text import how_many, some
from ...fleet.checks.base import Rules
from ...fleet.checks.config import ConfigFile
from ...fleet.checks.release_config import ReleasesOf
from ...fleet.checks.table import CheckSpec
from ...fleet.cluster import SchedulerLocation
from ...fleet.extra import bytes_in, library
from ...fleet.overview import overview
from ...fleet.reading.sources import sources
from ...fleet.run import Outcome, Run, carry_out, digest
from ...fleet.summary import FAILING, badness, facts, text
from ...linting.files import read_quietly
from ...linting.gathering import definitions_of
from ...linting.pool import processors
from ...manifests.files import BadFile
from ...manifests.objects import read_manifests
from ...offline.policies import policies_in
from ...offline.tables import specification
from ..inputs import files
from ..terminal.console import console, echo
from ..terminal.progress import ProgressLine, bar
from ..terminal.stdout import STDOUT, check_page, print_facts, write_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...fleet.reading.sources import Source

CLUSTER = "{cluster}"
"""The placeholder for the cluster name in the path of a config."""
_LEAST = 1024
"""Minimum size of a part in bytes."""
_MOST = 3
"""Maximum number of clusters on a line."""


class BadSize(MergeError):
    """An invalid part size."""


def run(work: str, options: dict[str, Any], own: dict[str, Any], *, fails: str | None) -> int:
    """Run the work on a fleet and report the outcome.

    `fails` is the least severity that makes the run fail. None: no finding does.
    """
    library("pyarrow"), library("fsspec")
    if html := options["html"]:
        check_page(html)
    made, size = _made(options, own), _size(options["size"])
    if "config" in own:
        is_helm = work == "drift" and own["config"] is None
        own["config"] = _releases(options) if is_helm else _config(own["config"])
    if own.get("settings"):
        own["settings"] = tuple([one.content for one in read_manifests(own["settings"], files())])
    if own.get("policies"):
        own["policies"] = tuple(policies_in(own["policies"], files()))
    expected = _expected(options["expect"])
    spec = _spec(work, options, own)
    spec.create()  # report invalid options now, not in a worker
    where = SchedulerLocation(
        options["scheduler"], options["workers"] or processors(), options["memory"], options["seconds"]
    )
    with _progress() as on_progress:
        wanted = Run(
            spec,
            options["dumps"],
            options["out"],
            where,
            options["by"],
            size,
            options["replace"],
            options.get("definitions", False),
            expected,
        )
        outcome = carry_out(wanted, on_progress)
    _tell(outcome, options)
    if html:
        from ...html import RunInfo, fleet_page

        failed = [(part.source.name, why) for part, why in outcome.failed]
        found = overview(outcome.results, outcome.keys, outcome.summary)
        write_page(html, fleet_page(found, RunInfo(work, made, without_credentials(options["out"]), failed)))
    _tell_alone(outcome, own.get("config") or ())
    return _exit_code(outcome, fails)


def _spec(work: str, options: dict[str, Any], own: dict[str, Any]) -> CheckSpec:
    schemas = options["schema"]
    over = tuple([specification(one, files()) for one in schemas])
    read = read_quietly(schemas)
    rules = Rules(options.get("release"), over, tuple([one.content for one in definitions_of(read)]), gates=gates_set())
    own = {name: tuple(value) if isinstance(value, list) else value for name, value in own.items()}
    about = digest(work, rules.release, schemas, read, sorted(own.items()), rules.gates)
    return CheckSpec(work, rules, tuple(own.items()), about)


def _made(options: dict[str, Any], own: dict[str, Any]) -> list[tuple[str, str]]:
    """The options that determine the results, as text for the page."""
    spec = {"dumps": options["dumps"], "release": options.get("release"), "schema": options["schema"]}
    spec |= {"expect": options.get("expect"), **own}
    said = [(name, _words(value)) for name, value in spec.items() if value]
    facts = [(name, ", ".join(map(without_credentials, value))) for name, value in said]
    gates = ", ".join([f"{name}={str(on).lower()}" for name, on in gates_set()])
    return [("kubemerge", __version__), *facts, *([("feature gates", gates)] if gates else [])]


def _words(value: Any) -> Sequence[str]:
    return [str(value).lower()] if isinstance(value, bool) else [value] if isinstance(value, str) else value


def _expected(path: str | None) -> frozenset[str] | None:
    """The expected clusters, one per line. Lines that start with `#` are comments."""
    if path is None:
        return None
    name, data = files().content(path)
    try:
        lines = [line.strip() for line in data.decode("utf-8-sig").splitlines()]
    except UnicodeDecodeError:
        raise BadFile(f"{name}: not UTF-8 text. Write one cluster name per line") from None
    found = frozenset(line for line in lines if line and not line.startswith("#"))
    if not found:
        raise BadFile(f"{name}: no cluster names. Write one cluster name per line")
    return found


def _config(paths: Sequence[str]) -> tuple[ConfigFile, ...] | None:
    """The files of the config. In a path, `{cluster}` stands for the name of the file's cluster."""
    found: list[ConfigFile] = []
    for path in paths:
        if CLUSTER in path:
            found += _of_clusters(path)
        else:
            found += [ConfigFile("", source, data) for source, data in _files(path)]
    return tuple(found) if paths else None


def _releases(options: dict[str, Any]) -> tuple[ReleasesOf, ...]:
    """The Helm releases of each cluster as its config."""
    found: dict[str, list[Source]] = {}
    for one in sources(options["dumps"], options["by"]):
        found.setdefault(one.cluster, []).append(one)
    return tuple([ReleasesOf(cluster, tuple(dumps)) for cluster, dumps in found.items()])


def _of_clusters(path: str) -> list[ConfigFile]:
    pattern = os.path.expanduser(path).replace(os.sep, "/")  # noqa: PTH111 - as other paths are
    found = []
    for cluster in _clusters(pattern):
        places = glob(pattern.replace(CLUSTER, escape(cluster)), recursive=True)  # noqa: PTH207 - it may be absolute
        if has_magic(pattern.rstrip("/").rpartition("/")[2]):
            places = [one for one in places if os.path.isfile(one)]  # noqa: PTH113
        for place in sorted(places):
            found += [ConfigFile.later(cluster, source, data) for source, data in _files(place)]
    if not found:
        raise BadFile(
            f"{without_credentials(path)}: no files for any cluster. {CLUSTER} is replaced by cluster "
            f"names in local paths, as in clusters/{CLUSTER}/*.yaml"
        )
    return found


def _clusters(pattern: str) -> list[str]:
    """The clusters that have an entry at the first placeholder of a path."""
    before, _, rest = pattern.partition(CLUSTER)
    first = f"{before}{CLUSTER}{rest.partition('/')[0]}"
    part = first.rpartition("/")[2]
    if has_magic(part):
        raise BadFile(f"{part}: the cluster name in it is ambiguous. Write the path without *, ? and [")
    name, same = re.escape(CLUSTER), "(?P=name)"
    wanted = re.compile(re.escape(part).replace(name, "(?P<name>.+)", 1).replace(name, same))
    places = glob(first.replace(CLUSTER, "*"), recursive=True)  # noqa: PTH207 - it may be absolute
    found = [wanted.fullmatch(Path(one).name) for one in places]
    return sorted({one["name"] for one in found if one})


def _tell_alone(outcome: Outcome, config: Sequence[ConfigFile | ReleasesOf]) -> None:
    """Report clusters without a config although others have one. If none has one, that is an error."""
    own = {one.cluster for one in config}
    there = {cluster for key in outcome.keys for cluster in outcome.results.about(key).clusters}
    alone = sorted(there - own)
    if not alone or own <= {""}:
        return
    text = (
        f"no config for {how_many(len(alone), 'cluster')} of the dumps: {some(alone, _MOST)}. {CLUSTER} "
        "in -f is replaced by the names that --cluster-by selects"
    )
    if len(alone) == len(there) and "" not in own:
        raise BadFile(text)
    console().complain(text)


def _size(given: str) -> int:
    """The bytes of a part."""
    found = bytes_in(given)
    if found is None or found < _LEAST:
        raise BadSize(f"--part-size: {given!r} is not a size of at least 1KiB. Write it as 16MiB")
    return found


def _files(path: str) -> Iterator[tuple[str, bytes]]:
    return files().contents([path], recursive=True)


def _tell(outcome: Outcome, options: dict[str, Any]) -> None:
    for part, why in outcome.failed:
        console().complain(f"{part.source.name}: a part is missing in the results: {why}")
    if outcome.finished:
        parts = how_many(outcome.again, "part")
        console().say(f"this run was already finished: {parts} reused")
    elif outcome.again:
        console().say(f"{how_many(outcome.again, 'part')} of an earlier run reused")
    if options["html"] == STDOUT:
        pass
    elif options["output"] == "json":
        print_facts({**facts(outcome.summary), "failed": [part.source.name for part, _ in outcome.failed]})
    else:
        for line in text(outcome.summary):
            echo(line)
    console().say(f"results: {options['out']}")


def _exit_code(outcome: Outcome, fails: str | None) -> int:
    if outcome.failed or outcome.summary.undecided or FAILING & outcome.summary.gaps.keys():
        return 2
    return int(fails is not None and any(badness(key[3]) <= badness(fails) for key in outcome.summary.counts))


@contextmanager
def _progress() -> Iterator[Callable[[int, int, int, int], None]]:
    """A function to call after each part. It shows the progress, the objects per second and the remaining time."""
    line = ProgressLine() if sys.stderr.isatty() else None
    began = time.monotonic()

    def on_progress(done: int, total: int, objects: int, before: int) -> None:
        if line is not None:
            line.show(progress(done, total, objects, before, time.monotonic() - began))

    try:
        yield on_progress
    finally:
        if line is not None:
            line.remove()


def progress(done: int, total: int, objects: int, before: int, seconds: float) -> str:
    """The line of progress: `[===>  ]  40% 12000 objects, 830 a second, 2 min left`."""
    left = seconds * (total - done) / max(done - before, 1)
    rest = f"{left / 60:.0f} min" if left >= 90 else f"{left:.0f} s"
    return f"{bar(done, total)} {objects} objects, {objects / max(seconds, 0.001):.0f} per second, {rest} left"
