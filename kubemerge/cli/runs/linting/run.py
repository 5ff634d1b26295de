"""One run of lint from its options and settings to its report."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ....apiserver.text.text import how_many
from ....linting import autoscalers
from ....linting.definitions import DefinitionFiles
from ....linting.files import Hidden, given, passed_by
from ....linting.gathering import Choice, definitions_of, gathered, known_in
from ....linting.reports import baseline
from ....linting.reports.codes import UnknownCode, selected
from ....linting.repository import settings as of_repository
from ....linting.repository.settings import Settings
from ....linting.runs import Linting, about_paths
from ....manifests.files import STDIN
from ...inputs import files
from ...terminal.console import console
from . import running

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ....linting.files import LintInputs
    from ....linting.gate.gate import Gate
    from ....linting.one_file import FileLinter
    from ....linting.reports.model import Report
    from ....linting.repository.git import Before


class LintOptions(NamedTuple):
    """The options of a run, with defaults from the settings."""

    options: dict[str, Any]
    settings: Settings
    releases: tuple[str, ...]
    schemas: tuple[str, ...]
    policies: tuple[str, ...]
    choice: Choice
    then: Before | None
    """The revision of --since: only files changed since are linted, and its findings are not reported. Or None."""


def run(paths: Sequence[str], options: dict[str, Any]) -> tuple[Report, bool]:
    """The report on these files, folders, globs, addresses or `-`, and whether it fails the run."""
    wanted = _wanted(options)
    found = _given(paths, wanted)
    folders = not options["recursive"]
    with _linting(found, wanted) as linting:
        if options["fix"]:
            found = _fixed(found, linting, wanted)
        report = gathered(found, linting.reports(found), wanted.choice, folders=folders)
        if wanted.then is not None:
            old = running.before(found, wanted.then)
            known = gathered(old, linting.reports(old), wanted.choice, folders=folders)
            report = baseline.without(report, baseline.counted(known))
    known_file = options["baseline"] or _baseline(wanted.settings)
    if known_file and not options["new_baseline"]:
        report = baseline.without(report, known_in(known_file))
    if folders and (deep := passed_by(paths)):
        console().say(f"{', '.join(deep)}: subfolders are not read (see -R)")
    for line in running.differing_definitions(found.files, report):
        console().say(line)
    for one in report.unread:
        console().complain(one.text)
    may_be_empty = any(options[name] for name in ("allow_empty", "since", "exclude"))
    if not (report.linted or report.unread or report.skipped or may_be_empty):
        raise click.ClickException(f"no objects in {', '.join(map(_called, paths))}")
    return report, wanted.choice.fails(report)


def _called(path: str) -> str:
    if path == "-":
        return STDIN
    return "the current folder" if os.path.normpath(path) == "." else path


def _wanted(options: dict[str, Any]) -> LintOptions:
    from ....linting.gate.releases import releases_of

    found = None if options["no_config"] else options["settings_file"] or of_repository.find()
    settings = of_repository.read(found) if found else Settings()
    severity = options["severity"] or settings.severity
    ignored = (*settings.ignore, *options["ignore"])
    _require_known_codes(found, settings, options)
    codes = selected(options["select"] or settings.select, ignored)
    remote = options["allow_remote_schemas"]
    own = (of_repository.inside(settings, "schemas", one, addresses=remote) for one in settings.schemas)
    schemas = (*own, *options["schema"])
    policies = (
        *(of_repository.inside(settings, "policies", one) for one in settings.policies),
        *options["policies"],
    )
    releases = releases_of(options["release"] or settings.release)
    then = _before(options["since"]) if options["since"] else None
    return LintOptions(options, settings, releases, schemas, policies, Choice(codes, severity, settings, ignored), then)


def _require_known_codes(file: str | None, settings: Settings, options: dict[str, Any]) -> None:
    """Reject unknown codes in the settings, with the name of their file."""
    try:
        selected(() if options["select"] else settings.select, settings.ignore)
        for _, codes in settings.per_path:
            selected((), codes)
    except UnknownCode as error:
        raise of_repository.BadSettings(f"{file}: {error}") from None


def _baseline(settings: Settings) -> str | None:
    """The baseline that the settings name."""
    return of_repository.inside(settings, "baseline", settings.baseline) if settings.baseline else None


def _given(paths: Sequence[str], wanted: LintOptions) -> LintInputs:
    options, settings = wanted.options, wanted.settings
    hidden = [
        Hidden(settings.exclude, settings.folder, options["untracked"] or settings.untracked),
        Hidden(options["exclude"], ".", False),
    ]
    found = given(paths, files(), hidden, recursive=options["recursive"])
    then = wanted.then
    if then is not None:
        found = found.with_files([one for one in found.files if then.is_changed(*one)])
    return found


def _before(revision: str) -> Before:
    from ....linting.repository.git import Before

    return Before(revision)


@contextmanager
def _linting(found: LintInputs, wanted: LintOptions) -> Iterator[Linting]:
    """The linter of the files: from files alone, or with live objects, which may be on a server."""
    from ...options.clusters import ClusterLocation

    options = wanted.options
    where = ClusterLocation(None, None, options["context"], options["kubeconfig"])
    if not where.is_server:
        kept = not (options["live"] or options["last"])
        autoscaled = autoscalers.are_in(found.files)
        about = _about(wanted, autoscaled=autoscaled) if kept else None
        yield Linting(lambda: _by_files(found, wanted, autoscaled=autoscaled), about, files().reading)
        return
    from ...options.clusters import connected
    from ..merge import refuse_files

    refuse_files(options["live"], options["last"])
    with connected(where) as cluster:
        yield Linting(lambda: _by_server(cluster, found, wanted), None)


def _about(wanted: LintOptions, *, autoscaled: bool) -> list[str] | None:
    """Everything except the files that determines the findings.

    None if part of it may change unnoticed.
    """
    options = wanted.options
    words = (str(options[name]) for name in ("namespace", "server_side", "manager", "tool_release"))
    paths = about_paths((*wanted.schemas, *wanted.policies))
    return None if paths is None else [*wanted.releases, *words, str(autoscaled), *paths]


def _by_files(found: LintInputs, wanted: LintOptions, *, autoscaled: bool) -> FileLinter:
    from ....offline.pairs import Others

    options = wanted.options
    parsed = DefinitionFiles(found.files)
    known = running.schemas(wanted.releases[0], wanted.schemas, parsed.definitions)
    others = Others(
        options["live"], options["last"], known, files(), namespace=options["namespace"], recursive=options["recursive"]
    )
    gate = _gate(wanted.releases, wanted, parsed.definitions)
    return _linter(others, gate, wanted, parsed, autoscaled=autoscaled)


def _by_server(cluster: Any, found: LintInputs, wanted: LintOptions) -> FileLinter:
    from ....offline.server_objects import ServerObjects
    from ...servers import schemas_with

    options = wanted.options
    asked = options["release"] or wanted.settings.release
    parsed = DefinitionFiles(found.files)
    known = schemas_with(cluster, wanted.releases[0] if asked else None, wanted.schemas, parsed.definitions)
    releases = wanted.releases if asked else (str(cluster.release_tables().release),)
    objects = ServerObjects(cluster, options["namespace"], known)
    return _linter(objects, _gate(releases, wanted, parsed.definitions), wanted, parsed)


def _gate(releases: Sequence[str], wanted: LintOptions, definitions: Sequence[Any]) -> Gate:
    from ....linting.files import read_quietly
    from ....linting.gate.gate import Gate
    from ....offline.policies import policies_in

    more = definitions_of(read_quietly(wanted.schemas))
    given = policies_in(wanted.policies, files()) if wanted.policies else []
    return Gate(releases, [one.content for one in (*definitions, *more)], given)


def _linter(
    others: Any, gate: Gate, wanted: LintOptions, parsed: DefinitionFiles, *, autoscaled: bool = True
) -> FileLinter:
    from ....apiserver.errors import ConnectError, StoreError
    from ....linting.one_file import FileLinter
    from ...inputs import tables
    from ...terminal.stdout import OutputClosed

    options = wanted.options
    manager = options["manager"] if options["server_side"] else None
    tool = tables(options["tool_release"], wanted.schemas) if options["tool_release"] else None
    fatal = (ConnectError, StoreError, OutputClosed)
    return FileLinter(
        others,
        gate,
        manager=manager,
        tool=tool,
        tell=running.tell,
        fatal=fatal,
        read=parsed.documents,
        autoscaled=autoscaled,
    )


def _fixed(found: LintInputs, linting: Linting, wanted: LintOptions) -> LintInputs:
    """The files after all safe fixes."""
    from ....linting.fixing import fix_all

    files_now, count, changed = fix_all(found.files, linting.linter(), wanted.choice.codes)
    where = f"{how_many(count, 'place')} in {how_many(changed, 'file')}"
    console().say(f"fixed: {where}" if count else "nothing can be fixed safely")
    return found.with_files(files_now)
