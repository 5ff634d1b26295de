"""The kinds that run pods."""

from __future__ import annotations

from ..checks import updates, workloads
from .record import KindRecord, also

RECORDS = (
    KindRecord(
        group="apps",
        kind="Deployment",
        versions=("apps/v1", "apps/v1beta2", "apps/v1beta1", "extensions/v1beta1"),
        nulls=False,
        check=workloads.deployment,
        check_update=also(workloads.deployment, updates.fields),
    ),
    KindRecord(
        group="apps",
        kind="StatefulSet",
        versions=("apps/v1", "apps/v1beta2", "apps/v1beta1"),
        nulls=False,
        check=workloads.stateful_set,
        check_update=also(workloads.stateful_set, updates.fields),
    ),
    KindRecord(
        group="apps",
        kind="DaemonSet",
        versions=("apps/v1", "apps/v1beta2", "extensions/v1beta1"),
        nulls=False,
        check=workloads.daemon_set,
        check_update=also(workloads.daemon_set, updates.fields),
    ),
    KindRecord(
        group="apps",
        kind="ReplicaSet",
        versions=("apps/v1", "apps/v1beta2", "extensions/v1beta1"),
        nulls=False,
        check=workloads.replica_set,
        check_update=also(workloads.replica_set, updates.fields),
    ),
    KindRecord(
        group="batch",
        kind="Job",
        versions=("batch/v1",),
        nulls=False,
        check=workloads.job,
        check_update=also(workloads.job, updates.job, updates.fields),
    ),
    KindRecord(
        group="batch",
        kind="CronJob",
        versions=("batch/v1", "batch/v1beta1", "batch/v2alpha1"),
        nulls=False,
        check=workloads.cron_job,
    ),
    KindRecord(
        group="",
        kind="Pod",
        versions=("v1",),
        nulls=False,
        check=workloads.pod,
        check_update=also(workloads.pod, updates.pod),
    ),
)
