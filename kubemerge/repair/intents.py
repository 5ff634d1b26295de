"""The intent of a tool for each object: the object as the tool sends it, and what it sent before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine.clientside.apply import READ
from engine.serverside.managers import APPLY
from engine.serverside.typed.compare import compare
from engine.serverside.typed.schema import atom_of
from engine.values.secrets import data_of

from ..actions.serverside.managers import KUBECTL
from ..migrate.places import Values, outermost
from ..migrate.tools import TOOLS
from ..output.secrets import is_secret
from ..plan.argocd.objects import MANAGER as ARGOCD
from ..plan.model import CLIENT_SIDE, REPLACE, SERVER_SIDE
from ..plan.typed import with_integers
from ..plan.writing import last_applied_of
from .fields import steps_of_path
from .model import CHANGED, IGNORED, DriftedField

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..offline.pairs import Inputs
    from ..plan.cluster_view import ClusterView
    from ..plan.tools import PlanOptions

    Object = dict[str, Any]

OWN = {
    "kubectl": {"kubectl-client-side-apply", "kubectl-create", "kubectl-last-applied", "kubectl-replace"},
    "helm": {"helm", "Helm"},
    "argocd": {"argocd-controller", "argocd-application-controller"},
    "flux": {"kustomize-controller"},
}
"""Other names of each tool's field manager, such as those of its other methods."""
NOT_SENT = ("resourceVersion", "uid", "generation", "creationTimestamp", "managedFields", "selfLink")
IGNORED_REASON = "the settings of the tool ignore the field"


@dataclass(frozen=True)
class Intent:
    """One object as a tool sends it. Ignored fields have their live values, or are left out."""

    inputs: Inputs
    config: Object
    live: Object | None
    method: str
    manager: str
    own: frozenset[str]
    """The names of the tool's field managers."""
    previous: Object | None = None
    """The config that the tool sent before; None if it is unknown."""
    ignored: tuple[DriftedField, ...] = ()
    skipped: str = ""
    """The reason for which the tool leaves the object alone."""

    @property
    def is_server_side(self) -> bool:
        """Whether the tool applies server-side."""
        return self.method == SERVER_SIDE

    def is_own(self, entry: Object) -> bool:
        """Whether an entry of managedFields is the tool's."""
        name = entry.get("manager")
        if name == KUBECTL and self.manager == KUBECTL:
            return entry.get("operation") == APPLY
        return name in self.own or name == self.manager


def intents(tool: str, objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> Iterator[Intent]:
    """The intents of a tool for these objects. Hooks are left out."""
    for one in _TOOLS[tool](objects, view, options):
        own = frozenset({*OWN[tool], one.manager})
        previous = None if one.previous is None else _cleaned(one.previous)
        yield replace(one, own=own, config=_cleaned(one.config), previous=previous)


def _kubectl(objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> Iterator[Intent]:
    on_server = options.server_side == "true"
    manager = options.manager or (KUBECTL if on_server else "kubectl-client-side-apply")
    for inputs in objects:
        live = view.requests.read(inputs.live.content) if inputs.live else None
        previous = _last_of(live) if inputs.given is READ else inputs.given
        method = SERVER_SIDE if on_server else CLIENT_SIDE
        yield Intent(inputs, inputs.config, live, method, manager, frozenset(), previous)


def _helm(objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> Iterator[Intent]:
    from ..plan.helm.planner import helm_targets

    for target, former, method in helm_targets(objects, view, options):
        inputs = target.inputs
        live = view.requests.read(inputs.live.content) if inputs.live else None
        way = CLIENT_SIDE if method == REPLACE else method
        manager = options.manager or TOOLS["helm"].manager
        yield Intent(inputs, target.content, live, way, manager, frozenset(), former)


def _argocd(objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> Iterator[Intent]:
    from ..plan.argocd.objects import SyncedObject
    from ..plan.argocd.order import hooks_of
    from ..plan.argocd.planner import respect_ignored_fields, tracked
    from ..plan.argocd.settings import application
    from ..plan.settings import BadSettings

    settings = application(options.documents, force=options.force, server_side=options.server_side)
    synced = [
        SyncedObject(one, tracked(one.config, settings, view), view.requests, settings)
        for one in objects
        if not hooks_of(one.config)
    ]
    error = respect_ignored_fields(synced, settings)
    if error:
        raise BadSettings(error)
    for one in synced:
        method = CLIENT_SIDE if one.method == REPLACE else one.method
        ignored = tuple(_ignored(one.inputs, one.target, one.sent, one.before))
        yield Intent(
            *(one.inputs, one.sent, one.before, method, ARGOCD, frozenset()), _last_of(one.before), ignored=ignored
        )


def _flux(objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> Iterator[Intent]:
    from ..plan.flux.drift_rules import without_drift
    from ..plan.flux.objects import FluxObject
    from ..plan.flux.settings import kustomization
    from ..plan.pointers import removed

    settings = kustomization(options.documents, force=options.force)
    manager = options.manager or TOOLS["flux"].manager
    for inputs in objects:
        one = FluxObject(inputs, view.requests, settings, manager)
        sent = one.sent
        if one.before is not None:
            applied = view.requests.apply(one.before, sent, inputs.schema, manager=manager, force=True).object
            drifts = [*settings.rules.drifts(one.before, applied, manager)] if applied else []
            absent = [drift.pointer for drift in drifts if drift.live is None]
            sent = removed(without_drift(sent, drifts), absent)
        ignored = tuple(_ignored(inputs, one.sent, sent, one.before))
        yield Intent(
            *(inputs, sent, one.before, SERVER_SIDE, manager, frozenset()),
            _last_of(one.before),
            ignored=ignored,
            skipped=one.reason_to_skip(),
        )


_TOOLS: dict[str, Callable[[Sequence[Inputs], ClusterView, PlanOptions], Iterator[Intent]]] = {
    "kubectl": _kubectl,
    "helm": _helm,
    "argocd": _argocd,
    "flux": _flux,
}


def _last_of(live: Object | None) -> Object | None:
    return next(iter(last_applied_of(live)), None)


def _cleaned(content: Object) -> Object:
    """The object without fields of the server, with numbers as Go prints them, and with `stringData` in `data`."""
    content = with_integers(content)
    metadata = {key: value for key, value in content.get("metadata", {}).items() if key not in NOT_SENT}
    if not metadata.get("annotations", True):
        del metadata["annotations"]  # last-applied always has annotations, even if they are empty
    found = {**content, "metadata": metadata}
    found.pop("status", None)
    if is_secret(found) and content.get("apiVersion") == "v1" and isinstance(found.get("stringData"), dict):
        found["data"] = data_of(found)
        del found["stringData"]
    return found


def _ignored(inputs: Inputs, target: Object, sent: Object, live: Object | None) -> Iterator[DriftedField]:
    """The fields that the tool sends with other values than in the config, because its settings ignore them."""
    if live is None:
        return
    atom = atom_of(inputs.schema)
    found = compare(target, sent, atom)
    wanted, now = Values(target, atom), Values(live, atom)
    for tree in (found.modified, found.removed):
        for path in outermost(tree):
            yield DriftedField(
                *(steps_of_path(path), CHANGED, IGNORED, wanted.at(path), now.at(path)), reason=IGNORED_REASON
            )
