"""`kubemerge plan`: predict a deployment tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engine.values.go_json import encode

from ..options.clusters import FilesOption, cluster_option
from ..options.gates import feature_gates_option
from ..options.shared import (
    html_option,
    live_or_cluster_option,
    namespace_option,
    recursive_option,
    release_option,
    schema_option,
    secrets_option,
)
from ..runs.merge_request import MergeRequest
from ..terminal.console import console, console_options, tell
from ..terminal.stdout import STDOUT, print_facts, print_line, print_objects, print_text, write_page

if TYPE_CHECKING:
    from ...plan import Plan
    from ...repair import Repair
    from ..runs.plan import Planning

TOOL_NAMES = ("kubectl", "helm", "argocd", "flux")


@click.command()
@click.option("--as", "tool", type=click.Choice(TOOL_NAMES), required=True, help="The tool to predict.")
@click.option(
    "-f",
    "--filename",
    "config",
    cls=FilesOption,
    metavar="PATH",
    multiple=True,
    help="The rendered manifests: a file, folder, glob, URL, or - for standard input. May be repeated.",
)
@live_or_cluster_option
@cluster_option
@recursive_option
@namespace_option
@release_option
@feature_gates_option
@schema_option
@click.option(
    "--server-side",
    type=click.Choice(["auto", "true", "false"]),
    is_flag=False,
    flag_value="true",
    help="Use server-side apply. Default: the tool's own default.",
)
@click.option(
    "--force-conflicts",
    is_flag=True,
    help="With server-side apply: take over fields of other managers. With --repair: repair them, too.",
)
@click.option("--force", is_flag=True, help="Replace objects, as the tool's own --force or --force-replace does.")
@click.option("--take-ownership", is_flag=True, help="helm: adopt existing objects without Helm's metadata.")
@click.option(
    "--release-secret",
    "documents",
    metavar="FILE",
    multiple=True,
    help="helm: Secrets of the release, sh.helm.release.v1.NAME.vN. A rollback needs two. May be repeated.",
)
@click.option(
    "--release-name",
    metavar="NAME",
    help="helm: the name of the release, to find its Secrets. Default: the only release in --live.",
)
@click.option(
    "--rollback", type=click.IntRange(0), metavar="REVISION", help="helm: predict a rollback. 0: the previous revision."
)
@click.option(
    "--settings",
    metavar="FILE",
    multiple=True,
    help="argocd: the Application, and the ConfigMap argocd-cm. flux: the Kustomization. May be repeated.",
)
@click.option("--crds", metavar="PATH", multiple=True, help="helm: the chart's crds folder. May be repeated.")
@click.option("--tool-version", metavar="VERSION", help="The tool's major version, such as 3 for Helm 3.")
@click.option("--field-manager", "manager", metavar="NAME", help="The field manager of the tool, if not the default.")
@click.option(
    "--repair",
    is_flag=True,
    help="Print the smallest patch for each object that restores the config. Fields of other managers stay unchanged.",
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json", "markdown", "patch", "yaml"]),
    default="text",
    help="Output format. markdown is for a comment on a pull request. With --repair, patch prints the patches as JSON, "
    "one per line, and yaml prints a document for each patch with its target and type.",
)
@html_option
@secrets_option
@console_options
def plan(tool: str, output: str, html: str | None, show_secrets: bool, repair: bool, **options: Any) -> int:
    """Predict the effects of kubectl, Helm, Argo CD or Flux.

    Nothing is written, and a real cluster is only read: `get` and `list` are enough. The report lists created, changed
    and deleted objects, and fields that keep their live value. For each conflict, it shows the owner of the field and
    the smallest fix.

    Exit codes: 0: the tool succeeds. 1: it fails, because of a conflict or for another reason. 2: error. With
    --repair: 0: nothing to repair. 1: drift, or fields that other managers keep. 2: an object cannot be repaired, or
    another error.
    """
    from ..runs.plan import Planning

    _check_formats(output, html, repair=repair)

    documents, crds = (*options.pop("documents"), *options.pop("settings")), options.pop("crds")
    options["schema"] = (*options["schema"], *crds)
    request = {name: options.pop(name) for name in MergeRequest.__slots__ if name in options}
    planning = Planning(tool, MergeRequest(**request), options, documents, crds)
    if repair:
        return _repair(planning, output, secrets=show_secrets)
    found = planning.plan()
    if found is None:
        return planning.exit_code
    if html != STDOUT:
        _print(found, output, secrets=show_secrets)
    if html:
        from ...html import plan_page

        write_page(html, plan_page(found, secrets=show_secrets), private=show_secrets)
    return planning.exit_code or int(found.has_conflicts or found.fails)


def _print(found: Plan, output: str, *, secrets: bool) -> None:
    from ...plan.report import facts, lines

    if output == "json":
        print_facts(facts(found, secrets=secrets))
    elif output == "markdown":
        from ...plan.markdown import markdown

        print_text("".join(f"{line}\n" for line in markdown(found, secrets=secrets)))
    else:
        tell(lines(found, secrets=secrets, everything=console().verbose))


def _check_formats(output: str, html: str | None, *, repair: bool) -> None:
    if repair and (html or output == "markdown"):
        raise click.UsageError("--repair has no --html and no -o markdown. Use -o text, json, patch or yaml")
    if not repair and output in ("patch", "yaml"):
        raise click.UsageError(f"-o {output} only works with --repair")


def _repair(planning: Planning, output: str, *, secrets: bool) -> int:
    found = planning.repair()
    if found is None:
        return planning.exit_code
    _print_repair(found, output, secrets=secrets)
    return planning.exit_code or (2 if found.failed else int(found.has_drift))


def _print_repair(found: Repair, output: str, *, secrets: bool) -> None:
    from ...repair.model import CREATE
    from ...repair.report import NEEDS_SECRETS, command, documents, facts, hidden_patches, lines

    if output == "json":
        print_facts(facts(found, secrets=secrets))
        return
    if output == "text":
        tell(lines(found, secrets=secrets, everything=console().verbose))
        return
    for one in hidden_patches(found, secrets=secrets):
        console().complain(f"{one.title}: {NEEDS_SECRETS}")
    patches = [*documents(found, secrets=secrets)]
    if output == "yaml":
        print_objects(patches, "yaml")
        return
    for patch in patches:
        if patch["type"] != CREATE:
            print_line(encode(patch["patch"]))
    for repaired in found.objects:
        if repaired.patch is not None:
            state = f"{repaired.state}: " if repaired.patch.type == CREATE else ""
            console().say(f"{repaired.title}: {state}{command(repaired)}")
        for problem in repaired.problems:
            console().complain(f"{repaired.title}: it cannot be repaired: {problem}")
