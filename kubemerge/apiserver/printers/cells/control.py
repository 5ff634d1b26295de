"""Cells of cluster administration kinds: nodes, quotas, events, RBAC, certificates, API extensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...unchecked import as_map, as_number, as_text, condition_of, find_condition, get_path, has_condition
from ..ages import age, duration
from .shared import NONE, UNKNOWN, UNSET, first_that_holds, in_group, items

if TYPE_CHECKING:
    from ...protocol import Object
    from .shared import Cell

# ---- nodes and quotas --------------------------------------------------------------------------------------------


def node_status(one: Object) -> str:
    """Whether a Node is ready and schedulable."""
    ready = condition_of(one, "Ready").get("status")
    said = {"True": "Ready", None: "Unknown"}.get(ready, "NotReady")
    return f"{said},SchedulingDisabled" if get_path(one, "spec.unschedulable") else said


def roles(one: Object) -> str:
    """The roles of a Node, from its labels."""
    mark = "node-role.kubernetes.io/"
    labels = as_map(get_path(one, "metadata.labels"))
    said = {key.removeprefix(mark) for key in labels if key.startswith(mark)} | {labels.get("kubernetes.io/role")}
    return ",".join(sorted(str(role) for role in said if role)) or NONE


def node_address(kind: str) -> Cell:
    """The first address of this type of a Node."""

    def cell(one: Object) -> str:
        addresses = items(one, "status.addresses")
        return next((str(each.get("address")) for each in addresses if each.get("type") == kind), NONE)

    return cell


def kernel(one: Object) -> str:
    """The kernel version of a Node."""
    version, machine = (get_path(one, f"status.nodeInfo.{name}") for name in ("kernelVersion", "architecture"))
    return f"{version or UNKNOWN}{f' ({machine})' if version and machine else ''}"


def quota(*, limits: bool) -> Cell:
    """The used part of a quota: `pods: 2/10`. Limits are separate from requests."""

    def cell(one: Object) -> str:
        hard, used = as_map(get_path(one, "status.hard")), as_map(get_path(one, "status.used"))
        names = sorted(name for name in hard if name.startswith("limits.") == limits)
        return ", ".join(f"{name}: {used.get(name, 0)}/{hard[name]}" for name in names)

    return cell


def health(one: Object) -> str:
    """Whether a component is healthy."""
    known = _health(one)
    return "Unknown" if not known else "Healthy" if known.get("status") == "True" else "Unhealthy"


def of_health(field: str) -> Cell:
    """Another field of the health condition of a component."""
    return lambda one: _health(one).get(field, "")


def _health(one: Object) -> Object:
    return find_condition(one.get("conditions"), "Healthy")


# ---- events: of the core group, and of events.k8s.io --------------------------------------------------------------


def _either(one: Object, *paths: str) -> object:
    return next((value for value in (get_path(one, path) for path in paths) if value), None)


def first_seen(one: Object) -> str:
    """The time of the first occurrence of an event."""
    return age(_either(one, "firstTimestamp", "deprecatedFirstTimestamp", "eventTime"))


def last_seen(one: Object) -> str:
    """The time of the last occurrence of an event."""
    last = _either(one, "series.lastObservedTime", "lastTimestamp", "deprecatedLastTimestamp")
    return age(last) if last else first_seen(one)


def times(one: Object) -> object:
    """The number of occurrences of an event."""
    return _either(one, "series.count", "count", "deprecatedCount") or 1


def involved(one: Object) -> str:
    """The object of the event: `pod/web-1`."""
    about = as_map(_either(one, "involvedObject", "regarding"))
    return "/".join(str(part) for part in (as_text(about.get("kind")).lower(), about.get("name")) if part)


def involved_field(one: Object) -> object:
    """The field that the event is about."""
    return as_map(_either(one, "involvedObject", "regarding")).get("fieldPath", "")


def source(one: Object) -> str:
    """The reporter of the event."""
    said = as_map(_either(one, "source", "deprecatedSource"))
    reporters = [(said.get("component"), said.get("host"))]
    reporters += [(one.get(f"reporting{kind}"), one.get("reportingInstance")) for kind in ("Component", "Controller")]
    known = next((pair for pair in reporters if pair[0]), ())
    return ", ".join(str(part) for part in known if part)


def message(one: Object) -> str:
    """The message of the event."""
    return str(_either(one, "message", "note") or "").strip()


# ---- RBAC and certificates ---------------------------------------------------------------------------------------


def subjects(kind: str) -> Cell:
    """The subjects of a role binding."""

    def cell(one: Object) -> str:
        known = [each for each in items(one, "subjects") if each.get("kind") == kind]
        return ", ".join(_subject(each) for each in known)

    return cell


def _subject(one: Object) -> str:
    within = f"{one.get('namespace') or ''}/" if one.get("kind") == "ServiceAccount" else ""
    return f"{within}{one.get('name')}"


def requested_duration(one: Object) -> str:
    """The requested lifetime of a certificate."""
    seconds = as_number(get_path(one, "spec.expirationSeconds"))
    return NONE if seconds is None else duration(seconds)


def signing_state(one: Object) -> str:
    """The state of a CertificateSigningRequest: `Approved,Issued`."""
    known = {each.get("type") for each in items(one, "status.conditions")}
    said = ["Denied" if "Denied" in known else "Approved" if "Approved" in known else "Pending"]
    said += ["Failed"] if "Failed" in known else []
    said += ["Issued"] if get_path(one, "status.certificate") else []
    return ",".join(said)


def request_state(one: Object) -> str:
    """The state of a PodCertificateRequest."""
    return first_that_holds(one, ("Issued", "Denied", "Failed"), "Pending")


# ---- API extensions and flow control -----------------------------------------------------------------------------


def versions(one: Object) -> str:
    """The served versions of a custom resource, with a mark for the storage version."""
    known = items(one, "spec.versions")
    return ",".join(
        f"{each.get('name')}{'(storage)' * bool(each.get('storage'))}" for each in known if each.get("served")
    )


def established(one: Object) -> bool:
    """Whether a custom resource is served."""
    return has_condition(one, "Established")


def api_server(one: Object) -> str:
    """The service behind an APIService."""
    service = as_map(get_path(one, "spec.service"))
    return f"{service.get('namespace')}/{service.get('name')}" if service else "Local"


def available(one: Object) -> str:
    """Whether an APIService is available, with the reason if not."""
    known = condition_of(one, "Available")
    status = str(known.get("status") or "Unknown")
    return f"{status} ({known.get('reason')})" if known and status != "True" else status


def parameter_kind(one: Object) -> str:
    """The kind of a policy's parameters."""
    kind = as_map(get_path(one, "spec.paramKind"))
    return f"{kind.get('apiVersion')}/{kind.get('kind')}" if kind else UNSET


def parameter_reference(one: Object) -> str:
    """The parameters of a policy binding. kubectl prints a selector as Go does."""
    reference = as_map(get_path(one, "spec.paramRef"))
    if "selector" in reference:
        return _in_go(as_map(reference["selector"]))
    return f"{reference.get('namespace') or '*'}/{reference.get('name')}" if reference else UNSET


def _in_go(chosen: Object) -> str:
    labels = "".join(f"{key}: {value}," for key, value in sorted(as_map(chosen.get("matchLabels")).items()))
    rules = "".join(
        f"LabelSelectorRequirement{{Key:{rule.get('key')},Operator:{rule.get('operator')},"
        f"Values:[{' '.join(map(str, rule.get('values') or ()))}],}},"
        for rule in items(chosen, "matchExpressions")
    )
    rest = f"MatchExpressions:[]LabelSelectorRequirement{{{rules}}}"
    return f"&LabelSelector{{MatchLabels:map[string]string{{{labels}}},{rest},}}"


def dangling(one: Object) -> str:
    """Whether a FlowSchema references a missing priority level."""
    return str(condition_of(one, "Dangling").get("status") or "?")


def migrated(one: Object) -> str:
    """The resource of a storage migration: `deployments.apps`."""
    return in_group(str(get_path(one, "spec.resource.resource") or ""), get_path(one, "spec.resource.group"))


def migration_state(one: Object) -> str:
    """The state of a storage migration."""
    return first_that_holds(one, ("Running", "Succeeded", "Failed"), "Unknown")
