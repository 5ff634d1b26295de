"""`kubemerge spec`: release snapshots and their creation."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options.servers import server_options
from ..runs.specifications import documents_of
from ..terminal.console import console, console_options, tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from codegen.snapshots import SourcesEntry

_folder = click.option(
    "--openapi",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    default=Path("openapi"),
    show_default=True,
    help="The folder with the snapshots.",
)


@click.group(no_args_is_help=False)
def spec() -> None:
    """Manage the schema snapshots that merge tables come from."""


@spec.command("list")
@_folder
@console_options
def list_(folder: Path) -> None:
    """List the snapshots and their sources."""
    from codegen import SpecError
    from codegen.credentials import without_credentials
    from codegen.gates import FOLDER as GATES
    from codegen.snapshots import load_sources
    from codegen.validation.declared import FOLDER as DECLARED

    entries = load_sources(folder)
    if not entries:
        raise SpecError(str(folder), "a folder with OpenAPI snapshots and their list, the file SOURCES", found="none")
    for entry in (*entries, *load_sources(folder / DECLARED), *load_sources(folder / GATES)):
        tell([f"{entry.release:5} {without_credentials(entry.source)}"])


@spec.command()
@click.argument("release")
@click.option(
    "--from",
    "source",
    metavar="SOURCE",
    help="A file, folder or URL, - for standard input, pypi:NAME==VERSION/PATH, npm:NAME@VERSION/PATH, or "
    "the Go modules.",
)
@click.option("--sha256", metavar="HEX", help="Reject a source with another SHA-256 digest.")
@server_options
@_folder
@console_options
def add(release: str, source: str | None, sha256: str | None, server: str | None, folder: Path, **how: Any) -> None:
    """Write the snapshot of a RELEASE (example: 1.38) and add it to SOURCES.

    Nothing is written unless the whole source was read and describes a whole release. Passwords and tokens in a
    URL are not stored. Run `kubemerge generate` afterwards.

    Go modules (go:MODULE@VERSION, separated by spaces) have separate snapshots. k8s.io/api, k8s.io/apimachinery and
    k8s.io/kubernetes give declared validation. k8s.io/kubernetes, k8s.io/apiserver,
    k8s.io/apiextensions-apiserver and k8s.io/api give feature gates.
    """
    from codegen import SpecError
    from codegen.snapshots import add_snapshot, digest, minor_of
    from codegen.sources.go_modules import is_module

    is_context = how["context"] is not None or how["kubeconfig"] is not None
    if (source is not None) + (server is not None) + is_context != 1:
        raise click.UsageError("pass one of --from, --server and --context")
    minor_of(release)
    if source and is_module(source):
        from codegen import gates
        from codegen.validation import declared

        of_modules = gates if gates.is_source(source) else declared
        entry = of_modules.add(folder, release, source, sha256)
        console().say(f"{folder / of_modules.FOLDER / entry.file}: {entry.sha256}")
        return
    found = documents_of([source] if source else [], server, **how)
    name = source or f"{server or 'a context'} (a live cluster)"
    if sha256 and digest(found) != sha256.lower():
        raise SpecError(name, f"the SHA-256 digest {sha256.lower()}", found=digest(found))
    entry = add_snapshot(folder, release, found, name)
    console().say(f"{folder / entry.file}: {entry.sha256}")


@spec.command()
@click.argument("releases", nargs=-1)
@click.option("--fetch", "again", is_flag=True, help="Download each source and rebuild the snapshot.")
@_folder
@console_options
def check(releases: tuple[str, ...], again: bool, folder: Path) -> int:
    """Verify the snapshots of all or the given RELEASES against SOURCES.

    Exit codes: 0: all match, 1: at least one does not.
    """
    from codegen import SpecError, gates
    from codegen.snapshots import load_snapshot, load_sources, remake
    from codegen.sources.packages import PackageFetcher
    from codegen.validation import declared

    entries = [entry for entry in load_sources(folder) if not releases or entry.release in releases]
    unknown = sorted({*releases} - {entry.release for entry in entries})
    if unknown or not entries:
        raise SpecError(str(folder), f"a snapshot of {unknown[0] if unknown else 'a release'}", found="none")
    wrong = 0
    with PackageFetcher() as packages:
        checks: list[tuple[SourcesEntry, Callable[[SourcesEntry], object], Callable[[SourcesEntry], object]]] = [
            (entry, partial(load_snapshot, folder), partial(remake, packages=packages)) for entry in entries
        ]
        for of_modules in (declared, gates):
            listed = load_sources(folder / of_modules.FOLDER)
            own = [entry for entry in listed if not releases or entry.release in releases]
            checks += [(entry, partial(of_modules.load_one, folder), of_modules.remake) for entry in own]
        for entry, read, make_again in checks:
            try:
                if again:
                    make_again(entry)
                read(entry)
            except SpecError as error:
                wrong += 1
                tell([str(error)])
            else:
                console().detail(f"{entry.release} matches")
    console().say(f"{len(checks) - wrong} of {len(checks)} match")
    return 1 if wrong else 0
