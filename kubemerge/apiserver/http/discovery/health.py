"""Version, health checks and paths of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...eras import minor_of
from ...releases import full_version, minor_release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .served import ServedResources

EMULATION_SINCE = 33
"""The first minor release whose `/version` contains the emulated and compatible releases."""
CHECKS = {
    "healthz": ("ping", "log", "etcd"),
    "livez": ("ping", "log", "etcd"),
    "readyz": ("ping", "log", "etcd", "informer-sync", "shutdown"),
}
"""The checks of each health path, which all pass on a running server. `etcd` is the cluster's file."""


def version(release: str) -> dict[str, str]:
    """Return the `/version` document of a release, which may be a patch release."""
    from engine.version import __version__

    minor = minor_of(minor_release(release))
    emulated = {
        "emulationMajor": "1",
        "emulationMinor": str(minor),
        "minCompatibilityMajor": "1",
        "minCompatibilityMinor": str(minor - 1),
    }
    return {
        "major": "1",
        "minor": str(minor),
        **(emulated if minor >= EMULATION_SINCE else {}),
        "gitVersion": full_version(release),
        "gitCommit": f"kubemerge-{__version__}",
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "",
        "compiler": "",
        "platform": "linux/amd64",
    }


def health(path: str, *, verbose: bool = False, exclude: Sequence[str] = ()) -> str | None:
    """Return the text of `/healthz`, `/livez` or `/readyz`, also of one check, as `/livez/ping`. None for an unknown
    path.
    """
    name, _, check = path.strip("/").partition("/")
    checks = CHECKS.get(name)
    if checks is None or (check and check not in checks):
        return None
    if check or not verbose:
        return "ok"
    lines = [f"[+]{one} {'excluded: ok' if one in exclude else 'ok'}" for one in checks]
    unknown = [f'"{one}"' for one in exclude if one not in checks]
    if unknown:
        lines.append(f"warn: some health checks cannot be excluded: no matches for {','.join(unknown)}")
    return "\n".join([*lines, f"{name} check passed\n"])


def root(served: ServedResources) -> dict[str, Any]:
    """Return the document of `/`: all paths except those of objects."""
    paths = {"/api", "/apis", "/apis/", "/metrics", "/openapi/v2", "/version"}
    if served.minor >= OPENAPI_V3_SINCE:
        paths |= {"/openapi/v3", "/openapi/v3/"}
    for group, versions in served.versions.items():
        base = f"/apis/{group}" if group else "/api"
        paths |= {base, *(f"{base}/{one}" for one in versions)}
    paths |= {f"/{name}" for name in CHECKS} | {f"/{name}/{one}" for name, checks in CHECKS.items() for one in checks}
    return {"paths": sorted(paths)}


OPENAPI_V3_SINCE = 24
"""The first minor release that serves OpenAPI v3 by default."""
