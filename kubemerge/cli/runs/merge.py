"""Apply the selected objects one by one, and continue after failures."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager

import engine
from engine import MergeError
from engine.directives import is_directive

from ...actions.last_applied import IN_CLUSTER, IN_FILES, readable
from ...apiserver.errors import ApplyConflict, Forbidden
from ...offline.pairs import Merged, MergeOptions, Others, apply_on_server, left_out_line, merge, no_object_in
from ..failures import Failures
from ..inputs import files, schemas
from ..terminal.console import console
from .disabled import note_disabled_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    from ...apiserver.errors import ClusterError
    from ...apiserver.pipeline import Server
    from ...apiserver.problems import Problem
    from ...cluster import Object
    from ...manifests.objects import Manifest
    from ...offline.live_cluster import LiveCluster
    from ...offline.pairs import Inputs, OnServer
    from ...offline.prediction import Prediction
    from ...offline.tables import Schemas
    from .merge_request import MergeRequest

    Found = TypeVar("Found")

ALL_NEW = "no --live and no cluster, so every object counts as new"


class Applying:
    """The selected objects, each applied in its turn. Failures are reported and counted.

    Live objects come from files. Default: a cluster. With `by`, the objects are applied on the server.

    With `predicts`, each result is the object that a server stores. A cluster returns it for a dry run. For files, an
    in-memory server returns it.

    With `as_diff`, it is the object that `kubectl diff` shows. Without a cluster, a new one handles the request.

    With `prints_stored`, it is the result of a real apply, and values that only a server can choose are reported.
    Without it, predictions from files are the object that `kubectl diff` shows.

    With an `allowlist`, `unneeded` contains the objects that an apply of everything would prune, once all objects had
    their turn. The empty allowlist stands for kubectl's.
    """

    def __init__(
        self,
        asked: MergeRequest,
        *,
        selector: str = "",
        allowlist: Sequence[str] | None = None,
        by: OnServer | None = None,
        predicts: bool = True,
        as_diff: bool = False,
        prints_stored: bool = False,
    ) -> None:
        self._predicts, self._as_diff, self._prints_stored = predicts, as_diff, prints_stored
        self._asked, self._selects = asked, _selecting(selector)
        self._selector, self._allowlist, self._by = selector, allowlist, by
        self.unneeded: list[Object] = []
        self.all_new = False
        """Whether every object counts as new, because nothing was named in which it could be."""
        self._reported: set[str] = set()
        self.all_unknown = False
        """Whether neither live objects were given nor a cluster is there."""
        self._how = MergeOptions(asked.overwrite, asked.safe, asked.lists)
        self._failures = Failures()
        self._opened = ExitStack()
        self._prediction: Prediction | None = None

    @property
    def failed(self) -> int:
        """Number of failed objects or files so far."""
        return self._failures.count

    @property
    def exit_code(self) -> int:
        """2 once something has failed."""
        return self._failures.exit_code

    def __iter__(self) -> Iterator[Merged]:
        return self.each(self._merged)

    def each(self, work: Callable[[Others | LiveCluster, Manifest], Found]) -> Iterator[Found]:
        """The result of `work` for every selected object. Failures are reported."""
        asked = self._asked
        seen = False
        with self._others() as others, self._pruning(others):
            manifests = self._failures.manifests(asked.config, recursive=asked.recursive)
            for manifest in others.prefetched(manifests):
                seen = True
                if not self._selects(manifest.content["metadata"].get("labels") or {}):
                    continue
                found = None
                with self._failures.catch(manifest.place, manifest.title), self._past_conflicts():
                    found = work(others, manifest)
                if found is not None:
                    yield found
            if isinstance(others, Others) and others.strange:
                console().say(others.strange)
        if not seen and not self.failed:
            raise no_object_in(asked.config)

    def together(self, work: Callable[[Others | LiveCluster, list[Manifest]], Found]) -> Found | None:
        """The result of `work` for all objects; None if an object cannot be read."""
        asked = self._asked
        with self._others() as others:
            manifests = [*self._failures.manifests(asked.config, recursive=asked.recursive)]
            if self.failed:
                return None
            if asked.config and not manifests:
                raise no_object_in(asked.config)
            found = None
            with self._failures.catch():
                found = work(others, manifests)
            if isinstance(others, Others) and others.strange:
                console().say(others.strange)
            return found

    @contextmanager
    def _past_conflicts(self) -> Iterator[None]:
        """A context whose conflicts with other managers are reported in kubectl's words."""
        try:
            yield
        except (engine.FieldConflict, ApplyConflict) as error:
            self._failures.count += 1
            console().report(f"Error from server (Conflict): {error}")

    @contextmanager
    def _pruning(self, others: Others | LiveCluster) -> Iterator[None]:
        """Check before the objects that all kinds to prune exist, and collect the objects to prune after them."""
        if self._allowlist is None or isinstance(others, Others):
            yield
            return
        kinds = others.prunable(self._allowlist)
        yield
        everywhere = bool(self._asked.namespace) and not self._allowlist
        if self._failures.allow_pruning("pruning is not predicted", everywhere=everywhere):
            self.unneeded = list(others.unneeded(kinds, self._selector))

    @contextmanager
    def _others(self) -> Iterator[Others | LiveCluster]:
        """The counterparts of the objects: from files if some were given, otherwise from a cluster.

        Without a cluster, every object counts as new. If a server has to handle requests, a new in-memory cluster does.
        """
        asked = self._asked
        if asked.is_server:
            with self._of_server() as others:
                yield others
            return
        if asked.live or asked.last or not (self._as_diff or _names_cluster(asked.cluster)):
            if not asked.live:
                self.all_unknown = not asked.last
                console().detail(ALL_NEW)
            known = self._schemas()
            with self._opened:
                yield Others(
                    asked.live, asked.last, known, files(), namespace=asked.namespace, recursive=asked.recursive
                )
            return
        from ...apiserver.storage.opening import locate
        from ...offline.live_cluster import LiveCluster
        from ..options.clusters import ClusterLocation, opened

        if not os.path.exists(locate(asked.cluster)):  # noqa: PTH110
            self.all_new = True
            yield Others((), None, self._schemas(), files(), namespace=asked.namespace)
            return
        with opened(ClusterLocation(asked.cluster, asked.release), "rehearse") as cluster:
            if not (self._as_diff or asked.cluster):  # kubectl diff always uses its cluster as well
                console().say(f"using live objects from {cluster.place} (override with --live)")
            over = schemas(asked.release or cluster.release, asked.schema) if asked.schema else None
            yield LiveCluster(cluster, asked.namespace, over)

    def _predicted(self, merged: Merged, others: Others | LiveCluster) -> Merged:
        """The object that a server of the release stores.

        A rejection is no error, because files may hold less than a cluster.
        """
        if (merged.inputs.unserved and not self.all_new) or merged.outcome.patch_type == "none":
            return merged
        if not self.all_new and _tell_unfit(merged):
            return merged
        if self._prediction is None:
            from ...offline.prediction import Prediction

            known = others.schemas or self._schemas()
            self._prediction = Prediction(
                known.patch_release,
                self._definitions(known),
                others.live_objects if isinstance(others, Others) else (),
                self._policies(),
                report=_tell_refused,
                warn=_tell_warning,
                detail=console().detail,
                left_out=self._left_out,
                strict=self.all_new,
                as_diff=not self._prints_stored,
            )
        return self._prediction.of(merged, self._how, self._by)

    def _policies(self) -> list[Object]:
        """The objects of --policies."""
        from ...offline.policies import policies_in

        return policies_in(self._asked.policies, files()) if self._asked.policies else []

    def server_beside(self, others: Others) -> Server:
        """A server of the release with the definitions and the live objects that are given."""
        from ...offline.prediction import server_beside

        return server_beside(others.schemas.patch_release, self._definitions(others.schemas), others.live_objects)

    def server_for(self, others: Others | LiveCluster, manifests: Iterable[Manifest]) -> Server:
        """A server of the release for requests about these objects, whose results have managedFields."""
        from ...offline.prediction import server_beside

        if isinstance(others, Others):
            return server_beside(
                *(others.schemas.patch_release, self._definitions(others.schemas), others.live_objects),
                keeps_owners=True,
            )
        given = [] if others.schemas is None else self._definitions(others.schemas)
        definitions = [*given, *others.definitions_of(manifests)]
        return server_beside(others.release, definitions, others.neighbours(manifests), keeps_owners=True)

    def _definitions(self, schemas: Schemas) -> list[Object]:
        """The CustomResourceDefinitions of the config and of the specifications."""
        from ...manifests.files import is_address
        from ...offline.tables import definitions_in

        given = [one for one in self._asked.schema if one != "-" and not is_address(one)]
        return [one.content for one in (*schemas.definitions, *definitions_in(given, files(), recursive=True))]

    @contextmanager
    def _of_server(self) -> Iterator[LiveCluster]:
        """The live objects of an API server, and its rules, or those of --release."""
        from ...offline.live_cluster import LiveCluster
        from ..options.clusters import ClusterLocation, connected

        asked = self._asked
        refuse_files(asked.live, asked.last)
        if asked.release and self._as_diff:
            raise MergeError("the server has its own release. Omit --release")
        with connected(ClusterLocation(asked.cluster, None, asked.context, asked.kubeconfig)) as cluster:
            cluster.on_warning = console().warn
            over = schemas(asked.release or cluster.release, asked.schema) if asked.schema or asked.release else None
            yield LiveCluster(cluster, asked.namespace, over)

    def _schemas(self) -> Schemas:
        asked = self._asked
        return schemas(asked.release, asked.schema, asked.config, recursive=asked.recursive)

    def _merged(self, others: Others | LiveCluster, manifest: Manifest) -> Merged:
        inputs = with_notes(others.of(manifest))
        if self._by:
            merged = apply_on_server(inputs, self._by)
        else:
            with readable(IN_FILES if isinstance(others, Others) else IN_CLUSTER):
                merged = merge(inputs, self._how)
        _tell(merged)
        asked = self._asked
        schema = merged.inputs.schema
        if schema is not None and schema.built_in and schema.release and not asked.is_server:
            note_disabled_fields(merged.inputs.title, schema.release, merged.inputs.config, merged.before)
        if self._predicts:
            if isinstance(others, Others) or (asked.is_server and asked.release) or asked.policies:
                return self._predicted(merged, others)
            return self._answered(merged, others)
        _tell_unfit(merged)
        return merged

    def _answered(self, merged: Merged, cluster: LiveCluster) -> Merged:
        """The object that the cluster returns for a dry run; unchanged, with a message, if it allows no dry run."""
        answer = cluster.answered(merged, self._by, as_diff=self._as_diff)
        if answer.no_dry_run is not None:
            self._report_no_dry_run(answer.no_dry_run)
        if answer.rejection is not None:
            _tell_rejection(merged, answer.rejection)
        if answer.left_out:
            self._left_out(left_out_line(merged.inputs, answer.left_out))
        return answer.merged

    def _report_no_dry_run(self, error: ClusterError) -> None:
        """Report once that a cluster allows no dry run, and why."""
        cannot_write = isinstance(error, Forbidden)
        why = f"access to the server is read-only: {error}" if cannot_write else str(error)
        key = "" if cannot_write else why
        if key not in self._reported:
            self._reported.add(key)
            console().say(f"shown without server defaults, because no dry run is possible: {why}")

    @property
    def _left_out(self) -> Callable[[str], None]:
        return console().say if self._prints_stored else console().detail


def refuse_files(live: Sequence[str], last: str | None) -> None:
    """Reject live objects from files when a server is selected."""
    if live or last:
        given = "--live" if live else "--last-applied"
        raise MergeError(f"{given} (a file) and --context (a server) exclude each other. Omit one of them")


def _selecting(labels: str) -> Callable[[Mapping[str, Any]], bool]:
    """The condition for a label selector."""
    if not labels:
        return lambda _: True
    from ...apiserver.selectors import parse_selector

    return parse_selector(labels)


def _names_cluster(asked: str | None) -> bool:
    """Whether a cluster is selected, or exists at the default location."""
    from ...apiserver.storage.opening import VARIABLE, locate

    return bool(asked or os.environ.get(VARIABLE)) or os.path.exists(locate())  # noqa: PTH110


def with_notes(inputs: Inputs) -> Inputs:
    """The inputs of an apply, after printing notes about them."""
    if inputs.schema is None and not inputs.unserved:
        console().say(f"{inputs.title}: no schema, so lists are replaced (see --schema)")
    if inputs.live and inputs.live.key[0] != inputs.manifest.key[0]:
        there, here = inputs.live.key[0], inputs.manifest.key[0]
        console().say(
            f"{inputs.title}: the live object has apiVersion {there}. An API server would convert it to {here} first"
        )
    if inputs.elsewhere:
        there = inputs.elsewhere.content["metadata"].get("namespace") or "default"
        console().say(f"{inputs.title}: there is a live object in namespace {there!r}. To use it, pass -n {there}")
    if inputs.given is None and inputs.live:
        console().say(f"{inputs.title}: not in --last-applied, so there is no last applied config")
    at = inputs.live.place if inputs.live else "none, so it is created"
    console().detail(f"{inputs.title}: config {inputs.manifest.place}, live {at}")
    return inputs


def _tell(merged: Merged) -> None:
    outcome = merged.outcome
    for warning in outcome.warnings:
        console().say(f"{merged.inputs.title}: warning: {warning}")
    schema = merged.inputs.schema
    by = f"by the rules of Kubernetes {schema.release}" if schema and schema.release else "by its own schema"
    console().detail(f"{merged.inputs.title}: patch type {outcome.patch_type}{f', {by}' if schema else ''}")


def _tell_unfit(merged: Merged) -> bool:
    """Report parts of a config that no server can read; returns whether a value has a wrong type."""
    found, is_wrong = _unfit(merged)
    if found:
        from ...offline.refused import in_words

        _tell_refused(merged, in_words(found, merged.inputs.config))
    return is_wrong


def _unfit(merged: Merged) -> tuple[Sequence[Problem], bool]:
    """The value of a wrong type, or else the unknown fields, and whether there is such a value."""
    schema, config = merged.inputs.schema, merged.inputs.config
    from ...apiserver.decoding import type_errors, type_search, unknown_fields

    wrong, fields = None, list[str]()
    if schema is not None and schema.built_in:
        wrong = type_search.type_mismatch(config, schema)
        fields = (
            [] if wrong is not None else unknown_fields.fields_unknown_to(config, schema) or _stored_directives(merged)
        )
    elif isinstance(config.get("metadata"), dict):
        schema = engine.load(schema.release if schema else None).definition(type_errors.OBJECT_META)
        wrong = type_search.type_mismatch(config["metadata"], schema, ("metadata",))
    if wrong is None and not fields:
        return (), False
    from ...apiserver.problems import verbatim

    said = (
        [type_errors.go_error(wrong, schema)]
        if wrong is not None and schema is not None
        else map(unknown_fields.unknown_field_error, fields)
    )
    return [*map(verbatim, said)], wrong is not None


def _stored_directives(merged: Merged) -> list[str]:
    """The patch directives that the server would store as fields. Before 1.28, deletions of elements are among them."""
    from ...apiserver.decoding.unknown_fields import fields_unknown_to

    schema, outcome = merged.inputs.schema, merged.outcome
    if schema is None or outcome.patch_type != "strategic":
        return []
    fields = fields_unknown_to(outcome.merged, schema, strategic=True)
    return [field for field in fields if is_directive(field.rpartition(".")[2])]


def _tell_rejection(merged: Merged, error: ClusterError) -> None:
    from ...apiserver.pipeline import problems_of
    from ...offline.refused import in_words

    _tell_refused(merged, in_words(problems_of(error), merged.after))


def _tell_warning(merged: Merged, warning: str) -> None:
    console().say(f"{merged.inputs.title}: the API server would warn: {warning}")


def _tell_refused(merged: Merged, why: str) -> None:
    console().say(f"{merged.inputs.title}: the API server would reject this: {why}")
