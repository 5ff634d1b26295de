"""`kubemerge auth`: what somebody may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..generators.shared import Aliased
from ..options.clusters import Where, cluster_namespace_option, cluster_options, connected, opened, server_option
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
    """Tell what somebody may do in the cluster: everything in one that is a file, which has no users."""


@auth.command("can-i")
@click.argument("words", metavar="[VERB TYPE[/NAME] | VERB URL]", nargs=-1)
@cluster_options
@cluster_namespace_option
@click.option("-A", "--all-namespaces", is_flag=True, help="In all namespaces.")
@click.option("--subresource", metavar="NAME", default="", help="On this part: log, status, scale.")
@click.option("--list", "show", is_flag=True, help="Print all that is allowed.")
@click.option("--no-headers", is_flag=True, help="With --list: leave out the titles of the columns.")
@click.option("--as", "user", metavar="NAME", help="Whom the question is about; it makes no difference for a file.")
@click.option("--as-group", metavar="NAME", multiple=True, help="Their groups; they make no difference for a file.")
@console_options
def can_i(where: Where, words: tuple[str, ...], show: bool, no_headers: bool, user: str | None, **options: Any) -> int:
    """Tell whether an action is allowed. In a cluster that is a file, everything is, whatever Roles say."""
    if show and not where.is_server:
        _list([["*.*", "[]", "[]", "[*]"], ["", "[*]", "[]", "[*]"]], headers=not no_headers)
        return 0
    if not show and len(words) != 2:
        raise click.UsageError("you must specify two arguments: verb resource or verb resource/resourceName.")
    if where.is_server:
        return _ask(where, words, user or "", show=show, headers=not no_headers, **options)
    if user or options["as_group"]:
        console().say(_NOBODY)
    with opened(where, "rehearse") as cluster:
        _warn(_warning(cluster, *words, everywhere=bool(options["all_namespaces"])))
    if not console().quiet:
        echo("yes")
    return 0


def _warn(warning: str) -> None:
    if warning:
        console().report(f"Warning: {warning}")
        echo("", err=True)


def _ask(
    where: Where,
    words: tuple[str, ...],
    user: str,
    *,
    show: bool,
    headers: bool,
    namespace: str | None,
    all_namespaces: bool,
    subresource: str,
    as_group: tuple[str, ...],
) -> int:
    """The answer of a server; 1 if something is not allowed."""
    from ...actions.operating.access import Who, may, rights

    who = Who(user, as_group)
    with connected(where) as cluster:
        at = "" if all_namespaces else namespace or cluster.namespace
        if show:
            rows, incomplete = rights(cluster, who, at)
            if incomplete:
                console().report(f"Warning: the list may be incomplete: {incomplete}")
            _list(rows, headers=headers)
            return 0
        _warn(_warning(cluster, *words, everywhere=all_namespaces))
        said = may(cluster, who, **_attributes(cluster, *words, namespace=at, subresource=subresource))
    if not console().quiet:
        echo("yes" if said.allowed else f"no{said.why}")
    return 0 if said.allowed else 1


def _attributes(cluster: Cluster, verb: str, what: str, *, namespace: str, subresource: str) -> dict[str, Any]:
    """What a review asks about; a word that is not a kind is asked as it stands."""
    from ...actions.targets import NoSuchResource, kind_called

    if what.startswith("/"):
        return {"nonResourceAttributes": {"verb": verb, "path": what}}
    word, _, name = what.partition("/")
    try:
        resource = kind_called(cluster, word)
        plural, group = resource.plural, resource.group
    except NoSuchResource:
        plural, _, group = word.partition(".")
    asked = {"namespace": namespace, "verb": verb, "group": group, "resource": plural}
    return {"resourceAttributes": {**asked, "subresource": subresource, "name": name}}


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


def _list(rows: list[list[str]], *, headers: bool) -> None:
    from ...printers.tables import aligned

    titles = [["Resources", "Non-Resource URLs", "Resource Names", "Verbs"]] if headers else []
    for line in aligned([*titles, *rows]):
        echo(line)


@auth.command("whoami")
@server_option
@click.option("-o", "--output", type=click.Choice(["yaml", "json"]), help="Print the whole answer.")
@console_options
def whoami(context: str | None, kubeconfig: str | None, output: str | None) -> int:
    """Tell who a server takes us for. A cluster that is a file has no users."""
    from ...actions.operating.access import identity, rows_of

    where = Where(None, None, context, kubeconfig)
    if not where.is_server:
        raise click.ClickException(f"{_NOBODY}, and nobody is somebody")
    with connected(where) as cluster:
        found = identity(cluster)
    if output:
        from ..terminal.stdout import print_whole

        print_whole([found], output)
        return 0
    from ...printers.tables import aligned

    for line in aligned(rows_of(found)):
        echo(line)
    return 0
