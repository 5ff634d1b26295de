"""Fights over fields: autoscalers, managers that own the same fields, and entries of versions that are gone."""

from __future__ import annotations

from ...paths import render
from ...serverside.fields import trees
from ...serverside.fields.path_elements import to_step
from ...serverside.managers import BadManagedFields, managed_fields_of, parse_entries
from ...serverside.owners import is_autoscaler, owner_of
from ...tables.served import group_of
from ..findings import INFO, WARNING
from ..rule import BOTH, SERVER, LintRule, Problem
from ..values import fields
from ..wording import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...paths import Steps
    from ...serverside.fields.trees import Path
    from ...serverside.managers import Managed, ManagedFieldsEntry
    from ..context import LintContext

REPLICAS = ("spec", "replicas")


def _entries(document: object) -> Managed:
    """The entries of managedFields; none if they are damaged, which the apply itself reports."""
    try:
        return {} if document is None else parse_entries(managed_fields_of(document))
    except BadManagedFields:
        return {}


def autoscaled(context: LintContext) -> Iterator[Problem]:
    """The number of replicas in the config, although another manager sets it through `scale`."""
    if "replicas" not in fields(context.config.get("spec")) or any(
        _steps(one.element_path) == REPLICAS for one in context.conflicts
    ):
        return
    for entry in _entries(context.live).values():
        owner = owner_of(REPLICAS, entry)
        if is_autoscaler(owner) and _owns_replicas(entry):
            yield scaled_by(f"The manager {owner.manager}", server_side=context.manager is not None)
            return


def _steps(path: Path) -> Steps:
    return tuple(map(to_step, path))


def _owns_replicas(entry: ManagedFieldsEntry) -> bool:
    return trees.contains(entry.tree, [f"f:{step}" for step in REPLICAS])


def scaled_by(who: str, *, server_side: bool) -> Problem:
    """The problem of an object whose replicas are set by the config and by an autoscaler."""
    return Problem(
        REPLICAS,
        f"{who} scales this object, and every apply sets the replicas back.",
        _SERVER_SIDE if server_side else "",
    )


_SERVER_SIDE = (
    "Remove spec.replicas from the config once the autoscaler owns the field, which `kubemerge owners` shows. "
    "Do not use --force-conflicts."
)

AUTOSCALED = LintRule(
    "KM032",
    "autoscaled-replicas",
    WARNING,
    meaning="An autoscaler sets the number of replicas, and every apply of the config sets it back.",
    advice="If the object was applied before, first remove spec.replicas with `kubectl apply edit-last-applied`. Then "
    "remove it from the config. The reverse order scales the object to 1 replica.",
    explanation="""
        The config sets `spec.replicas`, and an autoscaler sets it too, so each apply resets the number of replicas.
        Lint finds the autoscaler in one of two ways: the config or the live objects contain a HorizontalPodAutoscaler
        for the object, or managedFields show that a manager other than kubectl sets the replicas through the `scale`
        subresource.

        The order of the steps matters. Client-side apply clears a field that the config no longer has, if the last
        applied config has it, and the API server then sets 1. Server-side apply clears it if only the config's manager
        owns it. Once the autoscaler has changed the field, the autoscaler owns it, and the field is kept.
        """,
    example="""
        # kind: apps/v1 Deployment
        # last-applied
        spec: {replicas: 2}
        ---
        # config
        spec: {replicas: 2}
        ---
        # live
        metadata:
          managedFields:
            - manager: kube-controller-manager
              operation: Update
              subresource: scale
              apiVersion: apps/v1
              fieldsType: FieldsV1
              fieldsV1: {"f:spec": {"f:replicas": {}}}
        spec: {replicas: 7}
        ---
        # result
        spec: {replicas: 2}
        """,
    about=BOTH,
    check=autoscaled,
)


def shared(context: LintContext) -> Iterator[Problem]:
    """Fields of the config that other managers own as well."""
    if not _entries(context.live):  # files from `kubectl get` have no owners
        return
    managed = _entries(context.merged)
    own = next((one for one in managed.values() if one.identity[0] == context.manager and one.applied), None)
    if own is None:
        return
    for entry in managed.values():
        both = trees.leaves(trees.intersection(entry.tree, own.tree))
        paths = [render(_steps(path)) for path in trees.paths(both) if not _is_key(path)]
        if entry is own or not paths:
            continue
        manager, operation, _, subresource = entry.identity
        through = f" through {subresource}" if subresource else ""
        what = "a field" if len(paths) == 1 else f"{len(paths)} fields"
        message = (
            f"The manager {manager} ({operation}{through}) also owns {what} of the config: {listing(paths)}. A new "
            "value would be a conflict."
        )
        yield Problem((), message, _MIGRATE if manager in CLIENT_SIDE else "")


def _is_key(path: Path) -> bool:
    """True for a field by which an element of a list is identified: it cannot have another value."""
    above = to_step(path[-2]) if len(path) > 1 else ()
    return isinstance(above, tuple) and path[-1].removeprefix("f:") in dict(above)


CLIENT_SIDE = ("kubectl-client-side-apply", "before-first-apply")
"""Managers that stand for earlier applies of the same config."""
_MIGRATE = "Hand its fields over with `kubemerge migrate`."

SHARED = LintRule(
    "KM035",
    "shared-with-others",
    INFO,
    meaning="Another manager owns fields of the config, so the next change of their values is a conflict.",
    advice="Remove the fields from the config, or stop the other writer from sending them.",
    explanation="""
        Reported with `--server-side`. The config and the live object have the same values, so this apply succeeds, and
        both managers own the fields. When the config changes one of them, the API server rejects the apply. Operators
        that send whole objects with an update take fields in this way. `kubemerge owners` lists all owners.
        """,
    example="""
        # kind: apps/v1 Deployment
        # server-side: helm
        # config
        spec: {replicas: 2, paused: true}
        ---
        # live
        metadata:
          managedFields:
            - manager: operator
              operation: Update
              apiVersion: apps/v1
              fieldsType: FieldsV1
              fieldsV1: {"f:spec": {"f:replicas": {}}}
        spec: {replicas: 2}
        """,
    about=SERVER,
    needs_live=True,
    check=shared,
)


def of_removed_versions(context: LintContext) -> Iterator[Problem]:
    """Entries of managedFields whose apiVersion is no longer served."""
    if context.tables is None or context.schema is None:
        return
    kind = str(context.config.get("kind"))
    here = str(context.config.get("apiVersion"))
    for entry in _entries(context.live).values():
        version = entry.version
        if (version, kind) not in context.tables and version != SCALE_VERSION and group_of(version) == group_of(here):
            manager = entry.identity[0]
            effect = "drops the entry with the next write" if context.built_in else "rejects every server-side apply"
            message = f"The managedFields entry of {manager} has {version}, which {context.release} does not serve."
            yield Problem(("metadata", "managedFields"), f"{message} The API server {effect}.")


SCALE_VERSION = "autoscaling/v1"

REMOVED_VERSION = LintRule(
    "KM034",
    "owner-in-removed-version",
    WARNING,
    meaning="A manager's fields are recorded in an apiVersion that is no longer served.",
    advice="Apply again with this manager in a served version, or remove its entry from metadata.managedFields.",
    explanation="""
        Each entry of managedFields has the apiVersion of its last write. If the server no longer serves this version,
        the fields of the entry cannot be compared. For built-in kinds, the next write drops the entry, and a field that
        only this manager owned has no owner. For custom resources, every server-side apply fails until the entry is
        gone.
        """,
    example="""
        # kind: batch/v1 CronJob
        # config
        spec: {suspend: true}
        ---
        # live
        metadata:
          managedFields:
            - manager: helm
              operation: Update
              apiVersion: batch/v1beta1
              fieldsType: FieldsV1
              fieldsV1: {"f:spec": {"f:schedule": {}}}
        spec: {schedule: "* * * * *"}
        ---
        # result
        spec: {schedule: "* * * * *", suspend: true}
        """,
    about=BOTH,
    needs_live=True,
    check=of_removed_versions,
)

RULES = (AUTOSCALED, REMOVED_VERSION, SHARED)
