"""Conversion of a manifest to its successor version: if all fields are the same, only the apiVersion changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine.values.go_json import encode
from engine.values.plain import ABSENT, same

from ..apiserver.decoding import unknown_fields
from ..apiserver.kinds.deprecated import advice, lifecycle, successor
from ..apiserver.pipeline import server_of
from ..apiserver.problems import text
from ..apiserver.unchecked import as_map
from ..output.problems import masked

if TYPE_CHECKING:
    from collections.abc import Iterator

    Object = dict[str, Any]

_EVERYTHING = (
    "an empty selector selects no Pod in policy/v1beta1, but every Pod in policy/v1 (set the labels, or "
    "remove the selector)"
)


class Conversion(NamedTuple):
    """The successor of an object's version."""

    api_version: str
    """The apiVersion to use; empty if there is none."""
    kind: str
    problem: str
    """The reason why changing the apiVersion is not enough; empty if it is."""


def conversion(content: Object, release: str) -> Conversion | None:
    """The conversion to a version that a release serves; None if the version is neither deprecated nor removed."""
    key = str(content["apiVersion"]), str(content["kind"])
    cycle = lifecycle(*key)
    if cycle is None or not (cycle.is_gone_in(release) or cycle.is_deprecated_in(release)):
        return None
    named = successor(*key, release)
    if not named:
        return Conversion("", "", advice(*key, release))
    api_version, kind = named.split()
    if kind != key[1]:
        return Conversion(api_version, kind, "the kind changes")
    return Conversion(api_version, kind, difference(content, api_version, release))


def difference(content: Object, api_version: str, release: str) -> str:
    """The reason why the object is rejected or has another meaning with this apiVersion; empty if there is none."""
    key, other = (content["apiVersion"], content["kind"]), (api_version, content["kind"])
    changed = {**content, "apiVersion": api_version}
    fields = unknown_fields.fields_unknown_to(changed, engine.load(release).schema(*other))
    if fields:
        return f"{api_version} has no {fields[0]}"
    if key == ("policy/v1beta1", "PodDisruptionBudget") and _selects_everything(content):
        return _EVERYTHING
    old, new = _releases_with(key, other, release)
    if not old:
        return f"no known release serves {key[0]}, so its defaults are unknown"
    before, after = server_of(old).check_create(content), server_of(new).check_create(changed)
    rejected = after if new == release or after.object is None else server_of(release).check_create(changed)
    if rejected.problems:
        return f"{api_version} rejects it: {text(masked(rejected.problems[0], content))}"
    return "" if before.object is None else next(_differing(before.object, after.object), "")


def _selects_everything(content: Object) -> bool:
    """Whether an object has an empty selector."""
    selector = as_map(content.get("spec")).get("selector")
    return selector is not None and not any(as_map(selector).values())


def _releases_with(key: tuple[str, str], other: tuple[str, str], release: str) -> tuple[str, str]:
    """The newest release with both versions, twice; else the last one with the old version, if any, and `release`."""
    known, cycle = engine.releases(), lifecycle(*key)
    gone = cycle.gone if cycle else ""
    until = known[: known.index(gone)] if gone in known else known
    with_old = [one for one in until if key in engine.load(one)]
    both = [one for one in with_old if other in engine.load(one)]
    return (both[-1], both[-1]) if both else (with_old[-1] if with_old else "", release)


def _differing(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Default values that differ between the two versions; additional defaults of the newer one do not count."""
    if same(before, after) or path in ("apiVersion", "status") or path.endswith("metadata.creationTimestamp"):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for field in sorted({*before, *after}):
            one, other = before.get(field, ABSENT), after.get(field, ABSENT)
            yield from _differing(one, other, f"{path}.{field}".removeprefix("."))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _differing(one, other, f"{path}[{index}]")
    elif after is ABSENT:
        yield f"{path} would lose its default (set it first)"
    elif before is not ABSENT:
        yield f"{path} would default to {encode(after)} instead of {encode(before)} (set it first)"
