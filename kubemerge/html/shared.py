"""A comparison as the page shows it: without lists of objects, and with changes that many kinds share in one row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..compare.folding import rank
from ..compare.model import Comparison, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..compare.folding import Key
    from ..compare.model import RuleChange

MANY = 4
"""Minimum number of kinds for which a change of a shared type is shown once, as the type's."""
GROUP = "types of many kinds"


def shared(comparison: Comparison) -> Comparison:
    """The comparison with the changes of list kinds left out, and those of shared types folded."""
    items = {key for key in comparison.served if _is_list(key, comparison.served)}
    items |= {one.key for one in comparison.changes if one.path.startswith("items") and one.kind.endswith("List")}
    steps = [
        Step(step.left, step.right, tuple(_folded(one for one in step.changes if one.key not in items)))
        for step in comparison.steps
    ]
    served = {key: sides for key, sides in comparison.served.items() if key not in items}
    return Comparison(comparison.sides, tuple(steps), served)


def _is_list(key: Key, served: Iterable[Key]) -> bool:
    """Whether a kind is the list of another one."""
    return key[1].endswith("List") and (key[0], key[1].removesuffix("List")) in served


def _folded(changes: Iterable[RuleChange]) -> list[RuleChange]:
    """The changes. Those of a type in many kinds appear once, in place of the first."""
    alike: dict[object, list[RuleChange]] = {}
    for one in changes:
        alike.setdefault(_fact(one) if one.place else id(one), []).append(one)
    found: list[RuleChange] = []
    for those in alike.values():
        is_shared = len({one.key for one in those}) >= MANY
        found += [_of_type(min(those, key=lambda one: rank(one.severity)))] if is_shared else those
    return found


def _fact(one: RuleChange) -> object:
    return one.place, one.aspects, one.effect, one.before, one.after


def _of_type(one: RuleChange) -> RuleChange:
    """The change, attributed to the type that has the field."""
    module, _, rest = one.place.partition(".")
    kind, _, path = rest.partition(".")
    version = module.rpartition("_")[2]
    return replace(one, api_version=f"{GROUP}/{version}", kind=kind, path=path or one.path)
