"""Names of definitions to names of modules and types. A specification is untrusted: no name of it becomes a path.

A type is called `module.Type`. The module comes from what precedes the last dot of the definition's name, folded
to `[a-z0-9_]`; the rest is data, and only ever printed as a quoted string.
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
"""Names that a module of tables must not have: our own index, and what some systems refuse as a file."""

_META = "meta_v1"
"""The module of ObjectMeta, which custom resources refer to: no group that is called `meta` may stand in for it."""

MAX_LENGTH = 80


def split(definition: str) -> tuple[str, str]:
    """The prefix of a definition's name, which names its module, and the type's own name."""
    prefix, _, name = definition.rpartition(".")
    return prefix, name


def modules(prefixes: Iterable[str]) -> dict[str, str]:
    """A module for each prefix. Only the two places where Kubernetes itself kept a group may share one."""
    named: dict[str, str] = {}
    owner: dict[str, str] = {}
    for prefix in sorted(prefixes):
        known = _known(prefix)
        name = known or _safe(prefix)
        if owner.setdefault(name, known or prefix) != (known or prefix):
            name = f"{name}_{hashlib.sha256(prefix.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
        named[prefix] = name
    return named


def _known(prefix: str) -> str | None:
    """The short name of a package of Kubernetes: `core_v1`, `apps_v1`, `meta_v1`, `intstr`."""
    if prefix == _CORE:
        return "core_v1"
    group = _API_GROUP.match(prefix)
    library = _LIBRARY.match(prefix)
    name = f"{group[1]}_{group[2]}" if group else library[1] if library else None
    return name if name and name[0].isalpha() and len(name) <= MAX_LENGTH and not _is_taken(name) else None


def _safe(prefix: str) -> str:
    """A name that is a Python module's on every system, whatever the specification says."""
    folded = re.sub(r"[^a-z0-9]+", "_", prefix.lower()).strip("_")
    if len(folded) > MAX_LENGTH:
        folded = f"{folded[:MAX_LENGTH]}_{hashlib.sha256(prefix.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    if not folded or not folded[0].isalpha():
        folded = f"types_{folded}".rstrip("_")
    return f"{folded}_" if folded == _META or _is_taken(folded) else folded


def _is_taken(name: str) -> bool:
    return name in _TAKEN or keyword.iskeyword(name)
