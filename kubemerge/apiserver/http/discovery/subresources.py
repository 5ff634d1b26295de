"""The subresources of the built-in kinds, each with the releases that have it, and those that are left out."""

from __future__ import annotations

from typing import NamedTuple

from ...registry.workloads import POD_PARTS


class Subresource(NamedTuple):
    """A subresource of a kind, besides status and scale."""

    group: str
    kind: str
    name: str
    verbs: tuple[str, ...]
    answers: str = ""
    """The kind that it takes and gives, as `policy/v1/Eviction` or `Binding`, if that is another one."""
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
"""The subresources that are served; status and scale follow from the kinds."""

_NEEDS_A_NODE = "it leads to a running container or node, and there are none"
LEFT_OUT = {
    **dict.fromkeys(("nodes/proxy", "pods/proxy", "services/proxy"), _NEEDS_A_NODE),
    **dict.fromkeys(("pods/attach", "pods/exec", "pods/log", "pods/portforward"), _NEEDS_A_NODE),
}
"""What a real server lists in its discovery besides, with the reason why it is not served."""


WITHOUT_STATUS = {("storage.k8s.io/v1beta1", "VolumeAttachment")}
"""Kinds with a status that is not a subresource."""


def subresources_of(group: str, kind: str, minor: int) -> list[Subresource]:
    """The subresources of a built-in kind in a release, besides status and scale."""
    return [
        one
        for one in OTHERS
        if (one.group, one.kind) == (group, kind) and one.since <= minor and (one.until is None or minor <= one.until)
    ]
