"""Checks that not every release has: the first and the last release that reports a problem.

A check without a row is made in every release. Each row was compared with real API servers, or with the history of
`validation.go`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..problems import FORBIDDEN, INVALID, REQUIRED, UNSUPPORTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..problems import Problem


class CheckEra(NamedTuple):
    """The releases whose servers report a problem."""

    kind: str
    """The error type of the problem."""
    path: str
    """The end of its path, as a regular expression."""
    detail: str = ""
    """Its detail; empty for any."""
    supported: tuple[str, ...] = ()
    first: int = 7
    last: int = 999


SHARED_DISK = "must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only"
NOT_INIT = "may not be set for non-init containers"
SELECTED_TWICE = "exists in both matchLabelKeys and labelSelector"
NO_METRIC = "must populate information for the given metric source"
NO_CONTAINER_METRIC = f"{NO_METRIC} (only allowed when HPAContainerMetrics feature is enabled)"
ERAS = (
    CheckEra(FORBIDDEN, r"\bcontainers\[\d+\]\.restartPolicy", NOT_INIT, last=33),
    CheckEra(INVALID, r"\.volumes\[\d+\]\.gcePersistentDisk\.readOnly", SHARED_DISK, last=28),
    CheckEra(INVALID, r"\.topologySpreadConstraints\[\d+\]\.matchLabelKeys\[\d+\]", SELECTED_TWICE, last=33),
    CheckEra(INVALID, r"spec\.scaleTargetRef\.apiVersion", "apiVersion must specify API group", first=34),
    CheckEra(REQUIRED, r"spec\.metrics\[\d+\]\.containerResource", NO_METRIC, first=27),
    CheckEra(REQUIRED, r"spec\.metrics\[\d+\]\.containerResource", NO_CONTAINER_METRIC, last=26),
    CheckEra(UNSUPPORTED, r"\.seLinuxChangePolicy", supported=("Recursive",), last=36),
    CheckEra(UNSUPPORTED, r"\.seLinuxChangePolicy", supported=("MountOption", "Recursive"), first=37),
)
_COMPILED = tuple((one, re.compile(f"(?:.*{one.path})\\Z", re.DOTALL)) for one in ERAS)


def of_release(problems: Sequence[Problem], minor: int) -> list[Problem]:
    """The problems that a server of a release reports."""
    return [one for one in problems if _is_reported(one, minor)]


def _is_reported(problem: Problem, minor: int) -> bool:
    return all(
        era.first <= minor <= era.last
        for era, path in _COMPILED
        if era.kind == problem.kind
        and era.detail in ("", problem.detail)
        and era.supported in ((), problem.supported)
        and path.match(problem.path)
    )
