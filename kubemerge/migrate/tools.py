"""Field managers of tools, and the steps of each tool's first server-side apply to an object.

`DECISIONS.md` in this folder has the source of each fact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError
from engine.serverside.field_managers import BEFORE_FIRST_APPLY
from engine.serverside.managers import APPLY, UPDATE

if TYPE_CHECKING:
    from collections.abc import Iterable


class Old(NamedTuple):
    """Entries of managedFields that a former writer may have; entries of subresources are excluded."""

    name: str
    operation: str = UPDATE
    begins: bool = False
    """Whether `name` is only a prefix."""

    def means(self, entry: dict[str, Any]) -> bool:
        """Whether an entry of managedFields belongs to this writer."""
        name = entry.get("manager") or ""
        known = name.startswith(self.name) if self.begins else name == self.name
        return known and entry.get("operation") == self.operation and not entry.get("subresource")


class Tool(NamedTuple):
    """A tool: its name and field managers, and its behaviour."""

    title: str
    manager: str
    """The manager of its server-side applies."""
    before: tuple[Old, ...]
    """Its field managers before that."""
    takes: tuple[Old, ...]
    """The writers whose fields it takes over before its first server-side apply."""
    forces: bool
    """Whether it always forces conflicts."""
    by_kubectl: bool
    """Whether it applies with kubectl's code.

    That code then takes over the fields of the manager that wrote the annotation of client-side apply.
    """
    drops_annotation: bool
    """Whether it removes that annotation."""
    command: str
    """The command to apply with it."""
    force: str
    """The command to apply with it and force conflicts."""


CLIENT_SIDE = Old("kubectl-client-side-apply")
FIRST = Old(BEFORE_FIRST_APPLY)

TOOLS = {
    "kubectl": Tool(
        "kubectl apply --server-side",
        "kubectl",
        before=(CLIENT_SIDE, Old("kubectl-create"), Old("kubectl-replace"), FIRST),
        takes=(),
        forces=False,
        by_kubectl=True,
        drops_annotation=False,
        command="kubectl apply --server-side -f {file}",
        force="kubectl apply --server-side --force-conflicts -f {file}",
    ),
    "helm": Tool(
        "Helm 4",
        "helm",
        before=(Old("helm"), FIRST),
        takes=(Old("helm"),),
        forces=False,
        by_kubectl=False,
        drops_annotation=False,
        command="helm upgrade --server-side=true RELEASE CHART",
        force="helm upgrade --server-side=true --force-conflicts RELEASE CHART",
    ),
    "argocd": Tool(
        "Argo CD with ServerSideApply=true",
        "argocd-controller",
        before=(Old("argocd-controller"), Old("argocd-application-controller"), CLIENT_SIDE, FIRST),
        takes=(CLIENT_SIDE,),
        forces=True,
        by_kubectl=True,
        drops_annotation=False,
        command="argocd app sync APP",
        force="argocd app sync APP",
    ),
    "flux": Tool(
        "Flux",
        "kustomize-controller",
        before=(
            Old("kubectl", UPDATE, begins=True),
            Old("kubectl", APPLY, begins=True),
            FIRST,
            Old("kustomize-controller"),
        ),
        takes=(
            Old("kubectl", APPLY, begins=True),
            Old("kubectl", UPDATE, begins=True),
            Old(BEFORE_FIRST_APPLY, UPDATE, begins=True),
            Old("kustomize-controller", UPDATE, begins=True),
        ),
        forces=True,
        by_kubectl=False,
        drops_annotation=True,
        command="flux reconcile kustomization NAME",
        force="flux reconcile kustomization NAME",
    ),
}
"""The tools by their names in `--by` and `--from`."""


class UnknownTool(MergeError):
    """An unknown tool."""


def tool_called(name: str) -> Tool:
    """The tool with this name."""
    if name not in TOOLS:
        raise UnknownTool(f"unknown tool {name!r}. Use one of {', '.join(TOOLS)}")
    return TOOLS[name]


def writers_before(by: Tool, names: Iterable[str]) -> tuple[Old, ...]:
    """The former writers of objects: the tool itself, unless other tools or managers are named."""
    given = [*names]
    if not given:
        return by.before
    found: list[Old] = []
    for name in given:
        known = TOOLS.get(name)
        if known is None:
            found += [Old(name, UPDATE), Old(name, APPLY)]
        else:
            found += known.before
            if known.manager != by.manager:
                found.append(Old(known.manager, APPLY))
    return tuple(dict.fromkeys(found))
