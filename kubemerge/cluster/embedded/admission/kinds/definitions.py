"""CustomResourceDefinitions."""

from __future__ import annotations

from ..checks import updates
from .record import KindRecord

RECORDS = (
    KindRecord(
        group="apiextensions.k8s.io",
        kind="CustomResourceDefinition",
        versions=("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"),
        check_update=updates.definition,
    ),
)
