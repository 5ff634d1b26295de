"""`field_owners`: the owners of each field of live objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..results import Items, Value
from ..shapes import NULLABLE, NUMBER, OWNER, VALUE, items, output, record, word
from ..shapes import TEXT as FIELD
from ..tool import CRDS, LIMIT, LIVE, NAMESPACE, RELEASE, Argument, Tool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema

    from ..workspace import Workspace

    Facts = dict[str, Any]

TEXT = """Return the field managers that own each field of live objects, from metadata.managedFields, with the time of
their last write. Call it to find the writer of a field, or a program that resets it, before you change it. For the
reason of a value after an apply, call `why`."""
STATES = ("owned", "whole", "nobody", "gone")
OUTPUT = output(
    **items(
        "objects",
        record(
            object=FIELD,
            namespace=NULLABLE,
            **items("managers", record(owner=OWNER, fields=NUMBER)),
            **items(
                "fields",
                record(
                    path=FIELD,
                    state={
                        **word(*STATES),
                        "description": "owned: a value with owners. whole: a list or map that is owned as a whole. "
                        "nobody: a value without an owner. gone: an owned field without a value.",
                    },
                    value=VALUE,
                    **items("owners", OWNER),
                ),
            ),
        ),
    )
)


def field_owners(workspace: Workspace) -> Facts:
    """The owners of the fields of all live objects."""
    from ...offline.at_path import read_path
    from ...ownership.facts import facts
    from ...ownership.fields import owned_fields
    from ...ownership.selection import at_path, of_managers

    path = workspace.text("path")
    found: list[Facts] = []
    some = False
    for title, live, schema in _objects(workspace):
        workspace.foreign.add(live)
        if not live["metadata"].get("managedFields"):
            raise MergeError(
                f"{title} has no managedFields, so its owners are unknown. Pass the output of "
                "`kubectl get -o yaml --show-managed-fields`"
            )
        owned = owned_fields(live, schema)
        owned = at_path(owned, read_path(path)) if path else owned
        some = some or bool(owned.fields or owned.gone)
        owned = of_managers(owned, [workspace.text("manager")]) if workspace.get("manager") else owned
        if owned.fields or owned.gone:
            found.append(_result(facts(title, owned, owned)))
    if path and not some:
        raise MergeError(f"no object has a field {path}. Use a path that exists")
    return {"objects": Items(found)}


def _objects(workspace: Workspace) -> Iterator[tuple[str, Facts, Schema | None]]:
    if workspace.cluster is None:
        if not workspace.live:
            raise MergeError("no live object. Pass live objects in live, or paths in live_files")
        for one in workspace.live:
            yield one.title, one.content, workspace.schemas.of(one.key)
        return
    from ...actions.targets import wanted
    from ...manifests.objects import title

    if not workspace.get("object"):
        raise MergeError("pass the argument object, such as deployment/web")
    cluster = workspace.cluster
    for target in wanted(cluster, [workspace.text("object")]):
        live = cluster.get(target.reference(workspace.namespace or cluster.namespace))
        yield title(live), live, cluster.schema(live["apiVersion"], live["kind"])


def _result(facts: Facts) -> Facts:
    return {
        "object": facts["object"],
        "namespace": facts["namespace"],
        "managers": Items([{"owner": _owner(one), "fields": one["fields"]} for one in facts["managers"]]),
        "fields": Items(
            [
                {
                    "path": one["path"],
                    "state": one["state"],
                    "value": Value(one.get("value")),
                    "owners": Items([_owner(owner) for owner in one["owners"]]),
                }
                for one in facts["fields"]
            ]
        ),
    }


def _owner(one: Facts) -> Facts:
    found = {name: one[name] for name in ("manager", "operation", "subresource", "apiVersion")}
    return {**found, "since": one["time"]}


FIELD_OWNERS = Tool(
    "field_owners",
    "Find field owners",
    TEXT,
    (
        *LIVE,
        Argument("object", "In the cluster: the object, such as deployment/web."),
        Argument("path", "Only this field, such as spec.template.spec.containers[name=web].image."),
        Argument("manager", "Only fields of this manager, or of `nobody`."),
        NAMESPACE,
        *CRDS,
        RELEASE,
        LIMIT,
    ),
    OUTPUT,
    field_owners,
)
