"""Numbers that config and live spell differently."""

from __future__ import annotations

from ...values.plain import same
from ...values.quantities import amount
from ..findings import INFO, WARNING
from ..rule import LintRule, Problem
from ..values import is_scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...tables.rules import Rule
    from ..context import LintContext
    from ..field_values import FieldValues


def other_quantity(_: LintContext, place: FieldValues) -> Iterator[Problem]:
    """The same quantity in another spelling, reported as a change on every apply."""
    if _is_of(place.rule, "quantity") and _differ(place):
        ours, theirs = amount(place.config), amount(place.live)
        if ours is not None and ours == theirs:
            message = (
                f"The config has {place.config!r} and the live object {place.live!r}. Both are the same "
                "quantity, but every apply sends a change."
            )
            yield Problem(place.steps, message, f"Write {place.live!r}.")


QUANTITY_FORM = LintRule(
    "KM016",
    "quantity-form",
    INFO,
    meaning="The live object has the same quantity in another notation, so every apply sends a change without effect.",
    advice="Write the quantity as in the live object.",
    explanation="""
        The server normalizes quantities: `1000m` becomes `1`, `1024Mi` becomes `1Gi`, and the number 1 becomes a
        string. Apply compares them as text, so another notation is sent on every apply.
        """,
    example="""
        # kind: v1 Pod
        # last-applied
        {}
        ---
        # config
        spec: {containers: [{name: web, resources: {limits: {cpu: 1000m}}}]}
        ---
        # live
        spec: {containers: [{name: web, resources: {limits: {cpu: "1"}}}]}
        """,
    needs_live=True,
    check_place=other_quantity,
)


def number_or_text(_: LintContext, place: FieldValues) -> Iterator[Problem]:
    """A number as text where live has a number, or the reverse."""
    if _is_of(place.rule, "int-or-string") and _differ(place) and str(place.config) == str(place.live):
        kind = "a string" if type(place.config) is str else "a number"
        message = (
            f"The config has {place.config!r} as {kind}, and the live object {place.live!r}. Every apply "
            "sends a change, and a string means a name or a percentage."
        )
        yield Problem(place.steps, message, f"Write {place.live!r}.")


INT_OR_STRING_FORM = LintRule(
    "KM017",
    "int-or-string-form",
    WARNING,
    meaning="The config has a number and the live object a string, or vice versa.",
    advice="Write numbers without quotes and names with quotes, as in the live object.",
    explanation="""
        A port or a number of Pods may be a number or a string. Kubernetes reads a string as a name or a percentage:
        `"8080"` is the port with that name.
        """,
    example="""
        # kind: v1 Service
        # last-applied
        {}
        ---
        # config
        spec: {ports: [{port: 80, targetPort: "8080"}]}
        ---
        # live
        spec: {ports: [{port: 80, targetPort: 8080}]}
        """,
    needs_live=True,
    check_place=number_or_text,
)


def equivalent(rule: Rule | None, one: Any, other: Any) -> bool:
    """True if two scalars are equal in any spelling that the rule allows."""
    if same(one, other):
        return True
    if _is_of(rule, "quantity"):
        return amount(one) is not None and amount(one) == amount(other)
    return _is_of(rule, "int-or-string") and str(one) == str(other)


def _is_of(rule: Rule | None, word: str) -> bool:
    return rule is not None and rule.kind == "primitive" and rule.of == word


def _differ(place: FieldValues) -> bool:
    return is_scalar(place.config) and is_scalar(place.live) and not same(place.config, place.live)


RULES = (QUANTITY_FORM, INT_OR_STRING_FORM)
