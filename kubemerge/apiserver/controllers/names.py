"""The controllers of the embedded cluster, by their names in kube-controller-manager."""

from __future__ import annotations

from ..errors import BadRequest

GARBAGE_COLLECTOR = "garbage-collector-controller"
NAMESPACE = "namespace-controller"
VOLUME_PROTECTION = "persistentvolume-protection-controller"
CLAIM_PROTECTION = "persistentvolumeclaim-protection-controller"
RESOURCE_QUOTA = "resourcequota-controller"
SERVICE_ACCOUNT = "serviceaccount-controller"
AGGREGATION = "clusterrole-aggregation-controller"
POLICY_STATUS = "validatingadmissionpolicy-status-controller"
ALL = frozenset(
    (
        AGGREGATION,
        GARBAGE_COLLECTOR,
        NAMESPACE,
        POLICY_STATUS,
        VOLUME_PROTECTION,
        CLAIM_PROTECTION,
        RESOURCE_QUOTA,
        SERVICE_ACCOUNT,
    )
)


def enabled(listed: str) -> frozenset[str]:
    """Return the controllers of a list like that of kube-controller-manager: `*` for all, `-*` for none, `name`,
    `-name`.
    """
    words = [word.strip() for word in listed.split(",") if word.strip()]
    unknown = [word for word in words if word.removeprefix("-") not in {*ALL, "*"}]
    if unknown:
        raise BadRequest(f"there is no controller {unknown[0]!r}; there are {', '.join(sorted(ALL))}")
    named = frozenset(word for word in words if word in ALL)
    without = frozenset(word[1:] for word in words if word.startswith("-"))
    return (ALL if "*" in words else named) - without
