"""`kubemerge auth`: what somebody may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..generators.shared import Aliased
from ..options.clusters import Where, cluster_namespace_option, cluster_options, opened
from ..terminal.console import console, console_options, echo

if TYPE_CHECKING:
    from ...cluster import Cluster

_VERBS = frozenset(
    ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "use", "bind", "impersonate")
)
_MORE_VERBS = frozenset(("*", "approve", "sign", "escalate", "attest", "proxy"))
_URL_VERBS = frozenset(("get", "put", "post", "head", "options", "delete", "patch"))
_NOBODY = "a cluster that is a file has no users, so everything is allowed to everybody"


@click.group("auth", cls=Aliased, no_args_is_help=False)
def auth() -> None:
    """Tell what somebody may do in the cluster: everything, since a cluster that is a file has no users."""


@auth.command("can-i")
@click.argument("words", metavar="[VERB TYPE[/NAME] | VERB URL]", nargs=-1)
@cluster_options
@cluster_namespace_option
@click.option("-A", "--all-namespaces", is_flag=True, help="In all namespaces.")
@click.option("--subresource", metavar="NAME", default="", help="On this part: log, status, scale.")
@click.option("--list", "show", is_flag=True, help="Print all that is allowed.")
@click.option("--no-headers", is_flag=True, help="With --list: leave out the titles of the columns.")
@click.option("--as", "user", metavar="NAME", help="Whom the question is about; it makes no difference here.")
@click.option("--as-group", metavar="NAME", multiple=True, help="Their groups; they make no difference here.")
@console_options
def can_i(
    where: Where, words: tuple[str, ...], show: bool, no_headers: bool, user: str | None, **options: object
) -> int:
    """Tell whether an action is allowed. Everything is allowed to everybody here, whatever Roles say."""
    if user or options["as_group"]:
        console().say(_NOBODY)
    if show:
        _list(headers=not no_headers)
        return 0
    if len(words) != 2:
        raise click.UsageError("you must specify two arguments: verb resource or verb resource/resourceName.")
    with opened(where, "rehearse") as cluster:
        warning = _warning(cluster, *words, everywhere=bool(options["all_namespaces"]))
    if warning:
        console().report(f"Warning: {warning}")
        echo("", err=True)
    if not console().quiet:
        echo("yes")
    return 0


def _warning(cluster: Cluster, verb: str, what: str, *, everywhere: bool) -> str:
    """What is odd about a question, in kubectl's words; it is answered all the same."""
    from ...actions.targets import NoSuchResource, kind_called

    if what.startswith("/"):
        return "" if verb in _URL_VERBS | {"*"} else f"verb '{verb}' is not a known verb"
    if verb not in _VERBS | _MORE_VERBS:
        return f"verb '{verb}' is not a known verb"
    word = what.partition("/")[0]
    if word == "*":
        return ""
    try:
        resource = kind_called(cluster, word)
    except NoSuchResource:
        name, _, group = word.partition(".")
        where = f" in group '{group}'" if group else ""
        return f"the server doesn't have a resource type '{name}'{where}"
    if resource.namespaced or everywhere:
        return ""
    group = f" in group '{resource.group}'" if resource.group else ""
    return f"resource '{resource.plural}' is not namespace scoped{group}"


def _list(*, headers: bool) -> None:
    from ...printers.tables import aligned

    titles = [["Resources", "Non-Resource URLs", "Resource Names", "Verbs"]] if headers else []
    rows = [["*.*", "[]", "[]", "[*]"], ["", "[*]", "[]", "[*]"]]
    for line in aligned([*titles, *rows]):
        echo(line)


@auth.command("whoami")
@console_options
def whoami() -> int:
    """Say that there are no users."""
    raise click.ClickException(f"{_NOBODY}, and nobody is somebody")
