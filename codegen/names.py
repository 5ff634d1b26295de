"""Module and type names from definition names. Specifications are untrusted: their names are never used as paths.

A type is named `module.Type`. The module is the part of the definition's name before the last dot, folded to
`[a-z0-9_]`. The rest is data, and is only printed as a quoted string.
"""

from __future__ import annotations

import hashlib
import keyword
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_API_GROUP = re.compile(r"io\.k8s\.(?:[a-z0-9-]+\.)*?(?:api|apis)\.([a-z0-9]+)\.(v[0-9][a-z0-9]*)\Z")
_CORE = "io.k8s.kubernetes.pkg.api.v1"
_LIBRARY = re.compile(r"io\.k8s\.apimachinery\.pkg\.(?:[a-z]+\.)*([a-z]+)\Z")

_TAKEN = frozenset({"index", "con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)})
"""Forbidden module names: our own index, and file names reserved by some systems."""

_META = "meta_v1"
"""The module of ObjectMeta, which custom resources refer to; a group named `meta` must not replace it."""

MAX_LENGTH = 80


def split(definition: str) -> tuple[str, str]:
    """A definition's name, split into the prefix, which becomes the module, and the type name."""
    prefix, _, name = definition.rpartition(".")
    return prefix, name


def modules(prefixes: Iterable[str]) -> dict[str, str]:
    """A module name for each prefix; only the two prefixes of one Kubernetes group share a module."""
    named: dict[str, str] = {}
    owner: dict[str, str] = {}
    for prefix in sorted(prefixes):
        known = _kubernetes_name(prefix)
        name = known or _safe(prefix)
        if owner.setdefault(name, known or prefix) != (known or prefix):
            name = f"{name}_{hashlib.sha256(prefix.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
        named[prefix] = name
    return named


def _kubernetes_name(prefix: str) -> str | None:
    """The short name of a Kubernetes package: `core_v1`, `apps_v1`, `meta_v1`, `intstr`."""
    if prefix == _CORE:
        return "core_v1"
    group = _API_GROUP.match(prefix)
    library = _LIBRARY.match(prefix)
    name = f"{group[1]}_{group[2]}" if group else library[1] if library else None
    return name if name and name[0].isalpha() and len(name) <= MAX_LENGTH and not _is_taken(name) else None


def _safe(prefix: str) -> str:
    """A module name for any prefix that is valid on every system."""
    folded = re.sub(r"[^a-z0-9]+", "_", prefix.lower()).strip("_")
    if len(folded) > MAX_LENGTH:
        folded = f"{folded[:MAX_LENGTH]}_{hashlib.sha256(prefix.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    if not folded or not folded[0].isalpha():
        folded = f"types_{folded}".rstrip("_")
    return f"{folded}_" if folded == _META or _is_taken(folded) else folded


def _is_taken(name: str) -> bool:
    return name in _TAKEN or keyword.iskeyword(name)
