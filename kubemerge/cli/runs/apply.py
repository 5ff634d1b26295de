"""One `kubemerge apply`: the objects of a config one by one, continuing after failures, and then pruning."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from engine import MergeError

from ...actions import prune
from ...actions.apply import PATIENCE, Applied, ApplyOptions, apply
from ...actions.applyset import ApplySet
from ...actions.applyset_parents import parent_called
from ...actions.delete import DeletionTarget
from ...actions.requests import SERVER, placed, prefetched, uid_of
from ...actions.serverside.apply import ADVICE, ServerSideApply
from ...actions.serverside.managers import APPLY, KUBECTL
from ...apiserver.kinds.builtin_kinds import DEFINITION
from ...apiserver.reading import OpenCluster
from ...apiserver.selectors import parse_selector as selected_by
from ...cluster import ApplyConflict, Conflict, ConnectError, NoMatch, Reference, StoreError
from ...manifests.objects import title
from ..failures import Failures, FatalError
from ..terminal.console import console
from ..wording import NoMapping, source_of
from .disabled import note_disabled_fields
from .result_lines import Results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...cluster import Cluster, Object, Resource
    from ...manifests.objects import Manifest
    from ..options.outputs import Form


@dataclass(frozen=True)
class ApplyRequest:
    """The objects to apply to a cluster, and the options."""

    config: tuple[str, ...]
    recursive: bool = False
    namespace: str | None = None
    selector: str | None = None
    dry_run: str = "none"
    overwrite: bool = True
    force: bool = False
    safe: bool = False
    prune: bool = False
    all: bool = False
    prune_allowlist: tuple[str, ...] = ()
    applyset: str | None = None
    timeout: float = PATIENCE
    server_side: bool = False
    force_conflicts: bool = False
    manager: str | None = None
    validate: str | None = None
    output: Form | None = None
    show_managed_fields: bool = False


class NothingToApply(MergeError):
    """A config without objects, or without selected ones."""

    def __init__(self, asked: ApplyRequest) -> None:
        self.advice = f"no object has the labels {asked.selector}" if asked.selector else "the files contain no objects"
        super().__init__("no objects passed to apply")


class ToReview(MergeError):
    """A server-side apply with conflicts, followed by kubectl's advice."""

    def __init__(self, conflict: ApplyConflict | Conflict) -> None:
        super().__init__(f"{conflict}{ADVICE}")


class Config:
    """The selected objects of a config. The first is read ahead, so that no cluster is created if there are none."""

    def __init__(self, asked: ApplyRequest) -> None:
        self.failures = Failures()
        self._selects = selected_by(asked.selector or "")
        self._rest = self._selected(asked)
        self._first = next(self._rest, None)
        if self._first is None and not self.failures.count:
            raise NothingToApply(asked)

    @property
    def is_empty(self) -> bool:
        """Whether there are no objects, because none could be read."""
        return self._first is None

    def __iter__(self) -> Iterator[Manifest]:
        if self._first is not None:
            yield self._first
        yield from self._rest

    def _selected(self, asked: ApplyRequest) -> Iterator[Manifest]:
        for manifest in self.failures.manifests(asked.config, recursive=asked.recursive):
            if self._selects(manifest.content["metadata"].get("labels") or {}):
                yield manifest


class ApplyRun:
    """The state of one apply. It keeps only the uids and namespaces of the objects."""

    def __init__(self, cluster: Cluster, asked: ApplyRequest, config: Config) -> None:
        self._cluster, self._asked, self._config = cluster, asked, config
        self._is_embedded = isinstance(cluster, OpenCluster)
        self._failures = config.failures
        self._results = Results(asked.output, asked.dry_run, managed_fields=asked.show_managed_fields, together=True)
        by = asked.manager or APPLY
        self._how = ApplyOptions(
            asked.overwrite, asked.safe, asked.force, asked.dry_run, asked.timeout, by, asked.validate
        )
        self._on_the_server = self._server_side(asked) if asked.server_side else None
        self._kinds = prune.allowed(cluster, asked.prune_allowlist) if asked.prune and not asked.applyset else []
        self._set = self._applyset(asked.applyset) if asked.applyset else None
        self._unknown: list[tuple[Manifest, NoMatch]] = []
        self._definitions: dict[tuple[str, str], str] = {}
        self._uids: set[str] = set()
        self._namespaces = {asked.namespace} if asked.namespace else set()

    def _applyset(self, text: str) -> ApplySet:
        tooling = f"kubectl/v{self._cluster.release}.0"  # so that kubectl and kubemerge can continue each other's sets
        parent = parent_called(self._cluster, text, self._asked.namespace, tooling)
        return ApplySet(self._cluster, parent, self._asked.dry_run)

    def _server_side(self, asked: ApplyRequest) -> ServerSideApply:
        return ServerSideApply(
            self._cluster,
            asked.manager or KUBECTL,
            force=asked.force_conflicts,
            dry_run=asked.dry_run == SERVER,
            validate=asked.validate,
        )

    def run(self) -> int:
        """Apply everything, then prune if nothing failed. Return the exit code."""
        manifests = (
            self._config if self._on_the_server else prefetched(self._cluster, self._config, self._asked.namespace)
        )
        for manifest in manifests:
            self._note_definition(manifest)
            with self._failures.catch(manifest.place, manifest.title, source=source_of(manifest)):
                self._apply(manifest)
        self._report_unknown()
        self._results.finish()
        if self._asked.prune:
            self._prune()
        return self._failures.exit_code

    # ---- applying ----------------------------------------------------------------------------------------------------

    def _apply(self, manifest: Manifest) -> None:
        try:
            resource = self._cluster.resource(*manifest.key)
        except NoMatch as error:
            self._unknown.append((_without_content(manifest), error))
            return
        config = placed(manifest.content, resource, self._asked.namespace, self._cluster.namespace)
        namespace = config["metadata"].get("namespace") if resource.namespaced else None
        if self._set:
            config = self._set.member(config)
            with _applyset_written():
                self._set.expect(resource, namespace)
        self._send(config, manifest, resource)
        if namespace:
            self._namespaces.add(namespace)

    def _send(self, config: Object, manifest: Manifest, resource: Resource) -> None:
        """Apply an object and print the result."""
        console().detail(f"{manifest.title}: config {manifest.place}, kind {resource.called} of {resource.api_version}")
        try:
            done = self._applied(config, partial(_warn, manifest.title))
        except (ApplyConflict, Conflict) as error:
            raise error if self._on_the_server is None else ToReview(error) from None
        if self._is_embedded:
            note_disabled_fields(manifest.title, self._cluster.release, config, done.content)
        self._uids.add(uid_of(done.content))
        self._results.done(done.content, done.result)

    def _applied(self, config: Object, warn: Callable[[str], None]) -> Applied:
        if self._on_the_server is None:
            return apply(self._cluster, config, replace(self._how, warn=warn))
        content, warnings = self._on_the_server.apply(config)
        for text in warnings:
            warn(text)
        return Applied("serverside-applied", content)

    def _note_definition(self, manifest: Manifest) -> None:
        """Record the place of a kind's CustomResourceDefinition."""
        if manifest.id.group_kind != DEFINITION:
            return
        spec = manifest.content.get("spec")
        names = spec.get("names") if isinstance(spec, dict) else None
        if isinstance(spec, dict) and isinstance(names, dict):
            self._definitions[str(spec.get("group")), str(names.get("kind"))] = manifest.place

    def _report_unknown(self) -> None:
        """Report objects of unknown kinds. This comes last, because a definition may follow them."""
        for manifest, error in self._unknown:
            place = self._definitions.get(manifest.id.group_kind)
            advice = f"apply its CustomResourceDefinition, at {place}, first" if place else None
            self._failures.add(NoMapping(manifest, error, advice), manifest.place, manifest.title)

    # ---- pruning -----------------------------------------------------------------------------------------------------

    def _prune(self) -> None:
        everywhere = bool(self._asked.namespace) and not (self._asked.prune_allowlist or self._set)
        if not self._failures.allow_pruning("nothing is pruned", everywhere=everywhere):
            return
        for one in [
            DeletionTarget.of(found) for found in self._unneeded()
        ]:  # before pruning a definition removes its kind
            with self._failures.catch(title(one.head), "error pruning"):
                prune.delete(self._cluster, one, self._asked.dry_run)
                self._results.gone(one.head, "pruned")
        if self._set and not self._failures.count:
            with _applyset_written():
                self._set.finish()

    def _unneeded(self) -> Iterator[Object]:
        if self._set:
            return self._set.unneeded(self._uids)
        selector = self._asked.selector or ""
        return prune.unneeded(self._cluster, self._kinds, self._namespaces, selector, self._uids)


@contextmanager
def _applyset_written() -> Iterator[None]:
    """A context in which a failure ends the run: no object may be applied that the parent does not list."""
    try:
        yield
    except (StoreError, ConnectError):
        raise
    except MergeError as error:
        raise FatalError(f"failed to update ApplySet: {error}") from None


def _without_content(manifest: Manifest) -> Manifest:
    """The manifest with only what identifies the object and its place."""
    return manifest.with_content(Reference.of(manifest.content).head)


def _warn(title_: str, text: str) -> None:
    """Print a warning. kubectl's own are printed in its words."""
    console().say(text if text.startswith("Warning: ") else f"{title_}: warning: {text}")
