"""Tolerations of taints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...problems import Problem, invalid, unsupported
from ...unchecked import as_text, maps
from .. import names
from ..eras import COMPARED, COMPARED_BEFORE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
OPERATORS = ("Equal", "Exists")
WITHOUT_KEY = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'


def tolerations(at: str, owner: Object) -> Iterator[Problem]:
    """Validate the tolerations of an object."""
    for index, one in maps(owner, "tolerations"):
        yield from toleration(f"{at}[{index}]", one)


def toleration(at: str, one: Object) -> Iterator[Problem]:
    """Validate one toleration. Numeric comparisons are an alpha feature, which is off."""
    key, operator, effect, value = (as_text(one.get(field)) for field in ("key", "operator", "effect", "value"))
    if key:
        yield from (invalid(f"{at}.key", key, why) for why in names.key(key))
    elif operator != "Exists":
        yield invalid(f"{at}.operator", operator, WITHOUT_KEY)
    if one.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield invalid(f"{at}.effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
    if operator in ("", "Equal"):
        found = list(names.label_value(value))
        if found:
            yield invalid(f"{at}.operator", value, ";".join(found))
    elif operator == "Exists":
        if value:
            yield invalid(f"{at}.operator", value, "value must be empty when `operator` is 'Exists'")
    elif operator in ("Lt", "Gt"):
        yield from COMPARED_BEFORE.limit([unsupported(f"{at}.operator", operator, OPERATORS)])
        yield from COMPARED.limit([unsupported(f"{at}.operator", operator, (*OPERATORS, "Lt", "Gt"))])
    else:
        yield unsupported(f"{at}.operator", operator, OPERATORS)
    yield from effect_of(f"{at}.effect", effect)


def effect_of(at: str, effect: str, *, needed: bool = False) -> Iterator[Problem]:
    """Validate the effect of a taint."""
    if (effect or needed) and effect not in EFFECTS:
        yield unsupported(at, effect, EFFECTS)
