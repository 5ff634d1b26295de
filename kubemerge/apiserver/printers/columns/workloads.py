"""Columns of workloads: Pods and their controllers."""

from __future__ import annotations

from ..cells import pods
from ..cells import workloads as cells
from ..cells.shared import NONE, aged, at, each, of, owned, pairs, printed, referred, selecting, size, yes_or_no
from .shared import AGE, NAME, SELECTOR, Columns, column, containers, counts, wide

_SET = (
    NAME,
    *counts({"Desired": "spec.replicas", "Current": "status.replicas", "Ready": "status.readyReplicas"}),
    AGE,
    *containers(),
)

WORKLOADS: Columns = {
    ("", "Pod"): (
        NAME,
        column("Ready", pods.ready),
        column("Status", pods.status),
        column("Restarts", pods.restarts),
        AGE,
        wide("IP", "status.podIP"),
        wide("Node", "spec.nodeName"),
        wide("Nominated Node", "status.nominatedNodeName"),
        wide("Readiness Gates", pods.gates),
    ),
    ("", "PodTemplate"): (
        NAME,
        column("Containers", each("template.spec.containers", "name")),
        column("Images", each("template.spec.containers", "image")),
        column("Pod Labels", pairs("template.metadata.labels")),
    ),
    ("", "ReplicationController"): (*_SET, wide("Selector", pairs("spec.selector"))),
    ("apps", "ControllerRevision"): (
        NAME,
        column("Controller", owned),
        *counts({"Revision": "revision"}, "string"),
        AGE,
    ),
    ("apps", "DaemonSet"): (
        NAME,
        *counts(
            {
                "Desired": "status.desiredNumberScheduled",
                "Current": "status.currentNumberScheduled",
                "Ready": "status.numberReady",
                "Up-to-date": "status.updatedNumberScheduled",
                "Available": "status.numberAvailable",
            }
        ),
        column("Node Selector", pairs("spec.template.spec.nodeSelector")),
        AGE,
        *containers(),
        SELECTOR,
    ),
    ("apps", "Deployment"): (
        NAME,
        column("Ready", of("status.readyReplicas", "spec.replicas")),
        *counts({"Up-to-date": "status.updatedReplicas", "Available": "status.availableReplicas"}, "string"),
        AGE,
        *containers(),
        SELECTOR,
    ),
    ("apps", "ReplicaSet"): (*_SET, SELECTOR),
    ("apps", "StatefulSet"): (
        NAME,
        column("Ready", of("status.readyReplicas", "spec.replicas")),
        AGE,
        *containers(),
    ),
    ("autoscaling", "HorizontalPodAutoscaler"): (
        NAME,
        column("Reference", referred("spec.scaleTargetRef")),
        column("Targets", cells.targets),
        column("MinPods", printed("spec.minReplicas", "<unset>")),
        *counts({"MaxPods": "spec.maxReplicas", "Replicas": "status.currentReplicas"}, "string"),
        AGE,
    ),
    ("batch", "CronJob"): (
        NAME,
        column("Schedule", "spec.schedule"),
        column("Timezone", "spec.timeZone"),
        column("Suspend", yes_or_no("spec.suspend"), "boolean"),
        column("Active", size("status.active"), "integer"),
        column("Last Schedule", aged("status.lastScheduleTime", NONE)),
        AGE,
        *containers("spec.jobTemplate.spec.template.spec.containers"),
        wide("Selector", selecting("spec.jobTemplate.spec.selector")),
    ),
    ("batch", "Job"): (
        NAME,
        column("Status", cells.job_status),
        column("Completions", cells.completions),
        column("Duration", cells.took),
        AGE,
        *containers(),
        SELECTOR,
    ),
    ("policy", "PodDisruptionBudget"): (
        NAME,
        column("Min Available", printed("spec.minAvailable", "N/A")),
        column("Max Unavailable", printed("spec.maxUnavailable", "N/A")),
        column("Allowed Disruptions", at("status.disruptionsAllowed", 0), "integer"),
        AGE,
    ),
}
