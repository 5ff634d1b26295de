"""`kubemerge patch`: patch objects of the cluster, or local files with --local."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import SERVER
from ...actions.serverside.managers import PATCH
from ...actions.targets import NOT_NAMED
from ..failures import Failures
from ..inputs import files, schemas
from ..options.clusters import ClusterLocation, cluster_option, dry_run_option, manager_option
from ..options.gates import feature_gates_option
from ..options.outputs import result_option
from ..options.shared import lists_option, namespace_option, recursive_option, release_option, schema_option
from ..runs.result_lines import Results
from ..terminal.console import console, console_options

if TYPE_CHECKING:
    from ...manifests.objects import Manifest
    from ..options.outputs import Form


@click.command()
@click.argument("words", metavar="[TYPE NAME... | TYPE/NAME...]", nargs=-1)
@click.option(
    "-f",
    "--filename",
    "paths",
    metavar="PATH",
    multiple=True,
    help="Files that identify the objects: a file, folder, glob, URL, or - for standard input. May be repeated.",
)
@click.option(
    "--type",
    "patch_type",
    default="strategic",
    show_default=True,
    metavar="[strategic|merge|json]",
    help="Patch type: strategic merge patch, JSON merge patch, or JSON patch (a list of operations).",
)
@click.option("-p", "--patch", "text", metavar="PATCH", help="The patch, as JSON or YAML.")
@click.option("--patch-file", "file", metavar="PATH", help="File or URL of the patch, or - for standard input.")
@click.option("--subresource", metavar="NAME", help="Patch this subresource: status, scale or resize.")
@click.option("--local", is_flag=True, help="Patch the objects in the files of -f, without a cluster.")
@dry_run_option
@manager_option(PATCH)
@cluster_option
@recursive_option
@namespace_option
@release_option
@feature_gates_option
@schema_option
@lists_option
@result_option
@console_options
def patch(
    words: tuple[str, ...],
    text: str | None,
    file: str | None,
    output: Form | None,
    subresource: str | None,
    local: bool,
    dry_run: str,
    manager: str,
    show_managed_fields: bool,
    cluster: str | None,
    context: str | None,
    kubeconfig: str | None,
    **options: Any,
) -> int:
    """Patch live objects, or with --local objects in files.

    Objects are selected by name or by file. With --local, custom resources support strategic patches if --schema
    provides their definition. If an object cannot be patched, the error is printed, the other objects are still
    patched, and the exit code is 1.
    """
    where = ClusterLocation(cluster, options["release"], context, kubeconfig)
    named = "cluster" if cluster else "context" if where.is_server else ""
    problem = _contradiction(words, options, text, file, local=local, dry_run=dry_run, named=named)
    if problem:
        raise click.UsageError(problem)
    wanted = _read(text, file)
    if local:
        return _Patching(wanted, **options).print(Results(output, dry_run, managed_fields=show_managed_fields))
    from ..runs.patch import PatchOptions, Selection, patch_live

    paths, recursive = options["paths"], options["recursive"]
    asked = Selection(words, config=paths, recursive=recursive, namespace=options["namespace"])
    how = PatchOptions(options["patch_type"], subresource, dry_run, output, manager, show_managed_fields)
    return patch_live(where, asked, wanted, how)


_TYPES = ("json", "merge", "strategic")


def _contradiction(
    words: tuple[str, ...],
    options: dict[str, Any],
    text: str | None,
    file: str | None,
    *,
    local: bool,
    dry_run: str,
    named: str,
) -> str | None:
    """The error for a combination of options, in kubectl's words."""
    asked = options["patch_type"]
    rules = {
        "cannot specify --patch and --patch-file together": text is not None and file is not None,
        "must specify --patch or --patch-file containing the contents of the patch": text is None and file is None,
        "cannot specify --local and server resources": local and words,
        "cannot specify --local and --dry-run=server - did you mean --dry-run=client?": local and dry_run == SERVER,
        f'--type must be one of [{" ".join(_TYPES)}], not "{asked}"': asked not in _TYPES,
        NOT_NAMED: not words and not options["paths"],
        f"--local uses no cluster. Omit --{named}": local and named,
        "--schema requires --local. The cluster has its own definitions": options["schema"] and not local,
        "--lists=schema requires --local": options["lists"] != "kubectl" and not local,
    }
    return next((rule for rule, broken in rules.items() if broken), None)


def _read(text: str | None, file: str | None) -> Any:
    from ...offline.patch import read_patch

    if text is not None:
        return read_patch(text.encode("utf-8", "surrogateescape"), "--patch")
    found = list(files().contents([str(file)]))
    if len(found) > 1:
        raise click.UsageError(f"{file} matches {len(found)} files. --patch-file requires exactly one")
    name, data = found[0]
    return read_patch(data, name)


class _Patching:
    """The objects in files, each patched in its turn."""

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

    def print(self, results: Results) -> int:
        """Print the result for each object. Return the exit code."""
        failures = Failures()
        for manifest in failures.manifests(self.paths, recursive=self.recursive):
            with failures.catch(manifest.place, manifest.title):
                results.done(*self._patched(manifest))
        return failures.exit_code

    def _patched(self, manifest: Manifest) -> tuple[dict[str, Any], str]:
        """The patched object, and the word for the result."""
        from engine.clientside.last_applied import as_sent
        from engine.values.plain import same

        from ...actions.requests import check_namespace
        from ...offline.patch import patched

        schema = self.schemas.of(manifest.key)
        check_namespace(manifest.content, self.namespace)
        title = manifest.title
        console().detail(f"{title}: {self.patch_type} patch from {manifest.place}, {_rules(schema)}")
        before = manifest.content
        result = patched(
            before, self.patch, self.patch_type, schema, self.lists, lambda text: console().say(f"{title}: {text}")
        )
        return result, f"patched{' (no change)' if same(as_sent(before), result) else ''}"


def _rules(schema: Any) -> str:
    if schema is None:
        return "no schema"
    return f"by the rules of Kubernetes {schema.release}" if schema.release else "by its own schema"
