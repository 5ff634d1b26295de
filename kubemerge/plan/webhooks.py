"""Notes about admission webhooks, which a plan does not call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..apiserver.policies.matching import has_value
from ..apiserver.unchecked import as_map, maps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .cluster_view import ClusterView
    from .model import PlannedObject

    Object = dict[str, Any]

VERSION = "admissionregistration.k8s.io/v1"
EFFECTS = {"MutatingWebhookConfiguration": "change or reject", "ValidatingWebhookConfiguration": "reject"}
"""The kinds of webhook configurations, each with what its webhooks may do to an object."""


def webhook_notes(found: Sequence[PlannedObject], configs: Sequence[Object], view: ClusterView) -> tuple[str, ...]:
    """A note for each webhook whose rules match an object of the plan.

    The configurations are those in the config and in the known live objects. Selectors and conditions are not checked.
    """
    written = [one for one in found if one.config is not None and one.kind not in EFFECTS]
    notes = []
    for configuration in _configurations(configs, view):
        for _, hook in maps(configuration, "webhooks"):
            titles = [one.title for one in written if _matches(hook, one, view)]
            if titles:
                more = f" and {len(titles) - 1} more" if len(titles) > 1 else ""
                effect = EFFECTS[configuration["kind"]]
                name = f"{configuration['kind']} {as_map(configuration.get('metadata')).get('name')}"
                notes.append(
                    f"{name}: the webhook {hook.get('name')} may {effect} {titles[0]}{more}. A plan calls none"
                )
    return tuple(notes)


def _configurations(configs: Sequence[Object], view: ClusterView) -> Iterator[Object]:
    names = set()
    for one in [*configs, *(live for kind in EFFECTS for live in view.list_offline(VERSION, kind))]:
        name = as_map(one.get("metadata")).get("name")
        if one.get("kind") in EFFECTS and (one["kind"], name) not in names:
            names.add((one["kind"], name))
            yield one


def _matches(hook: Object, one: PlannedObject, view: ClusterView) -> bool:
    group = one.api_version.rpartition("/")[0]
    resource = view.requests.resource_of({"apiVersion": one.api_version, "kind": one.kind}).partition(".")[0]
    return any(
        has_value(rule, "apiGroups", group)
        and (has_value(rule, "resources", resource) or has_value(rule, "resources", "*/*"))
        for _, rule in maps(hook, "rules")
    )
