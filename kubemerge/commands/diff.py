"""`kubemerge diff`: what an apply would change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..asking.cluster_options import selector_option
from ..asking.options import Asked, apply_options, html_option, secrets_option
from ..differing.difference import Difference, Show
from ..differing.removal import Removal
from ..merging.applying import Applying
from ..showing.console import console, console_options

if TYPE_CHECKING:
    from ..merging.pairs import Merged


@click.command()
@apply_options
@selector_option
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    help="A unified difference, or a list of the fields that differ.",
)
@click.option("--show-managed-fields", is_flag=True, help="Also show metadata.managedFields.")
@click.option("--prune", is_flag=True, help="Also show what an apply with --prune would delete; see --selector.")
@click.option(
    "--prune-allowlist",
    "allowlist",
    metavar="GROUP/VERSION/KIND",
    multiple=True,
    help="Prune this kind, as core/v1/ConfigMap, and not those that kubectl prunes. May be repeated.",
)
@html_option
@secrets_option
@console_options
def diff(asked: Asked, selector: str | None, output: str, html: str | None, **options: Any) -> int:
    """Show what `kubectl apply` would change in the live objects, as `kubectl diff` does.

    Live are the objects of --live, else those of the cluster, which is also asked what it would make of the request.
    The annotation of apply is left as it is, and the values of Secrets are masked. Of an object that is in the config
    twice, the last one counts. The exit code is 0 if nothing would change, 1 if something would, and 2 after an error.
    With KUBECTL_EXTERNAL_DIFF set, that program shows the difference and decides, as with kubectl.
    """
    from ..differing.external import external_command

    prune, show_secrets = options["prune"], options["show_secrets"]
    if prune and (asked.live or asked.last or html):
        other = "--html" if html else "--live" if asked.live else "--last-applied"
        raise click.UsageError(f"--prune is for what is in a cluster, and not for {other}; leave out one of them")
    allowlist = options["allowlist"] if prune else None
    applying = Applying(asked, server=True, selector=selector or "", allowlist=allowlist)
    show = Show(options["show_managed_fields"], show_secrets)
    kept: dict[Any, Merged] | None = {} if html else None
    command = external_command() if output == "text" else []
    seen, found = _differences(applying, show, kept, alike=bool(command))  # that program sees all of them
    different = _external(found, command) if command else _SHOWN[output](found)
    _tell(seen, found, applying.failed)
    if html and kept is not None:
        from ..pages import diff_page
        from ..showing.writing import write_page

        write_page(html, diff_page(list(kept.values()), show_secrets=show_secrets))
    return applying.exit_code or int(different)


def _differences(
    applying: Applying, show: Show, kept: dict[Any, Merged] | None, *, alike: bool
) -> tuple[int, list[Difference | Removal]]:
    """How many objects there are; those that differ, and behind them those that would be pruned.

    With `alike`, those that do not differ are among them.
    """
    places: dict[Any, str] = {}
    found: dict[Any, Difference] = {}
    for merged in applying:
        manifest = merged.inputs.manifest
        key = (manifest.key, manifest.identity) if manifest.identity[-1] else len(places)  # else it gets a new name
        if key in places:
            console().say(f"{manifest.place}: {manifest.title} is in {places[key]} already; the last one counts")
        places[key] = manifest.place
        difference = Difference(merged, show)
        if difference.differs or alike:
            found[key] = difference
        else:
            found.pop(key, None)
        if kept is not None:
            kept[key] = merged
    return len(places), [*found.values(), *(Removal(one, show) for one in applying.unneeded)]


def _tell(seen: int, found: list[Difference | Removal], failed: int) -> None:
    if not (seen or found):
        return
    differing = sum(one.differs for one in found if isinstance(one, Difference))
    pruned = sum(isinstance(one, Removal) for one in found)
    objects = f"{seen} object{'' if seen == 1 else 's'}"
    more = [f", {pruned} would be pruned"] if pruned else []
    more += [f", {failed} could not be merged"] if failed else []
    console().say(f"{differing} of {objects} would change{''.join(more)}")


def _text(differences: list[Difference | Removal]) -> bool:
    from ..differing.unified import colored, unified

    for difference in differences:
        lines = list(unified(*difference.texts, difference.name))
        shown = colored(lines) if console().colored else lines
        click.echo("".join(f"{line}\n" for line in shown), nl=False, color=console().colored)
    return bool(differences)


def _external(differences: list[Difference | Removal], command: list[str]) -> bool:
    from ..differing.external import folders

    console().detail(f"the difference is shown by {' '.join(command)}")
    with folders() as both:
        for difference in differences:
            both.add(difference)
        return both.compare(command)


def _json(differences: list[Difference | Removal]) -> bool:
    from ..showing.printing import print_facts

    print_facts([fact for difference in differences for fact in difference.facts()])
    return bool(differences)


_SHOWN = {"text": _text, "json": _json}
