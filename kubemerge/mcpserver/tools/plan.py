"""`plan`: the effect of a deployment tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..tool import LIMIT, OBJECTS, Argument, Tool, files_of
from .planned import PLANNED, planned

if TYPE_CHECKING:
    from ..workspace import Workspace

TEXT = """Predict what Helm, Argo CD, Flux or kubectl does with rendered manifests: created, changed and deleted
objects, conflicts, fields that it takes over, and fields that stay. Call it for a deployment by one of these tools.
Render the chart or kustomization first, for example with `helm template`. For a plain `kubectl apply`, call
`predict_apply`."""
_TOOLS = ("kubectl", "helm", "argocd", "flux")
"""The names of PLANNERS, whose import is too slow for the list of tools."""
_SERVER_SIDE = ("auto", "true", "false")


def plan(workspace: Workspace) -> dict[str, Any]:
    """The plan of a tool."""
    from ...plan import PlanOptions

    if not workspace.has("config"):
        raise MergeError("no object to apply. Pass the rendered manifests in config, or paths in config_files")
    tool, view = workspace.text("tool"), workspace.view()
    documents = tuple([one.content for one in workspace.manifests("tool_objects")])
    if tool == "helm" and not documents:
        from ...plan.helm.release import stored_releases

        documents = stored_releases(view, workspace.get("release_name"), workspace.namespace)
    options = PlanOptions(
        server_side=workspace.get("server_side"),
        force_conflicts=bool(workspace.get("force_conflicts")),
        manager=workspace.get("manager"),
        namespace=workspace.namespace,
        tool_version=workspace.get("tool_version"),
        documents=documents,
        release_name=workspace.get("release_name"),
    )
    return planned(workspace, tool, options, view)


PLAN = Tool(
    "plan",
    "Plan a deployment",
    TEXT,
    (
        Argument("tool", "The tool that deploys.", required=True, choices=_TOOLS),
        *OBJECTS,
        Argument(
            "tool_objects",
            "The tool's own objects: Secrets of the Helm release, the Argo CD Application, the Flux Kustomization.",
            "document",
        ),
        files_of("tool_objects"),
        Argument("release_name", "helm: the name of the release."),
        Argument("tool_version", "The tool's major version, such as 3 for Helm 3."),
        Argument("server_side", "Use server-side apply. Default: the tool's default.", choices=_SERVER_SIDE),
        Argument("force_conflicts", "With server-side apply: take over fields of other managers.", "flag"),
        Argument("manager", "The field manager of the tool. Default: that of the tool."),
        LIMIT,
    ),
    PLANNED,
    plan,
)
