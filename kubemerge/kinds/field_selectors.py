"""The fields by which objects of built-in kinds can be selected, beside their names and namespaces."""

from __future__ import annotations

OF_ALL = ("metadata.name", "metadata.namespace")
_EVENT = {
    **{
        f"involvedObject.{name}": f"involvedObject.{name}"
        for name in ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")
    },
    "reason": "reason",
    "reportingComponent": "reportingComponent",
    "source": "source.component",
    "type": "type",
}
_NEW_NAMES = {"involvedObject": "regarding", "reportingComponent": "reportingController", "source": "deprecatedSource"}


def _renamed(path: str) -> str:
    """Where a field of an Event is in one of events.k8s.io."""
    first, dot, rest = path.partition(".")
    return f"{_NEW_NAMES.get(first, first)}{dot}{rest}"


SELECTABLE: dict[tuple[str, str], dict[str, str]] = {
    ("", "Pod"): {
        path: path
        for path in (
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.podIPs",
            "status.nominatedNodeName",
        )
    },
    ("", "Node"): {"spec.unschedulable": "spec.unschedulable"},
    ("", "Event"): _EVENT,
    ("events.k8s.io", "Event"): {name: _renamed(path) for name, path in _EVENT.items()},
    ("", "Namespace"): {"status.phase": "status.phase"},
    ("", "ReplicationController"): {"status.replicas": "status.replicas"},
    ("", "Secret"): {"type": "type"},
    ("", "Service"): {"spec.clusterIP": "spec.clusterIP", "spec.type": "spec.type"},
    ("batch", "Job"): {"status.successful": "status.succeeded"},
    ("certificates.k8s.io", "CertificateSigningRequest"): {"spec.signerName": "spec.signerName"},
}
"""The fields by group and kind, each with where it is in an object."""
ABSENT = {
    "spec.hostNetwork": "false",
    "spec.unschedulable": "false",
    "status.replicas": "0",
    "status.successful": "0",
}
"""What a field counts as that an object does not have, if not as nothing."""
