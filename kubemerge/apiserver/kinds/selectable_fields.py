"""Field labels: the fields of each built-in kind that field selectors support."""

from __future__ import annotations

from typing import NamedTuple

NAME, NAMESPACE = "metadata.name", "metadata.namespace"
UNSUPPORTED = "field label not supported: {label}"
_UNKNOWN = f'"{{label}}" is not a known field selector: only "{NAME}", "{NAMESPACE}"'


class Labels(NamedTuple):
    """The field labels of a kind, each with the paths of its value. The first existing one counts."""

    paths: dict[str, tuple[str, ...]]
    refusal: str = UNSUPPORTED
    """The error for any other label."""


def labels(*same: str, renamed: dict[str, tuple[str, ...]] | None = None, refusal: str = UNSUPPORTED) -> Labels:
    """Return labels that are paths, and labels with other paths."""
    return Labels({**{path: (path,) for path in same}, **(renamed or {})}, refusal)


_OBJECT = ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")
_SLICE = "field label not supported for {api_version}, Kind=ResourceSlice: {label}"
_POD = (
    *("spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "spec.hostNetwork"),
    *("status.phase", "status.podIP", "status.nominatedNodeName"),
)

OF_ALL = labels(NAME, NAMESPACE, refusal=_UNKNOWN)
"""The labels of all other kinds."""
SELECTABLE: dict[tuple[str, str], Labels] = {
    ("", "Pod"): labels(
        NAME,
        NAMESPACE,
        *_POD,
        renamed={"spec.host": ("spec.nodeName",), "status.podIPs": ()},
    ),
    ("", "Node"): labels(NAME, "spec.unschedulable"),
    ("", "Event"): labels(
        *(NAME, NAMESPACE, "reason", "reportingComponent", "type"),
        *(f"involvedObject.{name}" for name in _OBJECT),
        renamed={"source": ("source.component", "reportingComponent")},
    ),
    ("events.k8s.io", "Event"): labels(
        *(NAME, NAMESPACE, "reason", "reportingController", "type"), *(f"regarding.{name}" for name in _OBJECT)
    ),
    ("", "Namespace"): labels(NAME, "status.phase"),
    ("", "ReplicationController"): labels(NAME, NAMESPACE, "status.replicas"),
    ("", "Secret"): labels(NAME, NAMESPACE, "type"),
    ("", "Service"): labels(NAME, NAMESPACE, "spec.clusterIP", "spec.type"),
    ("batch", "Job"): labels(
        *(NAME, NAMESPACE),
        refusal='field label "{label}" not supported for Job',
        renamed={"status.successful": ("status.succeeded",)},
    ),
    ("certificates.k8s.io", "CertificateSigningRequest"): labels(NAME, "spec.signerName"),
    ("certificates.k8s.io", "ClusterTrustBundle"): labels(NAME, "spec.signerName"),
    ("certificates.k8s.io", "PodCertificateRequest"): labels(NAME, "spec.nodeName", "spec.podName", "spec.signerName"),
    ("resource.k8s.io", "ResourceSlice"): labels(
        *(NAME, "spec.driver", "spec.nodeName", "spec.pool.name"), refusal=_SLICE
    ),
}
"""The field labels by group and kind."""
ABSENT = {
    "spec.hostNetwork": "false",
    "spec.unschedulable": "false",
    "status.replicas": "0",
    "status.successful": "0",
}
"""The value of a label whose field is missing, if it is not the empty text."""
