"""The kinds that run pods."""

from __future__ import annotations

from .record import KindRecord, Late, also

jobs, statuses, updates, workloads = map(Late, ("jobs", "statuses", "updates", "workloads"))

RECORDS = (
    KindRecord(
        group="apps",
        kind="Deployment",
        versions=("apps/v1", "apps/v1beta2", "apps/v1beta1", "extensions/v1beta1"),
        nulls=False,
        check=workloads.deployment,
        check_status=statuses.deployment,
        check_update=also(workloads.deployment, updates.fields),
    ),
    KindRecord(
        group="apps",
        kind="StatefulSet",
        versions=("apps/v1", "apps/v1beta2", "apps/v1beta1"),
        nulls=False,
        check=workloads.stateful_set,
        check_status=statuses.stateful_set,
        check_update=workloads.replaced_stateful_set,
    ),
    KindRecord(
        group="apps",
        kind="DaemonSet",
        versions=("apps/v1", "apps/v1beta2", "extensions/v1beta1"),
        nulls=False,
        check=workloads.daemon_set,
        check_status=statuses.daemon_set,
        check_update=also(workloads.daemon_set, updates.fields),
    ),
    KindRecord(
        group="apps",
        kind="ReplicaSet",
        versions=("apps/v1", "apps/v1beta2", "extensions/v1beta1"),
        nulls=False,
        check=workloads.replica_set,
        check_status=statuses.replica_set,
        check_update=also(workloads.replica_set, updates.fields),
    ),
    KindRecord(
        group="batch",
        kind="Job",
        versions=("batch/v1",),
        nulls=False,
        check=jobs.job,
        check_update=jobs.replaced,
    ),
    KindRecord(
        group="batch",
        kind="CronJob",
        versions=("batch/v1", "batch/v1beta1", "batch/v2alpha1"),
        nulls=False,
        check=jobs.cron_job,
        check_update=jobs.any_cron_job,
    ),
    KindRecord(
        group="",
        kind="Pod",
        versions=("v1",),
        nulls=False,
        named_again=True,
        status_updated=statuses.kept_class,
        check=workloads.pod,
        check_update=also(workloads.any_pod, updates.pod),
    ),
)
