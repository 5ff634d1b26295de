"""Values that only the live object has: additions by people, and additions by Kubernetes itself."""

from __future__ import annotations

from .values import fields, items
from .wording import element_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

    from ..paths import Step
    from ..tables.identity import Keys
    from .context import LintContext
    from .field_values import FieldValues

SYSTEM_DOMAINS = ("kubernetes.io", "k8s.io")
"""Domains of keys that Kubernetes itself sets, except the recommended labels."""
RECOMMENDED = "app.kubernetes.io"
SYSTEM_KEYS = frozenset({"controller-revision-hash", "controller-uid", "job-name", "pod-template-hash"})
"""Labels that controllers set without a domain."""
SYSTEM_ELEMENTS = (
    "/var/run/secrets/kubernetes.io/serviceaccount",
    "default-token-",
    "foregroundDeletion",
    "kube-api-access-",
    "orphan",
)
"""Name prefixes of volumes, mounts and finalizers that Kubernetes itself adds."""


def additions(context: LintContext, place: FieldValues) -> list[tuple[Step, Any]]:
    """The elements of a merging list, or the keys of a map of strings, that only live has."""
    rule = place.rule
    if rule is None:
        return []
    if rule.free_keys and rule.of == "string":
        known = fields(place.config).keys() | fields(place.last).keys()
        return [(key, value) for key, value in fields(place.live).items() if key not in known]
    if context.merges(rule) and place.keys is not None:
        return _added_elements(place, place.keys)
    return []


def _added_elements(place: FieldValues, keys: Keys) -> list[tuple[Step, Any]]:
    known = {keys.full(item) for value in (place.config, place.last) for item in items(value)}
    shared = _shared_merge_keys(place, keys)
    found: list[tuple[Step, Any]] = []
    for item in items(place.live):
        step = keys.step(item) if keys.merged_by(item) in shared else keys.short_step(item)
        if step is not None and keys.full(item) not in known:
            found.append((step, item))
    return found


def _shared_merge_keys(place: FieldValues, keys: Keys) -> set[Hashable]:
    """The merge keys that more than one element of config or live has."""
    if not keys.extra:
        return set()
    every: dict[Hashable, set[Hashable]] = {}
    for value in (place.config, place.live):
        for item in items(value):
            every.setdefault(keys.merged_by(item), set()).add(keys.full(item))
    return {name for name, found in every.items() if len(found) > 1}


def added_by_people(context: LintContext, place: FieldValues) -> list[str]:
    """The names of live-only elements or keys, without the additions of Kubernetes itself."""
    return [
        element_name(step) if isinstance(step, tuple) else str(step)
        for step, value in additions(context, place)
        if not is_of_kubernetes(place, step, value)
    ]


def is_of_kubernetes(place: FieldValues, step: Step, value: Any) -> bool:
    """True if Kubernetes itself is known to add this; the tables do not state it."""
    field = place.steps[-1] if place.steps else ""
    if field == "ownerReferences":
        return True
    if isinstance(step, str):
        domain = step.rpartition("/")[0]
        if step in SYSTEM_KEYS or (domain != RECOMMENDED and _is_system_domain(domain)):
            return True
        return field == "data" and place.parent is not None and step in fields(_string_data(place.parent))
    names = [pair[1] for pair in step] if isinstance(step, tuple) else []
    text = next((name for name in names if isinstance(name, str)), "")
    return text.startswith(SYSTEM_ELEMENTS) or (type(value) is str and _is_system_domain(text.partition("/")[0]))


def _is_system_domain(domain: str) -> bool:
    return any(domain == known or domain.endswith("." + known) for known in SYSTEM_DOMAINS)


def _string_data(place: FieldValues) -> Any:
    """The `stringData` of a Secret in the config, which the API server turns into `data`."""
    return fields(place.config).get("stringData")
