"""Patch releases: the Kubernetes version that each minor release was compared with."""

from __future__ import annotations

COMPARED = {"1.25": 16, "1.29": 15, "1.33": 13, "1.37": 1}
"""The patch releases of the real servers that the embedded cluster was compared with."""


def full_version(release: str) -> str:
    """The server version of a minor release, as `v1.37.1`. For a release that was not compared, its first patch
    release.
    """
    return f"v{release}.{COMPARED.get(release, 0)}"
