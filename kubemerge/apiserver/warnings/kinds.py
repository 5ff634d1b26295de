"""Warnings of workloads, Services, claims, volumes and Secrets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.services import is_headless
from . import addresses, eras, labels, pods
from .eras import DatedWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

IN_NAMES = "this is used in Pod names and hostnames, which can result in surprising behavior"
IN_HOSTNAME = "this is used in the Pod's hostname, which can result in surprising behavior"


def _name(content: Object, used: str) -> Iterator[DatedWarning]:
    whys = list(names.label(as_text(content["metadata"].get("name"))))
    if whys:
        yield eras.NAME(f"metadata.name: {used}; a DNS label is recommended: [{' '.join(whys)}]")


def _template(
    content: Object, before: Object, *, at: str = "spec.template", named: bool = True
) -> Iterator[DatedWarning]:
    """Warnings of a Pod template, which is checked when anything in the object has changed."""
    if not before and named:
        yield from _name(content, IN_NAMES)
    if not before or _increments_generation(content, before):
        yield from pods.of_template(at, as_map(get_path(content, at)))


def _increments_generation(content: Object, before: Object) -> bool:
    fields = ("template",) if content["kind"] == "PodTemplate" else ("spec",)
    if content["kind"] == "Deployment" and _notes(content) != _notes(before):
        return True
    return any(content.get(field) != before.get(field) for field in fields)


def _notes(content: Object) -> Object:
    return as_map(get_path(content, "metadata.annotations"))


deployment = _template
replica_set = _template


def controller(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warnings of a ReplicationController. On updates, a server checks the old template."""
    if not before:
        yield from eras.CONTROLLER_TEMPLATE.limit(_template(content, before))
        template = as_map(get_path(content, "spec.template"))
        yield from eras.CONTROLLER_TEMPLATE_BEFORE.limit(pods.of_template("template", template))
    elif _increments_generation(content, before):
        yield from pods.of_template("spec.template", as_map(get_path(before, "spec.template")))


pod_template = partial(_template, at="template", named=False)


def daemon_set(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warnings of a DaemonSet. Only a change of its template counts."""
    if not before or get_path(content, "spec.template") != get_path(before, "spec.template"):
        yield from pods.of_template("spec.template", as_map(get_path(content, "spec.template")))


def stateful_set(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warnings of a StatefulSet, with its claims."""
    yield from _template(content, before, named=False)
    spec = as_map(content.get("spec"))
    for index, claim in maps(spec, "volumeClaimTemplates"):
        at = f"spec.volumeClaimTemplates[{index}]{'.Spec' if before else ''}"
        yield from eras.SET_CLAIMS.limit(pods.claim_spec(at, as_map(claim.get("spec"))))
    if (as_number(spec.get("revisionHistoryLimit")) or 0) < 0:
        why = "a negative value retains all historical revisions; a value >= 0 is recommended"
        yield eras.SET_HISTORY(f"spec.revisionHistoryLimit: {why}")


def job(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warnings of a Job."""
    if not before:
        yield from _name(content, IN_NAMES)
    if not before or _increments_generation(content, before):
        yield from _job_spec("spec", as_map(content.get("spec")))


def cron_job(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warnings of a CronJob."""
    if not before:
        yield from _name(content, IN_NAMES)
    if not before or _increments_generation(content, before):
        yield from _job_spec("spec.jobTemplate.spec", as_map(get_path(content, "spec.jobTemplate.spec")))
    if "TZ" in as_text(get_path(content, "spec.schedule")):
        see = "see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
        yield eras.TIME_ZONE_BEFORE(f"CRON_TZ or TZ used in spec.spec.schedule is not officially supported, {see}")
        if before:
            yield eras.TIME_ZONE(f"cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, {see}")


MANY, MANY_AT_ONCE = 100_000, 10_000


def _job_spec(at: str, spec: Object) -> Iterator[DatedWarning]:
    completions, parallelism = (as_number(spec.get(field)) or 0 for field in ("completions", "parallelism"))
    if spec.get("completionMode") == "Indexed" and completions > MANY and parallelism > MANY_AT_ONCE:
        why = "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4"
        then = "Kubernetes might not be able to track completedIndexes when a big number of indexes fail"
        yield eras.JOB_SIZE(f"{at}: {why}, {then}")
    yield from pods.of_template(f"{at}.template", as_map(spec.get("template")))


def pod(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warnings of a new Pod."""
    if not before:
        yield from _name(content, IN_HOSTNAME)
        yield from pods.of_template("", content)


# ---- services --------------------------------------------------------------------------------------------------------


OLD_HINTS, HINTS = "service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode"


def service(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warnings of a Service."""
    spec = as_map(content.get("spec"))
    by_name = spec.get("type") == "ExternalName"
    if OLD_HINTS in _notes(content):
        yield eras.SERVICES(f"annotation {OLD_HINTS} is deprecated, please use {HINTS} instead")
    if spec.get("clusterIP") not in (None, "", "None") and not by_name:
        yield from _addresses("spec.clusterIPs", spec.get("clusterIPs"))
    if is_headless(spec):
        yield from eras.HEADLESS.limit(_ignored_if_headless(spec))
    external = spec.get("externalIPs") or []
    yield from _addresses("spec.externalIPs", external)
    if external and not is_headless(spec) and not by_name:
        yield eras.EXTERNAL_ADDRESSES(
            "spec.externalIPs is deprecated and may no longer be implemented in some clusters"
        )
    if spec.get("loadBalancerIP"):
        yield from addresses.of_address("spec.loadBalancerIP", as_text(spec["loadBalancerIP"]))
    for index, one in enumerate(spec.get("loadBalancerSourceRanges") or ()):
        yield from addresses.of_network(f"spec.loadBalancerSourceRanges[{index}]", as_text(one))
    if by_name and external:
        yield eras.SERVICE_TYPE('spec.externalIPs is ignored when spec.type is "ExternalName"')
    if not by_name and spec.get("externalName"):
        yield eras.SERVICE_TYPE('spec.externalName is ignored when spec.type is not "ExternalName"')
    if spec.get("trafficDistribution") == "PreferClose":
        yield eras.PREFER_CLOSE('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"')


def _ignored_if_headless(spec: Object) -> Iterator[DatedWarning]:
    if spec.get("loadBalancerIP"):
        yield DatedWarning("spec.loadBalancerIP is ignored for headless services")
    if spec.get("externalIPs"):
        yield DatedWarning("spec.externalIPs is ignored for headless services")
    if spec.get("sessionAffinity") != "None":
        yield DatedWarning("spec.SessionAffinity is ignored for headless services")


def _addresses(at: str, given: object) -> Iterator[DatedWarning]:
    for index, one in enumerate(given if isinstance(given, list) else ()):
        yield from addresses.of_address(f"{at}[{index}]", as_text(one))


# ---- storage ---------------------------------------------------------------------------------------------------------


OLD_CLASS = "volume.beta.kubernetes.io/storage-class"
OLD_OPTIONS = "volume.beta.kubernetes.io/mount-options"
BY_CLASS = 'deprecated since v1.8; use "storageClassName" attribute instead'
BY_OPTIONS = 'deprecated since v1.31; use "mountOptions" attribute instead'
SOURCES = ("cephfs", "photonPersistentDisk", "scaleIO", "storageos", "glusterfs", "rbd")


def claim(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warnings of a PersistentVolumeClaim."""
    if OLD_CLASS in _notes(content):
        yield eras.STORAGE_ANNOTATION(f"metadata.annotations[{OLD_CLASS}]: {BY_CLASS}")
    yield from eras.CLAIMS.limit(pods.claim_spec("spec", as_map(content.get("spec"))))


def volume(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warnings of a PersistentVolume."""
    spec, notes = as_map(content.get("spec")), _notes(content)
    if OLD_CLASS in notes:
        yield eras.STORAGE_ANNOTATION(f"metadata.annotations[{OLD_CLASS}]: {BY_CLASS}")
    if OLD_OPTIONS in notes:
        yield eras.MOUNT_ANNOTATION(f"metadata.annotations[{OLD_OPTIONS}]: {BY_OPTIONS}")
    if spec.get("persistentVolumeReclaimPolicy") == "Recycle":
        instead = "Instead, the recommended approach is to use dynamic provisioning."
        yield eras.RECYCLE(f"spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. {instead}")
    for index, term in maps(as_map(get_path(spec, "nodeAffinity.required")), "nodeSelectorTerms"):
        at = f"spec.nodeAffinity.required.nodeSelectorTerms[{index}]"
        yield from eras.NODE_LABELS_ELSEWHERE.limit(labels.in_term(at, term))
    for field in SOURCES:
        if spec.get(field) is not None:
            place = f"spec.{'storageOS' if field == 'storageos' else field}"
            yield from eras.VOLUME_SOURCES.limit(one.at(place) for one in pods.SOURCES[field])


def storage_class(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warnings of a StorageClass."""
    for index, one in maps(content, "allowedTopologies"):
        for place, expression in maps(one, "matchLabelExpressions"):
            known = labels.DEPRECATED.get(as_text(expression.get("key")))
            if known:
                at = f"allowedTopologies[{index}].matchLabelExpressions[{place}].key"
                yield from eras.NODE_LABELS_ELSEWHERE.limit([known.at(at)])


def capacity(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warnings of a CSIStorageCapacity."""
    yield from eras.NODE_LABELS_ELSEWHERE.limit(labels.in_selector("nodeTopology", content.get("nodeTopology")))


# ---- others ----------------------------------------------------------------------------------------------------------


def runtime_class(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warnings of a RuntimeClass."""
    selector = get_path(content, "scheduling.nodeSelector")
    yield from eras.NODE_LABELS_ELSEWHERE.limit(labels.in_map("scheduling.nodeSelector", selector, keyed=False))


MOUNTABLE = "kubernetes.io/enforce-mountable-secrets"


def service_account(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warnings of a ServiceAccount whose Pods may newly mount only its own Secrets."""
    if MOUNTABLE in _notes(content) and MOUNTABLE not in _notes(before):
        why = "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"
        yield eras.MOUNTABLE_SECRETS(f"metadata.annotations[{MOUNTABLE}]: {why}")


def resource_slice(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warnings of a ResourceSlice whose driver has capital letters."""
    driver = as_text(get_path(content, "spec.driver"))
    if driver != driver.lower():
        why = f'driver names should be lowercase; "{driver}" contains uppercase characters'
        yield eras.UPPERCASE_DRIVER(f"spec.driver: {why}")


def secret(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warnings of a TLS Secret whose key does not fit its certificate."""
    if content.get("type") != "kubernetes.io/tls":
        return
    from ..registry.key_pair import key_pair_problem

    data = as_map(content.get("data"))
    problem = key_pair_problem(_decoded(data.get("tls.crt")), _decoded(data.get("tls.key")))
    if problem:
        yield eras.SECRET_CERTIFICATE(problem)


def _decoded(value: object) -> str:
    from base64 import b64decode

    try:
        return b64decode(as_text(value)).decode("latin-1")
    except ValueError:
        return ""
