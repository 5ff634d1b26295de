"""`predict_apply`: the effect of one apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..tool import LIMIT, MANAGER, METHODS, OBJECTS, SERVER_SIDE, Argument, Tool
from .planned import PLANNED, planned

if TYPE_CHECKING:
    from ..workspace import Workspace

TEXT = """Predict the result of `kubectl apply`, client-side or server-side, without sending a write and without a dry
run: created, changed and removed fields with their owners, conflicts, fields that stay, and rejections by the API
server. Call it before you apply a manifest, and again after you changed it because of a conflict. For a conflict,
call `conflicts` next. For Helm, Argo CD or Flux, call `plan`."""


def predict_apply(workspace: Workspace) -> dict[str, Any]:
    """The plan of `kubectl apply`."""
    from ...plan import PlanOptions

    options = PlanOptions(
        server_side="true" if workspace.get("method") == SERVER_SIDE else None,
        force_conflicts=bool(workspace.get("force_conflicts")),
        manager=workspace.get("manager"),
        namespace=workspace.namespace,
    )
    return planned(workspace, "kubectl", options, workspace.view())


PREDICT_APPLY = Tool(
    "predict_apply",
    "Predict an apply",
    TEXT,
    (
        *OBJECTS,
        Argument("method", "How kubectl applies. Default: client-side, as in `kubectl apply`.", choices=METHODS),
        MANAGER,
        Argument(
            "force_conflicts",
            "With server-side: predict an apply that forces conflicts. `overwritten` lists the fields that it takes.",
            "flag",
        ),
        LIMIT,
    ),
    PLANNED,
    predict_apply,
)
