"""`kubemerge owners`: field owners of live objects."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from engine import MergeError

from ..options.clusters import ClusterLocation, FilesOption, cluster_option, opened
from ..options.shared import (
    html_option,
    managers_option,
    recursive_option,
    release_option,
    schema_option,
    secrets_option,
)
from ..terminal.console import columns, console_options, echo, tell
from ..terminal.stdout import STDOUT, print_facts, write_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Owner, Schema

    from ...ownership.fields import Owned
    from ..failures import Failures


@click.command()
@click.argument("words", metavar="[KIND/NAME] [PATH]", nargs=-1)
@click.option(
    "-f",
    "--filename",
    "live",
    cls=FilesOption,
    metavar="FILE",
    multiple=True,
    help="Live objects (output of `kubectl get -o yaml --show-managed-fields`): a file, folder, glob, "
    "URL, or - for standard input. It may be a dump such as a Velero backup. May be repeated.",
)
@recursive_option
@cluster_option
@click.option(
    "-n",
    "--namespace",
    metavar="NAME",
    help="Namespace of KIND/NAME. With -f: print only objects in this namespace.",
)
@release_option
@schema_option
@managers_option
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "yaml", "json"]),
    default="text",
    help="Output format. yaml is the text format without shortened values.",
)
@html_option
@secrets_option
@console_options
def owners(words: tuple[str, ...], output: str, html: str | None, show_secrets: bool, **asked: Any) -> int:
    """Print live objects with the owners of each field.

    Objects come from files (-f), or KIND/NAME selects one in the cluster. An owner is a field manager, with the
    operation, subresource and time of its last write. Fields without an owner are marked `nobody`. PATH limits the
    output to one field, such as `spec.template.spec.containers[name=web].image`.

    An object without managedFields is reported, and the exit code is 2.
    """
    from ..failures import Failures

    if asked["live"] and len(words) > 1:
        raise click.UsageError("with -f, only a PATH may be given")
    if not asked["live"] and not (words and "/" in words[0] and len(words) <= 2):
        raise click.UsageError("pass files with -f, or name an object of the cluster: KIND/NAME")
    failures = Failures()
    path = words[-1] if len(words) > (0 if asked["live"] else 1) else ""
    with _objects(words, failures, asked) as found:
        kept = [*_selected(found, path, failures, asked["managers"], secrets=show_secrets)]
    if html != STDOUT:
        _print(kept, output, sizes=not path and not asked["managers"])
    if html:
        from ...html import owners_page

        write_page(html, owners_page(kept), private=show_secrets)
    return failures.exit_code


@contextmanager
def _objects(
    words: tuple[str, ...], failures: Failures, asked: dict[str, Any]
) -> Iterator[Iterator[tuple[str, dict[str, Any], Schema | None]]]:
    """The selected objects, each with its title and its schema."""
    where = ClusterLocation(asked["cluster"], asked["release"], asked["context"], asked["kubeconfig"])
    if asked["live"]:
        if where.is_server:
            raise click.UsageError("-f and --context exclude each other. Omit one of them")
        yield _of_files(failures, asked)
        return
    from ...actions.targets import wanted
    from ...manifests.objects import title

    with opened(where, "read") as cluster:
        (one,) = wanted(cluster, words[:1])
        live = cluster.get(one.reference(asked["namespace"] or cluster.namespace))
        yield iter([(title(live), live, cluster.schema(live["apiVersion"], live["kind"]))])


def _of_files(failures: Failures, asked: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], Schema | None]]:
    from ...offline.pairs import no_object_in
    from ..inputs import schemas

    known = schemas(asked["release"], asked["schema"], asked["live"], recursive=asked["recursive"], live=True)
    seen = False
    for manifest in failures.live(asked["live"], recursive=asked["recursive"]):
        seen = True
        namespace = manifest.content["metadata"].get("namespace")
        if not asked["namespace"] or namespace == asked["namespace"]:
            yield manifest.title, manifest.content, known.of(manifest.key)
    if not seen and not failures.count:
        raise no_object_in(asked["live"])


class NotTracked(MergeError):
    """An object without managedFields."""


def _selected(
    found: Iterator[tuple[str, dict[str, Any], Schema | None]],
    path: str,
    failures: Failures,
    managers: tuple[str, ...],
    *,
    secrets: bool,
) -> Iterator[tuple[str, Owned]]:
    """The objects, or their fields at a path or owned by some managers. It is an error if no object has the path."""
    from ...offline.at_path import read_path
    from ...ownership.fields import owned_fields
    from ...ownership.selection import at_path, of_managers

    steps = read_path(path)
    lacking: list[str] = []
    some = False
    for title, live, schema in found:
        with failures.catch(title):
            if not live["metadata"].get("managedFields"):
                raise NotTracked(
                    "the object has no managedFields, so its owners are unknown. Print it with --show-managed-fields"
                )
            owned = owned_fields(live, schema, secrets=secrets)
            if path:
                owned = at_path(owned, steps)
            if not owned.fields and not owned.gone:
                lacking.append(title)
                continue
            some = True
            owned = of_managers(owned, managers) if managers else owned
            if owned.fields or owned.gone:
                yield title, owned
    if lacking and not some:
        raise MergeError(f"{', '.join(lacking)}: no field {path}. Use a path that exists")


def _print(found: list[tuple[str, Owned]], output: str, *, sizes: bool) -> None:
    if output == "json":
        from ...ownership.facts import facts

        print_facts([facts(title, owned, owned) for title, owned in found])
        return
    from ...ownership.yaml_text import NOBODY, absent, commented, lines, summary
    from ..terminal.colours import OWNERS, painted, styled

    colours: dict[tuple[str, str], str] = {}

    def named(name: str, owner: Owner) -> str:
        key = owner.manager, owner.operation
        colours.setdefault(key, OWNERS[len(colours) % len(OWNERS)])
        return styled(name, fg=colours[key])

    width = columns(sys.stdout)
    for number, (title, owned) in enumerate(found):
        if number:
            echo("---")
        tell(summary(title, owned, sizes=sizes))
        yaml = lines(owned.fields, whole=output == "yaml")
        tell(commented(yaml, named, painted(NOBODY, "changed"), room=width), tables=False)
        tell(absent(owned.gone))
