"""`kubemerge diff`: what an apply would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..asking.cluster_options import selector_option
from ..asking.options import Asked, apply_options, html_option, secrets_option
from ..differing.difference import Difference, Show
from ..merging.applying import Applying
from ..showing.console import console, console_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
@html_option
@secrets_option
@console_options
def diff(
    asked: Asked, selector: str | None, output: str, show_managed_fields: bool, html: str | None, show_secrets: bool
) -> int:
    """Show what `kubectl apply` would change in the live objects, as `kubectl diff` does.

    Live are the objects of --live, else those of the cluster, which is also asked what it would make of the request.
    The annotation of apply is left as it is, and the values of Secrets are masked. The exit code is 0 if nothing would
    change, 1 if something would, and 2 after an error. With KUBECTL_EXTERNAL_DIFF set, that program shows the
    difference and decides, as with kubectl.
    """
    applying = Applying(asked, server=True, selector=selector or "")
    kept: list[Merged] | None = [] if html else None
    different = _SHOWN[output](_differences(applying, Show(show_managed_fields, show_secrets), kept))
    if html and kept is not None:
        from ..pages import diff_page
        from ..showing.writing import write_page

        write_page(html, diff_page(kept, show_secrets=show_secrets))
    return applying.exit_code or int(different)


def _differences(applying: Applying, show: Show, kept: list[Merged] | None) -> Iterator[Difference]:
    seen = differing = 0
    for merged in applying:
        difference = Difference(merged, show)
        if kept is not None:
            kept.append(merged)
        seen += 1
        differing += difference.differs
        yield difference
    if not seen:
        return
    failed = f", {applying.failed} could not be merged" if applying.failed else ""
    console().say(f"{differing} of {seen} object{'' if seen == 1 else 's'} would change{failed}")


def _text(differences: Iterable[Difference]) -> bool:
    from ..differing.external import external_command

    command = external_command()
    if command:
        return _external(differences, command)
    from ..differing.unified import colored, unified

    found = False
    for difference in differences:
        if difference.differs:
            found = True
            lines = list(unified(*difference.texts, difference.name))
            shown = colored(lines) if console().colored else lines
            click.echo("".join(f"{line}\n" for line in shown), nl=False, color=console().colored)
    return found


def _external(differences: Iterable[Difference], command: list[str]) -> bool:
    from ..differing.external import folders

    console().detail(f"the difference is shown by {' '.join(command)}")
    with folders() as both:
        for difference in differences:
            both.add(difference)
        return both.compare(command)


def _json(differences: Iterable[Difference]) -> bool:
    from ..showing.printing import print_facts

    differing = [difference for difference in differences if difference.differs]
    print_facts([fact for difference in differing for fact in difference.facts()])
    return bool(differing)


_SHOWN = {"text": _text, "json": _json}
