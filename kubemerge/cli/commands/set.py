"""`kubemerge set`: change parts of live objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...apiserver.identity import DEFAULT_NAMESPACE
from ..generators.shared import Aliased, list_option
from ..options.objects import Selection, with_words
from ..runs.operating.set import Change, SetOptions, mode, refuse_remote, run, set_options
from ..terminal.console import console, echo, echo_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Cluster, Object
    from ..options.clusters import Where


@click.group("set", cls=Aliased, no_args_is_help=False)
def set() -> None:  # noqa: A001 - as the command is called
    """Set the image, environment, resources and the like of live objects."""


@set.command("image")
@set_options
def image(where: Where, selection: Selection, how: SetOptions) -> int:
    """Set the images of containers: `deployment/web nginx=nginx:1.27`, or `*=nginx:1.27` for all."""
    from ...actions.generators.parts import BadOptions
    from ...actions.setting.containers import ALL, split, with_images

    words, images = split(selection.words)

    def check(_: Sequence[Object]) -> None:
        if not images:
            raise BadOptions("at least one image update is required")
        if len(images) > 1 and ALL in images:
            pairs = "container_name=container_image pairs"
            raise BadOptions(f"all containers are already specified by *, but saw more than one {pairs}")

    def change(changes: Change, one: Object) -> Object:
        return with_images(one, images, changes.problems)

    told = ("image updated", "failed to patch image update to pod template: ")
    return run(where, with_words(selection, words), how, told, change, check)


@set.command("resources")
@click.option("-c", "--containers", "pattern", metavar="NAME", default="*", help="Only containers of this name.")
@click.option("--limits", metavar="AMOUNTS", default="", help="The limits: cpu=200m,memory=512Mi.")
@click.option("--requests", metavar="AMOUNTS", default="", help="The requests: cpu=100m,memory=256Mi.")
@set_options
def resources(where: Where, selection: Selection, how: SetOptions, pattern: str, limits: str, requests: str) -> int:
    """Set the limits and requests of containers."""
    from ...actions.generators.parts import BadOptions, amounts
    from ...actions.setting.containers import with_resources

    def check(_: Sequence[Object]) -> None:
        if not limits and not requests:
            form = "in the form of --requests/--limits"
            raise BadOptions(f"you must specify an update to requests or limits ({form})")
        amounts(limits, "invalid")
        amounts(requests, "invalid")

    def change(changes: Change, one: Object) -> Object:
        return with_resources(one, pattern, limits, requests, changes.problems)

    told = ("resource requirements updated", "failed to patch resources update to pod template ")
    return run(where, selection, how, told, change, check)


@set.command("selector")
@click.option("--resource-version", metavar="VERSION", help="Only if the object has this version.")
@set_options
def selector(where: Where, selection: Selection, how: SetOptions, resource_version: str | None) -> int:
    """Set the selector of a Service; the last word is the selector."""
    from ...actions.generators.parts import BadOptions
    from ...actions.setting.others import with_selector

    if not selection.words:
        raise BadOptions("one selector is required")
    *words, text = selection.words
    changes = Change(how, "selector updated", "")
    with_it = {"resourceVersion": resource_version} if resource_version else {}
    from ..options.clusters import opened

    with opened(where, mode(how)) as cluster:
        objects = changes.objects(cluster, with_words(selection, tuple(words)))
        for one in objects or ():
            with changes.failures.past():
                after = with_selector(one, text)
                changes.send(cluster, one, {**after, "metadata": {**after["metadata"], **with_it}})
    return changes.finish()


@set.command("serviceaccount")
@set_options
def service_account(where: Where, selection: Selection, how: SetOptions) -> int:
    """Set the service account of Pods; the last word is its name."""
    from ...actions.generators.parts import BadOptions
    from ...actions.setting.others import with_account

    refuse_remote(how)
    if not selection.words:
        raise BadOptions("serviceaccount is required")
    *words, name = selection.words

    def change(_: Change, one: Object) -> Object:
        return with_account(one, name)

    told = ("serviceaccount updated", "failed to patch ServiceAccountName ")
    return run(where, with_words(selection, tuple(words)), how, told, change, always=True)


@set.command("subject")
@click.option("--user", "users", metavar="NAME", multiple=True, help="A user. May be repeated.")
@click.option("--group", "groups", metavar="NAME", multiple=True, help="A group. May be repeated.")
@click.option("--serviceaccount", "accounts", metavar="NAMESPACE:NAME", multiple=True, help="May be repeated.")
@set_options
def subject(where: Where, selection: Selection, how: SetOptions, **bound: tuple[str, ...]) -> int:
    """Add subjects to RoleBindings and ClusterRoleBindings."""
    from ...actions.setting.others import check_subjects, with_subjects

    def check(objects: Sequence[Object]) -> None:
        refuse_remote(how)
        check_subjects(bound["users"], bound["groups"], bound["accounts"], objects)

    def change(_: Change, one: Object) -> Object:
        own = one["metadata"].get("namespace") or DEFAULT_NAMESPACE
        return with_subjects(one, namespace=selection.namespace or own, **bound)

    told = ("subjects updated", "failed to patch subjects to rolebinding: ")
    return run(where, selection, how, told, change, check)


set.aliases["sa"] = service_account


# ---- env -------------------------------------------------------------------------------------------------------------


@set.command("env")
@click.option("-e", "--env", "pairs", metavar="NAME=VALUE", multiple=True, help="A variable. May be repeated.")
@click.option("-c", "--containers", "pattern", metavar="NAME", default="*", help="Only containers of this name.")
@click.option("--from", "source", metavar="TYPE/NAME", help="Take the keys of this ConfigMap or Secret.")
@list_option("--keys", metavar="KEYS", help="With --from: only these keys.")
@click.option("--prefix", metavar="TEXT", default="", help="What to put before the names of variables.")
@click.option("--list", "show", is_flag=True, help="Print the environment, and change nothing.")
@click.option("--resolve", is_flag=True, help="With --list: print the values that are in ConfigMaps and Secrets.")
@click.option(
    "--overwrite", type=bool, is_flag=False, flag_value=True, default=True, help="Whether to overwrite other values."
)
@set_options
def env(where: Where, selection: Selection, how: SetOptions, pairs: tuple[str, ...], **options: Any) -> int:
    """Set variables of the environment of containers: NAME=VALUE sets one, NAME- removes one."""
    from ...actions.setting.variables import split

    words, typed = split(selection.words)
    selection = with_words(selection, words)
    _check_env(selection, how, options)
    return _Environment(how, (*pairs, *typed), options).run(where, selection)


def _check_env(selection: Selection, how: SetOptions, options: dict[str, Any]) -> None:
    from ...actions.generators.parts import BadOptions

    refuse_remote(how)
    if not selection.words and not selection.config:
        raise BadOptions("one or more resources must be specified as <resource> <name> or <resource>/<name>")
    if options["show"] and how.output:
        raise BadOptions("--list and --output may not be specified together")
    if options["keys"] and not options["source"]:
        raise BadOptions("when specifying --keys, a configmap or secret must be provided with --from")


class _Environment:
    """One run of `set env`."""

    def __init__(self, how: SetOptions, words: tuple[str, ...], options: dict[str, Any]) -> None:
        self._how, self._words, self._options = how, words, options
        self._changes = Change(how, "env updated", "failed to patch env update to pod template: ")

    def run(self, where: Where, selection: Selection) -> int:
        """The exit code."""
        from ..options.clusters import opened

        if self._how.local and selection.words:  # kubectl looks at files only
            selection = with_words(selection, ())
        opens = "read" if self._options["show"] and not self._how.local else mode(self._how)
        with opened(where, opens) as cluster:
            self._wanted = self._read(cluster, selection)
            objects = self._changes.objects(cluster, selection)
            for one in objects or ():
                self._changes.each(cluster, [one], lambda one: self._changed(cluster, one))
        return self._changes.finish()

    def _read(self, cluster: Cluster, selection: Selection) -> Any:
        import sys

        from ...actions.setting.variables import Variables, of_object, read
        from ...actions.targets import wanted

        found = read(self._words, sys.stdin if "-" in self._words else ())
        added = list(found.added)
        for one in wanted(cluster, [self._options["source"]]) if self._options["source"] else ():
            for key, variable in of_object(
                cluster.get(one.reference(selection.namespace or cluster.namespace)), self._options["keys"]
            ):
                if key != variable["name"]:
                    console().report(f"Warning: key {key} transferred to {variable['name']}")
                added.append(variable)
        prefix = self._options["prefix"]
        return Variables([{**one, "name": f"{prefix}{one['name']}"} for one in added], found.removed)

    def _changed(self, cluster: Cluster, one: Object) -> Object:
        from ...actions.setting.variables import with_variables

        pattern = self._options["pattern"]
        after, picked = with_variables(one, pattern, self._wanted, overwrite=self._options["overwrite"])
        called = f"{one['kind']}/{one['metadata']['name']}"
        if not picked:
            console().report(f'Warning: {called} does not have any containers matching "{pattern}"')
        if not self._options["show"]:
            return after
        for container in picked:
            self._list(cluster, one, container)
        return one

    def _list(self, cluster: Cluster, one: Object, container: Object) -> None:
        from engine import MergeError

        from ...actions.setting.variables import reference, resolved

        echo(f"# {one['kind']} {one['metadata']['name']}, container {container['name']}")
        namespace = one["metadata"].get("namespace") or cluster.namespace
        for variable in container.get("env") or ():
            source = variable.get("valueFrom")
            if source is None:
                echo_text(f"{variable['name']}={variable.get('value', '')}")
                continue
            line = f"# {variable['name']} from {reference(source)}"
            if self._options["resolve"]:
                try:
                    line = f"{variable['name']}={resolved(cluster, namespace, source, one)}"
                except MergeError as error:
                    self._changes.failures.tell(f"error retrieving reference for {variable['name']}: {error}")
            echo_text(line)
