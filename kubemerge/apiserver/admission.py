"""What the API server makes of an object before it stores it: default values, and validation."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .problems import Problem
    from .protocol import Object, Resource
    from .resources import Kinds


def admitted(
    content: Object,
    live: Object | None,
    resource: Resource,
    kinds: Kinds,
    book: Callable[[Object], Object],
    subresource: str | None = None,
    *,
    applied: bool = False,
    as_is: bool = False,
    checks: bool = True,
    wrong: Sequence[Problem] = (),
    warn: Callable[[str], None] = lambda _: None,
) -> Object:
    """The object with its default values filled in; raises Invalid if the API does not allow it.

    `book` notes who owns what. That comes after the default values, and before what was allocated is kept. `applied`:
    the object comes from a server-side apply; `as_is`: which has changed nothing, so that nothing is filled in.
    `wrong` are problems that are known already. `warn` is called with each warning. Without `checks`, nothing is
    validated.
    """
    from .decoding.decoded import metadata_reader
    from .defaulting import fill as defaults
    from .registry.strategy import STATUS, prepared, warnings
    from .validation import validation

    definition = kinds.definition(resource)
    if definition is not None:
        from .crd import objects  # most clusters have no custom resources

        full = content
        if not as_is:
            full = objects.filled(content, definition, kinds.release, metadata_reader(kinds), applied=applied)
        full = book(full)
        if not checks:
            return full
        return _admitted_custom(full, live, definition, kinds, warn, wrong, status_only=subresource == STATUS)
    content = book(defaults.filled(content, kinds.release, read=True))
    content = defaults.with_allocated(content, live, kinds.release)
    content = prepared(content, live, subresource)
    if not checks:
        return content
    problems = [*wrong, *_problems(content, live, resource, kinds, subresource)]
    if problems:
        raise validation.rejection(content, problems)
    for text in warnings(content, live) if subresource is None else ():
        warn(text)
    return content


def _problems(
    content: Object, live: Object | None, resource: Resource, kinds: Kinds, subresource: str | None
) -> list[Problem]:
    """The problems of a built-in object."""
    from .decoding.decoded import decoded
    from .defaulting import fill as defaults
    from .validation import validation

    found = validation.problems(content, live, subresource, release=kinds.release)
    if not found or live is None:
        return found
    live = decoded(live, resource, kinds)  # an imported object may differ from how one is stored here
    before = defaults.fill(live, live, kinds.release)
    return validation.problems(content, before, subresource, release=kinds.release)


def _admitted_custom(
    content: Object,
    live: Object | None,
    definition: Object,
    kinds: Kinds,
    warn: Callable[[str], None],
    wrong: Sequence[Problem],
    *,
    status_only: bool,
) -> Object:
    """The same for a custom resource with its default values, which its definition judges."""
    from .crd import objects
    from .schemas.problems import blocks_rules
    from .validation import validation

    found = [*wrong, *validation.problems(content, live, release=kinds.release)]
    judged = objects.problems(
        content, live, definition, kinds.release, status_only=status_only, blocked=any(map(blocks_rules, found))
    )
    for text in judged.warnings:
        warn(text)
    known = frozenset(found)
    found += [one for one in judged.problems if one not in known]
    if found:
        raise validation.rejection(content, found)
    return content
