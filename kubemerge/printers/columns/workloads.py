"""Columns of workloads: pods, and the kinds that create them."""

from __future__ import annotations

from ..cells import pods
from ..cells import workloads as cells
from ..cells.shared import NONE, aged, at, each, of, owned, pairs, referred, selecting, size, yes_or_no
from .shared import AGE, NAME, SELECTOR, Columns, column, containers, counts, wide

_SET = (
    NAME,
    *counts(DESIRED="spec.replicas", CURRENT="status.replicas", READY="status.readyReplicas"),
    AGE,
    *containers(),
)

WORKLOADS: Columns = {
    ("", "Pod"): (
        NAME,
        column("READY", pods.ready),
        column("STATUS", pods.status),
        column("RESTARTS", pods.restarts),
        AGE,
        wide("IP", "status.podIP"),
        wide("NODE", "spec.nodeName"),
        wide("NOMINATED NODE", "status.nominatedNodeName"),
        wide("READINESS GATES", pods.gates),
    ),
    ("", "PodTemplate"): (
        NAME,
        column("CONTAINERS", each("template.spec.containers", "name")),
        column("IMAGES", each("template.spec.containers", "image")),
        column("POD LABELS", pairs("template.metadata.labels")),
    ),
    ("", "ReplicationController"): (*_SET, wide("SELECTOR", pairs("spec.selector"))),
    ("apps", "ControllerRevision"): (
        NAME,
        column("CONTROLLER", owned),
        *counts(REVISION="revision"),
        AGE,
    ),
    ("apps", "DaemonSet"): (
        NAME,
        *counts(
            DESIRED="status.desiredNumberScheduled",
            CURRENT="status.currentNumberScheduled",
            READY="status.numberReady",
            UP_TO_DATE="status.updatedNumberScheduled",
            AVAILABLE="status.numberAvailable",
        ),
        column("NODE SELECTOR", pairs("spec.template.spec.nodeSelector")),
        AGE,
        *containers(),
        SELECTOR,
    ),
    ("apps", "Deployment"): (
        NAME,
        column("READY", of("status.readyReplicas", "spec.replicas")),
        *counts(UP_TO_DATE="status.updatedReplicas", AVAILABLE="status.availableReplicas"),
        AGE,
        *containers(),
        SELECTOR,
    ),
    ("apps", "ReplicaSet"): (*_SET, SELECTOR),
    ("apps", "StatefulSet"): (
        NAME,
        column("READY", of("status.readyReplicas", "spec.replicas")),
        AGE,
        *containers(),
    ),
    ("autoscaling", "HorizontalPodAutoscaler"): (
        NAME,
        column("REFERENCE", referred("spec.scaleTargetRef")),
        column("TARGETS", cells.targets),
        column("MINPODS", at("spec.minReplicas", "<unset>")),
        *counts(MAXPODS="spec.maxReplicas", REPLICAS="status.currentReplicas"),
        AGE,
    ),
    ("batch", "CronJob"): (
        NAME,
        column("SCHEDULE", "spec.schedule"),
        column("TIMEZONE", "spec.timeZone"),
        column("SUSPEND", yes_or_no("spec.suspend")),
        column("ACTIVE", size("status.active")),
        column("LAST SCHEDULE", aged("status.lastScheduleTime", NONE)),
        AGE,
        *containers("spec.jobTemplate.spec.template.spec.containers"),
        wide("SELECTOR", selecting("spec.jobTemplate.spec.selector")),
    ),
    ("batch", "Job"): (
        NAME,
        column("STATUS", cells.job_status),
        column("COMPLETIONS", cells.completions),
        column("DURATION", cells.took),
        AGE,
        *containers(),
        SELECTOR,
    ),
    ("policy", "PodDisruptionBudget"): (
        NAME,
        column("MIN AVAILABLE", at("spec.minAvailable", "N/A")),
        column("MAX UNAVAILABLE", at("spec.maxUnavailable", "N/A")),
        column("ALLOWED DISRUPTIONS", at("status.disruptionsAllowed", 0)),
        AGE,
    ),
}
