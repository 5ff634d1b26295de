"""The tools that can be predicted, and the options of a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine import MergeError

from .webhooks import webhook_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..manifests.objects import Manifest
    from ..offline.pairs import Inputs
    from .cluster_view import ClusterView
    from .model import Plan

    Object = dict[str, Any]

PLANNERS = {
    "kubectl": ("kubectl", "plan_kubectl"),
    "helm": ("helm.planner", "plan_helm"),
    "argocd": ("argocd.planner", "plan_argocd"),
    "flux": ("flux.planner", "plan_flux"),
}
"""The tools by their names in `--as`, each with its module and its function.

The function gets the objects of the config, the `ClusterView` and the `PlanOptions`, and returns the `Plan`.
"""


class UnknownTool(MergeError):
    """A tool that is not in `PLANNERS`."""


@dataclass(frozen=True)
class PlanOptions:
    """The options of a plan. Each tool uses those that it has."""

    server_side: str | None = None
    """`true`, `false` or `auto`. Default: the tool's own default."""
    force_conflicts: bool = False
    force: bool = False
    """The tool's own `--force`, which replaces objects."""
    manager: str | None = None
    take_ownership: bool = False
    namespace: str | None = None
    tool_version: str | None = None
    """The major version of the tool."""
    documents: tuple[Object, ...] = ()
    """The tool's own objects: Helm's release Secrets, an Application or a Kustomization."""
    release_name: str | None = None
    rollback: int | None = None
    """The revision to roll back to; 0 is the previous one."""
    definitions: tuple[Manifest, ...] = ()
    """The CustomResourceDefinitions of a chart's folder `crds`, which Helm installs first and never upgrades."""


def default_namespace(tool: str, options: PlanOptions) -> str:
    """The namespace of objects without one."""
    if tool == "helm" and options.documents:
        from .helm.release import namespace_of

        return namespace_of(options.documents) or "default"
    if tool == "argocd":
        from .argocd.settings import application

        return application(options.documents).destination or options.namespace or "default"
    return options.namespace or "default"


def placed(tool: str, manifests: Sequence[Manifest], view: ClusterView, options: PlanOptions) -> list[Manifest]:
    """The objects in the tool's default namespace. kubectl has its own rules, which `view` follows."""
    if tool == "kubectl":
        return [*manifests]
    namespace = default_namespace(tool, options)
    return [one.with_content(view.with_namespace(one.content, namespace)) for one in manifests]


def plan(tool: str, objects: Sequence[Inputs], view: ClusterView, options: PlanOptions | None = None) -> Plan:
    """The effects of a tool that applies these objects."""
    if tool not in PLANNERS:
        raise UnknownTool(f"unknown tool {tool!r}. Use one of {', '.join(PLANNERS)}")
    module, function = PLANNERS[tool]
    planner = getattr(import_module(f".{module}", __package__), function)
    found: Plan = planner(objects, view, options or PlanOptions())
    notes = webhook_notes(found.objects, [one.config for one in objects], view)
    return replace(found, notes=(*found.notes, *notes)) if notes else found
