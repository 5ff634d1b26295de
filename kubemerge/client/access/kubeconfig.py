"""Server and user of a context, from kubeconfig files merged as kubectl merges them, or from inside a pod.

A kubeconfig may be untrusted: its schema is checked, and only names are ever shown.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codegen.documents.problems import BadDocument
from codegen.documents.reader import read

from ...apiserver.identity import DEFAULT_NAMESPACE
from .errors import BadKubeconfig, NoContext
from .kubeconfig_schema import CLUSTER, CONTEXT, USER, check

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VARIABLE = "KUBECONFIG"
USUAL = os.path.join("~", ".kube", "config")  # noqa: PTH118 - shown to people as they would type it
ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
"""Token, namespace and CA certificate inside a pod."""
IN_CLUSTER = "in-cluster"
LARGEST = 16 * 2**20
"""The maximum size of a kubeconfig in bytes."""


@dataclass(frozen=True)
class Access:
    """The address and credentials of one context. Its paths are absolute."""

    context: str
    namespace: str
    cluster: Mapping[str, Any]
    user: Mapping[str, Any]
    user_name: str = ""
    place: str = ""
    """The kubeconfig, for messages."""

    def __repr__(self) -> str:
        return f"<Access to {self.context}>"  # without the user, who has secrets

    @property
    def server(self) -> str:
        """The URL of the server."""
        return str(self.cluster["server"])


def load_access(kubeconfig: str | None = None, context: str | None = None) -> Access:
    """Return the access of a context, by default the current one. Without a kubeconfig, a pod uses its cluster."""
    files = _files(kubeconfig)
    there = [file for file in files if os.path.isfile(file)]  # noqa: PTH113 - pathlib takes a while
    if kubeconfig is not None and not there:
        raise BadKubeconfig(kubeconfig, "the kubeconfig does not exist")
    if not there:
        inside = _of_pod() if context in (None, IN_CLUSTER) else None
        if inside is not None:
            return inside
        raise BadKubeconfig(os.pathsep.join(files), "no kubeconfig was found. Pass one with --kubeconfig")
    return _chosen(_merged([_read(file) for file in there]), context, os.pathsep.join(there))


def names(kubeconfig: str | None = None) -> tuple[str, ...]:
    """Return all contexts, sorted. Empty if the kubeconfig is invalid."""
    try:
        found = _merged([_read(file) for file in _files(kubeconfig) if os.path.isfile(file)])  # noqa: PTH113
    except BadKubeconfig:
        return ()
    return tuple(sorted(found.contexts))


def _files(given: str | None) -> list[str]:
    """The kubeconfig files: given, from the environment, or the default."""
    if given is not None:
        return [os.path.expanduser(given)]  # noqa: PTH111
    named = os.environ.get(VARIABLE)
    return list(dict.fromkeys(filter(None, named.split(os.pathsep)))) if named else [os.path.expanduser(USUAL)]  # noqa: PTH111


# ---- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _File:
    current: str
    clusters: Mapping[str, tuple[str, Mapping[str, Any]]]
    users: Mapping[str, tuple[str, Mapping[str, Any]]]
    contexts: Mapping[str, tuple[str, Mapping[str, Any]]]
    """The entries by name, each with its file and content."""


def _read(file: str) -> _File:
    try:
        with open(file, "rb") as stream:  # noqa: PTH123
            data = stream.read(LARGEST + 1)
    except OSError as error:
        raise BadKubeconfig(file, f"not readable: {error.strerror}") from None
    if len(data) > LARGEST:
        raise BadKubeconfig(file, "too large for a kubeconfig")
    try:
        documents = [content for _, content in read(data) if content is not None]
    except BadDocument as error:
        raise BadKubeconfig(f"{file}:{error.line or 1}", "not readable as YAML or JSON") from None
    if len(documents) > 1:
        raise BadKubeconfig(file, "the file has several documents, but a kubeconfig is one document")
    content = documents[0] if documents else {}
    if not isinstance(content, dict) or content.get("kind", "Config") != "Config":
        raise BadKubeconfig(file, "not a kubeconfig (a mapping of kind Config)")
    current = content.get("current-context")
    if current is not None and not isinstance(current, str):
        raise BadKubeconfig(file, "current-context is not a name")
    folder = os.path.dirname(os.path.abspath(file))  # noqa: PTH100, PTH120
    return _File(
        current or "",
        _named(file, content, "clusters", "cluster", CLUSTER, folder),
        _named(file, content, "users", "user", USER, folder),
        _named(file, content, "contexts", "context", CONTEXT, folder),
    )


def _named(
    file: str, content: Mapping[str, Any], plural: str, singular: str, form: Mapping[str, Any], folder: str
) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """The entries of a list by name, with absolute paths."""
    entries = content.get(plural)
    if entries is None:
        return {}
    if not isinstance(entries, list):
        raise BadKubeconfig(file, f"{plural} is not a list")
    found: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for number, entry in enumerate(entries):
        at = f"{plural}[{number}]"
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise BadKubeconfig(file, f"{at} has no name")
        name, value = entry["name"], entry.get(singular)
        if name in found:
            raise BadKubeconfig(file, f"{at} is the second one with the name {name!r}")
        problem = check({} if value is None else value, form, f"{at}.{singular}")
        if problem:
            raise BadKubeconfig(file, problem)
        found[name] = file, _with_paths(value or {}, folder)
    return found


_PATHS = ("certificate-authority", "client-certificate", "client-key", "tokenFile")


def _with_paths(entry: Mapping[str, Any], folder: str) -> Mapping[str, Any]:
    """The entry with absolute paths. A command is only a path if it contains a slash."""
    found: dict[str, Any] = {
        key: os.path.join(folder, value) if key in _PATHS and value else value  # noqa: PTH118
        for key, value in entry.items()
    }
    plugin = found.get("exec")
    if plugin and os.path.dirname(plugin.get("command") or ""):  # noqa: PTH120
        found["exec"] = {**plugin, "command": os.path.join(folder, plugin["command"])}  # noqa: PTH118
    return found


def _merged(files: Sequence[_File]) -> _File:
    """Merge several files. Of entries with the same name, the first one counts as a whole."""
    parts: tuple[dict[str, Any], ...] = ({}, {}, {})
    for one in reversed(files):
        for part, entries in zip(parts, (one.clusters, one.users, one.contexts), strict=True):
            part.update(entries)
    return _File(next((one.current for one in files if one.current), ""), *parts)


# ---- choosing --------------------------------------------------------------------------------------------------------


def _chosen(found: _File, context: str | None, place: str) -> Access:
    known = tuple(sorted(found.contexts))
    if context == "":
        raise NoContext("the name of the context is empty", known)
    name = found.current if context is None else context
    if not name:
        raise NoContext(f"{place} has no current context. Name one with --context", known)
    if name not in found.contexts:
        current = "the current context " if context is None else "the context "
        raise NoContext(f"{place} does not have {current}{name!r}", known)
    file, entry = found.contexts[name]
    _, cluster = _entry(found.clusters, entry.get("cluster"), file, f"the context {name!r}", "cluster")
    user = entry.get("user")
    _, who = _entry(found.users, user, file, f"the context {name!r}", "user") if user else ("", {})
    if not cluster.get("server"):
        raise BadKubeconfig(file, f"the cluster {entry.get('cluster')!r} has no server")
    return Access(name, entry.get("namespace") or DEFAULT_NAMESPACE, cluster, who, user or "", file)


def _entry(
    entries: Mapping[str, tuple[str, Mapping[str, Any]]], name: Any, file: str, of: str, what: str
) -> tuple[str, Mapping[str, Any]]:
    if not name:
        raise BadKubeconfig(file, f"{of} has no {what}")
    if name not in entries:
        raise BadKubeconfig(file, f"{of} refers to the {what} {name!r}, which does not exist")
    return entries[name]


def _of_pod() -> Access | None:
    """The access of a pod to its own cluster. None outside of a pod."""
    host, port = os.environ.get("KUBERNETES_SERVICE_HOST"), os.environ.get("KUBERNETES_SERVICE_PORT")
    token = f"{ACCOUNT}/token"
    if not host or not port or not os.path.isfile(token):  # noqa: PTH113
        return None
    authority = f"{ACCOUNT}/ca.crt"
    server = f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}"
    cluster = {"server": server}
    if os.path.isfile(authority):  # noqa: PTH113
        cluster["certificate-authority"] = authority
    try:
        with open(f"{ACCOUNT}/namespace", encoding="utf-8") as stream:  # noqa: PTH123
            namespace = stream.read().strip()
    except OSError:
        namespace = ""
    user = {"tokenFile": token}
    return Access(IN_CLUSTER, namespace or DEFAULT_NAMESPACE, cluster, user, "the service account", ACCOUNT)
