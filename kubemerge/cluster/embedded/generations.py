"""metadata.generation: which objects have it, and what raises it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.plain import same

from ...kinds.facts import ALWAYS, facts_of

if TYPE_CHECKING:
    from ..protocol import Object, Resource


def counts(resource: Resource, release: str) -> bool:
    """Whether new objects of the kind have a generation."""
    since = facts_of(resource.group, resource.kind).counted_since if resource.built_in else ALWAYS
    return since is not None and int(release.partition(".")[2]) >= since


def with_generation(metadata: Object, resource: Resource, release: str) -> Object:
    """The metadata of a new object with its generation; a kind that has none keeps what was sent."""
    if counts(resource, release):
        return {**metadata, "generation": 1}
    return metadata


def raised(content: Object, live: Object, resource: Resource, release: str) -> Object:
    """The object with a new generation, if its spec has changed; before the call it has that of live."""
    later = resource.built_in and facts_of(resource.group, resource.kind).counted_later
    if not (counts(resource, release) or later) or not _asks_for_more(content, live, resource):
        return content
    return {**content, "metadata": _following(content["metadata"])}


def marked(metadata: Object, group: str, kind: str) -> Object:
    """The metadata of an object that was marked for deletion."""
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
