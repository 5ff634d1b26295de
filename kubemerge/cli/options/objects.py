"""Objects selected on the command line: by name, by files, by labels, or all of a kind."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from engine import MergeError

from ...actions.requests import placed, prefetched
from ...actions.targets import Targets, wanted
from ...apiserver.errors import BadRequest, ClusterError, NoMatch, NotFound
from ...apiserver.field_selectors import parse_field_selector
from ...apiserver.identity import Reference
from ...apiserver.kinds.builtin_kinds import facts_of
from ...apiserver.selectors import parse_selector
from ...cluster import AsksAhead
from ...manifests.files import names
from ..wording import NoMapping, source_of
from . import completion as completing
from .clusters import cluster_namespace_option, selector_option
from .shared import recursive_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...cluster import Cluster, Object, Resource
    from ...manifests.objects import Manifest
    from ..failures import Failures

ALL = "all"
"""The word that stands for several kinds."""


_FILES_AND_WORDS = "when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well"


@dataclass(frozen=True)
class Selection:
    """Objects as a command line names them."""

    words: tuple[str, ...] = ()
    config: tuple[str, ...] = ()
    recursive: bool = False
    namespace: str | None = None
    selector: str = ""
    field_selector: str = ""
    every: bool = False
    all_namespaces: bool = False

    def check(self) -> None:
        """Reject contradictory options."""
        named = self.named
        rules = {
            _FILES_AND_WORDS: self.config and self.words,
            "object names and --selector exclude each other": named and self.selector,
            "object names and --all exclude each other": named and self.every,
            "a resource cannot be retrieved by name across all namespaces": named and self.all_namespaces,
            "cannot set --all and --selector at the same time": self.selector and self.every,
            "cannot set --all and --field-selector at the same time": self.field_selector and self.every,
            "object names and --field-selector exclude each other": self.field_selector and (named or self.config),
        }
        for rule, broken in rules.items():
            if broken:
                raise click.UsageError(rule)

    @property
    def named(self) -> bool:
        """Whether objects are named, and not only their kinds."""
        return len(self.words) > 1 or any("/" in word for word in self.words)

    @property
    def one(self) -> bool:
        """Whether a single object is selected: one name of one kind, or one file, or the only file of a folder."""
        if self.config:
            path, *others = self.config
            if others or path == "-":
                return False
            with suppress(MergeError):  # reported when the file is read
                return len(names(path, recursive=self.recursive)) == 1
            return False
        kinds = self.words[0].split(",") if self.words else ()
        by_slash = len(self.words) == 1 and "/" in self.words[0]
        return by_slash or (len(self.words) == 2 and len(kinds) == 1 and not any("/" in word for word in self.words))

    @property
    def several_kinds(self) -> bool:
        """Whether objects of several kinds may be selected."""
        if not self.words:
            return False
        by_slash = {word.partition("/")[0] for word in self.words if "/" in word}
        return len(by_slash) > 1 or self.words[0] == ALL or "," in self.words[0]

    @property
    def picks(self) -> bool:
        """Whether the command line selects all objects of a kind, or filters them."""
        return bool(self.selector or self.field_selector or self.every)

    def where(self, cluster: Cluster) -> str:
        """The place without results, in kubectl's words."""
        return "" if self.all_namespaces else f" in {self.namespace or cluster.namespace} namespace."


def selection_options(*, every: bool = False, all_namespaces: bool = False) -> Callable[..., Any]:
    """The words and options that select objects. They are passed as one `Selection`, after `ClusterLocation`.

    `every` adds --all, and `all_namespaces` adds -A and --field-selector.
    """
    options = [_words, _files, recursive_option, cluster_namespace_option, selector_option]
    options += [_every] if every else []
    options += [_all_namespaces, _field_selector] if all_namespaces else []

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def gathered(*arguments: Any, selector: str | None, **given: Any) -> Any:
            known = {name: given.pop(name) for name in Selection.__dataclass_fields__ if name in given}
            return command(*arguments, Selection(selector=selector or "", **known), **given)

        wrapped: Callable[..., Any] = gathered
        for option in reversed(options):
            wrapped = option(wrapped)
        return wrapped

    return decorate


_words = click.argument("words", metavar="[TYPE [NAME]... | TYPE/NAME...]", nargs=-1, shell_complete=completing.kinds)
_files = click.option(
    "-f",
    "--filename",
    "config",
    metavar="PATH",
    multiple=True,
    help="Files that identify the objects: a file, folder, glob, URL, or - for standard input. May be "
    "repeated. Alternatively, -k DIR builds a kustomization.",
)
_every = click.option("--all", "every", is_flag=True, help="Select all objects of these kinds in the namespace.")
_all_namespaces = click.option("-A", "--all-namespaces", is_flag=True, help="Select objects in all namespaces.")

_field_selector = click.option(
    "--field-selector",
    default="",
    metavar="FIELDS",
    help="Select objects by field, if the API supports it for the kind. Example: "
    "status.phase!=Running,spec.nodeName=a.",
)


def kinds(cluster: Cluster, selection: Selection) -> list[Targets]:
    """The kinds and names in the words. `all` stands for the most common kinds, in kubectl's order."""
    if not selection.words or selection.words[0] != ALL:
        return wanted(cluster, selection.words)
    if selection.words[1:]:
        raise click.UsageError(f"{ALL} means several kinds, so it accepts no object names")
    found: dict[str, Resource] = {}
    for one in cluster.resources():  # the preferred version of a kind comes first
        if one.built_in and facts_of(one.group, one.kind).in_all:
            found.setdefault(one.kind, one)
    return [Targets(found[kind]) for kind in sorted(found, key=lambda kind: facts_of(found[kind].group, kind).in_all)]


def live_objects(
    cluster: Cluster,
    selection: Selection,
    failures: Failures,
    *,
    bare: bool = False,
    ignore_missing: bool = False,
    doing: str = "",
) -> Iterator[Object]:
    """The selected live objects, one by one. Missing ones are reported or, with `ignore_missing`, skipped.

    A kind without a name selects all its objects only if the command (`bare`) or the command line allows it. `doing` is
    kubectl's name for the action, used in errors about an object in a file.
    """
    selection.check()
    if selection.config:
        return _of_files(cluster, selection, failures, ignore_missing, doing)
    return _of_words(cluster, selection, failures, bare or selection.picks, ignore_missing)


def _of_words(
    cluster: Cluster, selection: Selection, failures: Failures, all_of_a_kind: bool, ignore_missing: bool
) -> Iterator[Object]:
    meant = kinds(cluster, selection)
    if isinstance(cluster, AsksAhead):
        at = selection.namespace or cluster.namespace
        cluster.ahead([one.reference(at) for one in meant if one.name is not None])
    for one in meant:
        if one.name is None and not all_of_a_kind:
            raise click.UsageError("resource(s) were provided, but no name was specified")
        with failures.catch():
            yield from _of_kind(cluster, one, selection, ignore_missing)


def _of_kind(cluster: Cluster, one: Targets, selection: Selection, ignore_missing: bool) -> Iterator[Object]:
    resource = one.resource
    if one.name is None:
        at = None if selection.all_namespaces or not resource.namespaced else selection.namespace or cluster.namespace
        selects = _by_fields(cluster, resource, selection)
        yield from filter(
            selects, cluster.list(resource.api_version, resource.kind, namespace=at, selector=selection.selector)
        )
        return
    try:
        yield cluster.get(one.reference(selection.namespace or cluster.namespace))
    except ClusterError as error:
        if not (ignore_missing and is_missing(error)):
            raise _of_namespace(cluster, one, selection) or error from None


def _by_fields(cluster: Cluster, resource: Resource, selection: Selection) -> Callable[[Object], bool]:
    """The condition for a field selector. If the server rejects it, the error names the kind, as in kubectl."""
    try:
        return parse_field_selector(selection.field_selector, cluster, resource)
    except BadRequest as error:
        kind = f"{resource.group}/{resource.version}, Resource={resource.plural}"
        which = f'label selector "{selection.selector}", field selector "{selection.field_selector}"'
        raise BadRequest(f'Unable to find "{kind}" that match {which}: {error}') from None


def _of_namespace(cluster: Cluster, one: Targets, selection: Selection) -> ClusterError | None:
    """The error about a namespace that does not exist, for an object that was not found."""
    if one.resource.namespaced and selection.namespace:
        try:
            cluster.get(Reference("v1", "Namespace", selection.namespace))
        except NotFound as error:
            return error
    return None


def _of_files(
    cluster: Cluster, selection: Selection, failures: Failures, ignore_missing: bool, doing: str
) -> Iterator[Object]:
    found = manifests(selection.config, selection.selector, failures, recursive=selection.recursive)
    for manifest in prefetched(cluster, found, selection.namespace):
        with failures.catch(manifest.place, manifest.title, doing=doing, source=source_of(manifest)):
            try:
                resource = cluster.resource(*manifest.key)
                yield cluster.get(
                    Reference.of(placed(manifest.content, resource, selection.namespace, cluster.namespace))
                )
            except ClusterError as error:
                if not (ignore_missing and is_missing(error)):
                    raise NoMapping(manifest, error) if isinstance(error, NoMatch) else error from None


def resource_of(cluster: Cluster, manifest: Manifest) -> Resource:
    """The kind of an object in a file; NoMapping if the cluster does not serve it."""
    try:
        return cluster.resource(*manifest.key)
    except NoMatch as error:
        raise NoMapping(manifest, error) from None


def manifests(
    paths: tuple[str, ...], labels: str, failures: Failures, *, recursive: bool = False
) -> Iterator[Manifest]:
    """The objects in files that have these labels in the files."""
    picked = parse_selector(labels)
    for manifest in failures.manifests(paths, recursive=recursive):
        if picked(manifest.content["metadata"].get("labels") or {}):
            yield manifest


def peeked(found: Iterator[Manifest]) -> Iterator[Manifest] | None:
    """The same objects with the first one already read; None if there are none."""
    for first in found:
        return chain((first,), found)
    return None


def is_missing(error: ClusterError) -> bool:
    """Whether an object does not exist, or not even its kind."""
    return error.code == 404


def with_words(selection: Selection, words: tuple[str, ...]) -> Selection:
    """The same selection, with these words only: the others were not names."""
    return replace(selection, words=words)
