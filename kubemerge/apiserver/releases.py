"""Patch releases: the one that a caller names, and the one that each minor release was compared with."""

from __future__ import annotations

import engine
from engine.tables.loading import patch_of

COMPARED = {
    "1.20": 15,
    "1.21": 14,
    "1.22": 17,
    "1.23": 17,
    "1.24": 17,
    "1.25": 16,
    "1.26": 15,
    "1.27": 16,
    "1.28": 15,
    "1.29": 15,
    "1.30": 14,
    "1.31": 14,
    "1.32": 13,
    "1.33": 13,
    "1.34": 4,
    "1.35": 4,
    "1.36": 3,
    "1.37": 1,
}
"""The patch releases of the real servers that the embedded cluster was compared with."""


def full_version(release: str) -> str:
    """The server version of a release, as `v1.37.1`. For a minor release that was not compared, its first patch
    release.
    """
    return f"v{release}" if release.count(".") > 1 else f"v{release}.{COMPARED.get(release, 0)}"


def patch_release(release: str | None) -> str:
    """A release in any spelling as `1.36.1`, or as `1.36` if it names no patch. The default is the newest one."""
    minor_release = str(engine.load(release).release)
    patch = None if release is None else patch_of(release)
    return minor_release if patch is None else f"{minor_release}.{patch}"


def minor_release(release: str) -> str:
    """The minor release of a patch release: `1.36` of `1.36.1`."""
    return ".".join(release.split(".")[:2])
