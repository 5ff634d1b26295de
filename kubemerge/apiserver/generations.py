"""metadata.generation: the kinds that have it, and the writes that increment it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.plain import same

from .eras import minor_of
from .kinds.builtin_kinds import ALWAYS, facts_of
from .registry.feature_gates import disabled_fields
from .unchecked import as_map, maps

if TYPE_CHECKING:
    from .protocol import Object, Resource
    from .resources import Kinds

DRIVER, DRIVER_FIELDS = ("storage.k8s.io", "CSIDriver"), ("tokenRequests", "requiresRepublish", "seLinuxMount")
"""The kind whose generation counts changes of some fields only, until this release."""
DRIVER_FIELDS_UNTIL = 29
SLICE, TOPOLOGY = ("discovery.k8s.io", "EndpointSlice"), "deprecatedTopology"


COMPARED_WITH_DISABLED = frozenset(
    {("networking.k8s.io", "IngressClass"), ("policy", "PodDisruptionBudget"), ("resource.k8s.io", "ResourceSlice")}
)
"""The kinds whose specs a server compares before it drops the fields behind closed feature gates."""


def has_generation(resource: Resource, release: str) -> bool:
    """Whether new objects of the kind have a generation."""
    since = facts_of(resource.group, resource.kind).counted_since if resource.built_in else ALWAYS
    return since is not None and minor_of(release) >= since


def with_generation(metadata: Object, resource: Resource, release: str) -> Object:
    """Return the metadata of a new object with its generation. A kind without generations keeps the value sent."""
    if has_generation(resource, release):
        return {**metadata, "generation": 1}
    return metadata


def is_incremented(content: Object, live: Object, resource: Resource, kinds: Kinds, sent: Object | None) -> bool:
    """Whether a write increments the generation, because it changes the spec.

    `sent` is the object as it was sent: some kinds distinguish an empty list from an absent one.
    """
    facts = facts_of(resource.group, resource.kind)
    since = facts.counted_later if resource.built_in else None
    if not (has_generation(resource, kinds.release) or (since is not None and kinds.minor >= since)):
        return False
    if (resource.group, resource.kind) == DRIVER and kinds.minor <= DRIVER_FIELDS_UNTIL:
        content, live = ({"spec": _some(one, DRIVER_FIELDS), "metadata": one["metadata"]} for one in (content, live))
    if _asks_for_more(content, live, resource) or _drops_topology(content, resource, sent):
        return True
    if _drops_disabled(live, resource, sent, kinds):
        return True
    return resource.built_in and facts.counts_empty and sent is not None and _has_empties(sent, resource, kinds)


def _some(content: Object, fields: tuple[str, ...]) -> Object:
    return {field: value for field, value in as_map(content.get("spec")).items() if field in fields}


def _drops_topology(content: Object, resource: Resource, sent: Object | None) -> bool:
    """Whether an EndpointSlice loses its topology. A server compares before it drops it."""
    if (resource.group, resource.kind) != SLICE or sent is None:
        return False
    return any(endpoint.get(TOPOLOGY) for _, endpoint in maps(sent, "endpoints")) and not any(
        TOPOLOGY in endpoint for _, endpoint in maps(content, "endpoints")
    )


def _drops_disabled(live: Object, resource: Resource, sent: Object | None, kinds: Kinds) -> bool:
    """Whether a server drops a field of the spec only after it has compared the specs. An empty list equals none."""
    if sent is None or (resource.group, resource.kind) not in COMPARED_WITH_DISABLED:
        return False
    from .decoding.decoder import decode_object  # late, because a command that only reads needs none

    before = {path for path, _ in disabled_fields(live, kinds.minor)}
    found = disabled_fields(decode_object(sent, resource, kinds), kinds.minor)
    return any(path.startswith("spec.") and path not in before for path, _ in found)


def incremented(content: Object) -> Object:
    """Increment the generation, which is still that of the live object."""
    return {**content, "metadata": _following(content["metadata"])}


def _has_empties(sent: Object, resource: Resource, kinds: Kinds) -> bool:
    from .decoding.decoder import Empties, decode_object  # late, because a command that only reads needs none
    from .defaulting.fill import apply_defaults

    held = apply_defaults(decode_object(sent, resource, kinds, Empties.HELD), kinds.release, read=True)
    stored = decode_object(held, resource, kinds)
    return not same({**held, "metadata": {}}, {**stored, "metadata": {}})


def marked_for_deletion(metadata: Object, group: str, kind: str) -> Object:
    """Return the metadata of an object that was marked for deletion."""
    if not facts_of(group, kind).raised_by_deletion or not isinstance(metadata.get("generation"), int):
        return metadata
    return _following(metadata)


def _following(metadata: Object) -> Object:
    generation = metadata.get("generation")
    return {**metadata, "generation": generation + 1 if isinstance(generation, int) else 1}


def _asks_for_more(content: Object, live: Object, resource: Resource) -> bool:
    facts = facts_of(resource.group, resource.kind)
    if resource.built_in and facts.never_raised:
        return False
    field = facts.counting_metadata
    if resource.built_in and field and (content["metadata"].get(field) or {}) != (live["metadata"].get(field) or {}):
        return True
    apart = {"apiVersion", "kind", "metadata", *(["status"] if resource.has_status else [])}
    before, after = ({key: value for key, value in one.items() if key not in apart} for one in (live, content))
    return not same(before, after)
