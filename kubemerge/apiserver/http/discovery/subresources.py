"""The subresources of built-in kinds with their releases, and the ones that are not served."""

from __future__ import annotations

from typing import NamedTuple

from ...registry.workloads import POD_PARTS


class Subresource(NamedTuple):
    """A subresource of a kind, other than status and scale."""

    group: str
    kind: str
    name: str
    verbs: tuple[str, ...]
    answers: str = ""
    """The kind of the subresource's objects, as `policy/v1/Eviction` or `Binding`, if different."""
    since: int = 0
    until: int | None = None


WRITTEN = ("get", "patch", "update")
SCALE = "autoscaling/v1/Scale"

OTHERS = (
    Subresource("", "Namespace", "finalize", ("update",)),
    Subresource("", "Pod", "binding", ("create",), "Binding"),
    Subresource("", "Pod", "eviction", ("create",), "policy/v1beta1/Eviction", until=21),
    Subresource("", "Pod", "eviction", ("create",), "policy/v1/Eviction", since=22),
    *(Subresource("", "Pod", name, WRITTEN, since=part.since) for name, part in POD_PARTS.items()),
    Subresource("", "ServiceAccount", "token", ("create",), "authentication.k8s.io/v1/TokenRequest"),
    Subresource("certificates.k8s.io", "CertificateSigningRequest", "approval", ("update",), until=18),
    Subresource("certificates.k8s.io", "CertificateSigningRequest", "approval", WRITTEN, since=19),
)
"""The served subresources. status and scale follow from the kinds."""

_NEEDS_A_NODE = "it leads to a running container or node, and there are none"
LEFT_OUT = {
    **dict.fromkeys(("nodes/proxy", "pods/proxy", "services/proxy"), _NEEDS_A_NODE),
    **dict.fromkeys(("pods/attach", "pods/exec", "pods/log", "pods/portforward"), _NEEDS_A_NODE),
}
"""Further subresources in the discovery of a real server, with the reason why they are not served."""


WITHOUT_STATUS = {("storage.k8s.io/v1beta1", "VolumeAttachment")}
"""Kinds with a status that is not a subresource."""


def subresources_of(group: str, kind: str, minor: int) -> list[Subresource]:
    """Return the subresources of a built-in kind in a release, except status and scale."""
    return [
        one
        for one in OTHERS
        if (one.group, one.kind) == (group, kind) and one.since <= minor and (one.until is None or minor <= one.until)
    ]
