"""Values that only the live object has: some stay beside the config, some are lost although others set them."""

from __future__ import annotations

from ...values.plain import ABSENT
from ..additions import added_by_people, additions, is_of_kubernetes
from ..findings import INFO, WARNING
from ..renames import match_renamed
from ..rule import LintRule, Problem
from ..values import items
from ..wording import element_name, listing, short_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from typing import Any

    from ...paths import Step
    from ..context import LintContext
    from ..field_values import FieldValues

    LiveOnly = list[tuple[Step, Any]]


def ghosts(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """Elements and keys that only live has; apply never clears them."""
    if place.replaced or place.config is None or _is_dropped(place):
        return
    found = [(step, value) for step, value in additions(context, place) if not is_of_kubernetes(place, step, value)]
    message = (
        "Only the live object has this. Neither the config nor the last applied config has it, so apply "
        "never clears it."
    )
    for step, _ in _staying(context, place, found):
        yield Problem((*place.steps, step), message)


def _staying(context: LintContext, place: FieldValues, found: LiveOnly) -> LiveOnly:
    """Without elements that the config has under a new key, and without those known to be missing in the result."""
    keys = place.keys
    if keys is None:
        return found
    old: dict[Hashable, list[Any]] = {}
    for item, _ in match_renamed(context, place, keys):
        old.setdefault(keys.full(item), []).append(item)
    kept = [(step, value) for step, value in found if value not in old.get(keys.full(value), ())]
    if type(place.merged) is not list:
        return kept
    merged = {keys.full(item) for item in place.merged}
    return [(step, value) for step, value in kept if keys.full(value) in merged]


GHOST = LintRule(
    "KM006",
    "ghost",
    INFO,
    meaning="Another writer added an element or a key to the live object, and apply never clears it.",
    advice=(
        "To own it, add it to the config. To remove it, apply it once and then remove it from the "
        "config, or delete it with a patch."
    ),
    explanation="""
        An element of a merged list, or a key of labels, annotations or data, is only in the live object. It was added
        manually, or comes from a config that is not the last applied one. Apply never clears it. Keys and elements that
        Kubernetes itself sets are not reported.
        """,
    example="""
        # kind: v1 Pod
        # last-applied
        spec: {containers: [{name: web}]}
        ---
        # config
        spec: {containers: [{name: web}]}
        ---
        # live
        spec: {containers: [{name: web, env: [{name: DEBUG, value: "1"}]}]}
        ---
        # result
        spec: {containers: [{name: web, env: [{name: DEBUG, value: "1"}]}]}
        """,
    needs_live=True,
    check_place=ghosts,
)


def replaced_lists(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """A list with elements of other writers that client-side apply replaces and server-side apply merges."""
    keys = place.keys
    if keys is None or context.merges(place.rule) or place.replaced or type(place.config) is not list:
        return
    if place.rule is None or place.rule.derived:
        return
    known = {keys.full(item) for value in (place.config, place.last) for item in items(value)}
    lost = [
        element_name(step) for item in items(place.live) if keys.full(item) not in known and (step := keys.step(item))
    ]
    if lost:
        message = f"Client-side apply replaces this list and loses {listing(lost)}. Server-side apply merges the list."
        yield Problem(place.steps, message)


REPLACED_BY_CLIENT = LintRule(
    "KM012",
    "replaced-by-client",
    WARNING,
    meaning="Client-side apply replaces this list, although server-side apply merges it, so elements of other "
    "writers are lost.",
    advice="Add the other elements to the config, or use server-side apply.",
    explanation="""
        Server-side apply merges the list by its keys. Client-side apply has no merge strategy for it, as for all lists
        of custom resources, and replaces it. Elements that other writers added are lost.
        """,
    example="""
        # kind: v1 Pod
        # last-applied
        {}
        ---
        # config
        spec: {containers: [{name: web, resources: {claims: [{name: a}]}}]}
        ---
        # live
        spec: {containers: [{name: web, resources: {claims: [{name: a}, {name: b}]}}]}
        ---
        # result
        spec: {containers: [{name: web, resources: {claims: [{name: a}]}}]}
        """,
    needs_live=True,
    check_place=replaced_lists,
)


def merged_values(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """A list or map that client-side apply merges and server-side apply owns as a whole."""
    if place.replaced or place.rule is None or type(place.config) not in (dict, list):
        return
    if not place.atomic and place.rule.list_type != "atomic":
        return
    found = added_by_people(context, place)
    if found:
        message = (
            f"Only the live object has {listing(found)}. Client-side apply keeps such entries, but server-side apply "
            "owns the whole value and removes them."
        )
        yield Problem(place.steps, message)


MERGED_BY_CLIENT_ONLY = LintRule(
    "KM013",
    "merged-by-client-only",
    INFO,
    meaning="Client-side apply merges this list or map, but server-side apply assigns the whole to one owner.",
    advice="Add the other entries to the config before migrating to server-side apply.",
    explanation="""
        The reverse of KM012: client-side apply merges the list or map, and server-side apply owns it as a whole.
        Entries of other writers remain for now. They are removed when the object is migrated to server-side apply.
        """,
    example="""
        # kind: v1 Service
        # last-applied
        spec: {selector: {app: web}}
        ---
        # config
        spec: {selector: {app: web}}
        ---
        # live
        spec: {selector: {app: web, track: canary}}
        """,
    needs_live=True,
    check_place=merged_values,
)


def changed_keys(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """An element with a new merge key in the config, while the old element stays beside it."""
    keys = place.keys
    if keys is None:
        return
    for old, new in match_renamed(context, place, keys):
        here, there = short_step(keys, new), short_step(keys, old)
        if not is_of_kubernetes(place, there, old):
            message = (
                f"The live object has {element_name(there)} and the config {element_name(here)}. "
                f"{keys.merge_key} identifies the element, so apply adds a new one and keeps the old one."
            )
            yield Problem((*place.steps, here), message)


MERGE_KEY_CHANGED = LintRule(
    "KM019",
    "merge-key-changed",
    WARNING,
    meaning="The merge key of an element changed, so apply adds a new element and keeps the old one.",
    advice="Delete the old element from the live object, for example with a patch.",
    explanation="""
        The field that identifies an element was changed, and the last applied config does not have the old element.
        Apply treats the element as new, and the old one remains. If these are two ports of a Service with the same
        name, the API server rejects the object.
        """,
    example="""
        # kind: v1 Service
        # last-applied
        {}
        ---
        # config
        spec: {ports: [{name: http, port: 81}]}
        ---
        # live
        spec: {ports: [{name: http, port: 80, protocol: TCP}]}
        ---
        # result
        spec: {ports: [{name: http, port: 81}, {name: http, port: 80, protocol: TCP}]}
        """,
    needs_live=True,
    check_place=changed_keys,
)


def wiped_collections(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """A list or map with entries of other writers that the config drops as a whole."""
    if not _is_dropped(place) or place.replaced or place.merged is not ABSENT or context.merged is None:
        return
    found = added_by_people(context, place)
    if found:
        message = (
            "The config no longer has this field, so apply also removes the entries of other writers: "
            f"{listing(found)}."
        )
        yield Problem(place.steps, message)


def _is_dropped(place: FieldValues) -> bool:
    """True if apply clears the whole field, because last-applied has it and the config does not."""
    return place.config is ABSENT and place.last is not ABSENT


CLEARS_OTHERS_ENTRIES = LintRule(
    "KM020",
    "clears-others-entries",
    WARNING,
    meaning="The config no longer has a list or map, so apply also removes the entries of other writers.",
    advice="Keep the field in the config, and remove only your own entries from it.",
    explanation="""
        A list or map that is removed from the config is cleared as a whole, including entries that other writers added.
        """,
    example="""
        # kind: v1 ConfigMap
        # last-applied
        metadata: {labels: {app: web}}
        ---
        # config
        {}
        ---
        # live
        metadata: {labels: {app: web, team: x}}
        """,
    needs_live=True,
    check_place=wiped_collections,
)

RULES = (GHOST, REPLACED_BY_CLIENT, MERGED_BY_CLIENT_ONLY, MERGE_KEY_CHANGED, CLEARS_OTHERS_ENTRIES)
