"""Describe workloads: Deployments, ReplicaSets, DaemonSets, StatefulSets, Jobs and CronJobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...apiserver.printers.ages import duration, moment
from ...apiserver.unchecked import as_list, as_map, get_path
from .page import NONE, UNSET
from .parts import conditions, controlled, events, go, head, joined, marks, number, pods_status, selector, time, truth
from .templates import template

if TYPE_CHECKING:
    from ...cluster import Object
    from .page import Page
    from .parts import ClusterView


def _title(page: Page, one: Object, *, created: bool = True) -> None:
    page.field("Name", one["metadata"]["name"])
    page.field("Namespace", one["metadata"].get("namespace", ""))
    if created:
        page.field("CreationTimestamp", time(one["metadata"].get("creationTimestamp")))


def deployment(page: Page, one: Object, around: ClusterView) -> None:
    """A Deployment."""
    spec = one["spec"]
    _title(page, one)
    marks(page, one)
    page.field("Selector", selector(spec.get("selector")))
    counts = (
        f"{spec.get('replicas', 1)} desired | {number(one, 'status.updatedReplicas')} updated | "
        f"{number(one, 'status.replicas')} total | {number(one, 'status.availableReplicas')} available | "
        f"{number(one, 'status.unavailableReplicas')} unavailable"
    )
    page.field("Replicas", counts)
    page.field("StrategyType", get_path(spec, "strategy.type") or "")
    page.field("MinReadySeconds", spec.get("minReadySeconds", 0))
    rolling = get_path(spec, "strategy.rollingUpdate")
    if rolling is not None:
        most = f"{rolling.get('maxUnavailable', 0)} max unavailable, {rolling.get('maxSurge', 0)} max surge"
        page.field("RollingUpdateStrategy", most)
    template(page, spec.get("template"))
    conditions(page, one)
    _replica_sets(page, one, around)
    events(page, around.events(one))


def _replica_sets(page: Page, one: Object, around: ClusterView) -> None:
    uid = one["metadata"].get("uid")
    own = [
        each
        for each in around.all("apps/v1", "ReplicaSet", one["metadata"].get("namespace"))
        if any(
            owner.get("uid") == uid and owner.get("controller")
            for owner in as_list(each["metadata"].get("ownerReferences"))
        )
    ]
    if not own:
        return
    wanted = _bare(one["spec"].get("template"))
    new = [each for each in own if _bare(each["spec"].get("template")) == wanted][:1]
    page.field("OldReplicaSets", ", ".join(_counted(each) for each in own if each not in new) or NONE)
    page.field("NewReplicaSet", ", ".join(map(_counted, new)) or NONE)


def _bare(value: object) -> Object:
    known = as_map(value)
    metadata = as_map(known.get("metadata"))
    labels = {key: text for key, text in as_map(metadata.get("labels")).items() if key != "pod-template-hash"}
    return {**known, "metadata": {**metadata, "labels": labels}}


def _counted(each: Object) -> str:
    name = each["metadata"]["name"]
    return f"{name} ({number(each, 'status.replicas')}/{each['spec'].get('replicas', 1)} replicas created)"


def replica_set(page: Page, one: Object, around: ClusterView) -> None:
    """A ReplicaSet."""
    _title(page, one, created=False)
    page.field("Selector", selector(one["spec"].get("selector")) or NONE)
    marks(page, one)
    controlled(page, one)
    _replicas(page, one)
    pods_status(page, one, around)
    template(page, one["spec"].get("template"))
    conditions(page, one)
    events(page, around.events(one))


def replication_controller(page: Page, one: Object, around: ClusterView) -> None:
    """A ReplicationController."""
    _title(page, one, created=False)
    page.field("Selector", joined(one["spec"].get("selector")))
    marks(page, one)
    _replicas(page, one)
    pods_status(page, one, around)
    template(page, one["spec"].get("template"))
    conditions(page, one)
    events(page, around.events(one))


def _replicas(page: Page, one: Object) -> None:
    page.field("Replicas", f"{number(one, 'status.replicas')} current / {one['spec'].get('replicas', 1)} desired")


def daemon_set(page: Page, one: Object, around: ClusterView) -> None:
    """A DaemonSet."""
    _title(page, one, created=False)
    page.field("Selector", selector(one["spec"].get("selector")))
    page.field("Node-Selector", joined(get_path(one, "spec.template.spec.nodeSelector")))
    marks(page, one)
    for words, field in (
        ("Desired Number of Nodes Scheduled", "desiredNumberScheduled"),
        ("Current Number of Nodes Scheduled", "currentNumberScheduled"),
        ("Number of Nodes Scheduled with Up-to-date Pods", "updatedNumberScheduled"),
        ("Number of Nodes Scheduled with Available Pods", "numberAvailable"),
        ("Number of Nodes Misscheduled", "numberMisscheduled"),
    ):
        page.line(0, f"{words}: {number(one, f'status.{field}')}")
    pods_status(page, one, around)
    template(page, one["spec"].get("template"))
    events(page, around.events(one))


def stateful_set(page: Page, one: Object, around: ClusterView) -> None:
    """A StatefulSet."""
    spec = one["spec"]
    _title(page, one)
    page.field("Selector", selector(spec.get("selector")))
    marks(page, one)
    page.fields(0, {"Service Name": spec.get("serviceName"), "Pod Management Policy": spec.get("podManagementPolicy")})
    page.field("Replicas", f"{spec.get('replicas', 1)} desired | {number(one, 'status.replicas')} total")
    page.field("Update Strategy", get_path(spec, "updateStrategy.type") or "")
    rolling = as_map(get_path(spec, "updateStrategy.rollingUpdate"))
    if rolling.get("partition") is not None:
        page.field("Partition", rolling["partition"], 1)
        page.fields(1, {"MaxUnavailable": rolling.get("maxUnavailable")})
    kept = spec.get("persistentVolumeClaimRetentionPolicy")
    if kept is not None:
        page.line(0, "Persistent Volume Claim Retention Policy:")
        page.field("WhenDeleted", kept.get("whenDeleted", ""), 1)
        page.field("WhenScaled", kept.get("whenScaled", ""), 1)
    pods_status(page, one, around)
    template(page, spec.get("template"))
    _claims(page, as_list(spec.get("volumeClaimTemplates")))
    events(page, around.events(one))


def _claims(page: Page, listed: list[Object]) -> None:
    page.line(0, "Volume Claims:" if listed else f"Volume Claims:\t{NONE}")
    for one in listed:
        page.field("Name", get_path(one, "metadata.name") or "", 1)
        page.field("StorageClass", get_path(one, "spec.storageClassName") or "", 1)
        page.labels("Labels", get_path(one, "metadata.labels"), before="  ")
        page.labels("Annotations", get_path(one, "metadata.annotations"), before="  ")
        page.field("Capacity", get_path(one, "spec.resources.requests.storage") or "<default>", 1)
        page.field("Access Modes", go(as_list(get_path(one, "spec.accessModes"))), 1)


# ---- jobs ------------------------------------------------------------------------------------------------------------


def job(page: Page, one: Object, around: ClusterView) -> None:
    """A Job."""
    spec, status = one["spec"], as_map(one.get("status"))
    _title(page, one, created=False)
    page.field("Selector", selector(spec.get("selector")))
    marks(page, one)
    controlled(page, one)
    page.fields(0, {"Parallelism": spec.get("parallelism")})
    page.field("Completions", spec.get("completions", UNSET))
    page.fields(
        0,
        {
            "Completion Mode": spec.get("completionMode"),
            "Suspend": go(spec["suspend"]) if "suspend" in spec else None,
            "Backoff Limit": spec.get("backoffLimit"),
            "TTL Seconds After Finished": spec.get("ttlSecondsAfterFinished"),
        },
    )
    _job_times(page, status)
    if spec.get("activeDeadlineSeconds") is not None:
        page.field("Active Deadline Seconds", f"{spec['activeDeadlineSeconds']}s")
    ready = status.get("ready")
    active, succeeded, failed = (status.get(field, 0) for field in ("active", "succeeded", "failed"))
    also = "" if ready is None else f" ({ready} Ready)"
    page.field("Pods Statuses", f"{active} Active{also} / {succeeded} Succeeded / {failed} Failed")
    if spec.get("completionMode") == "Indexed":
        page.field("Completed Indexes", _indexes(str(status.get("completedIndexes") or "")))
    template(page, spec.get("template"))
    events(page, around.events(one))


def _job_times(page: Page, status: Object) -> None:
    for field, title in (("startTime", "Start Time"), ("completionTime", "Completed At")):
        if status.get(field):
            page.field(title, time(status[field]))
    start, end = moment(status.get("startTime")), moment(status.get("completionTime"))
    if start and end:
        page.field("Duration", duration((end - start).total_seconds()))


def _indexes(text: str, most: int = 50) -> str:
    at = text.find(",", most)
    return text or NONE if at < 0 else f"{text[: at + 1]}..."


def cron_job(page: Page, one: Object, around: ClusterView) -> None:
    """A CronJob."""
    spec = one["spec"]
    head(page, one)
    page.field("Schedule", spec.get("schedule", ""))
    page.field("Concurrency Policy", spec.get("concurrencyPolicy", ""))
    page.field("Suspend", truth(spec["suspend"]) if spec.get("suspend") is not None else UNSET)
    page.field("Time Zone", spec.get("timeZone") or UNSET)
    page.field("Successful Job History Limit", spec.get("successfulJobsHistoryLimit", UNSET))
    page.field("Failed Job History Limit", spec.get("failedJobsHistoryLimit", UNSET))
    deadline = spec.get("startingDeadlineSeconds")
    page.field("Starting Deadline Seconds", UNSET if deadline is None else f"{deadline}s")
    inner = as_map(get_path(spec, "jobTemplate.spec"))
    page.field("Selector", selector(inner["selector"]) if inner.get("selector") else UNSET)
    page.field("Parallelism", inner.get("parallelism", UNSET))
    page.field("Completions", inner.get("completions", UNSET))
    if inner.get("activeDeadlineSeconds") is not None:
        page.field("Active Deadline Seconds", f"{inner['activeDeadlineSeconds']}s")
    template(page, inner.get("template"))
    last = get_path(one, "status.lastScheduleTime")
    page.field("Last Schedule Time", time(last) if last else UNSET)
    active = [str(each.get("name", "")) for each in as_list(get_path(one, "status.active"))]
    page.field("Active Jobs", ", ".join(active) or NONE)
    events(page, around.events(one))
