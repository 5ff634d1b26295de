"""Files in volumes: paths, modes, and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...problems import Problem, forbidden, invalid, not_found, required, unsupported
from ...unchecked import as_map, as_number, as_text, maps
from .. import names
from ..declarative import by_table
from ..selectors import strict_selector
from ..signers import bundle_name, signer_name, user_annotations
from ..values import formats
from .fields import field_selector, resource_selector
from .internal_form import printed_invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

NO_MODE = "must be a number between 0 and 0777 (octal), both inclusive"
TWICE = "conflicting duplicate paths"
KEY_TYPES = ("RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519")
RULES = """
KeyToPath key string required
KeyToPath path string required
"""
"""The checks of one field."""


def backsteps(at: str, path: str) -> Iterator[Problem]:
    """Reject `..` in a path."""
    if ".." in path.split("/"):
        yield invalid(at, path, "must not contain '..'")


def descending(at: str, path: str) -> Iterator[Problem]:
    """Validate a relative path without `..`."""
    if path.startswith("/"):
        yield invalid(at, path, "must be a relative path")
    yield from backsteps(at, path)


def local(at: str, path: str) -> Iterator[Problem]:
    """Validate the path of a file in a volume."""
    yield from descending(at, path)
    if path.startswith("..") and not path.startswith("../"):
        yield invalid(at, path, "must not start with '..'")


def mode(at: str, owner: Object, field: str = "mode") -> Iterator[Problem]:
    """Validate the mode of a file."""
    value = as_number(owner.get(field))
    if value is not None and not 0 <= value <= 0o777:
        yield invalid(f"{at}.{field}", value, NO_MODE)


def key_to_path(at: str, item: Object) -> Iterator[Problem]:
    """Validate a key and the path of its file."""
    path = as_text(item.get("path"))
    yield from by_table(RULES, "KeyToPath", at, item)
    yield from local(f"{at}.path", path)
    yield from mode(at, item)
    yield from formats.user_id(f"{at}.user", item.get("user"))


def with_items(at: str, source: Object, name: str) -> Iterator[Problem]:
    """Validate a volume with the keys of a ConfigMap or Secret as files."""
    if not source.get(name):
        yield required(f"{at}.{name}")
    yield from mode(at, source, "defaultMode")
    yield from formats.user_id(f"{at}.defaultUser", source.get("defaultUser"))
    for index, item in maps(source, "items"):
        yield from key_to_path(f"{at}.items[{index}]", item)


def downward_file(at: str, file: Object) -> Iterator[Problem]:
    """Validate a downward API file."""
    path = as_text(file.get("path"))
    if not path:
        yield required(f"{at}.path")
    yield from local(f"{at}.path", path)
    if isinstance(file.get("fieldRef"), dict):
        yield from field_selector(f"{at}.fieldRef", file["fieldRef"], in_volume=True)
        if file.get("resourceFieldRef") is not None:
            yield invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")
    elif isinstance(file.get("resourceFieldRef"), dict):
        yield from resource_selector(f"{at}.resourceFieldRef", file["resourceFieldRef"], in_volume=True)
    else:
        yield required(at, "one of fieldRef and resourceFieldRef is required")
    yield from mode(at, file)
    yield from formats.user_id(f"{at}.user", file.get("user"))


def downward(at: str, source: Object) -> Iterator[Problem]:
    """Validate a downward API volume."""
    yield from mode(at, source, "defaultMode")
    yield from formats.user_id(f"{at}.defaultUser", source.get("defaultUser"))
    for _, file in maps(source, "items"):
        yield from downward_file(at, file)  # the server does not name the file


# ---- projected volumes -----------------------------------------------------------------------------------------------


def projected(at: str, source: Object) -> Iterator[Problem]:
    """Validate a projected volume."""
    yield from mode(at, source, "defaultMode")
    yield from formats.user_id(f"{at}.defaultUser", source.get("defaultUser"))
    taken: set[str] = set()
    for index, one in maps(source, "sources"):
        place = f"{at}.sources[{index}]"
        given = [field for field in _PROJECTED if isinstance(one.get(field), dict)]
        for field in given:
            yield from _PROJECTED[field](at, f"{place}.{field}", one[field], taken)
        if len(given) > 1:
            yield forbidden(place, "may not specify more than 1 volume type per source")


def _collides(at: str, path: str, taken: set[str], shown: Any) -> Iterator[Problem]:
    if path in taken:
        yield invalid(at, shown, TWICE)
    taken.add(path)


def _keys(volume: str, at: str, one: Object, taken: set[str]) -> Iterator[Problem]:
    if not one.get("name"):
        yield required(f"{at}.name")
    for index, item in maps(one, "items"):
        yield from key_to_path(f"{at}.items[{index}]", item)
        if item.get("path"):
            yield from _collides(volume, as_text(item["path"]), taken, one.get("name", ""))


def _downward(volume: str, at: str, one: Object, taken: set[str]) -> Iterator[Problem]:
    for _, file in maps(one, "items"):
        yield from downward_file(at, file)
        if file.get("path"):
            yield from _collides(volume, as_text(file["path"]), taken, file["path"])


def _token(volume: str, at: str, one: Object, _: set[str]) -> Iterator[Problem]:
    seconds = as_number(one.get("expirationSeconds"))
    if seconds is None:
        yield required(f"{at}.expirationSeconds")
    elif seconds < 600:
        yield invalid(f"{at}.expirationSeconds", seconds, "may not specify a duration less than 10 minutes")
    elif seconds > 1 << 32:
        yield invalid(f"{at}.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds")
    if not one.get("path"):
        yield required(f"{volume}.path")
    else:
        yield from local(f"{volume}.path", as_text(one["path"]))
    yield from formats.user_id(f"{at}.user", one.get("user"))


def _bundle(volume: str, at: str, one: Object, taken: set[str]) -> Iterator[Problem]:
    if one.get("name") is not None and one.get("signerName") is not None:
        why = "only one of name and signerName may be used"
        yield from printed_invalid(at, "ClusterTrustBundleProjection", one, why)
    elif one.get("name") is None and one.get("signerName") is None:
        yield required(at, "either name or signerName must be specified")
    elif one.get("name") is not None:
        yield from _named_bundle(at, one)
    else:
        signer = as_text(one["signerName"])
        if not signer:
            yield required(f"{at}.signerName", "must be a valid signer name")
        yield from signer_name(f"{at}.signerName", signer)
        yield from strict_selector(f"{at}.labelSelector", one.get("labelSelector"))
    path = as_text(one.get("path"))
    if not path:
        yield required(f"{at}.path")
    yield from formats.user_id(f"{at}.user", one.get("user"))
    yield from local(f"{at}.path", path)
    yield from _collides(volume, path, taken, path)


def _named_bundle(at: str, one: Object) -> Iterator[Problem]:
    name = as_text(one["name"])
    if not name:
        yield required(f"{at}.name", "must be a valid object name")
    signer = name.rpartition(":")[0].replace(":", "/")
    yield from (
        invalid(f"{at}.name", name, f"not a valid clustertrustbundlename: {why}") for why in bundle_name(signer, name)
    )
    if one.get("labelSelector") is not None:
        yield invalid(f"{at}.labelSelector", one["labelSelector"], "labelSelector must be unset if name is specified")


def _certificate(volume: str, at: str, one: Object, taken: set[str]) -> Iterator[Problem]:
    yield from signer_name(f"{at}.signerName", as_text(one.get("signerName")))
    yield from user_annotations(f"{at}.userAnnotations", as_map(one.get("userAnnotations")))
    yield from formats.user_id(f"{at}.user", one.get("user"))
    if one.get("keyType") not in KEY_TYPES:
        yield unsupported(f"{at}.keyType", one.get("keyType") or "", KEY_TYPES)
    seconds = as_number(one.get("maxExpirationSeconds"))
    if seconds is not None and seconds < 3600:
        yield invalid(f"{at}.maxExpirationSeconds", seconds, "if provided, maxExpirationSeconds must be >= 3600")
    most = MOST_SECONDS[as_text(one.get("signerName")).startswith("kubernetes.io/")]
    if seconds is not None and seconds > most:
        yield invalid(f"{at}.maxExpirationSeconds", seconds, f"if provided, maxExpirationSeconds must be <= {most}")
    paths = [field for field in ("credentialBundlePath", "keyPath", "certificateChainPath") if one.get(field)]
    for field in paths:
        yield from local(f"{at}.{field}", as_text(one[field]))
        yield from _collides(volume, as_text(one[field]), taken, one[field])
    if not paths:
        yield required(at, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath")


MOST_SECONDS = {True: 86400, False: 7862400}
"""The maximum lifetime of a certificate, for signers of Kubernetes and others."""
_PROJECTED = {
    "secret": _keys,
    "configMap": _keys,
    "downwardAPI": _downward,
    "serviceAccountToken": _token,
    "clusterTrustBundle": _bundle,
    "podCertificate": _certificate,
}


def file_references(at: str, spec: Object) -> Iterator[Problem]:
    """Validate variables from files in volumes. The volume must be an emptyDir."""
    references = [
        (f"{at}.{field}[{index}].env[{place}].valueFrom.fileKeyRef.volumeName", name)
        for field in ("initContainers", "containers", "ephemeralContainers")
        for index, container in maps(spec, field)
        for place, variable in maps(container, "env")
        if (name := _volume_of(variable)) is not None
    ]
    volumes = {as_text(one.get("name")): one for _, one in maps(spec, "volumes")} if references else {}
    for where, name in references:
        if name not in volumes:
            yield not_found(where, name)
        elif volumes[name].get("emptyDir") is None:
            yield invalid(where, name, "referenced volume must be of type emptyDir")


def _volume_of(variable: Object) -> str | None:
    source = variable.get("valueFrom")
    reference = source.get("fileKeyRef") if isinstance(source, dict) else None
    return as_text(reference.get("volumeName")) if isinstance(reference, dict) else None


def named_label(at: str, value: Any) -> Iterator[Problem]:
    """Validate a name that is a DNS label."""
    yield from (invalid(at, value, why) for why in names.label(as_text(value)))
