"""Random patches for a target, with the directives of strategic merge patches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .mutate import edited, rule_of

if TYPE_CHECKING:
    from engine import Rule

    from .draw import Draw


def patch_for(draw: Draw, target: dict[str, Any], rule: Rule, depth: int = 5) -> dict[str, Any]:
    """A patch mostly about existing fields of the target; it can mostly be applied without error."""
    patch: dict[str, Any] = {}
    for key, value in target.items():
        if key in ("apiVersion", "kind") or draw.chance(0.3):
            continue
        patch |= _patched_field(draw, key, value, rule_of(draw, rule, key), depth)
    if draw.chance(0.4):
        added = draw.chosen_fields(rule, 2)
        patch |= {name: draw.value(field, 2) for name, field in added.items() if name not in target}
    if target and draw.chance(0.12):
        listed = [key for key, value in patch.items() if value is not None and not key.startswith("$")]
        patch["$retainKeys"] = listed + [key for key in draw.some(list(target), 2) if key not in listed]
    elif depth < 5 and draw.chance(0.05):
        patch["$patch"] = draw.one(("replace", "delete"))
    return patch


def _patched_field(draw: Draw, key: str, value: Any, rule: Rule, depth: int) -> dict[str, Any]:
    if draw.chance(0.1):
        return {key: None}
    if isinstance(value, dict) and rule.kind in ("map", "any"):
        return {key: patch_for(draw, value, rule, depth - 1)}
    if isinstance(value, list) and rule.kind == "list" and "merge" in rule.strategies:
        return _keyed(draw, key, value, rule, depth) if rule.merge_key else _scalars(draw, key, value, rule)
    return {key: edited(draw, value, rule, 0.5)}


def _keyed(draw: Draw, name: str, value: list[Any], rule: Rule, depth: int) -> dict[str, Any]:
    """Changes, deletions and additions of elements, and mostly their order."""
    key = rule.merge_key or ""
    inner = draw.inner(rule)
    items: list[dict[str, Any]] = []
    gone: list[dict[str, Any]] = []
    order: list[Any] = []
    for element in value:
        if not isinstance(element, dict) or key not in element:
            continue
        fate = draw.random.randrange(4)
        if fate == 0:
            gone.append({key: element[key], "$patch": "delete"})
        elif fate == 1:
            items.append({**patch_for(draw, element, inner, depth - 1), key: element[key]})
        if fate in (1, 2):
            order.append(element[key])
    for _ in range(draw.random.randint(0, 2)):
        fresh = draw.element(rule, 2)
        items.append(fresh)
        order.append(fresh[key])
    if draw.chance(0.4):
        draw.random.shuffle(order)
    places = {_identity(identity): at for at, identity in enumerate(order)}
    items.sort(key=lambda item: places[_identity(item[key])])
    if draw.chance(0.05):
        draw.random.shuffle(items)
    if draw.chance(0.05):
        gone.append({"$patch": "replace"})
    patch: dict[str, Any] = {name: items + gone} if items or gone else {}
    if order and draw.chance(0.6):
        patch[f"$setElementOrder/{name}"] = [{key: identity} for identity in order]
    return patch


def _identity(value: Any) -> tuple[str, str]:
    return type(value).__name__, repr(value)


def _scalars(draw: Draw, name: str, value: list[Any], rule: Rule) -> dict[str, Any]:
    """Deletions, additions and the order of a list of scalars."""
    gone = [element for element in value if draw.chance(0.3)]
    added = [draw.element(rule) for _ in range(draw.random.randint(0, 2))]
    kept = [element for element in value if element not in gone and draw.chance(0.7)]
    patch: dict[str, Any] = {}
    if gone:
        patch[f"$deleteFromPrimitiveList/{name}"] = gone
    order = kept + added
    if draw.chance(0.4):
        draw.random.shuffle(order)
    if added:
        patch[name] = [element for element in order if element in added]
    if order and draw.chance(0.6):
        patch[f"$setElementOrder/{name}"] = order
    return patch
