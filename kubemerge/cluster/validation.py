"""Why the API server would refuse an object: the checks that a merge can run into.

Far from all that a server checks: it is what the page on declarative management shows, what merging leaves behind
(fields of a type that was changed, elements that appear twice), and what must not change. The list is in
docs/cluster-defaults.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.last_applied import LARGEST

from . import names, service_checks, update_checks, workload_checks
from .defaults_places import KINDS
from .looking import a_map
from .refusals import invalid, required

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .looking import Object

    Check = Callable[[Object], Iterator[str]]
    UpdateCheck = Callable[[Object, Object], Iterator[str]]

CHECKS: dict[str, Check] = {
    "Deployment": workload_checks.deployment,
    "ReplicaSet": workload_checks.replica_set,
    "DaemonSet": workload_checks.daemon_set,
    "StatefulSet": workload_checks.stateful_set,
    "Job": workload_checks.job,
    "CronJob": workload_checks.cron_job,
    "Pod": workload_checks.pod,
    "Service": service_checks.service,
    "PersistentVolumeClaim": service_checks.claim,
    "Secret": lambda _: iter(()),
}
UPDATE_CHECKS: dict[str, tuple[UpdateCheck, ...]] = {
    "Deployment": (update_checks.fields,),
    "ReplicaSet": (update_checks.fields,),
    "DaemonSet": (update_checks.fields,),
    "StatefulSet": (update_checks.fields,),
    "Job": (update_checks.job, update_checks.fields),
    "Pod": (update_checks.pod,),
    "Service": (update_checks.service,),
    "PersistentVolumeClaim": (update_checks.claim,),
    "Secret": (update_checks.fields,),
}
LABEL_NAMES = ("Service", "StatefulSet")
"""Kinds whose names are one part of a domain name; those of the others may have dots."""

CRON_JOB_NAME = 52
"""A cron job's jobs are named after it, with 11 characters more."""


def problems(content: dict[str, Any], before: dict[str, Any] | None) -> list[str]:
    """What makes the API server refuse an object whose defaults are filled in; empty if it is fine.

    `before` is the object that it replaces, and None at creation. The words are those of the newest release.
    """
    kind = str(content.get("kind"))
    known = f"{content.get('apiVersion')} {kind}" in KINDS
    found = list(_metadata(a_map(content.get("metadata")), kind if known else "", new=before is None))
    if known:
        found += CHECKS[kind](content)
        for check in UPDATE_CHECKS.get(kind, ()) if before is not None else ():
            found += check(content, before or {})
    return found


def refusal(content: dict[str, Any], found: Sequence[str]) -> str:
    """All problems of an object in the API's one sentence."""
    group, _, _ = str(content.get("apiVersion")).rpartition("/")
    kind = f"{content.get('kind')}.{group}" if group else content.get("kind")
    listed = found[0] if len(found) == 1 else f"[{', '.join(found)}]"
    return f'{kind} "{a_map(content.get("metadata")).get("name", "")}" is invalid: {listed}'


def _metadata(metadata: Object, kind: str, *, new: bool) -> Iterator[str]:
    name = metadata.get("name")
    if not name and not metadata.get("generateName"):
        yield required("metadata.name", "name or generateName is required")
    elif isinstance(name, str) and name and kind and new:
        syntax = names.label if kind in LABEL_NAMES else names.subdomain
        yield from (invalid("metadata.name", name, why) for why in syntax(name))
        if kind == "CronJob" and len(name) > CRON_JOB_NAME:
            yield invalid("metadata.name", name, f"must be no more than {CRON_JOB_NAME} characters")
    yield from names.labels("metadata.labels", metadata.get("labels"))
    yield from names.annotation_keys("metadata.annotations", metadata.get("annotations"))
    annotations = metadata.get("annotations") or {}
    if sum(len(key.encode()) + len(str(value).encode()) for key, value in annotations.items()) > LARGEST:
        yield f"metadata.annotations: Too long: may not be more than {LARGEST} bytes"
