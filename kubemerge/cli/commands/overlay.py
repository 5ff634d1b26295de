"""`kubemerge overlay`: apply partial manifests to objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...apiserver.text.text import how_many
from .. import inputs
from ..options.clusters import FilesOption
from ..options.shared import lists_option, namespace_option, recursive_option, release_option, schema_option
from ..terminal.console import console, console_options, echo
from ..terminal.stdout import print_objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...manifests.objects import Manifest
    from ...offline.tables import Schemas


@click.command()
@click.option(
    "-f",
    "--filename",
    "paths",
    cls=FilesOption,
    metavar="PATH",
    multiple=True,
    required=True,
    help="The objects: a file, folder, glob, URL, or - for standard input. May be repeated.",
)
@click.option(
    "--patch-file",
    "files",
    cls=FilesOption,
    metavar="PATH",
    multiple=True,
    help="Sparse configs: a file, folder, glob, URL, or - for standard input. May be repeated.",
)
@click.option("-p", "--patch", "texts", metavar="PATCH", multiple=True, help="A partial manifest. May be repeated.")
@click.option("-o", "--output", type=click.Choice(["yaml", "json", "name"]), default="yaml", help="Output format.")
@recursive_option
@namespace_option
@release_option
@schema_option
@lists_option
@console_options
def overlay(output: str, release: str | None, schema: tuple[str, ...], **options: Any) -> int:
    """Patch objects with partial manifests, as kustomize does.

    All objects are printed, changed or not. A partial manifest contains the apiVersion, kind and metadata.name of an
    object, and the fields to change. It contains the namespace too if the name is ambiguous. It is applied as a
    strategic merge patch, or as a JSON merge patch if the kind has no strategic one. `$patch: delete` deletes the
    object. Configs of --patch-file are applied first, in order, and then those of -p.
    """
    if not options["files"] and not options["texts"]:
        raise click.UsageError("pass partial manifests with --patch-file or -p")
    known = inputs.schemas(release, schema, options["paths"], recursive=options["recursive"])
    objects = _overlaid(known, **options)
    if output == "name":
        for one in objects:
            echo(one.title)
    else:
        print_objects((one.content for one in objects), output)
    return 0


def _overlaid(
    known: Schemas,
    *,
    paths: tuple[str, ...],
    files: tuple[str, ...],
    texts: tuple[str, ...],
    recursive: bool,
    namespace: str | None,
    lists: str,
) -> list[Manifest]:
    """The objects after all patches. The first failing patch ends the run, because later ones may depend on it."""
    from ...manifests.objects import read_manifests
    from ...offline.overlay import Objects
    from ...offline.pairs import about, in_its_namespace

    def in_place(manifest: Manifest) -> Manifest:
        with about(manifest):
            return in_its_namespace(manifest, namespace, known.of(manifest.key))

    objects = Objects(map(in_place, read_manifests(paths, inputs.files(), recursive=recursive)))
    count = 0
    for patch in map(in_place, _patches(files, texts, recursive)):
        now = objects.lay(patch, known.of(patch.key), lists)
        console().detail(f"{patch.title} {'patched' if now else 'deleted'} by {patch.place}")
        count += 1
    patches = how_many(count, "patch")
    console().say(f"{objects.changed} of {how_many(len(objects), 'object')} changed by {patches}")
    return objects.left


def _patches(files: tuple[str, ...], texts: tuple[str, ...], recursive: bool) -> Iterator[Manifest]:
    from ...manifests.objects import manifests_in, read_manifests

    yield from read_manifests(files, inputs.files(), recursive=recursive)
    for text in texts:
        yield from manifests_in(text.encode("utf-8", "surrogateescape"), "--patch")
