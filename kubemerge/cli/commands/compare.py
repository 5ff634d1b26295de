"""`kubemerge compare`: merge differences between releases, API versions and specifications, and for one object."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import click

from ...offline.tables import laid_over, specification, specification_if_there
from ..inputs import files
from ..options import completion as completing
from ..options.clusters import ClusterLocation, server_option
from ..options.gates import feature_gates_option
from ..options.shared import (
    html_option,
    last_option,
    live_option,
    namespace_option,
    policies_option,
    recursive_option,
    schema_option,
)
from ..runs.comparing.config import Objects
from ..terminal.console import console, console_options, echo_text, tell
from ..terminal.stdout import STDOUT, write_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Tables

    from ...compare.chain import Side
    from ..runs.comparing.results import Compared, Replays

FORMS = ["text", "json", "markdown", "html"]


@click.command()
@click.argument("sides", nargs=-1, metavar="[LEFT RIGHT | FIRST..LAST]", shell_complete=completing.releases)
@click.option(
    "--left",
    metavar="SIDE",
    shell_complete=completing.releases,
    help="The left side: a release, file, folder, URL, or - for standard input.",
)
@click.option(
    "--right", metavar="SIDE", shell_complete=completing.releases, help="The right side, in the same forms as --left."
)
@click.option(
    "--kind",
    "kinds",
    metavar="KIND",
    multiple=True,
    shell_complete=completing.kinds,
    help="Compare only these kinds (comma-separated). May be repeated.",
)
@click.option(
    "--severity",
    type=click.Choice(["breaking", "notable", "info"]),
    default=None,
    help="Report only changes of at least this severity. Default: notable with -f, otherwise info.",
)
@click.option(
    "--server-side",
    is_flag=True,
    help="Report only changes that affect field ownership in server-side apply: list types, keys and map types.",
)
@click.option(
    "-f",
    "--filename",
    "config",
    metavar="PATH",
    multiple=True,
    help="Apply this config under the rules of each side. May be repeated.",
)
@live_option
@last_option
@server_option
@namespace_option
@recursive_option
@schema_option
@policies_option
@feature_gates_option
@click.option("-o", "--output", type=click.Choice(FORMS), default="text", help="Output format.")
@html_option
@click.option("--exit-code", is_flag=True, help="Exit 1 if there are findings of at least --severity.")
@click.option(
    "--write",
    is_flag=True,
    help="With -f: rewrite files that use API versions deprecated or removed in the last release, if no field changes.",
)
@console_options
def compare(
    sides: tuple[str, ...],
    left: str | None,
    right: str | None,
    kinds: tuple[str, ...],
    severity: str | None,
    server_side: bool,
    config: tuple[str, ...],
    live: tuple[str, ...],
    last: str | None,
    context: str | None,
    kubeconfig: str | None,
    namespace: str | None,
    recursive: bool,
    schema: tuple[str, ...],
    policies: tuple[str, ...],
    output: str,
    html: str | None,
    exit_code: bool,
    write: bool,
) -> int:
    """Compare merge rules between releases, or check an upgrade.

    The two sides are releases (`1.12 1.37`), API versions of a kind (`apps/v1beta1/Deployment@1.12
    apps/v1/Deployment@1.37`), or OpenAPI documents (`--left cluster.json --right 1.37`). A range (`1.25..1.37`)
    compares each release with the one before. The server of --context is the left side, or the right one with --left.

    With -f, the objects of a config are checked against each release: removed API versions, dropped fields, rejected
    values, changed defaults and results, and --policies. Without sides, all releases are checked. Values of Secrets are
    masked. YAML files that are not Kubernetes manifests are skipped. -q suppresses the report, for --exit-code or
    --html.

    Exit codes: 0: done. 1: findings, with --exit-code. 2: an error, but other objects are still compared.
    """
    objects = Objects(config, live, last, namespace, recursive, ClusterLocation(None, None, context, kubeconfig))
    _check(objects, kinds, policies, write=write, server_side=server_side)
    chain = _with_policies(_chain(sides, left, right, schema, objects), policies)
    from ..runs.comparing.results import Compared, Replays

    if not config:
        found: Replays | Compared = Compared(chain, kinds, severity or "info", server_side=server_side)
    else:
        found = Replays(chain, objects, severity or "notable")
        if not found.any_read:
            return found.failed
    _write(found, output, html)
    if write and isinstance(found, Replays):
        found.write()
    return found.failed or int(exit_code and found.differs)


def _write(found: Replays | Compared, output: str, html: str | None) -> None:
    """Print the report, and write the page."""
    if not console().quiet and html != STDOUT:
        _print(found.printed(output), output)
    if html:
        write_page(html, found.page())


def _print(printed: str, output: str) -> None:
    if output != "text":
        echo_text(printed)
        return
    from ..terminal.colours import with_severities

    tell(with_severities(printed.split("\n")))


def _check(objects: Objects, kinds: Sequence[str], policies: Sequence[str], *, write: bool, server_side: bool) -> None:
    """Reject contradictory options."""
    if any(not kind.strip(" ,") for kind in kinds):
        raise click.UsageError("--kind is empty. Name a kind, or omit --kind")
    if objects.config and kinds:
        raise click.UsageError("--kind filters rule changes. Omit it with -f")
    if objects.config and server_side:
        raise click.UsageError("--server-side filters rule changes. Omit it with -f")
    if write and not objects.config:
        raise click.UsageError("--write rewrites the files of a config. Pass one with -f")
    if policies and not objects.config:
        raise click.UsageError("--policies evaluates policies for a config. Pass one with -f")
    if not objects.config and (objects.live or objects.last or objects.namespace or objects.recursive):
        raise click.UsageError("--live, --last-applied, -n and -R require a config. Pass one with -f")


def _texts(sides: tuple[str, ...], left: str | None, right: str | None, replays: bool) -> list[str]:
    """The sides from left to right, as they were typed: two, or one range."""
    from ...compare.sides import is_range

    found = [left, *sides] if left is not None else [*sides]
    found = [*found, right] if right is not None else found
    texts = [text for text in found if text is not None] or ([".."] if replays else [])
    there = [text for text in texts if os.path.exists(text)]  # noqa: PTH110
    rest = [text for text in texts if text not in there]
    if there and (len(rest) == 2 or any(map(is_range, rest))):
        typed = f"kubemerge compare {' '.join(rest)} -f {' -f '.join(there)}"
        raise click.UsageError(f"pass config files with -f: `{typed}`")
    if len(texts) == 2 or (len(texts) == 1 and is_range(texts[0])):
        return texts
    raise click.UsageError(
        "pass two sides, as in `1.12 1.37` or `--left spec.json --right 1.37`, or one range, as in `1.25..1.37`"
    )


def _chain_with_server(
    left: str | None, right: Sequence[str], schemas: tuple[str, ...], where: ClusterLocation
) -> list[Side]:
    """The server of --context or --kubeconfig, and one other side."""
    from ...compare.chain import Side
    from ...compare.sides import is_range
    from ..servers import tables

    others = [*([left] if left else []), *right]
    if len(others) != 1 or is_range(others[0]):
        raise click.UsageError("the server is one side of the comparison. Pass one other side, such as `1.37`")
    other = _sides(others, schemas)[0]
    server = Side(where.context or str(where.kubeconfig), tables(where, schemas))
    return [other, server] if left else [server, other]


def _chain(
    sides: tuple[str, ...], left: str | None, right: str | None, schemas: tuple[str, ...], objects: Objects
) -> list[Side]:
    """Two sides or the releases of a range, with their tables."""
    from ...compare.sides import releases_of

    if objects.where.is_server and not objects.config:
        return _chain_with_server(left, [*sides, *([right] if right else [])], schemas, objects.where)
    texts = _texts(sides, left, right, bool(objects.config))
    return _sides(releases_of(texts[0]) if len(texts) == 1 else texts, schemas)


def _with_policies(chain: list[Side], paths: tuple[str, ...]) -> list[Side]:
    """The sides with the admission policies of their servers."""
    if not paths:
        return chain
    from dataclasses import replace

    from ...offline.policies import policies_in

    given = tuple(policies_in(paths, files()))
    return [replace(one, policies=given) for one in chain]


def _sides(texts: Sequence[str], schemas: tuple[str, ...]) -> list[Side]:
    """The sides with their tables. --schema is laid over each of them."""
    from ...compare.sides import side

    layers = [specification(one, files()) for one in schemas]

    def over(tables: Tables) -> Tables:
        return laid_over(tables, layers)

    return [side(text, partial(specification_if_there, files=files()), over) for text in texts]
