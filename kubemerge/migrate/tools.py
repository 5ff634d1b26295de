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


class FormerWriter(NamedTuple):
    """A field manager whose managedFields entries are handed over. Entries of subresources are excluded."""

    name: str
    operation: str = UPDATE
    is_prefix: bool = False
    """Whether `name` is only a prefix."""

    def owns(self, entry: dict[str, Any]) -> bool:
        """Whether an entry of managedFields belongs to this writer."""
        name = entry.get("manager") or ""
        known = name.startswith(self.name) if self.is_prefix else name == self.name
        return known and entry.get("operation") == self.operation and not entry.get("subresource")


class Tool(NamedTuple):
    """A tool: its name and field managers, and its behaviour."""

    title: str
    manager: str
    """The manager of its server-side applies."""
    before: tuple[FormerWriter, ...]
    """Its field managers before that."""
    takes: tuple[FormerWriter, ...]
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


CLIENT_SIDE = FormerWriter("kubectl-client-side-apply")
BEFORE_FIRST = FormerWriter(BEFORE_FIRST_APPLY)

TOOLS = {
    "kubectl": Tool(
        "kubectl apply --server-side",
        "kubectl",
        before=(CLIENT_SIDE, FormerWriter("kubectl-create"), FormerWriter("kubectl-replace"), BEFORE_FIRST),
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
        before=(FormerWriter("helm"), BEFORE_FIRST),
        takes=(FormerWriter("helm"),),
        forces=False,
        by_kubectl=False,
        drops_annotation=False,
        command="helm upgrade --server-side=true RELEASE CHART",
        force="helm upgrade --server-side=true --force-conflicts RELEASE CHART",
    ),
    "argocd": Tool(
        "Argo CD with ServerSideApply=true",
        "argocd-controller",
        before=(
            FormerWriter("argocd-controller"),
            FormerWriter("argocd-application-controller"),
            CLIENT_SIDE,
            BEFORE_FIRST,
        ),
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
            FormerWriter("kubectl", UPDATE, is_prefix=True),
            FormerWriter("kubectl", APPLY, is_prefix=True),
            BEFORE_FIRST,
            FormerWriter("kustomize-controller"),
        ),
        takes=(
            FormerWriter("kubectl", APPLY, is_prefix=True),
            FormerWriter("kubectl", UPDATE, is_prefix=True),
            FormerWriter(BEFORE_FIRST_APPLY, UPDATE, is_prefix=True),
            FormerWriter("kustomize-controller", UPDATE, is_prefix=True),
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
    """The name of a tool that is not in `TOOLS`."""


def tool_named(name: str) -> Tool:
    """The tool with this name."""
    if name not in TOOLS:
        raise UnknownTool(f"unknown tool {name!r}. Use one of {', '.join(TOOLS)}")
    return TOOLS[name]


def former_writers_of(by: Tool, names: Iterable[str]) -> tuple[FormerWriter, ...]:
    """The former writers of objects: the tool itself, unless other tools or managers are named."""
    given = [*names]
    if not given:
        return by.before
    found: list[FormerWriter] = []
    for name in given:
        known = TOOLS.get(name)
        if known is None:
            found += [FormerWriter(name, UPDATE), FormerWriter(name, APPLY)]
        else:
            found += known.before
            if known.manager != by.manager:
                found.append(FormerWriter(known.manager, APPLY))
    return tuple(dict.fromkeys(found))
