"""Warnings of overlapping files in one volume."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..unchecked import as_map, as_text, maps
from .eras import FRESH_OVERLAPS, OVERLAPPING_FILES, STALE_OVERLAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..unchecked import Object
    from .eras import DatedWarning


class Path(NamedTuple):
    """The path of a file in a volume, and its source."""

    path: str
    source: str

    def __str__(self) -> str:
        return f'"{self.path}" ({self.source})' if self.source else f'"{self.path}"'


def overlapping(volumes: Iterable[Object]) -> Iterator[DatedWarning]:
    """Yield the warnings of overlapping files, volume by volume."""
    for volume in volumes:
        for field, called in _SINGLE.items():
            source = as_map(volume.get(field))
            for found in _collisions(_items(source, ""), []):
                at = f'volume "{as_text(volume.get("name"))}" ({called(source)})'
                yield OVERLAPPING_FILES(f"{at}: overlapping paths: {found}")
        yield from _projected(as_text(volume.get("name")), as_map(volume.get("projected")))


def _projected(name: str, projected: Object) -> Iterator[DatedWarning]:
    seen: list[Path] = []
    stale_seen: list[Path] = []
    stale: list[Path] = []
    at = f'volume "{name}" (Projected)'
    for _, source in maps(projected, "sources"):
        paths = list(_of_source(source))
        if not source:
            yield OVERLAPPING_FILES(f"{at} has no sources provided")
        else:
            stale = paths or stale
            for found in _collisions(stale, stale_seen):
                yield STALE_OVERLAPS(f"{at}: overlapping paths: {found}")
        for found in _collisions(paths, seen):
            yield FRESH_OVERLAPS(f"{at}: overlapping paths: {found}")


_SINGLE: dict[str, Callable[[Object], str]] = {
    "configMap": lambda source: f'ConfigMap "{as_text(source.get("name"))}"',
    "secret": lambda source: f'Secret "{as_text(source.get("secretName"))}"',
    "downwardAPI": lambda _: "DownwardAPI",
}


def _of_source(source: Object) -> Iterator[Path]:
    config, secret, downward, token, bundle, certificate = (as_map(source.get(field)) for field in _SOURCES)
    if config:
        yield from _items(config, f'ConfigMap "{as_text(config.get("name"))}"')
    elif secret:
        yield from _items(secret, f'Secret "{as_text(secret.get("name"))}"')
    elif downward:
        yield from _items(downward, "DownwardAPI")
    elif token:
        yield Path(as_text(token.get("path")), "ServiceAccountToken")
    elif bundle:
        name = bundle.get("name") if bundle.get("name") is not None else bundle.get("signerName")
        yield Path(as_text(bundle.get("path")), f'ClusterTrustBundle "{as_text(name)}"')
    elif certificate:
        for field, called in _CERTIFICATE.items():
            if certificate.get(field):
                yield Path(as_text(certificate[field]), f"PodCertificate {called}")


_SOURCES = ("configMap", "secret", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate")
_CERTIFICATE = {
    "certificateChainPath": "chain",
    "keyPath": "key",
    "credentialBundlePath": "credential bundle",
}


def _items(source: Object, called: str) -> Iterator[Path]:
    return (Path(as_text(one.get("path")), called) for _, one in maps(source, "items"))


def _collisions(paths: Iterable[Path], seen: list[Path]) -> Iterator[str]:
    """Yield the files that collide with earlier or seen ones, and add all to the seen ones."""
    for path in paths:
        short = path._replace(path=path.path.rstrip("/"))
        yield from (f"{short} with {other}" for other in seen if _overlap(short, other))
        seen.append(short)


def _overlap(one: Path, other: Path) -> bool:
    return f"{other.path}/".startswith(f"{one.path}/") or f"{one.path}/".startswith(f"{other.path}/")
