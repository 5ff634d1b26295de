"""Helm releases of a fleet: the chart, the version, the status and the apply method of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...plan.helm.release import DEPLOYED, SERVER_SIDE, release_of, stored_release
from ..rows import Row, json
from .base import Check, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...manifests.objects import Manifest
    from ...plan.helm.release import Release

KIND = "HelmRelease"
"""The kind of the rows. Helm stores a release in a Secret or a ConfigMap."""
_OVER = frozenset({"superseded", "uninstalled"})
"""Statuses of revisions that are only history."""


class Helm(Check):
    """The revisions that are installed, or that failed: one row for each."""

    def __init__(self, _rules: Rules) -> None:
        super().__init__()

    def about(self, cluster: str, manifest: Manifest) -> Iterator[Row]:
        """The row of a stored revision; none for other objects."""
        if stored_release(manifest.content) is None:
            return
        release = release_of(manifest.content)
        if release.status in _OVER:
            return
        about = {
            "chart": release.chart,
            "version": release.chart_version,
            "appVersion": release.app_version,
            "revision": release.revision,
            "method": _method(release),
        }
        severity = "info" if release.status == DEPLOYED else "warning"
        yield Row(
            *(cluster, release.namespace, KIND, release.name),
            what=release.status,
            severity=severity,
            after=json(about),
            text=_text(release),
            source=manifest.source,
        )


def _method(release: Release) -> str:
    return "server-side" if release.apply_method == SERVER_SIDE else "client-side"


def _text(release: Release) -> str:
    app = f" (app {release.app_version})" if release.app_version else ""
    chart = f"{release.chart} {release.chart_version}".strip() or "an unknown chart"
    return f"revision {release.revision} of {chart}{app}, applied {_method(release)}"
