"""Workloads: the kinds that run Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..decoding.type_errors import GENERATION as COUNT
from ..pod_resources import with_defaults
from ..unchecked import as_map
from .feature_gates import is_on
from .label_keys import merge_label_keys
from .record import FieldsSubresource, KindRecord, LazyModule, after_create_check

if TYPE_CHECKING:
    from ..unchecked import Object

jobs, job_status, statuses, updates, workloads = (
    LazyModule(f"validation.{module}") for module in ("jobs", "job_status", "statuses", "updates", "workloads")
)
warned = LazyModule("warnings.kinds")
subresources = LazyModule("validation.pod_subresources")


COMPLETED_SINCE = 37
"""The first minor release that completes the resources of a whole Pod when the Pod is created or resized."""


def _completes_resources(minor: int) -> bool:
    gates = ("PodLevelResources", "PodLevelResourcesFixDefaulting")
    return minor >= COMPLETED_SINCE and all(is_on(gate, minor) for gate in gates)


def _created_pod(content: Object, minor: int) -> Object:
    content = merge_label_keys(content, minor)
    return with_defaults(content) if _completes_resources(minor) else content


def _resized_pod(content: Object, live: Object, minor: int) -> Object:
    content = subresources.with_resized_containers(content, live)
    return with_defaults(content) if _completes_resources(minor) else content


def _updated_pod(content: Object, live: Object) -> Object:
    """Keep the resources of the whole Pod if the request has none: its client may not know the field."""
    kept, spec = as_map(live.get("spec")).get("resources"), as_map(content.get("spec"))
    return content if kept is None or "resources" in spec else {**content, "spec": {**spec, "resources": kept}}


POD_PARTS = {
    "ephemeralcontainers": FieldsSubresource(
        subresources.with_ephemeral_containers, subresources.ephemeral_containers, since=23
    ),
    "resize": FieldsSubresource(_resized_pod, subresources.resize, since=33),
}


def _counted_as_before(content: Object, before: Object) -> Object:
    """Keep the template generation of a DaemonSet in updates of its status."""
    count = as_map(before["metadata"].get("annotations")).get(COUNT)
    annotations = as_map(content["metadata"].get("annotations"))
    if count is None or annotations.get(COUNT) == count:
        return content
    return {**content, "metadata": {**content["metadata"], "annotations": {**annotations, COUNT: count}}}


RECORDS = (
    KindRecord(
        group="apps",
        kind="Deployment",
        versions=("apps/v1", "apps/v1beta2", "apps/v1beta1", "extensions/v1beta1"),
        nulls=False,
        check=workloads.deployment,
        check_status=statuses.deployment,
        check_update=after_create_check(workloads.deployment, updates.fields),
        warnings=warned.deployment,
    ),
    KindRecord(
        group="apps",
        kind="StatefulSet",
        versions=("apps/v1", "apps/v1beta2", "apps/v1beta1"),
        nulls=False,
        check=workloads.stateful_set,
        check_status=statuses.stateful_set,
        check_update=workloads.updated_stateful_set,
        warnings=warned.stateful_set,
    ),
    KindRecord(
        group="apps",
        kind="DaemonSet",
        versions=("apps/v1", "apps/v1beta2", "extensions/v1beta1"),
        nulls=False,
        check=workloads.daemon_set,
        check_status=statuses.daemon_set,
        status_updated=_counted_as_before,
        check_update=workloads.updated_daemon_set,
        warnings=warned.daemon_set,
    ),
    KindRecord(
        group="apps",
        kind="ReplicaSet",
        versions=("apps/v1", "apps/v1beta2", "extensions/v1beta1"),
        nulls=False,
        check=workloads.replica_set,
        check_status=statuses.replica_set,
        check_update=after_create_check(workloads.replica_set, updates.fields),
        warnings=warned.replica_set,
    ),
    KindRecord(
        group="batch",
        kind="Job",
        versions=("batch/v1",),
        nulls=False,
        check_in=jobs.job,
        check_status_in=job_status.job,
        check_update=jobs.replaced,
        warnings=warned.job,
    ),
    KindRecord(
        group="batch",
        kind="CronJob",
        versions=("batch/v1", "batch/v1beta1", "batch/v2alpha1"),
        nulls=False,
        check=jobs.cron_job,
        check_update=jobs.any_cron_job,
        warnings=warned.cron_job,
    ),
    KindRecord(
        group="",
        kind="Pod",
        versions=("v1",),
        nulls=False,
        named_again=True,
        status_updated_in=statuses.with_kept_fields,
        check_status=statuses.pod,
        check=workloads.pod,
        created_in=_created_pod,
        updated=_updated_pod,
        updated_since=COMPLETED_SINCE,
        check_update=after_create_check(workloads.any_pod, updates.pod),
        parts=POD_PARTS,
        warnings=warned.pod,
    ),
)
