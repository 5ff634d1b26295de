"""`kubemerge generate`: print snapshots to `generated/`, or your own specification to a package."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal.console import console, console_options

BUILT_IN = Path("generated")


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the files are not what would be written.")
@click.option(
    "--spec",
    "specs",
    metavar="SOURCE",
    multiple=True,
    help="A specification (file, folder, address, -) to print instead of the snapshots. May be repeated.",
)
@click.option(
    "--out", metavar="PACKAGE", type=click.Path(path_type=Path), help="The folder to write: generated/ by default."
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
def generate(check: bool, specs: tuple[str, ...], out: Path | None, snapshots: Path) -> int:
    """Print merge tables as a Python package.

    Without --spec, from the snapshots of every release that come with kubemerge. With --spec, from your
    cluster's OpenAPI document or your CRDs; load it with engine.load(package=...).
    """
    from codegen import generating

    if specs and out is None:
        raise click.UsageError("--spec needs --out: the folder of the package to write")
    folder = out or BUILT_IN
    if specs and folder.resolve() == BUILT_IN.resolve():
        raise click.UsageError(f"--out {folder} is where the tables of all releases lie; choose another folder")
    files = _of_specs(specs) if specs else generating.built_in_files(snapshots)
    if not check:
        changed = generating.write_package(folder, files)
        console().say(f"{folder}: {len(files)} files, {changed} changed")
        return 0
    found = generating.differences(folder, files)
    for line in found:
        click.echo(line)
    if found:
        console().say(f"{folder} is not what the specifications give; run `kubemerge generate`")
        return 1
    console().say(f"{folder}: all {len(files)} files are what the specifications give")
    return 0


def _of_specs(specs: tuple[str, ...]) -> dict[str, str]:
    from codegen.generating import files_of
    from codegen.reading import facts_of
    from codegen.sources.opening import documents

    return files_of(facts_of([document for source in specs for document in documents(source)], specs[0]))
