"""The columns of kubectl's tables, kind by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import cells
from .cells import NONE, aged, at, each, of, pairs, selecting, size

if TYPE_CHECKING:
    from .cells import Cell


class Column(NamedTuple):
    """A column: its title, what it says of an object, and whether it is only for `-o wide`."""

    title: str
    cell: Cell
    wide: bool = False


def _column(title: str, cell: Cell | str, *wide: bool) -> Column:
    return Column(title, at(cell) if isinstance(cell, str) else cell, *wide)


NAME = _column("NAME", "metadata.name")
AGE = _column("AGE", aged())
CREATED = _column("CREATED AT", cells.created)
_PODS = "spec.template.spec.containers"
_SELECTOR = _column("SELECTOR", selecting("spec.selector"), True)


def _containers(path: str = _PODS) -> tuple[Column, ...]:
    return _column("CONTAINERS", each(path, "name"), True), _column("IMAGES", each(path, "image"), True)


def _counts(**paths: str) -> tuple[Column, ...]:
    return tuple(_column(title.replace("_", "-"), at(path, 0)) for title, path in paths.items())


_SET = (
    NAME,
    *_counts(DESIRED="spec.replicas", CURRENT="status.replicas", READY="status.readyReplicas"),
    AGE,
    *_containers(),
)

COLUMNS: dict[tuple[str, str], tuple[Column, ...]] = {
    ("", "ConfigMap"): (NAME, _column("DATA", size("data", "binaryData")), AGE),
    ("", "Endpoints"): (NAME, _column("ENDPOINTS", cells.endpoints), AGE),
    ("", "Namespace"): (NAME, _column("STATUS", at("status.phase", "")), AGE),
    ("", "Node"): (
        NAME,
        _column("STATUS", cells.node_status),
        _column("ROLES", cells.roles),
        AGE,
        _column("VERSION", at("status.nodeInfo.kubeletVersion", "")),
    ),
    ("", "PersistentVolume"): (
        NAME,
        _column("CAPACITY", at("spec.capacity.storage", "")),
        _column("ACCESS MODES", cells.access("spec.accessModes")),
        _column("RECLAIM POLICY", at("spec.persistentVolumeReclaimPolicy", "")),
        _column("STATUS", at("status.phase", "")),
        _column("CLAIM", cells.claim),
        _column("STORAGECLASS", at("spec.storageClassName", "")),
        AGE,
        _column("VOLUMEMODE", at("spec.volumeMode", "<unset>"), True),
    ),
    ("", "PersistentVolumeClaim"): (
        NAME,
        _column("STATUS", at("status.phase", "")),
        _column("VOLUME", at("spec.volumeName", "")),
        _column("CAPACITY", at("status.capacity.storage", "")),
        _column("ACCESS MODES", cells.access("status.accessModes")),
        _column("STORAGECLASS", at("spec.storageClassName", "")),
        AGE,
        _column("VOLUMEMODE", at("spec.volumeMode", "<unset>"), True),
    ),
    ("", "Pod"): (
        NAME,
        _column("READY", cells.pod_ready),
        _column("STATUS", cells.pod_status),
        _column("RESTARTS", cells.restarts),
        AGE,
        _column("IP", "status.podIP", True),
        _column("NODE", "spec.nodeName", True),
    ),
    ("", "ReplicationController"): (*_SET, _column("SELECTOR", pairs("spec.selector"), True)),
    ("", "Secret"): (NAME, _column("TYPE", at("type", "")), _column("DATA", size("data")), AGE),
    ("", "Service"): (
        NAME,
        _column("TYPE", "spec.type"),
        _column("CLUSTER-IP", "spec.clusterIP"),
        _column("EXTERNAL-IP", cells.external),
        _column("PORT(S)", cells.ports),
        AGE,
        _column("SELECTOR", pairs("spec.selector"), True),
    ),
    ("apiextensions.k8s.io", "CustomResourceDefinition"): (NAME, CREATED),
    ("apps", "DaemonSet"): (
        NAME,
        *_counts(
            DESIRED="status.desiredNumberScheduled",
            CURRENT="status.currentNumberScheduled",
            READY="status.numberReady",
            UP_TO_DATE="status.updatedNumberScheduled",
            AVAILABLE="status.numberAvailable",
        ),
        _column("NODE SELECTOR", pairs("spec.template.spec.nodeSelector")),
        AGE,
        *_containers(),
        _SELECTOR,
    ),
    ("apps", "Deployment"): (
        NAME,
        _column("READY", of("status.readyReplicas", "spec.replicas")),
        *_counts(UP_TO_DATE="status.updatedReplicas", AVAILABLE="status.availableReplicas"),
        AGE,
        *_containers(),
        _SELECTOR,
    ),
    ("apps", "ReplicaSet"): (*_SET, _SELECTOR),
    ("apps", "StatefulSet"): (
        NAME,
        _column("READY", of("status.readyReplicas", "spec.replicas")),
        AGE,
        *_containers(),
    ),
    ("autoscaling", "HorizontalPodAutoscaler"): (
        NAME,
        _column("REFERENCE", cells.referred("spec.scaleTargetRef")),
        _column("MINPODS", at("spec.minReplicas", "<unset>")),
        *_counts(MAXPODS="spec.maxReplicas", REPLICAS="status.currentReplicas"),
        AGE,
    ),
    ("batch", "CronJob"): (
        NAME,
        _column("SCHEDULE", "spec.schedule"),
        _column("TIMEZONE", "spec.timeZone"),
        _column("SUSPEND", lambda one: bool(at("spec.suspend", False)(one))),
        _column("ACTIVE", size("status.active")),
        _column("LAST SCHEDULE", aged("status.lastScheduleTime", NONE)),
        AGE,
        *_containers("spec.jobTemplate.spec.template.spec.containers"),
    ),
    ("batch", "Job"): (
        NAME,
        _column("STATUS", cells.job_status),
        _column("COMPLETIONS", cells.completions),
        _column("DURATION", cells.took),
        AGE,
        *_containers(),
        _SELECTOR,
    ),
    ("networking.k8s.io", "Ingress"): (
        NAME,
        _column("CLASS", "spec.ingressClassName"),
        _column("HOSTS", cells.hosts),
        _column("ADDRESS", cells.address),
        _column("PORTS", cells.ingress_ports),
        AGE,
    ),
    ("networking.k8s.io", "NetworkPolicy"): (NAME, _column("POD-SELECTOR", selecting("spec.podSelector")), AGE),
    ("policy", "PodDisruptionBudget"): (
        NAME,
        _column("MIN AVAILABLE", at("spec.minAvailable", "N/A")),
        _column("MAX UNAVAILABLE", at("spec.maxUnavailable", "N/A")),
        _column("ALLOWED DISRUPTIONS", at("status.disruptionsAllowed", 0)),
        AGE,
    ),
    ("rbac.authorization.k8s.io", "ClusterRole"): (NAME, CREATED),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): (NAME, _column("ROLE", cells.referred("roleRef")), AGE),
    ("rbac.authorization.k8s.io", "Role"): (NAME, CREATED),
    ("rbac.authorization.k8s.io", "RoleBinding"): (NAME, _column("ROLE", cells.referred("roleRef")), AGE),
    ("scheduling.k8s.io", "PriorityClass"): (
        NAME,
        _column("VALUE", at("value", 0)),
        _column("GLOBAL-DEFAULT", lambda one: bool(one.get("globalDefault"))),
        AGE,
    ),
    ("storage.k8s.io", "StorageClass"): (
        NAME,
        _column("PROVISIONER", "provisioner"),
        _column("RECLAIMPOLICY", at("reclaimPolicy", "Delete")),
        _column("VOLUMEBINDINGMODE", at("volumeBindingMode", "Immediate")),
        _column("ALLOWVOLUMEEXPANSION", lambda one: bool(one.get("allowVolumeExpansion"))),
        AGE,
    ),
}
"""Group and kind, with their columns."""
OTHERS = (NAME, AGE)
"""The columns of all other kinds."""
