"""Defaulting, preparation by the strategy of the kind, and validation of an object before it is stored."""

from __future__ import annotations

from functools import partial

from .decoding.decoder import decode_object, metadata_reader
from .defaulting import fill as defaults
from .registry.feature_gates import drop_disabled
from .registry.strategy import STATUS, prepare, warnings
from .validation import validation
from .validation.printed_values import with_printed_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .problems import Problem
    from .protocol import Object, Resource
    from .resources import Kinds


def admit(
    content: Object,
    live: Object | None,
    resource: Resource,
    kinds: Kinds,
    record: Callable[[Object], Object],
    subresource: str | None = None,
    *,
    applied: bool = False,
    as_is: bool = False,
    checks: bool = True,
    earlier_problems: Sequence[Problem] = (),
    warn: Callable[[str], None] = lambda _: None,
    sent: Object | None = None,
) -> Object:
    """Return the object with defaults applied. Raise Invalid if the API rejects it.

    `record` adds managedFields after defaulting, and before allocated values are copied from the live object.
    `applied`: the object comes from a server-side apply. `as_is`: that apply changes nothing, so no defaults are set.
    `earlier_problems` are reported before those found here. `warn` is called with each warning. Without `checks`,
    nothing is validated. `sent` is the object before its empty lists and maps were dropped.
    """
    definition = kinds.definition(resource)
    if definition is not None:
        from .crd import objects  # most clusters have no custom resources

        full = content
        if not as_is:
            full = objects.apply_defaults(content, definition, kinds.release, metadata_reader(kinds), applied=applied)
        full = record(full)
        if not checks:
            return full
        return _admitted_custom(
            full, live, definition, kinds, warn, earlier_problems, status_only=subresource == STATUS
        )
    content = record(defaults.apply_defaults(content, kinds.release, read=True))
    content = defaults.with_allocated(content, live, kinds.release)
    content = prepare(content, live, kinds.minor, subresource)
    if not checks:
        return content
    problems = [*earlier_problems, *_printed_problems(content, live, resource, kinds, subresource, sent)]
    if problems:
        raise validation.rejection(content, problems, kinds.minor)
    for text in warnings(content, live, kinds.minor) if subresource is None else ():
        warn(text)
    return content


def _printed_problems(
    content: Object, live: Object | None, resource: Resource, kinds: Kinds, subresource: str | None, sent: Object | None
) -> list[Problem]:
    """The problems with the values that a server prints."""
    validated = partial(_problems, live=live, resource=resource, kinds=kinds, subresource=subresource)
    found = validated(content)
    if not found or sent is None:
        return found
    printed = drop_disabled(sent, live, kinds.minor)
    return with_printed_values(found, content, printed, kinds.schema(resource), validated, minor=kinds.minor)


def _problems(
    content: Object, *, live: Object | None, resource: Resource, kinds: Kinds, subresource: str | None
) -> list[Problem]:
    found = validation.problems(content, live, subresource, release=kinds.release)
    if not found or live is None:
        return found
    before = decode_object(live, resource, kinds)  # an imported object may differ from the form stored here
    before = defaults.fill(before, before, kinds.release)
    if before == live:
        return found
    return validation.problems(content, before, subresource, release=kinds.release)


def _admitted_custom(
    content: Object,
    live: Object | None,
    definition: Object,
    kinds: Kinds,
    warn: Callable[[str], None],
    earlier_problems: Sequence[Problem],
    *,
    status_only: bool,
) -> Object:
    from .crd import objects
    from .schemas.problems import blocks_rules

    found = [*earlier_problems, *validation.problems(content, live, release=kinds.release)]
    result = objects.problems(
        content, live, definition, kinds.release, status_only=status_only, blocked=any(map(blocks_rules, found))
    )
    for text in result.warnings:
        warn(text)
    known = frozenset(found)
    found += [one for one in result.problems if one not in known]
    if found:
        raise validation.rejection(content, found, kinds.minor)
    return content
