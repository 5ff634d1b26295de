"""Workloads: the kinds that run Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import as_map
from .gated import job_without, without
from .record import KindRecord, Late, Part, also

if TYPE_CHECKING:
    from ..unchecked import Object

jobs, job_status, statuses, updates, workloads = (
    Late(f"validation.{module}") for module in ("jobs", "job_status", "statuses", "updates", "workloads")
)
warned = Late("warnings.kinds")
subresources = Late("validation.pod_subresources")

_IN_POD, _IN_TEMPLATE = map(without, ("spec", "spec.template.spec"))
_IN_JOB, _IN_CRON_JOB = map(job_without, ("spec", "spec.jobTemplate.spec"))

POD_PARTS = {
    "ephemeralcontainers": Part(subresources.debugged, subresources.ephemeral_containers, since=23),
    "resize": Part(subresources.resized, subresources.resize, since=33),
}

COUNT = "deprecated.daemonset.template.generation"
"""The annotation with a DaemonSet's template generation, which a server keeps in the spec."""


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
        check_update=also(workloads.deployment, updates.fields),
        warnings=warned.deployment,
        created=_IN_TEMPLATE,
        updated=_IN_TEMPLATE,
    ),
    KindRecord(
        group="apps",
        kind="StatefulSet",
        versions=("apps/v1", "apps/v1beta2", "apps/v1beta1"),
        nulls=False,
        check=workloads.stateful_set,
        check_status=statuses.stateful_set,
        check_update=workloads.replaced_stateful_set,
        warnings=warned.stateful_set,
        created=_IN_TEMPLATE,
        updated=_IN_TEMPLATE,
    ),
    KindRecord(
        group="apps",
        kind="DaemonSet",
        versions=("apps/v1", "apps/v1beta2", "extensions/v1beta1"),
        nulls=False,
        check=workloads.daemon_set,
        check_status=statuses.daemon_set,
        status_updated=_counted_as_before,
        check_update=also(workloads.daemon_set, updates.fields),
        warnings=warned.daemon_set,
        created=_IN_TEMPLATE,
        updated=_IN_TEMPLATE,
    ),
    KindRecord(
        group="apps",
        kind="ReplicaSet",
        versions=("apps/v1", "apps/v1beta2", "extensions/v1beta1"),
        nulls=False,
        check=workloads.replica_set,
        check_status=statuses.replica_set,
        check_update=also(workloads.replica_set, updates.fields),
        warnings=warned.replica_set,
        created=_IN_TEMPLATE,
        updated=_IN_TEMPLATE,
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
        created=_IN_JOB,
        updated=_IN_JOB,
    ),
    KindRecord(
        group="batch",
        kind="CronJob",
        versions=("batch/v1", "batch/v1beta1", "batch/v2alpha1"),
        nulls=False,
        check=jobs.cron_job,
        check_update=jobs.any_cron_job,
        warnings=warned.cron_job,
        created=_IN_CRON_JOB,
        updated=_IN_CRON_JOB,
    ),
    KindRecord(
        group="",
        kind="Pod",
        versions=("v1",),
        nulls=False,
        named_again=True,
        status_updated=statuses.kept_class,
        check_status=statuses.pod,
        check=workloads.pod,
        check_update=also(workloads.any_pod, updates.pod),
        parts=POD_PARTS,
        warnings=warned.pod,
        created=_IN_POD,
        updated=_IN_POD,
    ),
)
