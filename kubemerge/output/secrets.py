"""Secrets with their values masked as kubectl masks them, so that differences are visible, but values are not."""

from __future__ import annotations

from engine import BadText
from engine.clientside.last_applied import annotations_of
from engine.directives import ANNOTATION
from engine.values.go_json import decode, encode
from engine.values.plain import ABSENT, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from engine.clientside.change import Change

MASK = "***"
BEFORE = "*** (before)"
AFTER = "*** (after)"
_MASKS = (MASK, BEFORE, AFTER)
FIELDS = ("data", "stringData")
"""The fields of a Secret with values. kubectl only masks the first; the second is what people write."""
PLAIN = frozenset({"apiVersion", "kind", "metadata", "type", "immutable", "spec", "status"})
"""The fields without. Any other is a slip, as `stringdata` is, with values in it."""


def is_secret(document: Any) -> bool:
    """Whether an object holds values that nobody should see; custom resources of that name count too."""
    return isinstance(document, dict) and document.get("kind") == "Secret"


def names_a_value(steps: Sequence[Any]) -> bool:
    """Whether a path of a Secret goes into a list inside its values: what identifies an element there is a value."""
    return bool(steps) and steps[0] not in PLAIN and not all(isinstance(one, str) for one in steps)


def masked(document: Any) -> Any:
    """The object, its values masked if it is a Secret."""
    return masked_pair(document, None)[0]


def masked_pair(before: Any, after: Any) -> tuple[Any, Any]:
    """Two states of one object, masked if it is a Secret; a value that differs names its side.

    Copies of the object in annotations are masked as well, above all in last-applied.
    """
    if is_secret(before) or is_secret(after):
        return _documents(before, after)
    return before, after


class Shown:
    """Two states of one object as they may be shown, and other values of that object."""

    def __init__(self, before: Any, after: Any, *, secrets: bool = False) -> None:
        self.hides = not secrets and (is_secret(before) or is_secret(after))
        self.before, self.after = masked_pair(before, after) if self.hides else (before, after)

    def tells(self, steps: Sequence[Any]) -> bool:
        """Whether a path may be shown."""
        return not (self.hides and names_a_value(steps))

    def values(self, change: Change) -> tuple[Any, Any]:
        """Both values of a change, as they may be shown."""
        plain = change.before, change.after
        return self.at(change.steps, *plain) if self.hides else plain

    def at(self, steps: Sequence[Any], before: Any, after: Any) -> tuple[Any, Any]:
        """Both values at a place, as they may be shown."""
        return _at(self.before, steps, before), _at(self.after, steps, after)

    def other(self, document: Any) -> Any:
        """Another state of the object, masked like it even if it does not have a kind."""
        return _documents(document, None)[0] if self.hides else document

    def patch(self, patch: dict[str, Any]) -> dict[str, Any]:
        """A patch of the object; its nulls are shown, because they clear a value."""
        return {key: _with_nulls(patch[key], hidden) for key, hidden in self.other(patch).items()}


def _at(document: Any, steps: Sequence[Any], otherwise: Any) -> Any:
    """The value at a place of a document; in a list, where nothing is hidden, the value of the change."""
    found = document
    for step in steps:
        if isinstance(found, list):
            return otherwise
        if not isinstance(found, dict):
            return None if otherwise is None else found
        found = found.get(step)
    return found


def _with_nulls(value: Any, hidden: Any) -> Any:
    if isinstance(value, dict) and isinstance(hidden, dict):
        return {key: _with_nulls(item, hidden[key]) for key, item in value.items()}
    return None if value is None else hidden


def _documents(before: Any, after: Any) -> tuple[Any, Any]:
    one, other = _map(before), _map(after)
    for field in {**one, **other}.keys() - PLAIN:
        _put(one, other, field, _values(one.get(field, ABSENT), other.get(field, ABSENT)))
    if annotations_of(one) or annotations_of(other):
        left, right = dict(annotations_of(one)), dict(annotations_of(other))
        for key in {**left, **right}:
            _put(left, right, key, _texts(key, left.get(key, ABSENT), right.get(key, ABSENT)))
        one, other = _annotated(one, left), _annotated(other, right)
    one, other = _owned(one), _owned(other)
    return (one if isinstance(before, dict) else before), (other if isinstance(after, dict) else after)


def _map(document: Any) -> dict[str, Any]:
    return dict(document) if isinstance(document, dict) else {}


def _put(one: dict[str, Any], other: dict[str, Any], key: str, pair: tuple[Any, Any]) -> None:
    for side, value in zip((one, other), pair, strict=True):
        if value is not ABSENT:
            side[key] = value


def _annotated(document: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    return {**document, "metadata": {**document["metadata"], "annotations": found}} if found else document


def _owned(document: dict[str, Any]) -> dict[str, Any]:
    """The document; the sets of fields in its managedFields do not go into lists inside the values."""
    metadata = document.get("metadata")
    entries = metadata.get("managedFields") if isinstance(metadata, dict) else None
    if not isinstance(metadata, dict) or not isinstance(entries, list):
        return document
    told = [
        {**entry, "fieldsV1": _set(entry["fieldsV1"])} if isinstance(entry, dict) and "fieldsV1" in entry else entry
        for entry in entries
    ]
    return {**document, "metadata": {**metadata, "managedFields": told}}


def _set(fields: Any) -> Any:
    if not isinstance(fields, dict):
        return fields
    return {name: inner if name[2:] in PLAIN else _without_elements(inner) for name, inner in fields.items()}


def _without_elements(fields: Any) -> Any:
    if not isinstance(fields, dict):
        return fields
    return {name: _without_elements(inner) for name, inner in fields.items() if name[:2] not in ("k:", "v:")}


def _values(one: Any, other: Any) -> tuple[Any, Any]:
    """All values of a field; what is not a map is masked whole."""
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = {key: _value(one.get(key, ABSENT), other.get(key, ABSENT)) for key in {**one, **other}}
        return {key: pairs[key][0] for key in one}, {key: pairs[key][1] for key in other}
    if isinstance(one, dict) or isinstance(other, dict):
        return _alone(one), _alone(other)
    return _value(one, other)


def _alone(value: Any) -> Any:
    return dict.fromkeys(value, MASK) if isinstance(value, dict) else _value(value, ABSENT)[0]


def _value(one: Any, other: Any) -> tuple[Any, Any]:
    if one is ABSENT or other is ABSENT or same(one, other):
        return one if one is ABSENT else MASK, other if other is ABSENT else MASK
    return BEFORE, AFTER


def _texts(key: str, one: Any, other: Any) -> tuple[Any, Any]:
    """An annotation, in which there may be a copy of the object; last-applied is one, even if it cannot be read."""
    documents = tuple(ABSENT if text is ABSENT else _document(text) for text in (one, other))
    if key == ANNOTATION and None in documents:
        return _value(one, other)
    left, right = _documents(*documents)
    shown = _hidden(_written(one, left)), _hidden(_written(other, right))
    return (BEFORE, AFTER) if same(*shown) and not same(one, other) else shown


def _document(text: Any) -> dict[str, Any] | None:
    """The JSON object in a text."""
    found = _json(text) if isinstance(text, str) and text.lstrip().startswith("{") else None
    return found if isinstance(found, dict) else None


def _json(text: str) -> Any:
    try:
        return decode(text)
    except BadText:
        return None


def _written(text: Any, document: Any) -> Any:
    if not isinstance(document, dict):
        return text
    return encode(document) + ("\n" if text.endswith("\n") else "")


# ---- copies, wherever they are --------------------------------------------------------------------------------------

_LIKE_A_COPY = r"(?i)data\b[\s\\\"']*[:=]"
"""A field with values in text that is not JSON: YAML, or JSON that was cut off."""


def _hidden(value: Any) -> Any:
    """The value of an annotation without the values of Secrets in it, however it holds them."""
    if isinstance(value, dict):
        return {key: _masked_once(item) if key in FIELDS else _hidden(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_hidden(item) for item in value]
    return _hidden_text(value) if isinstance(value, str) else value


def _masked_once(value: Any) -> Any:
    """A field with values; what is masked already may say which side it is of."""
    if isinstance(value, dict):
        return {key: item if item in _MASKS else MASK for key, item in value.items()}
    return value if value in _MASKS else MASK


def _hidden_text(text: str) -> str:
    found = _json(text) if text.lstrip()[:1] in tuple('{["') else None
    if found is not None:
        hidden = _hidden(found)
        return text if same(hidden, found) else encode(hidden)
    import re

    return MASK if re.search(_LIKE_A_COPY, text) else text
