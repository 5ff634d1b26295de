"""Workloads: Pods, Deployments, ReplicaSets, DaemonSets and StatefulSets."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from ..problems import Problem, forbidden, immutable, invalid, invalid_map, required, unsupported
from ..unchecked import as_map, as_number, as_text, get_path, maps
from . import eras, names, updates
from .claims import claim_spec
from .eras import APP_ARMOR as APP_ARMOR_FIELDS
from .eras import (
    DAEMON_SELECTOR_FIRST,
    DAEMON_SELECTOR_LAST,
    SET_CLAIMS,
    SET_FIELDS,
    SET_POD_SPEC,
    SET_SERVICE_NAME,
    SET_UPDATES,
    SHARED_DISK,
)
from .pod_spec.containers import image_without_spaces
from .pod_spec.internal_form import printed_invalid
from .pod_spec.spec import pod_spec
from .selectors import is_empty, is_valid_selector, label_selector, selector_matches
from .values import formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

RETENTIONS = ("Retain", "Delete")


def pod(content: Object) -> Iterator[Problem]:
    """Validate a new Pod."""
    yield from any_pod(content)
    spec = as_map(content.get("spec"))
    yield from app_armor_matches("spec", get_path(content, "metadata.annotations"), spec)
    if spec.get("ephemeralContainers"):
        yield forbidden("spec.ephemeralContainers", "cannot be set on create")
    if spec.get("nodeName") and spec.get("schedulingGates"):
        yield forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")


def any_pod(content: Object) -> Iterator[Problem]:
    """Validate a new or updated Pod."""
    spec, metadata = as_map(content.get("spec")), as_map(content.get("metadata"))
    yield from pod_annotations("metadata.annotations", metadata.get("annotations"), spec)
    yield from pod_spec("spec", spec, pod=as_text(metadata.get("name")))
    if not spec.get("serviceAccountName"):
        yield from _token_projections(spec)
    for field in ("containers", "initContainers"):
        for index, container in maps(spec, field):
            yield from image_without_spaces(f"spec.{field}[{index}]", container)


def _token_projections(spec: Object) -> Iterator[Problem]:
    for index, volume in maps(spec, "volumes"):
        for place, source in maps(as_map(volume.get("projected")), "sources"):
            if source.get("serviceAccountToken") is not None:
                at = f"spec.volumes[{index}].projected.sources[{place}].serviceAccountToken"
                yield forbidden(at, "must not be specified when serviceAccountName is not set")


WRITTEN = "must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only"
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
MIRROR = "kubernetes.io/config.mirror"
SECCOMP, SECCOMP_OF = "seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/"
APPARMOR = "container.apparmor.security.beta.kubernetes.io/"


def pod_annotations(at: str, value: Any, spec: Object) -> Iterator[Problem]:
    """Validate annotations of Pods that have a meaning."""
    given = as_map(value)
    if MIRROR in given and not spec.get("nodeName"):
        yield invalid(f"{at}[{MIRROR}]", given[MIRROR], "must set spec.nodeName if mirror pod annotation is set")
    cost = given.get(DELETION_COST)
    if cost is not None and not _is_32_bit_integer(as_text(cost)):
        yield invalid(f"{at}[{DELETION_COST}]", cost, "must be a 32bit integer")
    for key in sorted(given):
        if key == SECCOMP or key.startswith(SECCOMP_OF):
            yield from _seccomp(f"{at}.{key}", as_text(given[key]))
    yield from _app_armor_profiles(at, given, spec)


def _seccomp(at: str, value: str) -> Iterator[Problem]:
    if value not in ("runtime/default", "docker/default", "unconfined") and not value.startswith("localhost/"):
        yield invalid(at, value, "must be a valid seccomp profile")


def _app_armor_profiles(at: str, given: Object, spec: Object) -> Iterator[Problem]:
    named = {as_text(one.get("name")) for field in ("initContainers", "containers") for _, one in maps(spec, field)}
    for key in sorted(given):
        name, value = key.removeprefix(APPARMOR), as_text(given[key])
        if name == key:
            continue
        if name not in named:
            yield invalid(f"{at}[{key}]", name, "container not found")
        if value not in ("", "runtime/default", "unconfined") and not value.startswith("localhost/"):
            yield invalid(f"{at}[{key}]", value, f'invalid AppArmor profile name: "{value}"')


def app_armor_matches(at: str, annotations: Any, spec: Object) -> Iterator[Problem]:
    """Validate that AppArmor annotations and fields do not contradict each other."""
    given = as_map(annotations)
    if get_path(spec, "os.name") == "windows" or not any(key.startswith(APPARMOR) for key in given):
        return
    of_pod = get_path(spec, "securityContext.appArmorProfile")
    for field in ("initContainers", "containers"):
        for index, container in maps(spec, field):
            found = get_path(container, "securityContext.appArmorProfile") or of_pod
            text = given.get(f"{APPARMOR}{as_text(container.get('name'))}")
            if found is not None and text is not None:
                place = f"{at}.{field}[{index}].securityContext.appArmorProfile"
                yield from APP_ARMOR_FIELDS.limit(_profile_matches(place, as_map(found), as_text(text)))


def _profile_matches(at: str, profile: Object, text: str) -> Iterator[Problem]:
    expected = {"Unconfined": "unconfined", "RuntimeDefault": "runtime/default"}
    type_, local = as_text(profile.get("type")), text.removeprefix("localhost/")
    if type_ in expected:
        if text != expected[type_]:
            yield forbidden(f"{at}.type", "apparmor type in annotation and field must match")
    elif type_ == "Localhost" and local == text:
        yield forbidden(f"{at}.type", "apparmor type in annotation and field must match")
    elif type_ == "Localhost" and local != profile.get("localhostProfile"):
        yield forbidden(f"{at}.localhostProfile", "apparmor profile in annotation and field must match")


def _is_32_bit_integer(value: str) -> bool:
    digits = value.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or (digits != "0" and digits.startswith("0")):
        return False
    return len(digits) < _MAX_DIGITS and -(2**31) <= int(value) < 2**31


def deployment(content: Object) -> Iterator[Problem]:
    """Validate a Deployment."""
    spec = as_map(content.get("spec"))
    yield from formats.not_negative("spec", spec, "replicas")
    yield from _selector_and_template(spec)
    yield from shared_disks(spec)
    yield from _strategy(as_map(spec.get("strategy")))
    fields = ("minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")
    yield from formats.not_negative("spec", spec, *fields)
    deadline = as_number(spec.get("progressDeadlineSeconds"))
    if deadline is not None and deadline <= (as_number(spec.get("minReadySeconds")) or 0):
        yield invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")


def replica_set(content: Object) -> Iterator[Problem]:
    """Validate a ReplicaSet."""
    spec = as_map(content.get("spec"))
    yield from formats.not_negative("spec", spec, "replicas", "minReadySeconds")
    yield from _selector_and_template(spec)
    yield from shared_disks(spec)


def shared_disks(spec: Object) -> Iterator[Problem]:
    """Disks that several Pods would write to, in releases that refuse them."""
    if (as_number(spec.get("replicas")) or 0) > 1:
        yield from _written_disks(spec)


def _written_disks(spec: Object) -> Iterator[Problem]:
    """Disks that only one Pod could use."""
    for index, volume in maps(as_map(as_map(spec.get("template")).get("spec")), "volumes"):
        disk = volume.get("gcePersistentDisk")
        if isinstance(disk, dict) and not disk.get("readOnly"):
            place = f"spec.template.spec.volumes[{index}].gcePersistentDisk.readOnly"
            yield from SHARED_DISK.limit([invalid(place, False, WRITTEN)])


def _selector_and_template(spec: Object) -> Iterator[Problem]:
    """The selector of a Deployment or ReplicaSet, and the template that it must match."""
    selector = spec.get("selector")
    if selector is None:
        yield required("spec.selector")
    else:
        yield from label_selector("spec.selector", selector)
        if is_empty(as_map(selector)):
            yield invalid("spec.selector", selector, "empty selector is invalid for deployment")
    if not is_valid_selector(selector):
        yield invalid("spec.selector", selector, "invalid label selector")
        return
    yield from _template_labels(spec, selector)
    yield from template("spec.template", spec)
    yield from _restart_always(spec, "ReplicaSet")


def _template_labels(spec: Object, selector: Any) -> Iterator[Problem]:
    """The template labels, which a selector with requirements must match. A missing selector matches nothing."""
    labels = get_path(spec, "template.metadata.labels")
    nothing = selector is None
    if nothing or (not is_empty(as_map(selector)) and not selector_matches(as_map(selector), as_map(labels))):
        yield invalid_map("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")


def daemon_set(content: Object) -> Iterator[Problem]:
    """Validate a DaemonSet."""
    spec = as_map(content.get("spec"))
    selector = spec.get("selector")
    yield from label_selector("spec.selector", selector)
    if is_valid_selector(selector):
        yield from _template_labels(spec, selector)
    if selector is not None and is_empty(as_map(selector)):
        yield invalid("spec.selector", selector, "empty selector is invalid for daemonset")
    yield from template("spec.template", spec)
    yield from _written_disks(spec)
    yield from _restart_always(spec, "DaemonSet")
    yield from formats.not_negative("spec", spec, "minReadySeconds", "templateGeneration")
    at, strategy = "spec.updateStrategy", as_map(spec.get("updateStrategy"))
    type_, rolling = strategy.get("type"), strategy.get("rollingUpdate")
    if type_ == "RollingUpdate":
        yield from _rolling_daemons(f"{at}.rollingUpdate", rolling)
    elif type_ != "OnDelete":
        shown = {"Type": as_text(type_), "RollingUpdate": _rolling_shown(rolling)}
        yield unsupported(at, shown, ("RollingUpdate", "OnDelete"))
    yield from formats.not_negative("spec", spec, "revisionHistoryLimit")


def updated_daemon_set(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a DaemonSet. Its selector is immutable."""
    fixed = [*updates.fields(content, before)]
    yield from DAEMON_SELECTOR_FIRST.limit(fixed)
    yield from daemon_set(content)
    yield from DAEMON_SELECTOR_LAST.limit(fixed)


def _rolling_daemons(at: str, rolling: Any) -> Iterator[Problem]:
    if not isinstance(rolling, dict):
        yield required(at)
        return
    unavailable, surge = rolling.get("maxUnavailable"), rolling.get("maxSurge")
    if not _amount(unavailable):
        yield from eras.ONLY_UNAVAILABLE.limit([invalid(f"{at}.maxUnavailable", unavailable, "cannot be 0")])
    for check in (formats.int_or_percent, formats.at_most_all):
        yield from check(f"{at}.maxUnavailable", unavailable)
        yield from check(f"{at}.maxSurge", surge)
    if _amount(surge) and _amount(unavailable):
        why = "may not be set when maxUnavailable is non-zero"
        yield from eras.SURGING.limit([invalid(f"{at}.maxSurge", surge, why)])
    elif not _amount(surge) and not _amount(unavailable):
        yield from eras.SURGING.limit([required(f"{at}.maxUnavailable", "cannot be 0 when maxSurge is 0")])


def stateful_set(content: Object) -> Iterator[Problem]:
    """Validate a new StatefulSet."""
    return any_stateful_set(content, is_new=True)


def updated_stateful_set(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a StatefulSet. Hardly anything but its template and replicas may change."""
    yield from any_stateful_set(content, is_new=False)
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    yield from _set_fields_before(spec, former)
    yield from SET_FIELDS.limit(_set_fields(spec, former))


def _set_fields(spec: Object, former: Object) -> Iterator[Problem]:
    """Changes of immutable fields of a StatefulSet."""
    if spec.get("selector") != former.get("selector"):
        yield immutable("spec.selector", spec.get("selector"))
    claims = [spec.get("volumeClaimTemplates"), former.get("volumeClaimTemplates")]
    if claims[0] != claims[1]:
        yield from printed_invalid(
            "spec.volumeClaimTemplates", "[]PersistentVolumeClaim", claims[0], formats.FIELD_IS_IMMUTABLE
        )
    for field in ("serviceName", "podManagementPolicy"):
        if spec.get(field) != former.get(field):
            yield immutable(f"spec.{field}", as_text(spec.get(field)))


def _set_fields_before(spec: Object, former: Object) -> Iterator[Problem]:
    """Changes of the spec of a StatefulSet in releases with one message for all."""
    for era, fields, said in SET_UPDATES:
        may_change = {"replicas", "template", "updateStrategy", *fields}
        fixed = {*spec, *former} - may_change
        if any(spec.get(field) != former.get(field) for field in fixed):
            why = f"updates to statefulset spec for fields other than {said} are forbidden"
            yield from era.limit([forbidden("spec", why)])


def any_stateful_set(content: Object, *, is_new: bool) -> Iterator[Problem]:
    """Validate a new or updated StatefulSet. Immutable fields are only checked when it is new."""
    spec = as_map(content.get("spec"))
    policy, selector = spec.get("podManagementPolicy"), spec.get("selector")
    if policy not in ("OrderedReady", "Parallel"):
        yield invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")
    yield from _update_strategy(as_map(spec.get("updateStrategy")))
    retention = spec.get("persistentVolumeClaimRetentionPolicy")
    for field in ("whenDeleted", "whenScaled") if isinstance(retention, dict) else ():
        if as_map(retention).get(field) not in RETENTIONS:
            at = f"spec.persistentVolumeClaimRetentionPolicy.{field}"
            yield unsupported(at, as_map(retention).get(field) or "", RETENTIONS)
    for index, claim in maps(spec, "volumeClaimTemplates") if is_new else ():
        found = claim_spec(f"spec.volumeClaimTemplates[{index}].spec", as_map(claim.get("spec")))
        yield from SET_CLAIMS.limit(found)
    yield from formats.not_negative("spec", spec, "replicas", "minReadySeconds")
    yield from formats.not_negative("spec.ordinals", as_map(spec.get("ordinals")), "start")
    service = as_text(spec.get("serviceName"))
    wrong = names.label(service) if service and is_new else ()
    yield from SET_SERVICE_NAME.limit(invalid("spec.serviceName", service, why) for why in wrong)
    if selector is None:
        yield required("spec.selector")
    else:
        yield from label_selector("spec.selector", selector)
        if is_empty(as_map(selector)):
            yield invalid("spec.selector", selector, "empty selector is invalid for statefulset")
    if not is_valid_selector(selector):
        yield invalid("spec.selector", selector, "")
    else:
        yield from _template_labels(spec, selector)
        claimed = [as_text(get_path(claim, "metadata.name")) for _, claim in maps(spec, "volumeClaimTemplates")]
        yield from template("spec.template", spec, claimed, named_by_set=True)
    yield from _restart_always(spec, "StatefulSet")


def _update_strategy(strategy: Object) -> Iterator[Problem]:
    at, type_, rolling = "spec.updateStrategy", strategy.get("type"), strategy.get("rollingUpdate")
    if type_ == "OnDelete":
        if rolling is not None:
            why = "only allowed for updateStrategy 'RollingUpdate'"
            yield invalid(f"{at}.rollingUpdate", _partition_shown(rolling), why)
    elif type_ == "RollingUpdate":
        unavailable = as_map(rolling).get("maxUnavailable")
        yield from formats.not_negative(f"{at}.rollingUpdate", as_map(rolling), "partition")
        if unavailable is not None:
            place = f"{at}.rollingUpdate.maxUnavailable"
            yield from formats.int_or_percent(place, unavailable)
            if not _amount(unavailable):
                yield invalid(place, unavailable, "cannot be 0")
            yield from formats.at_most_all(place, unavailable)
    else:
        shown = {"Type": as_text(type_), "RollingUpdate": _partition_shown(rolling)}
        yield invalid(at, shown, "must be 'RollingUpdate' or 'OnDelete'")


def _partition_shown(rolling: Any) -> Any:
    one = as_map(rolling)
    shown = {"Partition": one.get("partition") or 0, "MaxUnavailable": one.get("maxUnavailable")}
    return None if rolling is None else shown


def _rolling_shown(rolling: Any) -> Any:
    one = as_map(rolling)
    return rolling and {"MaxUnavailable": one.get("maxUnavailable", 0), "MaxSurge": one.get("maxSurge", 0)}


def _strategy(strategy: Object) -> Iterator[Problem]:
    """The strategy of a Deployment. Defaults may be left over from another type."""
    at, type_, rolling = "spec.strategy.rollingUpdate", strategy.get("type"), strategy.get("rollingUpdate")
    if type_ == "Recreate":
        if rolling is not None:
            yield forbidden(at, "may not be specified when strategy `type` is 'Recreate'")
    elif type_ == "RollingUpdate":
        unavailable, surge = as_map(rolling).get("maxUnavailable"), as_map(rolling).get("maxSurge")
        yield from formats.int_or_percent(f"{at}.maxUnavailable", unavailable)
        yield from formats.int_or_percent(f"{at}.maxSurge", surge)
        if not _amount(unavailable) and not _amount(surge):
            yield invalid(f"{at}.maxUnavailable", unavailable, "may not be 0 when `maxSurge` is 0")
        yield from formats.at_most_all(f"{at}.maxUnavailable", unavailable)
    else:
        shown = {"Type": as_text(type_), "RollingUpdate": _rolling_shown(rolling)}
        yield unsupported("spec.strategy", shown, ("Recreate", "RollingUpdate"))


def template(
    at: str, spec: Object, claimed: list[str] | None = None, *, named_by_set: bool = False
) -> Iterator[Problem]:
    """Validate a Pod template. A StatefulSet names its Pods itself."""
    whole = as_map(spec.get("template"))
    metadata, inner = as_map(whole.get("metadata")), as_map(whole.get("spec"))
    if named_by_set:
        inner = {name: value for name, value in inner.items() if name not in ("hostname", "subdomain")}
    yield from names.labels(f"{at}.labels", metadata.get("labels"))
    annotations = metadata.get("annotations")
    yield from names.annotation_keys(f"{at}.annotations", annotations)
    yield from pod_annotations(f"{at}.annotations", annotations, inner)
    found = chain(_template_spec(f"{at}.spec", inner, claimed), app_armor_matches(f"{at}.spec", annotations, inner))
    yield from SET_POD_SPEC.limit(found) if named_by_set else found


def _template_spec(at: str, inner: Object, claimed: list[str] | None) -> Iterator[Problem]:
    yield from pod_spec(at, inner, claimed=claimed or ())
    if inner.get("ephemeralContainers"):
        yield forbidden(f"{at}.ephemeralContainers", "ephemeral containers not allowed in pod template")


def _restart_always(spec: Object, owner: str) -> Iterator[Problem]:
    """A template of Pods that must restart always."""
    inner = as_map(get_path(spec, "template.spec"))
    if inner.get("restartPolicy") != "Always":
        yield unsupported("spec.template.spec.restartPolicy", inner.get("restartPolicy"), ("Always",))
    if inner.get("activeDeadlineSeconds") is not None:
        why = f"activeDeadlineSeconds in {owner} is not Supported"
        yield forbidden("spec.template.spec.activeDeadlineSeconds", why)


_MAX_DIGITS = 18
"""The maximum number of digits read."""


def _amount(value: Any) -> int:
    """A number or percentage of Pods."""
    written = str(0 if value is None else value).removesuffix("%")
    return int(written[-_MAX_DIGITS:]) if written.lstrip("-").isdecimal() else 0
