"""Apply one object to a cluster, as kubectl does: read, merge, send, and retry after a conflict."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

import engine
from engine.clientside.apply import DELETING, UNKNOWN
from engine.directives import ANNOTATION
from engine.values.go_json import encode

from ..cluster import AlreadyExists, ClusterError, Conflict, Invalid, NotFound, Reference
from ..output.object_text import with_managed_fields_of, without_managed_fields
from .create import created, without_version
from .last_applied import readable
from .replace import recreated
from .requests import CLIENT, NONE, SERVER, version_of
from .serverside.apply import DELETED
from .serverside.managers import APPLY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Outcome

    from ..cluster import Cluster, Object

RETRIES = 5
"""Attempts after a conflict: the first is immediate, later ones follow a pause."""
PAUSE = 1.0
PATIENCE = 30.0
"""Seconds that a forced apply waits for an object to disappear, by default."""


@dataclass(frozen=True)
class ApplyOptions:
    """Apply options. `safe` loses nothing. `force` deletes and recreates objects that cannot be changed."""

    overwrite: bool = True
    safe: bool = False
    force: bool = False
    dry_run: str = NONE
    patience: float = PATIENCE
    manager: str = APPLY
    validate: str | None = None
    sleep: Callable[[float], None] = time.sleep
    warn: Callable[[str], None] = lambda _: None
    """Called with each warning, in kubectl's words, before anything is sent."""


@dataclass(frozen=True)
class Applied:
    """The result of an apply: "created", "configured" or "unchanged", and the object as it is now."""

    result: str
    content: Object
    warnings: tuple[str, ...] = ()


def apply(cluster: Cluster, config: Object, how: ApplyOptions = ApplyOptions()) -> Applied:
    """Apply one object, in `default` if it names no namespace.

    A patch is sent for exactly the state it was computed from. kubectl does not insist on that: if two clients read the
    same state, a field that only the first one set stays in the object for good.

    After a conflict, and when another client has just created or deleted the object, the object is read and merged
    again. Retries are pointless if the config itself contains a resourceVersion. The last attempt is sent for any
    state, as kubectl does, so that an object that changes all the time can still be changed. `safe` never takes that
    risk.
    """
    reference = Reference.of(config)
    schema = cluster.schema(reference.api_version, reference.kind)
    for attempt in count():
        live = found(cluster, reference)
        with readable():
            outcome = engine.apply(config, _merged_with(live, config), schema, how.overwrite, safe=how.safe)
        warnings = _as_kubectl(outcome.warnings, cluster, reference)
        for text in warnings if not attempt else ():
            how.warn(text)
        try:
            has_precondition = how.safe or attempt < RETRIES
            after = _sent(cluster, outcome, live, how, has_precondition=has_precondition)
            return Applied(outcome.result, after, warnings)
        except ClusterError as error:
            if attempt < RETRIES and _may_pass(error, config, live):
                how.sleep(PAUSE if attempt else 0)
                continue
            if how.force and live is not None and isinstance(error, (Conflict, Invalid)):
                wanted = engine.apply(config, None, schema, safe=how.safe).patch
                if how.dry_run == NONE:
                    wanted = recreated(
                        cluster, live, wanted, how.manager, how.patience, validate=how.validate, sleep=how.sleep
                    )
                return Applied("configured", wanted, warnings)
            raise _completed_error(error, cluster, outcome, live, how) from None
    raise AssertionError


def _completed_error(
    error: ClusterError, cluster: Cluster, outcome: Outcome, live: Object | None, how: ApplyOptions
) -> ClusterError:
    """The server's error, completed with the action in kubectl's words. kubectl's patch pins no resourceVersion."""
    if live is None:
        error.doing = ("creating",)
        return error
    if isinstance(error, Invalid) and not how.safe:
        try:
            _sent(cluster, outcome, live, replace(how, dry_run=SERVER), has_precondition=False)
        except Invalid as as_kubectl:
            error = as_kubectl
    resource = cluster.resource(live["apiVersion"], live["kind"])
    where = f'Name: "{live["metadata"]["name"]}", Namespace: "{live["metadata"].get("namespace", "")}"'
    kind = f"{resource.group}/{resource.version}"
    called = f'Resource: "{kind}, Resource={resource.plural}", GroupVersionKind: "{kind}, Kind={resource.kind}"'
    patch = "{...}" if (resource.group, resource.kind) == SECRET else encode(outcome.patch)
    error.doing = ("patching", f"applying patch:\n{patch}\nto:\n{called}\n{where}\nfor:")
    return error


SECRET = ("", "Secret")
"""The kind whose values kubectl prints in messages, but kubemerge masks."""
NO_ANNOTATION = (
    f"Warning: resource {{}}/{{}} is missing the {ANNOTATION} annotation which is required by kubectl apply. "
    "kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or "
    "kubectl apply. The missing annotation will be patched automatically."
)


def _as_kubectl(warnings: Sequence[str], cluster: Cluster, reference: Reference) -> tuple[str, ...]:
    """The warnings, in kubectl's words where kubectl has them too."""
    if not warnings:
        return ()
    plural = cluster.resource(reference.api_version, reference.kind).plural
    words = {
        UNKNOWN: NO_ANNOTATION.format(plural, reference.name),
        DELETING: f"Warning: {DELETED.format(reference.name)}",
    }
    return tuple(words.get(text, text) for text in warnings)


def found(cluster: Cluster, reference: Reference) -> Object | None:
    """The live object; None if it does not exist, or the object has no name yet."""
    if not reference.name:
        return None
    try:
        return cluster.get(reference)
    except NotFound:
        return None


def _merged_with(live: Object | None, config: Object) -> Object | None:
    """The live object without fields that the merge ignores: managedFields are long, and hardly any config has them."""
    return live if live is None or "managedFields" in config["metadata"] else without_managed_fields(live)


def _may_pass(error: ClusterError, config: Object, live: Object | None) -> bool:
    """Whether another attempt may succeed."""
    if isinstance(error, Conflict):
        return not config["metadata"].get("resourceVersion")
    return isinstance(error, AlreadyExists if live is None else NotFound)


def _sent(
    cluster: Cluster, outcome: Outcome, live: Object | None, how: ApplyOptions, *, has_precondition: bool
) -> Object:
    """The object after the request, or as it would be after it."""
    if live is None:
        return _created(cluster, outcome.patch, how)
    if outcome.patch_type == "none" or how.dry_run == CLIENT:
        return with_managed_fields_of(live, outcome.merged)
    patch = _with_precondition(outcome.patch, live) if has_precondition else outcome.patch
    return cluster.patch(
        Reference.of(live),
        patch,
        outcome.patch_type,
        manager=how.manager,
        dry_run=how.dry_run == SERVER,
        field_validation=how.validate,
    )


def _with_precondition(patch: Object, live: Object) -> Object:
    """The patch, valid only for this state of the object."""
    metadata = {"resourceVersion": version_of(live), **(patch.get("metadata") or {})}
    return {**patch, "metadata": metadata}


def _created(cluster: Cluster, content: Object, how: ApplyOptions) -> Object:
    content = without_version(content)
    if how.dry_run == CLIENT:
        return content
    return created(cluster, content, how.manager, dry_run=how.dry_run == SERVER, validate=how.validate)
