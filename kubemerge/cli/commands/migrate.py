"""`kubemerge migrate`: migrate from client-side to server-side apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...migrate.tools import TOOLS
from ..options.clusters import cluster_option
from ..options.gates import feature_gates_option
from ..options.shared import (
    config_option,
    html_option,
    live_or_cluster_option,
    namespace_option,
    recursive_option,
    release_option,
    schema_option,
    secrets_option,
)
from ..runs.merge_request import MergeRequest
from ..terminal.console import console, console_options, echo, tell
from ..terminal.stdout import STDOUT, print_facts, write_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...apiserver.pipeline import Server
    from ...migrate.report import Planned
    from ...offline.pairs import Inputs
    from ..runs.merge import Applying


@click.command()
@config_option
@live_or_cluster_option
@cluster_option
@recursive_option
@namespace_option
@release_option
@feature_gates_option
@schema_option
@click.option(
    "--by",
    type=click.Choice([*TOOLS]),
    default="kubectl",
    show_default=True,
    help="The tool that will apply server-side.",
)
@click.option(
    "--from",
    "before",
    metavar="WRITER",
    multiple=True,
    help=f"The previous writer: {', '.join(TOOLS)}, or the name of a field manager. Default: the same tool, "
    "client-side. May be repeated.",
)
@click.option("--field-manager", "manager", metavar="NAME", help="The field manager of the tool, if not the default.")
@click.option(
    "--write", is_flag=True, help="Hand over fields of previous writers, in the files of --live or in the cluster."
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json", "patch"]),
    default="text",
    help="Output format. patch prints one JSON patch per line for each object with fields to hand over.",
)
@html_option
@secrets_option
@console_options
def migrate(write: bool, output: str, html: str | None, show_secrets: bool, **asked: Any) -> int:
    """Predict the first server-side apply of a config.

    It is meant for live objects that were applied client-side before. The report lists conflicts, fields that the apply
    would take over, leave behind or remove, and fixes. A field is left behind if a previous writer still owns it: it
    stays in the object after you remove it from the config. With --write, fields of previous writers are handed over
    to the tool. Nothing else changes.

    Exit codes: 0: ready. 1: conflicts, or fields that are left behind. 2: error.
    """
    from ...migrate.report import UNRESOLVED, facts
    from ..runs.merge import Applying

    by, before, manager = asked.pop("by"), asked.pop("before"), asked.pop("manager")
    applying = Applying(MergeRequest(**asked))
    planning = _Planning(applying, by, before, manager)
    planned = [*applying.each(planning.planned)]
    if applying.all_unknown:
        console().say("no live objects, so every object counts as new. Pass them with --live")
    if write:
        planned = planning.written(planned, MergeRequest(**asked))
    if html != STDOUT:
        if output == "json":
            print_facts([facts(one, secrets=show_secrets) for one in planned])
        elif output == "patch":
            _print_patches(planned)
        else:
            _print(planned, secrets=show_secrets)
    if html:
        from ...html import migrate_page

        write_page(html, migrate_page(planned, secrets=show_secrets), private=show_secrets)
    return applying.exit_code or int(any(one.migration.state in UNRESOLVED for one in planned))


class _Planning:
    """Plans the migration of each object, with the options of the command line."""

    def __init__(self, applying: Applying, by: str, before: Sequence[str], manager: str | None) -> None:
        self._applying, self._by, self._before, self._manager = applying, by, before, manager
        self._server: Server | None = None

    def planned(self, others: Any, manifest: Any) -> Planned:
        """One object with its migration."""
        from ...migrate.report import Planned
        from ...offline.pairs import Others
        from ..runs.merge import with_notes

        inputs = with_notes(others.of(manifest))
        if isinstance(others, Others):
            self._server = self._server or self._applying.server_beside(others)
        return Planned(inputs, self._migration(inputs, inputs.live.content if inputs.live else None))

    def _migration(self, inputs: Inputs, live: Any) -> Any:
        from ...migrate import plan_migration

        return plan_migration(
            inputs.config,
            live,
            inputs.schema,
            by=self._by,
            before=self._before,
            manager=self._manager,
            server=self._server,
        )

    def written(self, planned: list[Planned], asked: MergeRequest) -> list[Planned]:
        """The objects after the fields of former managers were handed over, each with the remaining steps."""
        changed = [one for one in planned if one.migration.patch]
        if asked.live:
            _write_files(changed, asked)
        else:
            _write_cluster(changed, asked)
        return [
            one._replace(migration=self._migration(one.inputs, one.migration.prepared), written=True)
            if one.migration.patch
            else one
            for one in planned
        ]


def _write_files(changed: Sequence[Planned], asked: MergeRequest) -> None:
    from ...manifests.files import Files
    from ...migrate.rewrite import require_files, rewrite

    require_files(asked.live)
    content = {one.inputs.live.id: one.migration.prepared or {} for one in changed if one.inputs.live}
    for name in rewrite(asked.live, content, Files(), recursive=asked.recursive):
        console().say(f"wrote {name}")


def _write_cluster(changed: Sequence[Planned], asked: MergeRequest) -> None:
    from ...cluster import Reference
    from ..options.clusters import ClusterLocation, opened

    if not changed:
        return
    where = ClusterLocation(asked.cluster, None if asked.is_server else asked.release, asked.context, asked.kubeconfig)
    with opened(where, "change") as cluster:
        for one in changed:
            cluster.patch(Reference.of(one.inputs.config), list(one.migration.patch), "json")
            console().say(f"{one.inputs.title} handed over")


def _print(planned: Sequence[Planned], *, secrets: bool) -> None:
    from ...migrate.report import lines, summary
    from ..terminal.colours import STATES, painted

    if planned:
        tell([painted(summary(planned), "title")])
    for one in planned:
        if len(planned) > 1 and one.migration.state in ("ready", "new") and not console().verbose:
            continue
        first, *rest = lines(one, secrets=secrets)
        tell(["", painted(first, STATES[one.migration.state]), *rest])


def _print_patches(planned: Sequence[Planned]) -> None:
    from engine.values.go_json import encode

    for one in planned:
        if one.migration.patch:
            echo(encode(list(one.migration.patch)))
            console().say(one.inputs.title)
