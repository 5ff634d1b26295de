"""Equal quantities in different notations.

An API server compares them by value, except for the owner of a list. Then it compares Go's memory, where a quantity
has its number and in some cases its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import BadQuantity, amount, parsed

if TYPE_CHECKING:
    from engine import Rule, Schema
    from engine.values.quantities import Amount

    from ..protocol import Object, Resource
    from .schemas import Schemas


def spelled_as(content: Object, live: Object, resource: Resource, kinds: Schemas) -> Object:
    """Return the live object with the notation of each equal quantity in the content.

    `1Gi` and `1073741824` are stored unchanged, but they are equal: neither the generation nor an immutable field
    changes. In a custom resource they are plain texts.
    """
    if not resource.built_in or live == content:
        return live
    schema = kinds.schema(resource)
    found: Object = _spelled(live, content, schema.type.rule, schema)
    return found


def _spelled(value: Any, other: Any, rule: Rule, schema: Schema) -> Any:
    if value == other:
        return value
    if rule.kind == "primitive":
        is_same = rule.of == "quantity" and amount(value) is not None and amount(value) == amount(other)
        return other if is_same else value
    if isinstance(value, dict) and isinstance(other, dict):
        changed = [key for key, inner in value.items() if key in other and inner != other[key]]
        rules = {key: schema.field(rule, key) for key in changed}
        spelled = {key: _spelled(value[key], other[key], inside, schema) for key, inside in rules.items() if inside}
        return {**value, **spelled}
    if isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        inside = schema.inside(rule)[0]
        return [_spelled(one, two, inside, schema) for one, two in zip(value, other, strict=True)]
    return value


def is_held_as_stored(sent: str, stored: str, *, printed: bool) -> bool:
    """Whether Go holds a quantity of a request as it holds the stored one.

    Go keeps the text of a quantity if that is obviously canonical: `100Mi`, but not `512Mi`, whose number is a multiple
    of 8. `printed`: the live quantity always has its text, because it was printed for the store.
    """
    if sent == stored:
        return not printed or keeps_text(sent)
    try:
        new, old = parsed(sent), parsed(stored)
    except BadQuantity:
        return False
    same = new.kind == old.kind and new.value.as_tuple() == old.value.as_tuple()
    return same and not (printed or _is_kept(sent, new) or _is_kept(stored, old))


def keeps_text(text: str) -> bool:
    """Whether Go keeps the text of a quantity, so that it is the same in memory after it was printed."""
    try:
        return _is_kept(text, parsed(text))
    except BadQuantity:  # imported objects are not validated
        return True


def _is_kept(text: str, quantity: Amount) -> bool:
    return quantity.stays is not None or text == "0"
