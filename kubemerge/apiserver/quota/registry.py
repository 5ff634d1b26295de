"""The evaluators by resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .claims import Claims
from .device_claims import DeviceClaims
from .evaluators import IGNORED, Evaluator
from .pods import Pods
from .services import Services

if TYPE_CHECKING:
    from .evaluators import QuotaContext

SPECIAL: dict[tuple[str, str], tuple[str, type[Evaluator]]] = {
    ("", "pods"): ("Pod", Pods),
    ("", "services"): ("Service", Services),
    ("", "persistentvolumeclaims"): ("PersistentVolumeClaim", Claims),
    ("resource.k8s.io", "resourceclaims"): ("ResourceClaim", DeviceClaims),
}
"""Resources with further limits besides their number, and their kinds."""


def evaluator_of(group: str, plural: str, context: QuotaContext) -> Evaluator | None:
    """Return the evaluator of a resource. None if quotas ignore it."""
    if (group, plural) in IGNORED:
        return None
    _, made = SPECIAL.get((group, plural), ("", Evaluator))
    return made(group, plural, context)
