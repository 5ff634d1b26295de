"""`kubemerge git-merge`: the git merge driver."""

from __future__ import annotations

import click

from ..terminal.console import console, console_options


@click.command("git-merge")
@click.argument("base", type=click.Path())
@click.argument("ours", type=click.Path())
@click.argument("theirs", type=click.Path())
@click.option("--path", default="", metavar="PATH", help="Path of the file in the repository, for messages (%P).")
@click.option("--marker-size", default="7", metavar="N", help="Length of conflict markers (%L). Default: 7.")
@click.option("--base-label", default="", metavar="TEXT", help="Label of BASE in conflict markers (%S).")
@click.option("--ours-label", default="", metavar="TEXT", help="Label of OURS in conflict markers (%X).")
@click.option("--theirs-label", default="", metavar="TEXT", help="Label of THEIRS in conflict markers (%Y).")
@console_options
def git_merge(
    base: str, ours: str, theirs: str, path: str, marker_size: str, base_label: str, ours_label: str, theirs_label: str
) -> int:
    """Merge manifests by field, as a git merge driver.

    The result replaces OURS, and every unchanged byte is preserved. List elements are matched by merge key, and objects
    by group, kind, namespace and name. A file that cannot be merged by field is merged by line, as git does.
    `kubemerge git-setup` registers the driver.

    Exit codes: 0: merged. 1: conflicts, which have git's markers in the file. 2: error.
    """
    from ...gitmerge.driver import Options, run

    size = int(marker_size) if marker_size.isdecimal() and 0 < int(marker_size) < 1000 else 7
    options = Options(path, (base_label, ours_label, theirs_label), size)
    return run((base, ours, theirs), options, console().complain)
