"""Objects that are never "unchanged", because every apply sends something again."""

from __future__ import annotations

from ...clientside.apply import apply
from ...directives import ANNOTATION, ORDER, REMOVE, RETAIN
from ...errors import MergeError
from ..findings import INFO
from ..rule import LintRule, Problem
from ..values import covers, fields, is_there, items
from ..wording import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from typing import Any

    from ...paths import Step, Steps
    from ...tables.rules import Rule
    from ..context import LintContext
    from ..field_values import FieldValues

NULL = "a null in the config is always sent"
ORDERED = "the order of a list is always sent if the live object has additional elements"
UNSORTED = "merged lists of strings are compared in alphabetical order, and this list is not sorted"
REPEATED = "elements with the same identity are always sent"
REPLACED = "a map with patch strategy replace is always sent, without a comparison"
DIRECTIVE = "a directive in the config is always sent"
OTHER = "the object does not keep the sent value"


def never_unchanged(context: LintContext) -> Iterator[Problem]:
    """Fields that apply still sends after the same config was applied twice."""
    if context.second is None or not context.second.patch:
        return
    try:
        patch = apply(context.config, context.second.merged, context.schema).patch
    except MergeError:
        return
    rule = context.schema.type.rule if context.schema else None
    causes = dict.fromkeys(_Causes(context).of_map((), patch, context.config, context.second.merged, rule))
    for steps, cause in causes:
        if ANNOTATION not in steps and (context.live is not None or _can_be_mended(steps, cause)):
            yield Problem(steps, f"Every apply reports `configured`, because {cause}.")


def _can_be_mended(steps: Steps, cause: str) -> bool:
    """True if the user can fix it: neither the merge rule of a field nor the output of a generator."""
    by_generators = steps[:1] == ("status",) or steps == ("metadata", "creationTimestamp")
    return cause != REPLACED and not by_generators


def dropped_defaults(context: LintContext, place: FieldValues) -> Iterator[Problem]:
    """Defaults that $retainKeys drops and the server sets again."""
    if not context.strategic or type(place.config) is not dict or place.replaced or not _retains(place):
        return
    if not covers(place.live, place.config) or type(place.live) is not dict:
        return
    known = place.config.keys() | fields(place.last).keys()
    extra = [key for key, value in place.live.items() if key not in known and is_there(value)]
    if extra and any(is_there(value) for value in place.config.values()):
        message = (
            f"Every apply reports `configured`, because apply removes {listing(extra)} by $retainKeys and "
            "the server restores it."
        )
        yield Problem(place.steps, message)


def _retains(place: FieldValues) -> bool:
    parent = place.parent
    of_list = parent is not None and parent.rule is not None and type(parent.config) is list
    rule = parent.rule if of_list and parent is not None else place.rule
    return rule is not None and "retainKeys" in rule.strategies


class _Causes:
    """Finds the causes of a patch that should be empty."""

    def __init__(self, context: LintContext) -> None:
        self.context = context

    def of_map(
        self, steps: Steps, patch: Any, config: Any, live: Any, rule: Rule | None
    ) -> Iterator[tuple[Steps, str]]:
        for key, value in patch.items():
            directive, _, name = key.partition("/")
            if directive == ORDER:
                ours, theirs = fields(config).get(name), fields(live).get(name)
                if name not in patch or len(items(theirs)) > len(items(ours)):  # else its elements are the cause
                    yield (*steps, name), _order(ours, theirs, self._field(rule, name))
            elif directive in (REMOVE, RETAIN):
                yield steps, DIRECTIVE
            else:
                here = fields(config).get(key), fields(live).get(key)
                yield from self._of_value((*steps, key), value, here, self._field(rule, key))

    def _of_value(
        self, steps: Steps, value: Any, here: tuple[Any, Any], rule: Rule | None
    ) -> Iterator[tuple[Steps, str]]:
        config, live = here
        if value is None:
            yield steps, NULL
        elif value in ({}, []):
            yield steps, OTHER
        elif type(value) is dict and rule is not None and "replace" in rule.strategies and self.context.strategic:
            yield steps, REPLACED
        elif type(value) is dict:
            yield from self.of_map(steps, value, config, live, rule)
        elif type(value) is list and self.context.merges(rule):
            yield from self._of_elements(steps, value, here, rule)
        else:
            yield steps, OTHER

    def _of_elements(
        self, steps: Steps, patch: list[Any], here: tuple[Any, Any], rule: Rule | None
    ) -> Iterator[tuple[Steps, str]]:
        key = rule.merge_key if rule else None
        inner = self.context.schema.inside(rule)[0] if self.context.schema and rule else None
        by_key = [_by_key(value, key) for value in here]
        for item in patch:
            if key is None:
                yield steps, REPEATED
                continue
            config, live = (found.get(item[key], []) for found in by_key)
            rest = {name: value for name, value in item.items() if name != key}
            step: Step = ((key, item[key]),)
            if len(config) > 1 or len(live) > 1 or not config:
                yield (*steps, step), REPEATED
            else:
                yield from self.of_map((*steps, step), rest, config[0], live[0] if live else {}, inner)

    def _field(self, rule: Rule | None, name: str) -> Rule | None:
        return self.context.schema.field(rule, name) if self.context.schema else None


def _order(config: Any, live: Any, rule: Rule | None) -> str:
    if len(items(live)) > len(items(config)):
        return ORDERED
    return UNSORTED if rule is not None and rule.merge_key is None else REPEATED


def _by_key(values: Any, key: str | None) -> dict[Hashable, list[Any]]:
    found: dict[Hashable, list[Any]] = {}
    for item in items(values):
        if type(item) is dict and key in item and type(item[key]) not in (dict, list):
            found.setdefault(item[key], []).append(item)
    return found


NEVER_UNCHANGED = LintRule(
    "KM014",
    "never-unchanged",
    INFO,
    meaning="Every apply reports `configured`, because the patch of this object is never empty.",
    advice="To detect real changes, compare the objects, for example with `kubectl diff`.",
    explanation="""
        The patch of the object is never empty, so kubectl reports `configured` on every apply. The causes are:

        - a null in the config
        - a map with the patch strategy `replace`, such as the selector of a PodDisruptionBudget
        - a list to which other writers added elements, or whose elements share an identity
        - finalizers that are not in alphabetical order
        - `$retainKeys`, if it drops a field that the server sets again by default

        Without a live object, maps are not reported. The `status` and the `creationTimestamp: null` that generators
        write are not reported either, because no change is needed.
        """,
    example="""
        # kind: policy/v1 PodDisruptionBudget
        # last-applied
        {}
        ---
        # config
        spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
        ---
        # live
        spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
        """,
    check=never_unchanged,
    check_place=dropped_defaults,
)

RULES = (NEVER_UNCHANGED,)
