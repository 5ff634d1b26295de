"""`kubemerge generate`: print snapshots to `generated/`, or your own specification to a package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options.servers import server_options
from ..runs.specifications import documents_of
from ..terminal.console import console, console_options, echo
from ..terminal.progress import working

if TYPE_CHECKING:
    from codegen.sources.opening import SourceDocument

BUILT_IN = Path("generated")


@click.command()
@click.option("--check", is_flag=True, help="Write nothing. Exit 1 if a file is out of date.")
@click.option(
    "--spec",
    "specs",
    metavar="SOURCE",
    multiple=True,
    help="A specification to use instead of the snapshots, with the forms of `spec add --from`. May be repeated.",
)
@server_options
@click.option(
    "--out", metavar="PACKAGE", type=click.Path(path_type=Path), help="The folder to write. Default: generated/."
)
@click.option(
    "--openapi",
    "snapshots",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    default=Path("openapi"),
    show_default=True,
    help="The folder with the snapshots.",
)
@console_options
def generate(
    check: bool, specs: tuple[str, ...], server: str | None, out: Path | None, snapshots: Path, **how: Any
) -> int:
    """Generate merge tables as a Python package.

    The tables come from the bundled snapshots of all releases. With --spec, --server or --context, they come from your
    cluster or CRDs. Load such a package with engine.load(package=...). An existing package is replaced as a whole.
    """
    from codegen import generating

    context = f"the context {how['context'] or 'of the kubeconfig'}" if _is_server(how) else None
    own = bool(specs or server or context)
    if own and out is None:
        raise click.UsageError("--spec, --server and --context require --out PACKAGE, the folder to write")
    folder = out or BUILT_IN
    if own and folder.resolve() == BUILT_IN.resolve():
        raise click.UsageError(f"--out {folder} holds the tables of all releases. Choose another folder")
    if own:
        files = _of_specs(documents_of(specs, server, **how), specs[0] if specs else server or str(context))
    else:
        with working() as on_progress:
            files = generating.built_in_files(snapshots, on_progress)
    if not check:
        changed = generating.write_package(folder, files)
        console().say(f"{folder}: {len(files)} files, {changed} changed")
        return 0
    found = generating.differences(folder, files)
    for line in found:
        echo(line)
    if found:
        console().say(f"{folder} is out of date. Run `kubemerge generate`")
        return 1
    console().say(f"{folder}: all {len(files)} files are up to date")
    return 0


def _is_server(how: dict[str, Any]) -> bool:
    """Whether a kubeconfig selects the server."""
    return how["context"] is not None or how["kubeconfig"] is not None


def _of_specs(found: list[SourceDocument], name: str) -> dict[str, str]:
    from codegen.generating import files_of
    from codegen.reading import facts_of

    return files_of(facts_of(found, name))
