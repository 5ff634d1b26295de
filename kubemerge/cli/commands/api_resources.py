"""`kubemerge api-resources`: the kinds that the cluster serves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..flags import Misused
from ..generators.shared import list_option
from ..options.clusters import ClusterLocation, cluster_options, opened
from ..terminal.console import console_options, echo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...apiserver.http.discovery.resources import DiscoveredResource

FORMS = ("json", "name", "wide", "yaml")


@click.command("api-resources")
@click.argument("words", metavar="", nargs=-1)
@cluster_options
@click.option("--api-group", metavar="GROUP", help="List only resources of this API group (empty for the core group).")
@click.option(
    "--namespaced",
    type=bool,
    is_flag=False,
    flag_value=True,
    help="List only namespaced resources, or with `false` only cluster-scoped ones.",
)
@list_option("--verbs", metavar="VERBS", help="List only resources that support all of these verbs.")
@list_option("--categories", metavar="CATEGORIES", help="List only resources in all of these categories.")
@click.option("--sort-by", metavar="FIELD", help="Sort by `name` or `kind`.")
@click.option("--no-headers", is_flag=True, help="Omit the column headers.")
@click.option("--cached", is_flag=True, hidden=True, help="Accepted but ignored: nothing is fetched.")
@click.option("-o", "--output", metavar="FORM", default="", help="Output format: wide, name, yaml or json.")
@console_options
def api_resources(
    where: ClusterLocation, words: tuple[str, ...], output: str, sort_by: str | None, **options: object
) -> int:
    """List the API resources that the cluster serves.

    With `-o wide`, verbs and categories are listed too.
    """
    from ...apiserver.http.discovery.resources import served

    if words:
        raise Misused(f"unexpected arguments: [{' '.join(words)}]")
    if output and output not in FORMS:
        known = f"allowed formats are: {','.join(FORMS)}"
        raise click.ClickException(f'unable to match a printer suitable for the output format "{output}", {known}')
    if sort_by not in (None, "name", "kind"):
        raise click.ClickException("--sort-by accepts only name or kind")
    no_headers = bool(options.pop("no_headers"))
    with opened(where, "rehearse") as cluster:
        found = [one for one in served(cluster, cluster.release) if _is_meant(one, **options)]  # type: ignore[arg-type]
    if sort_by:
        found.sort(key=lambda one: one.name if sort_by == "name" else one.kind)
    _print(found, output, headers=not no_headers)
    return 0


def _is_meant(
    one: DiscoveredResource,
    *,
    api_group: str | None,
    namespaced: bool | None,
    verbs: Sequence[str],
    categories: Sequence[str],
    cached: bool,  # noqa: ARG001 - it changes nothing
) -> bool:
    return (
        api_group in (None, one.group)
        and namespaced in (None, one.namespaced)
        and {*verbs} <= {*one.verbs}
        and {*categories} <= {*one.categories}
    )


_TITLES = ("NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND", "VERBS", "CATEGORIES")


def _print(found: Sequence[DiscoveredResource], output: str, *, headers: bool) -> None:
    if output == "name":
        for one in found:
            echo(one.called)
        return
    if output in ("yaml", "json"):
        from ..terminal.stdout import print_whole

        facts = [one.facts for one in found]
        print_whole([{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "", "resources": facts}], output)
        return
    from ...printers.tables import aligned

    count = len(_TITLES) if output == "wide" else len(_TITLES) - 2
    rows = [list(_TITLES[:count])] if headers else []
    for one in found:
        cells = [one.name, ",".join(one.short_names), one.api_version, str(one.namespaced).lower(), one.kind]
        rows.append([*cells, ",".join(one.verbs), ",".join(one.categories)][:count])
    for line in aligned(rows) if rows else ():
        echo(line)
