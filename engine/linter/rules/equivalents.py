"""Numbers written in another form than the live object has them."""

from __future__ import annotations

from ...values.plain import same
from ...values.quantities import amount
from ..findings import Finding
from ..values import is_scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...tables.rules import Rule
    from ..context import Case
    from ..places import Place


def quantity_forms(_: Case, place: Place) -> Iterator[Finding]:
    """KM016: the same quantity in another form, which counts as a change on every apply."""
    if _is_of(place.rule, "quantity") and _differ(place):
        ours, theirs = amount(place.config), amount(place.live)
        if ours is not None and ours == theirs:
            message = (
                f"The config has {place.config!r} where live has {place.live!r}; it is the same amount, "
                "but apply sends it every time."
            )
            yield Finding("KM016", place.steps, message, f"Write {place.live!r}.")


def int_or_string_forms(_: Case, place: Place) -> Iterator[Finding]:
    """KM017: a number as text where live has a number, or the reverse."""
    if _is_of(place.rule, "int-or-string") and _differ(place) and str(place.config) == str(place.live):
        kind = "text" if type(place.config) is str else "a number"
        message = (
            f"The config has {place.config!r} as {kind} where live has {place.live!r}; apply sends it every time, and "
            "text stands for a name or a percentage."
        )
        yield Finding("KM017", place.steps, message, f"Write {place.live!r}.")


def equivalent(rule: Rule | None, one: Any, other: Any) -> bool:
    """Whether two scalars are the same, in whatever form the rule lets them be written."""
    if same(one, other):
        return True
    if _is_of(rule, "quantity"):
        return amount(one) is not None and amount(one) == amount(other)
    return _is_of(rule, "int-or-string") and str(one) == str(other)


def _is_of(rule: Rule | None, word: str) -> bool:
    return rule is not None and rule.kind == "primitive" and rule.of == word


def _differ(place: Place) -> bool:
    return is_scalar(place.config) and is_scalar(place.live) and not same(place.config, place.live)
