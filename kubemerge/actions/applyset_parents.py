"""ApplySet parents: supported kinds, ids, and the lists of kinds and namespaces of their members."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import MergeError
from engine.clientside.last_applied import annotations_of

from ..apiserver.crd.lookup import definition_of
from ..apiserver.kinds.builtin_kinds import facts_of
from ..cluster import NotFound, Reference
from .targets import kind_called

if TYPE_CHECKING:
    from ..cluster import Cluster, Object, Resource

_PREFIX = "applyset.kubernetes.io/"
ID = f"{_PREFIX}id"
"""The label of a parent: its id."""
MEMBER = f"{_PREFIX}part-of"
"""The label of a member: the id of the parent."""
PARENT_TYPE = f"{_PREFIX}is-parent-type"
"""The label of a CustomResourceDefinition whose objects can be parents."""
TOOLING = f"{_PREFIX}tooling"
KINDS = f"{_PREFIX}contains-group-kinds"
RESOURCES = f"{_PREFIX}contains-group-resources"
"""The annotation that older tools wrote instead of the kinds: resources such as `deployments.apps`."""
NAMESPACES = f"{_PREFIX}additional-namespaces"


class BadParent(MergeError):
    """An object that cannot be the parent of the ApplySet."""


@dataclass(frozen=True)
class Parent:
    """The parent object and the tool that manages it."""

    resource: Resource
    name: str
    namespace: str
    tooling: str

    @property
    def reference(self) -> Reference:
        """The object."""
        return Reference(self.resource.api_version, self.resource.kind, self.name, self.namespace or None)

    @property
    def id(self) -> str:
        """The id that its members carry: the same for the same object in every cluster."""
        text = f"{self.name}.{self.namespace}.{self.resource.kind}.{self.resource.group}"
        digest = hashlib.sha256(text.encode()).digest()
        return f"applyset-{urlsafe_b64encode(digest).decode().rstrip('=')}-v1"

    @property
    def called(self) -> str:
        """The object in messages: `secrets/my-set`."""
        return f"{self.resource.called}/{self.name}"


def parent_called(cluster: Cluster, text: str, namespace: str | None, tooling: str) -> Parent:
    """The parent named on the command line: `my-set` (a Secret), `configmap/my-set`, `things.example.com/my-set`."""
    word, _, name = text.rpartition("/")
    if not name:
        raise BadParent(
            f"--applyset {text!r} does not name an object. Write NAME, configmap/NAME or RESOURCE.GROUP/NAME"
        )
    resource = kind_called(cluster, word or "secrets")
    _refuse_other_kinds(cluster, resource)
    if resource.namespaced and not namespace:
        raise BadParent(f"namespace is required to use namespace-scoped ApplySet {text!r}. Pass it with --namespace")
    return Parent(resource, name, (namespace or "") if resource.namespaced else "", tooling)


def _refuse_other_kinds(cluster: Cluster, resource: Resource) -> None:
    if facts_of(resource.group, resource.kind).applyset_parent:
        return
    definition = None if resource.built_in else definition_of(cluster, resource)
    if definition and PARENT_TYPE in (definition["metadata"].get("labels") or {}):
        return
    raise BadParent(
        f"{resource.called} cannot be the parent of an ApplySet. Use a Secret, a ConfigMap, or a custom "
        f"resource whose definition has the label {PARENT_TYPE}"
    )


# ---- annotations and labels of a parent ------------------------------------------------------------------------------


def refuse_foreign(parent: Parent, live: Object | None) -> None:
    """Reject a missing parent that cannot be created, and a parent that another tool or set owns."""
    if live is None:
        if not parent.resource.built_in:
            raise BadParent(
                f"{parent.called}: custom resource ApplySet parents cannot be created automatically. "
                f"Create it, with the label {ID}={parent.id} and the annotations "
                f'{TOOLING}={parent.tooling} and {KINDS}=""'
            )
        return
    problem = _foreign(parent, live)
    if problem:
        raise BadParent(f"ApplySet parent object {parent.called} {problem}")


def refuse_nowhere(parent: Parent, cluster: Cluster) -> None:
    """Reject a parent whose namespace does not exist, because the parent is created before any of its members."""
    if not parent.namespace:
        return
    try:
        cluster.get(Reference("v1", "Namespace", parent.namespace))
    except NotFound as error:
        raise BadParent(
            f"{error}, so the parent {parent.called} of the ApplySet cannot be created in it. Apply that "
            "Namespace first, without --applyset"
        ) from None


def _foreign(parent: Parent, live: Object) -> str | None:
    labels, tooling = live["metadata"].get("labels") or {}, annotations_of(live).get(TOOLING)
    ours = tool(parent.tooling)
    if tooling is None:
        return (
            f"already exists and is missing required annotation {TOOLING}. Use another name, or set it to "
            f"{parent.tooling}"
        )
    if tool(str(tooling)) != ours:
        theirs = tool(str(tooling))
        return f'already exists and is managed by tooling "{theirs}" instead of "{ours}". Use another name'
    if ID not in labels:
        return f"exists and does not have required label {ID}. Use another name, or set it to {parent.id}"
    if labels[ID] != parent.id:
        return (
            f"exists and has incorrect value for label {ID} (got: {labels[ID]}, want: {parent.id}). Set it to "
            f"{parent.id}"
        )
    return None


def tool(tooling: str) -> str:
    """The tool without its version, if one is given."""
    name, slash, _ = tooling.rpartition("/")
    return name if slash else tooling


def kinds_in(live: Object, parent: Parent, cluster: Cluster) -> dict[str, Resource]:
    """The kinds of the members, as the parent lists them."""
    annotations = annotations_of(live)
    if KINDS not in annotations and RESOURCES not in annotations:
        raise BadParent(
            f"ApplySet parent object {parent.called} has no annotation {KINDS}. Set it, even if it is empty"
        )
    by_kind = KINDS in annotations
    served: dict[str, Resource] = {}
    for one in cluster.resources():
        served.setdefault(kind_name(one) if by_kind else one.called, one)
    words = [word for word in str(annotations[KINDS if by_kind else RESOURCES]).split(",") if word]
    for word in words:
        if word not in served:
            raise BadParent(
                f"ApplySet parent object {parent.called} lists {word}, which the cluster does not serve. "
                "Apply its CustomResourceDefinition, or remove it from that annotation"
            )
    return {kind_name(served[word]): served[word] for word in words}


def kind_name(resource: Resource) -> str:
    """A kind as a parent writes it: `Deployment.apps`, `ConfigMap`."""
    return resource.title


def namespaces_in(live: Object) -> set[str]:
    """The namespaces of the members besides the parent's own."""
    return {name for name in str(annotations_of(live).get(NAMESPACES) or "").split(",") if name}
