"""Helm releases: the Secrets in which Helm stores them, decoded with limits.

A Secret is untrusted input: its size, its decompressed size and its depth are limited. Messages contain no values.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError
from engine.values.go_json import decode

from ...apiserver.text.text import some
from ...manifests.dumps.layouts import ELIDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..cluster_view import ClusterView

    Object = dict[str, Any]

RELEASE_TYPE = "helm.sh/release.v1"
PREFIX = "sh.helm.release.v1."
MAX_ENCODED_SIZE = 4 << 20
"""The maximum size of an encoded release. The API server stores at most 1 MiB in one object."""
MAX_DECODED_SIZE = 64 << 20
"""The maximum size of a decompressed release."""
_GZIP = b"\x1f\x8b\x08"
_WINDOW = 16 + zlib.MAX_WBITS
CLIENT_SIDE, SERVER_SIDE = "csa", "ssa"
DEPLOYED = "deployed"
"""The status of a release's current revision."""
_MOST = 5
"""Maximum number of releases named in a message."""
_STORED = re.compile(r"sh\.helm\.release\.v1\.(?P<name>[^/]+)\.v(?P<revision>[0-9]{1,9})")


class BadRelease(MergeError):
    """An object that does not contain a valid Helm release."""


@dataclass(frozen=True)
class Hook:
    """A hook of a release: its manifest, its events, and the policies that delete it."""

    manifest: str
    events: tuple[str, ...]
    weight: int = 0
    policies: tuple[str, ...] = ()
    name: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Release:
    """One revision of a release."""

    name: str
    namespace: str
    revision: int
    status: str
    manifest: str
    hooks: tuple[Hook, ...] = ()
    apply_method: str = ""
    """`csa`, `ssa`, or empty for releases of Helm 3, which count as client-side."""
    source: str = "the release"
    chart: str = ""
    chart_version: str = ""
    app_version: str = ""

    @property
    def place(self) -> str:
        """The name of this revision in messages."""
        return f"revision {self.revision} of {self.name}"


def releases_in(documents: Iterable[Object]) -> list[Release]:
    """The revisions in Secrets or ConfigMaps of Helm, oldest first."""
    found = [release_of(one) for one in documents]
    names = {(one.namespace, one.name) for one in found}
    if len(names) > 1:
        several = ", ".join(sorted(f"{namespace}/{name}" for namespace, name in names))
        raise BadRelease(f"release Secrets of several releases: {several}. Pass those of one release")
    return sorted(found, key=lambda one: one.revision)


def release_of(document: Object) -> Release:
    """The release in a Secret `sh.helm.release.v1.NAME.vN`, or in such a ConfigMap."""
    kind, metadata = document.get("kind"), document.get("metadata")
    name = str(metadata.get("name") if isinstance(metadata, dict) else "")
    place = f"{kind} {name!r}"
    data = document.get("data")
    text = data.get("release") if isinstance(data, dict) else None
    if kind not in ("Secret", "ConfigMap") or not isinstance(text, str):
        raise BadRelease(
            f"{place}: not a Helm release, because data.release is missing. Pass a Secret {PREFIX}NAME.vREVISION, "
            "as `kubectl get secret -o yaml` prints it"
        )
    if len(text) > MAX_ENCODED_SIZE:
        raise BadRelease(
            f"{place}: data.release has more than {MAX_ENCODED_SIZE >> 20} MiB. Pass the Secret that Helm wrote"
        )
    encoded = _base64(text.encode(), place)
    if ELIDED.fullmatch(encoded):
        raise BadRelease(f"{place}: data.release is redacted, as `oc adm inspect` does. Pass the Secret of the cluster")
    data_bytes = _base64(encoded, place) if kind == "Secret" else encoded
    return _release(_content(data_bytes, place), place)


def _base64(data: bytes, place: str) -> bytes:
    try:
        return base64.b64decode(b"".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadRelease(f"{place}: data.release is not base64. Pass the Secret unchanged") from None


def _content(data: bytes, place: str) -> Object:
    if data.startswith(_GZIP):
        data = _decompressed(data, place)
    try:
        found = decode(data.decode())
    except (MergeError, UnicodeDecodeError):
        raise BadRelease(f"{place}: data.release is not a release in JSON. Pass the Secret unchanged") from None
    if not isinstance(found, dict):
        raise BadRelease(f"{place}: data.release is not a JSON object. Pass the Secret unchanged")
    return found


def _decompressed(data: bytes, place: str) -> bytes:
    inflate = zlib.decompressobj(_WINDOW)
    try:
        found = inflate.decompress(data, MAX_DECODED_SIZE + 1)
    except zlib.error:
        raise BadRelease(f"{place}: data.release is not valid gzip. Pass the Secret unchanged") from None
    if len(found) > MAX_DECODED_SIZE:
        raise BadRelease(
            f"{place}: the release has more than {MAX_DECODED_SIZE >> 20} MiB. No release of Helm is as large"
        )
    if not inflate.eof:
        raise BadRelease(f"{place}: data.release is cut off. Pass the whole Secret")
    return found


def _release(content: Object, place: str) -> Release:
    def part(field: str, kind: type, default: Any) -> Any:
        value = content.get(field, default)
        if value is None:
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise BadRelease(f"{place}: the release's {field} has the wrong type. Pass a Secret that Helm wrote")
        return value

    name, revision = part("name", str, ""), part("version", int, 0)
    if not name or revision < 1:
        raise BadRelease(f"{place}: the release has no name or revision. Pass a Secret that Helm wrote")
    status = part("info", dict, {}).get("status")
    chart = part("chart", dict, {}).get("metadata")
    about = chart if isinstance(chart, dict) else {}
    hooks = tuple([_hook(one, place) for one in part("hooks", list, [])])
    return Release(
        *(name, part("namespace", str, "") or "default", revision, str(status or "unknown")),
        *(part("manifest", str, ""), hooks, part("apply_method", str, ""), place),
        *(str(about.get(one) or "") for one in ("name", "version", "appVersion")),
    )


def _hook(content: Any, place: str) -> Hook:
    if not isinstance(content, dict) or not isinstance(content.get("manifest"), str):
        raise BadRelease(f"{place}: a hook of the release has no manifest. Pass a Secret that Helm wrote")
    weight = content.get("weight")
    return Hook(
        content["manifest"],
        _texts(content.get("events")),
        weight if isinstance(weight, int) and not isinstance(weight, bool) else 0,
        _texts(content.get("delete_policies")),
        str(content.get("name") or ""),
        str(content.get("kind") or ""),
    )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple([str(one) for one in value]) if isinstance(value, list) else ()


class StoredRelease(NamedTuple):
    """The identity of a stored revision, in the metadata of its Secret or ConfigMap."""

    namespace: str
    name: str
    revision: int


def stored_release(document: Object) -> StoredRelease | None:
    """The revision that an object stores; None for any other object. Helm's drivers are `secret` and `configmap`."""
    kind, metadata = document.get("kind"), document.get("metadata")
    if kind not in ("Secret", "ConfigMap") or not isinstance(metadata, dict):
        return None
    found = _STORED.fullmatch(str(metadata.get("name") or ""))
    if not found or (kind == "Secret" and document.get("type") != RELEASE_TYPE):
        return None
    if kind == "ConfigMap" and (metadata.get("labels") or {}).get("owner") != "helm":
        return None
    return StoredRelease(str(metadata.get("namespace") or "default"), found["name"], int(found["revision"]))


def only_release(documents: Iterable[Object], name: str | None) -> tuple[Object, ...]:
    """The stored revisions of a release, or without a name, of the only release in these objects."""
    stored = [(one, key) for one in documents if (key := stored_release(one)) and name in (None, key.name)]
    which = {key[:2] for _, key in stored}
    if len(which) > 1:
        names = [f"{where}/{one}" for where, one in sorted(which)]
        raise MergeError(f"several Helm releases are stored: {some(names, _MOST)}. Pass --release-name and --namespace")
    return tuple([one for one, _ in stored])


def stored_releases(view: ClusterView, name: str | None, namespace: str | None) -> tuple[Object, ...]:
    """The revisions of a release in the cluster, which `helm upgrade` reads as well, or in the live objects.

    Without a name, the only release in the files of live objects is used, and a cluster is not queried.
    """
    if not view.is_remote:
        return only_release([one for kind in ("Secret", "ConfigMap") for one in view.list("v1", kind, namespace)], name)
    return only_release(view.list("v1", "Secret", namespace or "default"), name) if name else ()


def release_names(documents: Iterable[Object]) -> list[tuple[str, str]]:
    """The namespaces and names of the stored releases."""
    return sorted({one[:2] for document in documents if (one := stored_release(document)) is not None})


def deployed_releases(documents: Iterable[Object]) -> list[Release]:
    """The newest deployed revision of each release. Only documents with a status label of another one are skipped."""
    best: dict[tuple[str, str], tuple[int, Object]] = {}
    for one in documents:
        found = stored_release(one)
        labels = one["metadata"].get("labels")
        status = labels.get("status") if isinstance(labels, dict) else None
        if found is not None and status in (None, DEPLOYED) and found.revision > best.get(found[:2], (0, {}))[0]:
            best[found[:2]] = found.revision, one
    releases = [release_of(document) for _, (_, document) in sorted(best.items(), key=lambda item: item[0])]
    return [one for one in releases if one.status == DEPLOYED]


def namespace_of(documents: Sequence[Object]) -> str | None:
    """The namespace of the release in these Secrets; None if there is no release."""
    found = releases_in(documents)
    return found[-1].namespace if found else None
