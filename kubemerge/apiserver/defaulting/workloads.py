"""Defaults of Deployment, StatefulSet, DaemonSet, ReplicaSet, Job and CronJob."""

from __future__ import annotations

from ..unchecked import get_path
from .rules import EMPTY, NIL, SELECTING, Default, Group, When, absent, both, equals, given, same_as

_ROLLING = equals("spec.strategy.type", "RollingUpdate")
_ROLLING_EVER = When(
    "spec.strategy.type is RollingUpdate or spec.strategy.rollingUpdate is set",
    lambda owner: (
        get_path(owner, "spec.strategy.type") == "RollingUpdate"
        or get_path(owner, "spec.strategy.rollingUpdate") is not None
    ),
)
_UPDATING = equals("spec.updateStrategy.type", "RollingUpdate")
_PARTS = When(
    "spec.updateStrategy.rollingUpdate exists",
    lambda owner: get_path(owner, "spec.updateStrategy.rollingUpdate") is not None,
)
_ON_FAILURE = When("spec.podFailurePolicy exists", lambda owner: get_path(owner, "spec.podFailurePolicy") is not None)
_UPDATING_PARTS = both(_UPDATING, _PARTS)
_LABELLED = given("spec.template.metadata.labels")
_LABELS = same_as("spec.template.metadata.labels")
_LABELS_OF_TEMPLATE = (
    Default("spec.selector", SELECTING, _LABELLED),
    Default("metadata.labels", _LABELS, _LABELLED, unset=EMPTY),
)
_REPLICAS = Default("spec.replicas", 1)
_HISTORY = Default("spec.revisionHistoryLimit", 10)
_DEADLINE = Default("spec.progressDeadlineSeconds", 600)
_LIKE_BEFORE_V1 = "apps/v1beta1/defaults.go, extensions/v1beta1/defaults.go"
_FROM_UNSET = absent("spec.updateStrategy.type")
_WITHOUT_END = 2**31 - 1
_PRINTED = "servers print empty metadata, until 1.33 with creationTimestamp"

WORKLOADS = (
    Group(
        (
            "apps/v1beta1 Deployment",
            "apps/v1beta1 StatefulSet",
            "extensions/v1beta1 Deployment",
            "extensions/v1beta1 DaemonSet",
            "extensions/v1beta1 ReplicaSet",
        ),
        _LIKE_BEFORE_V1,
        _LABELS_OF_TEMPLATE,
    ),
    Group(
        ("Deployment",),
        "apps/v1/defaults.go SetDefaults_Deployment",
        (_REPLICAS, Default("spec.strategy.type", "RollingUpdate")),
    ),
    Group(
        ("apps/v1 Deployment", "apps/v1beta2 Deployment", "apps/v1beta1 Deployment"),
        "apps/v1/defaults.go SetDefaults_Deployment",
        (
            Default("spec.strategy.rollingUpdate.maxUnavailable", "25%", _ROLLING, unset=NIL),
            Default("spec.strategy.rollingUpdate.maxSurge", "25%", _ROLLING, unset=NIL),
            _DEADLINE,
        ),
    ),
    Group(
        ("apps/v1 Deployment", "apps/v1beta2 Deployment"),
        "apps/v1/defaults.go SetDefaults_Deployment",
        (_HISTORY,),
    ),
    Group(
        ("apps/v1beta1 Deployment",),
        "apps/v1beta1/defaults.go SetDefaults_Deployment",
        (Default("spec.revisionHistoryLimit", 2),),
    ),
    Group(
        ("extensions/v1beta1 Deployment",),
        "extensions/v1beta1/defaults.go SetDefaults_Deployment",
        (
            Default("spec.strategy.rollingUpdate.maxUnavailable", 1, _ROLLING_EVER, unset=NIL),
            Default("spec.strategy.rollingUpdate.maxSurge", 1, _ROLLING_EVER, unset=NIL),
            Default("spec.progressDeadlineSeconds", _WITHOUT_END, since="1.11"),
            Default("spec.revisionHistoryLimit", _WITHOUT_END, since="1.13"),
        ),
    ),
    Group(
        ("StatefulSet",),
        "apps/v1/defaults.go SetDefaults_StatefulSet",
        (_REPLICAS, Default("spec.podManagementPolicy", "OrderedReady"), _HISTORY),
    ),
    Group(
        ("apps/v1 StatefulSet", "apps/v1beta2 StatefulSet"),
        "apps/v1/defaults.go SetDefaults_StatefulSet",
        (
            Default("spec.updateStrategy.rollingUpdate", {}, _FROM_UNSET, until="1.18", unset=None),
            Default("spec.updateStrategy.rollingUpdate", {}, _FROM_UNSET, since="1.19"),
            Default("spec.updateStrategy.type", "RollingUpdate"),
        ),
    ),
    Group(
        ("apps/v1beta1 StatefulSet",),
        "apps/v1beta1/defaults.go SetDefaults_StatefulSet",
        (Default("spec.updateStrategy.type", "OnDelete"),),
    ),
    Group(
        ("StatefulSet",),
        "apps/v1/defaults.go SetDefaults_StatefulSet",
        (
            Default("spec.updateStrategy.rollingUpdate.partition", 0, _UPDATING_PARTS),
            Default("spec.updateStrategy.rollingUpdate.maxUnavailable", 1, _UPDATING_PARTS, since="1.37", unset=NIL),
            Default("spec.persistentVolumeClaimRetentionPolicy.whenDeleted", "Retain", since="1.27"),
            Default("spec.persistentVolumeClaimRetentionPolicy.whenScaled", "Retain", since="1.27"),
        ),
    ),
    Group(
        ("ClaimTemplateOfStatefulSet",),
        "apps/v1/conversion.go, core/v1/defaults.go SetDefaults_PersistentVolumeClaim",
        (
            Default("apiVersion", "v1", unset=None),
            Default("kind", "PersistentVolumeClaim", unset=None),
            Default("status.phase", "Pending"),
        ),
    ),
    Group(
        ("apps/v1 DaemonSet", "apps/v1beta2 DaemonSet"),
        "apps/v1/defaults.go SetDefaults_DaemonSet",
        (Default("spec.updateStrategy.type", "RollingUpdate"),),
    ),
    Group(
        ("extensions/v1beta1 DaemonSet",),
        "extensions/v1beta1/defaults.go SetDefaults_DaemonSet",
        (Default("spec.updateStrategy.type", "OnDelete"),),
    ),
    Group(
        ("DaemonSet",),
        "apps/v1/defaults.go SetDefaults_DaemonSet",
        (
            Default("spec.updateStrategy.rollingUpdate.maxUnavailable", 1, _UPDATING, unset=NIL),
            Default("spec.updateStrategy.rollingUpdate.maxSurge", 0, _UPDATING, since="1.21", unset=NIL),
            Default("spec.updateStrategy.rollingUpdate.maxUnavailable", 0, _PARTS, unset=NIL),
            Default("spec.updateStrategy.rollingUpdate.maxSurge", 0, _PARTS, since="1.21", unset=NIL),
            _HISTORY,
        ),
    ),
    Group(("ReplicaSet",), "apps/v1/defaults.go SetDefaults_ReplicaSet", (_REPLICAS,)),
    Group(
        ("Job",),
        "batch/v1/defaults.go SetDefaults_Job",
        (
            Default("spec.completions", 1, absent("spec.parallelism")),
            Default("spec.parallelism", 1),
            Default("spec.backoffLimit", _WITHOUT_END, given("spec.backoffLimitPerIndex"), since="1.28"),
            Default("spec.backoffLimit", 6, since="1.8"),
            Default("metadata.labels", _LABELS._replace(is_shared=True), _LABELLED, unset=EMPTY),
            Default("spec.completionMode", "NonIndexed", since="1.22", unset=NIL),
            Default("spec.suspend", False, since="1.22"),
            Default("spec.podReplacementPolicy", "Failed", _ON_FAILURE, since="1.29", unset=NIL),
            Default("spec.podReplacementPolicy", "TerminatingOrFailed", since="1.29", unset=NIL),
            Default("spec.manualSelector", False, since="1.29"),
        ),
    ),
    Group(
        ("PodFailurePolicyOnPodConditionsPattern",),
        "batch/v1/defaults.go SetDefaults_PodFailurePolicyOnPodConditionsPattern",
        (Default("status", "True", since="1.26"),),
    ),
    Group(
        ("PodFailurePolicyOnPodConditionsPatternOfCronJob",),
        "batch/v1/zz_generated.defaults.go",
        (Default("status", "True", since="1.34"),),
    ),
    Group(
        ("PodFailurePolicyRule",),
        "servers print nulls",
        (
            Default("onExitCodes", None, until="1.27", unset=NIL),
            Default("onPodConditions", None, until="1.27", unset=NIL),
        ),
    ),
    Group(
        ("PodFailurePolicyOnExitCodesRequirement",),
        "servers print nulls",
        (Default("containerName", None, until="1.27", unset=NIL),),
    ),
    Group(
        ("CronJob",),
        "batch/v1/defaults.go SetDefaults_CronJob",
        (
            Default("spec.concurrencyPolicy", "Allow"),
            Default("spec.suspend", False),
        ),
    ),
    Group(
        ("batch/v1 CronJob", "batch/v1beta1 CronJob"),
        "batch/v1/defaults.go SetDefaults_CronJob",
        (
            Default("spec.successfulJobsHistoryLimit", 3, since="1.8"),
            Default("spec.failedJobsHistoryLimit", 1, since="1.8"),
        ),
    ),
    Group(
        ("PodTemplateSpec", "JobTemplateSpec", "ClaimTemplateOfStatefulSet", "PersistentVolumeClaimTemplate"),
        _PRINTED,
        (Default("metadata", {}), Default("metadata.creationTimestamp", None, until="1.33", unset=NIL)),
    ),
)
