"""Compare a clean merge with the patch from base to theirs, applied to ours by the merge engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codegen.documents.problems import BadDocument
from engine import MergeError
from engine.patches import apply_patch, two_way_patch
from engine.values.plain import same

from .judge import KEYED, by_identity, documents_of, is_merge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kubemerge.gitmerge.rules import Lookup


def unlike_patches(texts: Sequence[str], lookup: Lookup) -> list[str]:
    """The fields of objects whose merged value is not that of the patched object."""
    try:
        files = by_identity([documents_of(text) for text in texts])
    except BadDocument:
        return []
    found: list[str] = []
    for key in (files or [{}])[0]:
        versions = [file.get(key) for file in files or []]
        if not all(isinstance(one, dict) for one in versions):
            continue
        base, ours, theirs, merged = (_without_nulls(one) for one in versions)  # a patch removes them
        names = [(one.get("apiVersion"), one.get("kind")) for one in versions if one]
        is_one = names.count(names[0]) == len(names) and all(isinstance(word, str) for word in names[0])
        schema = lookup(*names[0]) if is_one else None
        if schema is None:
            continue
        try:
            patched = apply_patch(ours, two_way_patch(base, theirs, schema), schema)
        except MergeError:  # an object that a strategic merge rejects, such as one with equal merge keys
            continue
        found += _unlike(patched, [base, ours, theirs, merged], key)
    return found


def _unlike(patched: Any, versions: Sequence[Any], path: str) -> Iterator[str]:
    base, ours, theirs, merged = versions
    if same(patched, merged) or path.endswith(".volumes[]"):  # their patches remove the keys that ours added
        return
    if isinstance(patched, dict) and isinstance(merged, dict):
        for key in {**patched, **merged}:
            inner = [one.get(key) if isinstance(one, dict) else None for one in versions]
            yield from _unlike(patched.get(key), inner, f"{path}.{key}")
        return
    field = path.rpartition(".")[2]
    if isinstance(patched, list) and isinstance(merged, list) and field in KEYED:
        sides = [_by_key(one, KEYED[field]) for one in (patched, *versions)]
        if None not in sides:
            yield from _unlike(sides[0], sides[1:], f"{path}[]")
        return  # a list with equal keys, in which a strategic merge loses elements
    if field == "ports" and any(_by_key(one, key) is None for one in versions for key in _PORTS if _has(one, key)):
        return
    both = not same(base, ours) and not same(base, theirs)
    if both and isinstance(merged, (str, list)) and is_merge(*versions):  # by line, or an atomic list by element
        return
    is_same_set = isinstance(merged, list) and sorted(map(repr, merged)) == sorted(map(repr, patched or []))
    if is_same_set and not both:
        return
    if not patched and not merged:  # an empty collection, which a patch cannot remove
        return
    yield f"{path}: base {base!r}, ours {ours!r}, theirs {theirs!r}: patched {patched!r}, merged {merged!r}"


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


_PORTS = ("port", "containerPort")
"""The merge keys of lists of ports."""


def _has(value: Any, key: str) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict) and key in one for one in value)


def _by_key(value: Any, key: str) -> dict[str, Any] | None:
    """The elements of a list by a field. None if it is not unique."""
    if value is None:
        return {}
    if not isinstance(value, list) or not all(isinstance(one, dict) and key in one for one in value):
        return None
    found = {str(one[key]): one for one in value}
    return found if len(found) == len(value) else None
