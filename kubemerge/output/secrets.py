"""Mask the values of Secrets as kubectl does, so that differences are visible, but values are not."""

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
"""The fields of a Secret with values. kubectl only masks the first. Users write the second."""
ANY, _TEXT, _NUMBER, _FLAG = object(), (str,), (int, float), (bool,)
_OWNER = {
    **dict.fromkeys(("apiVersion", "kind", "name", "uid"), _TEXT),
    "controller": _FLAG,
    "blockOwnerDeletion": _FLAG,
}
_WRITER = dict.fromkeys(("manager", "operation", "apiVersion", "time", "fieldsType", "subresource"), _TEXT)
_METADATA = {
    **dict.fromkeys(("name", "generateName", "namespace", "uid", "resourceVersion", "selfLink"), _TEXT),
    **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), _TEXT),
    **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), _NUMBER),
    "labels": {ANY: (*_TEXT, *_NUMBER)},
    "annotations": {ANY: ANY},
    "finalizers": [_TEXT],
    "ownerReferences": [_OWNER],
    "managedFields": [{**_WRITER, "fieldsV1": ANY}],
}
SHOWN = {"apiVersion": _TEXT, "kind": _TEXT, "type": _TEXT, "immutable": _FLAG, "metadata": _METADATA}
"""The unmasked parts of a Secret: its metadata and type. Any other field, or one of another type, may be a value.

The shape of a map is a map of its fields' shapes (`ANY` is the key for all others). The shape of a list contains the
shape of its elements, and that of a scalar the allowed types.
"""
OF_OTHERS = {"spec": ANY, "status": ANY}
"""Further unmasked parts of a custom resource named Secret."""
_LISTS = (("metadata", "finalizers"), ("metadata", "ownerReferences"), ("metadata", "managedFields"))


def is_secret(document: Any) -> bool:
    """Whether an object contains confidential values: its kind is Secret, in any case and of any group."""
    kind = document.get("kind") if isinstance(document, dict) else None
    return isinstance(kind, str) and kind.lower() == "secret"


def _shown_of(*documents: Any) -> dict[str, Any]:
    versions = [one.get("apiVersion") for one in documents if isinstance(one, dict)]
    is_custom = any("/" in version for version in versions if isinstance(version, str))
    return {**SHOWN, **OF_OTHERS} if is_custom else SHOWN


def names_a_value(steps: Sequence[Any]) -> bool:
    """Whether a path of a Secret leads into a list of values, where the keys of an element are values too."""
    return not (all(isinstance(one, str) for one in steps) or steps[0] in OF_OTHERS or tuple(steps[:2]) in _LISTS)


def masked(document: Any) -> Any:
    """The object, its values masked if it is a Secret."""
    return masked_pair(document, None)[0]


def masked_pair(before: Any, after: Any) -> tuple[Any, Any]:
    """Two states of one object, masked if it is a Secret. The mask of a changed value shows the side.

    Copies of the object in annotations are masked as well, above all in last-applied.
    """
    if is_secret(before) or is_secret(after):
        return _documents(before, after)
    return before, after


class Shown:
    """Two states of one object, masked if necessary, and other values of that object."""

    def __init__(self, before: Any, after: Any, *, secrets: bool = False) -> None:
        self.hides = not secrets and (is_secret(before) or is_secret(after))
        self.before, self.after = masked_pair(before, after) if self.hides else (before, after)

    def may_print(self, steps: Sequence[Any]) -> bool:
        """Whether a path may be printed."""
        return not (self.hides and names_a_value(steps))

    def values(self, change: Change) -> tuple[Any, Any]:
        """Both values of a change, masked if necessary."""
        plain = change.before, change.after
        return self.at(change.steps, *plain) if self.hides else plain

    def at(self, steps: Sequence[Any], before: Any, after: Any) -> tuple[Any, Any]:
        """Both values at a path, masked if necessary."""
        return _at(self.before, steps, before), _at(self.after, steps, after)

    def other(self, document: Any) -> Any:
        """Another state of the object, masked the same way even if it has no kind."""
        return _documents(document, None)[0] if self.hides else document

    def patch(self, patch: dict[str, Any]) -> dict[str, Any]:
        """A patch of the object. Nulls are not masked, because they clear a value."""
        return {key: _with_nulls(patch[key], hidden) for key, hidden in self.other(patch).items()}


def _at(document: Any, steps: Sequence[Any], otherwise: Any) -> Any:
    """The value at a path of a masked document. Inside a list, where nothing is masked, the original value."""
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
    one, other = _fields(_map(before), _map(after), _shown_of(before, after))
    if annotations_of(one) or annotations_of(other):
        left, right = dict(annotations_of(one)), dict(annotations_of(other))
        for key in {**left, **right}:
            _assign(left, right, key, _texts(key, left.get(key, ABSENT), right.get(key, ABSENT)))
        one, other = _annotated(one, left), _annotated(other, right)
    one, other = _without_owned_values(one), _without_owned_values(other)
    return (one if isinstance(before, dict) else before), (other if isinstance(after, dict) else after)


def _fields(
    one: dict[str, Any], other: dict[str, Any], shapes: dict[Any, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both maps. Fields that do not match their shape are masked."""
    left, right = dict(one), dict(other)
    for name in {**one, **other}:
        pair = one.get(name, ABSENT), other.get(name, ABSENT)
        _assign(left, right, name, _field(pair, shapes.get(name, shapes.get(ANY))))
    return left, right


def _field(pair: tuple[Any, Any], shape: Any) -> tuple[Any, Any]:
    there = [value for value in pair if value is not ABSENT and value is not None]
    if isinstance(shape, dict) and all(isinstance(value, dict) for value in there):
        both = _fields(_map(pair[0]), _map(pair[1]), shape)
        return tuple(new if isinstance(old, dict) else old for old, new in zip(pair, both, strict=True))  # type: ignore[return-value]
    return pair if all(_fits(value, shape) for value in there) else _values(*pair)


def _fits(value: Any, shape: Any) -> bool:
    """Whether a value matches a shape, recursively."""
    if shape is ANY:
        return True
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(_fits(value[key], shape.get(key, shape.get(ANY))) for key in value)
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(item, shape[0]) for item in value)
    return shape is not None and isinstance(value, shape) and (bool in shape or not isinstance(value, bool))


def _map(document: Any) -> dict[str, Any]:
    return dict(document) if isinstance(document, dict) else {}


def _assign(one: dict[str, Any], other: dict[str, Any], key: str, pair: tuple[Any, Any]) -> None:
    for side, value in zip((one, other), pair, strict=True):
        if value is not ABSENT:
            side[key] = value


def _annotated(document: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    return {**document, "metadata": {**document["metadata"], "annotations": found}} if found else document


def _without_owned_values(document: dict[str, Any]) -> dict[str, Any]:
    """The document. The field sets in its managedFields omit the elements of lists inside the values."""
    metadata = document.get("metadata")
    entries = metadata.get("managedFields") if isinstance(metadata, dict) else None
    if not isinstance(metadata, dict) or not isinstance(entries, list):
        return document
    masked_entries = [
        {**entry, "fieldsV1": _field_set(entry["fieldsV1"])}
        if isinstance(entry, dict) and "fieldsV1" in entry
        else entry
        for entry in entries
    ]
    return {**document, "metadata": {**metadata, "managedFields": masked_entries}}


def _field_set(fields: Any) -> Any:
    if not isinstance(fields, dict):
        return fields
    plain = ("metadata", *OF_OTHERS)
    return {name: inner if name[2:] in plain else _without_elements(inner) for name, inner in fields.items()}


def _without_elements(fields: Any) -> Any:
    if not isinstance(fields, dict):
        return fields
    return {name: _without_elements(inner) for name, inner in fields.items() if name[:2] not in ("k:", "v:")}


def _values(one: Any, other: Any) -> tuple[Any, Any]:
    """All values of a field. A value that is not a map is masked as a whole."""
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = {key: _value(one.get(key, ABSENT), other.get(key, ABSENT)) for key in {**one, **other}}
        return {key: pairs[key][0] for key in one}, {key: pairs[key][1] for key in other}
    if isinstance(one, dict) or isinstance(other, dict):
        return _masked_keys(one), _masked_keys(other)
    return _value(one, other)


def _masked_keys(value: Any) -> Any:
    return dict.fromkeys(value, MASK) if isinstance(value, dict) else _value(value, ABSENT)[0]


def _value(one: Any, other: Any) -> tuple[Any, Any]:
    if one is ABSENT or other is ABSENT or same(one, other):
        return _mask(one), _mask(other)
    return BEFORE, AFTER


def _mask(value: Any) -> Any:
    """The mask of a value. An existing mask is kept, because it may show the side."""
    return value if value is ABSENT or (isinstance(value, str) and value in _MASKS) else MASK


def _texts(key: str, one: Any, other: Any) -> tuple[Any, Any]:
    """An annotation that may contain a copy of the object. last-applied counts as one, even if it cannot be parsed."""
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


# ---- copies in annotations ------------------------------------------------------------------------------------------

_FOLDED = frozenset(map(str.lower, FIELDS))
_LIKE_A_COPY = r"(?i)data\b[\s\\\"']*[:=]|\bkind[\s\\\"']*[:=][\s\\\"']*secret\b"
"""A Secret, or a field with values, in text that is not JSON: YAML, or JSON that was cut off."""


def _hidden(value: Any) -> Any:
    """The value of an annotation without the values of Secrets in it, in any format."""
    if is_secret(value):
        value = _fields(value, {}, _shown_of(value))[0]
    if isinstance(value, dict):
        return {key: _masked_once(item) if key.lower() in _FOLDED else _hidden(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_hidden(item) for item in value]
    return _hidden_text(value) if isinstance(value, str) else value


def _masked_once(value: Any) -> Any:
    """A field with masked values. Existing masks are kept, because they may show the side."""
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
