"""`kubemerge patch`: patch objects in files or in a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine import MergeError

from ...actions.requests import SERVER
from ...actions.serverside.managers import PATCH
from ..inputs import files, schemas
from ..options.clusters import Where, cluster_option, dry_run_option, managed_fields_option, manager_option
from ..options.shared import lists_option, namespace_option, recursive_option, release_option, schema_option
from ..terminal.console import console, console_options
from ..terminal.stdout import print_objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...manifests.objects import Manifest


@click.command()
@click.argument("words", metavar="[TYPE NAME... | TYPE/NAME...]", nargs=-1)
@click.option(
    "-f",
    "--filename",
    "paths",
    metavar="PATH",
    multiple=True,
    help="Objects outside of the cluster: a file, folder, glob, address, or - for standard input. May be repeated.",
)
@click.option(
    "--type",
    "patch_type",
    type=click.Choice(["strategic", "merge", "json"]),
    default="strategic",
    show_default=True,
    help="The type of the patch: a strategic merge patch, a JSON merge patch, or a JSON patch (a list of operations).",
)
@click.option("-p", "--patch", "text", metavar="PATCH", help="The patch, as JSON or YAML.")
@click.option("--patch-file", "file", metavar="PATH", help="The file, address or - that holds the patch.")
@click.option(
    "-o", "--output", type=click.Choice(["yaml", "json", "name"]), help="What to print; with -f yaml by default."
)
@click.option("--subresource", type=click.Choice(["status"]), help="In the cluster: patch this part only.")
@click.option("--local", is_flag=True, help="With -f: confirm what holds anyway, that the cluster is not changed.")
@dry_run_option
@manager_option(PATCH)
@managed_fields_option
@cluster_option
@recursive_option
@namespace_option
@release_option
@schema_option
@lists_option
@console_options
def patch(
    words: tuple[str, ...],
    text: str | None,
    file: str | None,
    output: str | None,
    subresource: str | None,
    local: bool,
    dry_run: str,
    manager: str,
    show_managed_fields: bool,
    cluster: str | None,
    **options: Any,
) -> int:
    """Patch objects of the cluster, given by name; or print what a patch makes of the objects in files.

    With -f it does what `kubectl patch --local` does, and the cluster is not read. Where kubectl only prints that an
    object is patched, the object itself is printed; -o name prints its name. Custom resources have strategic patches
    too once --schema gives their definition. An object that cannot be patched is reported, the others are patched, and
    the exit code is 2 with -f, and else 1, as with kubectl.
    """
    if (text is None) == (file is None):
        raise click.UsageError("give the patch in one of -p and --patch-file")
    problem = _contradiction(words, options, local, live=bool(cluster or subresource or dry_run == SERVER))
    if problem:
        raise click.UsageError(problem)
    wanted = _read(text, file)
    if words:
        from ..runs.patch import PatchOptions, Selection, patch_live

        asked = Selection(words, namespace=options["namespace"])
        how = PatchOptions(options["patch_type"], subresource, dry_run, output, manager, show_managed_fields)
        return patch_live(Where(cluster, options["release"]), asked, wanted, how)
    if not local:
        _tell_of_a_cluster()
    return _print_patched(_Patching(wanted, **options), output)


def _tell_of_a_cluster() -> None:
    """Note that the live object stays as it is, where kubectl would patch it."""
    from ...cluster.embedded.opening import locate

    file = locate()
    if Path(file).exists():
        console().say(f"{file}, the cluster, is not changed; name the object to patch it there, or say --local")


def _print_patched(patching: _Patching, output: str | None) -> int:
    if output == "name":
        for one in patching:
            click.echo(_name(one))
    else:
        print_objects(patching, output or "yaml")
    return 2 if patching.failed else 0


_FILES_ONLY = "-f patches the objects in files; name the object as TYPE NAME to patch it in the cluster"


def _contradiction(words: tuple[str, ...], options: dict[str, Any], local: bool, *, live: bool) -> str | None:
    """What is wrong with a combination of options; `live` are those that only make sense for a cluster."""
    files = options["paths"]
    rules = {
        "name objects of the cluster, as TYPE NAME, or give files with -f": not words and not files,
        "name the objects by words or by -f, not by both": words and files,
        "--local is for the objects in files; give them with -f": words and local,
        _FILES_ONLY: files and live,
        "--schema is for the objects in files; the cluster has its own definitions": words and options["schema"],
        "--lists=schema is for the objects in files": words and options["lists"] != "kubectl",
    }
    return next((rule for rule, broken in rules.items() if broken), None)


def _read(text: str | None, file: str | None) -> Any:
    from ...offline.patch import read_patch

    if text is not None:
        return read_patch(text.encode("utf-8", "surrogateescape"), "--patch")
    found = list(files().contents([str(file)]))
    if len(found) > 1:
        raise click.UsageError(f"{file} matches {len(found)} files; --patch-file takes one")
    name, data = found[0]
    return read_patch(data, name)


class _Patching:
    """The objects of a command line, each patched when its turn comes."""

    def __init__(
        self,
        patch: Any,
        *,
        paths: tuple[str, ...],
        patch_type: str,
        recursive: bool,
        namespace: str | None,
        release: str | None,
        schema: tuple[str, ...],
        lists: str,
    ) -> None:
        self.patch, self.paths, self.patch_type, self.lists = patch, paths, patch_type, lists
        self.recursive, self.namespace = recursive, namespace
        self.schemas = schemas(release, schema, paths, recursive=recursive)
        self.failed = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        from ...manifests.objects import read_manifests

        for manifest in read_manifests(self.paths, files(), recursive=self.recursive):
            try:
                result = self._patched(manifest)
            except MergeError as error:
                self.failed += 1
                console().complain(f"{manifest.place}: {manifest.title}: {error}")
            else:
                yield result

    def _patched(self, manifest: Manifest) -> dict[str, Any]:
        from engine.clientside.last_applied import as_sent
        from engine.values.plain import same

        from ...actions.requests import check_namespace
        from ...offline.patch import patched

        schema = self.schemas.of(manifest.key)
        check_namespace(manifest.content, self.namespace)
        title = manifest.title
        console().detail(f"{title}: {self.patch_type} patch of {manifest.place}, {_rules(schema)}")
        before = manifest.content
        result = patched(
            before, self.patch, self.patch_type, schema, self.lists, lambda text: console().say(f"{title}: {text}")
        )
        console().say(f"{title} patched{' (no change)' if same(as_sent(before), result) else ''}")
        return result


def _rules(schema: Any) -> str:
    if schema is None:
        return "no schema is known"
    return f"by the rules of Kubernetes {schema.release}" if schema.release else "by its own schema"


def _name(document: dict[str, Any]) -> str:
    """The object as kubectl calls it; a patch may have removed its kind or name."""
    group, _, _ = str(document.get("apiVersion") or "").rpartition("/")
    metadata = document.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return f"{document['kind'].lower()}{f'.{group}' if group else ''}/{name or ''}"
