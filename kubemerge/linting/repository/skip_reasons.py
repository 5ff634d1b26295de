"""Detection of YAML that is not for an API server, so that it can be skipped and counted."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from typing import Any

from engine.tables.served import is_of_kubernetes

_GROUPS = {
    "kustomize.config.k8s.io": "Kustomization",
    "kind.x-k8s.io": "kind configuration",
    "kubeadm.k8s.io": "kubeadm configuration",
    "kubelet.config.k8s.io": "component configuration",
    "kubeproxy.config.k8s.io": "component configuration",
    "kubecontrollermanager.config.k8s.io": "component configuration",
    "kubescheduler.config.k8s.io": "component configuration",
    "componentconfig": "component configuration",
    "apiserver.config.k8s.io": "component configuration",
    "apiserver.k8s.io": "component configuration",
    "audit.k8s.io": "component configuration",
    "pod-security.admission.config.k8s.io": "component configuration",
    "client.authentication.k8s.io": "client credentials",
    "config.kubernetes.io": "kustomize function",
    "builtin": "kustomize function",
    "skaffold": "Skaffold configuration",
    "tilt.dev": "Tilt configuration",
    "ctlptl.dev": "ctlptl configuration",
    "k3d.io": "k3d configuration",
    "backstage.io": "Backstage entity",
    "krew.googlecontainertools.github.com": "kubectl plugin",
}
"""API groups of configuration files, which have an apiVersion and a kind, but are read by a program."""
_NAMES = {
    "kustomization.yaml": "Kustomization",
    "kustomization.yml": "Kustomization",
    "kustomization": "Kustomization",
    "chart.yaml": "Helm chart",
    "chart.lock": "Helm chart",
    "requirements.yaml": "Helm chart",
    "docker-compose.yml": "Compose file",
    "docker-compose.yaml": "Compose file",
    "compose.yaml": "Compose file",
    "compose.yml": "Compose file",
    ".gitlab-ci.yml": "GitLab pipeline",
    ".pre-commit-config.yaml": "pre-commit configuration",
    "mkdocs.yml": "MkDocs configuration",
}
"""File names with a fixed meaning."""
_REQUESTS = {
    "admission.k8s.io": ("AdmissionReview",),
    "apiextensions.k8s.io": ("ConversionReview",),
    "authentication.k8s.io": ("SelfSubjectReview", "TokenRequest", "TokenReview"),
    "authorization.k8s.io": (
        "LocalSubjectAccessReview",
        "SelfSubjectAccessReview",
        "SelfSubjectRulesReview",
        "SubjectAccessReview",
    ),
    "imagepolicy.k8s.io": ("ImageReview",),
    "policy": ("Eviction",),
    "v1": ("Binding", "Status"),
}
"""Kinds that a server returns or receives, but does not store, so they are never applied."""
_WITHOUT_NAMES = ("install.istio.io", "cli.kyverno.io", "kuttl.dev")
"""API groups of tools whose objects may lack a name, though they have metadata."""
_HELM_VALUES = re.compile(r"values[^/]*\.ya?ml\Z|[^/]*values\.ya?ml\Z", re.IGNORECASE)
OTHER = "other YAML"


def skip_reason(document: Any, source: str) -> str:
    """The purpose of a document that is not for an API server; empty if it is, or should be."""
    name = source.replace("\\", "/").rpartition("/")[2]
    by_name = _NAMES.get(name.lower(), "")
    if not isinstance(document, dict):
        return (by_name or OTHER) if isinstance(document, list) or by_name else ""
    kind, version = document.get("kind"), document.get("apiVersion")
    if kind is None and version is None:
        return by_name or _without_a_kind(document, source, name)
    if by_name:
        return by_name
    group = str(version).partition("/")[0]
    if group in _GROUPS:
        return _GROUPS[group]
    if version == "v1" and kind == "Config" and "clusters" in document:
        return "kubeconfig"
    if kind in _REQUESTS.get(group, ()):
        return "API request"
    return f"{kind} without a name" if isinstance(kind, str) and _is_of_a_tool(document, group) else ""


def _is_of_a_tool(document: dict[str, Any], group: str) -> bool:
    """Whether an object is for a tool: it has no name, and its group does not belong to Kubernetes."""
    if group in _WITHOUT_NAMES:
        metadata = document.get("metadata")
        return not (isinstance(metadata, dict) and (metadata.get("name") or metadata.get("generateName")))
    version = document.get("apiVersion")
    return isinstance(version, str) and "metadata" not in document and "/" in version and not is_of_kubernetes(version)


def _without_a_kind(document: dict[str, Any], source: str, name: str) -> str:
    """The purpose of a mapping without apiVersion and kind."""
    if ("/.github/" in f"/{source}" or source.startswith(".github/")) and "jobs" in document:
        return "GitHub workflow"
    if "jobs" in document and ("on" in document or "true" in document):
        return "GitHub workflow"
    if "runs" in document and "name" in document:
        return "GitHub action"
    if re.search(_HELM_VALUES, name):
        return "Helm values"
    if "services" in document and isinstance(document["services"], dict):
        return "Compose file"
    return OTHER


def is_template_of_a_chart(source: str) -> bool:
    """Whether a file is below the `templates` of a Helm chart, so that it can be read only after rendering."""
    parts = source.replace("\\", "/").split("/")
    return any(
        part == "templates" and os.path.exists("/".join([*parts[:at], "Chart.yaml"]))  # noqa: PTH110
        for at, part in enumerate(parts)
    )


def is_in_a_chart(source: str) -> bool:
    """Whether a file is in a Helm chart, so that invalid YAML is a template."""
    parts = source.replace("\\", "/").split("/")[:-1]
    return any(os.path.exists("/".join([*parts[:at], "Chart.yaml"])) for at in range(len(parts), 0, -1))  # noqa: PTH110


def is_for_another_tool(data: bytes) -> bool:
    """Whether an unreadable file is not a manifest, but a playbook or stack with tags or templates of its tool."""
    plain = data.replace(b"\0", b"")  # in UTF-16, one of these is beside each letter
    return b"apiVersion" not in plain and b"kind" not in plain


_SOURCE = re.compile(rb"^# Source: (\S+)[^\S\n]*$", re.MULTILINE)


class Origins:
    """The origins of documents in a stream, from the comments of `helm template` (`# Source: web/...`)."""

    def __init__(self, data: bytes) -> None:
        self._lines: list[int] = []
        self._files: list[str] = []
        line, end = 1, 0
        if b"# Source: " in data:
            for one in _SOURCE.finditer(data):
                line += data.count(b"\n", end, one.start())
                end = one.start()
                self._lines.append(line)
                self._files.append(one[1].decode(errors="replace"))
        self._before = 0

    def of(self, line: int) -> tuple[int, str] | None:
        """The line of the comment above the document that begins on this line, and the file named in it."""
        at = bisect_left(self._lines, line) - 1
        is_between = at >= 0 and self._before < self._lines[at]
        self._before = line
        return (self._lines[at], self._files[at]) if is_between else None
