"""Warnings of workloads, Services, claims, volumes and Secrets."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.services import is_headless
from ..validation.values import addresses
from . import labels, pods

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

IN_NAMES = "this is used in Pod names and hostnames, which can result in surprising behavior"
IN_HOSTNAME = "this is used in the Pod's hostname, which can result in surprising behavior"


def _name(content: Object, used: str) -> Iterator[str]:
    whys = list(names.label(as_text(content["metadata"].get("name"))))
    if whys:
        yield f"metadata.name: {used}; a DNS label is recommended: [{' '.join(whys)}]"


def _template(content: Object, before: Object, *, at: str = "spec.template", named: bool = True) -> Iterator[str]:
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


def controller(content: Object, before: Object) -> Iterator[str]:
    """Warnings of a ReplicationController. On updates, a server checks the old template."""
    if not before:
        yield from _template(content, before)
    elif _increments_generation(content, before):
        yield from pods.of_template("spec.template", as_map(get_path(before, "spec.template")))


pod_template = partial(_template, at="template", named=False)


def daemon_set(content: Object, before: Object) -> Iterator[str]:
    """Warnings of a DaemonSet. Only a change of its template counts."""
    if not before or get_path(content, "spec.template") != get_path(before, "spec.template"):
        yield from pods.of_template("spec.template", as_map(get_path(content, "spec.template")))


def stateful_set(content: Object, before: Object) -> Iterator[str]:
    """Warnings of a StatefulSet, with its claims."""
    yield from _template(content, before, named=False)
    spec = as_map(content.get("spec"))
    for index, claim in maps(spec, "volumeClaimTemplates"):
        at = f"spec.volumeClaimTemplates[{index}]{'.Spec' if before else ''}"
        yield from pods.claim_spec(at, as_map(claim.get("spec")))
    if (as_number(spec.get("revisionHistoryLimit")) or 0) < 0:
        why = "a negative value retains all historical revisions; a value >= 0 is recommended"
        yield f"spec.revisionHistoryLimit: {why}"


def job(content: Object, before: Object) -> Iterator[str]:
    """Warnings of a Job."""
    if not before:
        yield from _name(content, IN_NAMES)
    if not before or _increments_generation(content, before):
        yield from _job_spec("spec", as_map(content.get("spec")))


def cron_job(content: Object, before: Object) -> Iterator[str]:
    """Warnings of a CronJob."""
    if not before:
        yield from _name(content, IN_NAMES)
    if not before or _increments_generation(content, before):
        yield from _job_spec("spec.jobTemplate.spec", as_map(get_path(content, "spec.jobTemplate.spec")))
    if before and "TZ" in as_text(get_path(content, "spec.schedule")):
        where = "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/"
        yield f"cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see {where} for more details"


MANY, MANY_AT_ONCE = 100_000, 10_000


def _job_spec(at: str, spec: Object) -> Iterator[str]:
    completions, parallelism = (as_number(spec.get(field)) or 0 for field in ("completions", "parallelism"))
    if spec.get("completionMode") == "Indexed" and completions > MANY and parallelism > MANY_AT_ONCE:
        why = "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4"
        then = "Kubernetes might not be able to track completedIndexes when a big number of indexes fail"
        yield f"{at}: {why}, {then}"
    yield from pods.of_template(f"{at}.template", as_map(spec.get("template")))


def pod(content: Object, before: Object) -> Iterator[str]:
    """Warnings of a new Pod."""
    if not before:
        yield from _name(content, IN_HOSTNAME)
        yield from pods.of_template("", content)


# ---- services --------------------------------------------------------------------------------------------------------


OLD_HINTS, HINTS = "service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode"


def service(content: Object, _: Object) -> Iterator[str]:
    """Warnings of a Service."""
    spec = as_map(content.get("spec"))
    external, balancer = spec.get("externalIPs") or [], as_text(spec.get("loadBalancerIP"))
    by_name = spec.get("type") == "ExternalName"
    if OLD_HINTS in _notes(content):
        yield f"annotation {OLD_HINTS} is deprecated, please use {HINTS} instead"
    if spec.get("clusterIP") not in (None, "", "None") and not by_name:
        yield from _addresses("spec.clusterIPs", spec.get("clusterIPs"))
    headless = is_headless(spec)
    if headless:
        yield from ["spec.loadBalancerIP is ignored for headless services"] if balancer else []
        yield from ["spec.externalIPs is ignored for headless services"] if external else []
        if spec.get("sessionAffinity") != "None":
            yield "spec.SessionAffinity is ignored for headless services"
    yield from _addresses("spec.externalIPs", external)
    if external and not headless and not by_name:
        yield "spec.externalIPs is deprecated and may no longer be implemented in some clusters"
    if balancer:
        yield from addresses.address_warnings("spec.loadBalancerIP", balancer)
    for index, one in enumerate(spec.get("loadBalancerSourceRanges") or ()):
        yield from addresses.network_warnings(f"spec.loadBalancerSourceRanges[{index}]", as_text(one))
    if by_name and external:
        yield 'spec.externalIPs is ignored when spec.type is "ExternalName"'
    if not by_name and spec.get("externalName"):
        yield 'spec.externalName is ignored when spec.type is not "ExternalName"'
    if spec.get("trafficDistribution") == "PreferClose":
        yield 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'


def _addresses(at: str, given: object) -> Iterator[str]:
    for index, one in enumerate(given if isinstance(given, list) else ()):
        yield from addresses.address_warnings(f"{at}[{index}]", as_text(one))


# ---- storage ---------------------------------------------------------------------------------------------------------


OLD_CLASS = "volume.beta.kubernetes.io/storage-class"
OLD_OPTIONS = "volume.beta.kubernetes.io/mount-options"
BY_CLASS = 'deprecated since v1.8; use "storageClassName" attribute instead'
BY_OPTIONS = 'deprecated since v1.31; use "mountOptions" attribute instead'
SOURCES = ("cephfs", "photonPersistentDisk", "scaleIO", "storageos", "glusterfs", "rbd")


def claim(content: Object, _: Object) -> Iterator[str]:
    """Warnings of a PersistentVolumeClaim."""
    if OLD_CLASS in _notes(content):
        yield f"metadata.annotations[{OLD_CLASS}]: {BY_CLASS}"
    yield from pods.claim_spec("spec", as_map(content.get("spec")))


def volume(content: Object, _: Object) -> Iterator[str]:
    """Warnings of a PersistentVolume."""
    spec = as_map(content.get("spec"))
    for key, said in ((OLD_CLASS, BY_CLASS), (OLD_OPTIONS, BY_OPTIONS)):
        if key in _notes(content):
            yield f"metadata.annotations[{key}]: {said}"
    if spec.get("persistentVolumeReclaimPolicy") == "Recycle":
        instead = "Instead, the recommended approach is to use dynamic provisioning."
        yield f"spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. {instead}"
    for index, term in maps(as_map(get_path(spec, "nodeAffinity.required")), "nodeSelectorTerms"):
        yield from labels.in_term(f"spec.nodeAffinity.required.nodeSelectorTerms[{index}]", term)
    for field in SOURCES:
        if spec.get(field) is not None:
            yield f"spec.{'storageOS' if field == 'storageos' else field}: {pods.SOURCES[field]}"


def storage_class(content: Object, _: Object) -> Iterator[str]:
    """Warnings of a StorageClass."""
    for index, one in maps(content, "allowedTopologies"):
        for place, expression in maps(one, "matchLabelExpressions"):
            said = labels.DEPRECATED.get(as_text(expression.get("key")))
            if said:
                yield f"allowedTopologies[{index}].matchLabelExpressions[{place}].key: {said}"


def capacity(content: Object, _: Object) -> Iterator[str]:
    """Warnings of a CSIStorageCapacity."""
    yield from labels.in_selector("nodeTopology", content.get("nodeTopology"))


# ---- others ----------------------------------------------------------------------------------------------------------


def runtime_class(content: Object, _: Object) -> Iterator[str]:
    """Warnings of a RuntimeClass."""
    yield from labels.in_map("scheduling.nodeSelector", get_path(content, "scheduling.nodeSelector"), keyed=False)


MOUNTABLE = "kubernetes.io/enforce-mountable-secrets"


def service_account(content: Object, before: Object) -> Iterator[str]:
    """Warnings of a ServiceAccount whose Pods may newly mount only its own Secrets."""
    if MOUNTABLE in _notes(content) and MOUNTABLE not in _notes(before):
        why = "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"
        yield f"metadata.annotations[{MOUNTABLE}]: {why}"


def resource_slice(content: Object, _: Object) -> Iterator[str]:
    """Warnings of a ResourceSlice whose driver has capital letters."""
    driver = as_text(get_path(content, "spec.driver"))
    if driver != driver.lower():
        yield f'spec.driver: driver names should be lowercase; "{driver}" contains uppercase characters'


def secret(content: Object, _: Object) -> Iterator[str]:
    """Warnings of a TLS Secret with an invalid key. Whether it fits its certificate is not checked."""
    if content.get("type") != "kubernetes.io/tls":
        return
    for field, called in (("tls.crt", "certificate"), ("tls.key", "key")):
        if "-----BEGIN " not in _decoded(as_map(content.get("data")).get(field)):
            yield f"tls: failed to find any PEM data in {called} input"
            return


def _decoded(value: object) -> str:
    from base64 import b64decode

    try:
        return b64decode(as_text(value)).decode("latin-1")
    except ValueError:
        return ""
