"""The rules of Flux for fields whose drift is ignored: `spec.ignore` of a Kustomization."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.plain import ABSENT, same

from ...apiserver.errors import BadRequest
from ...apiserver.regex.matching import compile_pattern
from ...apiserver.regex.syntax import BadPattern, UnknownPattern
from ...apiserver.selectors import parse_selector
from ..metadata import entries_of, texts_of
from ..pointers import lookup, parts_of, removed, replaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..settings import Section

    Object = dict[str, Any]

PATTERNS = ("group", "version", "kind", "name", "namespace")
SELECTORS = {"labelSelector": "labels", "annotationSelector": "annotations"}


class Drift(NamedTuple):
    """An ignored field whose live value differs from the config.

    A field that another manager has applied is left out of the apply. Otherwise the live value is applied.
    """

    pointer: str
    live: Any
    is_left_out: bool


class DriftRules(NamedTuple):
    """Rules, each with a predicate for objects and the JSON pointers to ignore."""

    rules: tuple[tuple[Callable[[Object], bool], tuple[str, ...]], ...]

    @classmethod
    def read(cls, sections: Iterable[Section]) -> DriftRules:
        """The rules of a list. Of the rules without a target, Flux keeps only the last one."""
        rules: list[tuple[Callable[[Object], bool], tuple[str, ...]]] = []
        everything: tuple[str, ...] | None = None
        for one in sections:
            paths = one.texts("paths")
            for path in paths:
                if not path.startswith("/"):
                    raise one.fail(
                        "paths", f"has {path!r}, which is not a JSON pointer. Begin it with /, as in /spec/replicas."
                    )
            if one.content.get("target") is None:
                everything = paths
            else:
                rules.append((_target(one.section("target")), paths))
        if everything is not None:
            rules.append((lambda _: True, everything))
        return cls(tuple(rules))

    def paths_for(self, content: Object) -> list[str]:
        """The pointers of all rules that match an object."""
        return [path for matches, paths in self.rules if matches(content) for path in paths]

    def without_ignored(self, content: Object, matched: Object) -> Object:
        """The object without ignored fields. `matched` is the state of the object that selects the rules."""
        found: Object = removed(content, self.paths_for(matched))
        return found

    def drifts(self, live: Object, dry_run: Object, manager: str) -> Iterator[Drift]:
        """The ignored fields that differ between the live object and the result of the apply."""
        entries = [*_applied(live)]
        for path in self.paths_for(dry_run):
            now, then = lookup(live, path), lookup(dry_run, path)
            if (now is ABSENT) == (then is ABSENT) and same(now, then):
                continue
            yield Drift(path, None if now is ABSENT else now, _is_applied_by_others(live, path, manager, entries))


def without_drift(config: Object, drifts: Iterable[Drift]) -> Object:
    """The config that Flux applies: ignored fields are left out, or have the live value."""
    found = [*drifts]
    config = removed(config, [one.pointer for one in found if one.is_left_out])
    for one in found:
        if not one.is_left_out and lookup(config, one.pointer) is not ABSENT:
            config = replaced(config, one.pointer, one.live)
    return config


def _target(section: Section) -> Callable[[Object], bool]:
    patterns = {field: _pattern(section, field) for field in PATTERNS if section.text(field)}
    selectors = {field: _selector(section, field) for field in SELECTORS if section.text(field)}

    def matches(content: Object) -> bool:
        metadata = content["metadata"]
        group, _, version = content["apiVersion"].rpartition("/")
        facts = {"group": group, "version": version, "kind": content["kind"]}
        facts |= {field: metadata.get(field) or "" for field in ("name", "namespace")}
        return all(pattern(facts[field]) for field, pattern in patterns.items()) and all(
            test(texts_of(content, SELECTORS[field])) for field, test in selectors.items()
        )

    return matches


def _pattern(section: Section, field: str) -> Callable[[str], bool]:
    try:
        pattern = compile_pattern(f"^(?:{section.text(field)})$")
    except (BadPattern, UnknownPattern) as error:
        raise section.fail(field, f"is not a Go regular expression: {error}") from None

    def matches(text: str) -> bool:
        try:
            return pattern.matches(text)
        except UnknownPattern as error:
            raise section.fail(field, f"cannot be evaluated: {error}. Use a simpler pattern.") from None

    return matches


def _selector(section: Section, field: str) -> Callable[[Any], bool]:
    try:
        return parse_selector(section.text(field))
    except BadRequest as error:
        raise section.fail(field, f"is not a label selector: {error}") from None


# ---- owners ---------------------------------------------------------------------------------------------------------


def _applied(live: Object) -> Iterator[tuple[str, Object]]:
    """The managers that have applied fields, with the fields as they are stored."""
    for entry in entries_of(live):
        fields = entry.get("fieldsV1")
        if entry.get("operation") == "Apply" and not entry.get("subresource") and isinstance(fields, dict) and fields:
            yield entry.get("manager") or "", fields


def _is_applied_by_others(live: Object, pointer: str, manager: str, entries: list[tuple[str, Object]]) -> bool:
    path = _stored_path(live, pointer, entries)
    return path is not None and any(_inside(fields, path) is not None for name, fields in entries if name != manager)


def _stored_path(live: Object, pointer: str, entries: list[tuple[str, Object]]) -> list[str] | None:
    """A pointer as a path of fieldsV1. None for a list element that has no keys there."""
    path: list[str] = []
    value: Any = live
    for part in parts_of(pointer):
        if not part.lstrip("+-").isdigit():
            path.append(f"f:{part}")
            value = value.get(part) if isinstance(value, dict) else None
            continue
        index = int(part)
        if not isinstance(value, list) or not 0 <= index < len(value) or not isinstance(value[index], dict):
            return None
        value = value[index]
        key = next((one for one in _keys(path, entries) if _has_key(value, one)), None)
        if key is None:
            return None
        path.append(key)
    return path


def _keys(path: list[str], entries: list[tuple[str, Object]]) -> Iterator[str]:
    for _, fields in entries:
        yield from (key for key in _inside(fields, path) or {} if key.startswith("k:"))


def _has_key(item: Object, key: str) -> bool:
    try:
        wanted = json.loads(key[2:])
    except ValueError:
        return False
    return isinstance(wanted, dict) and all(same(item.get(name), value) for name, value in wanted.items())


def _inside(fields: Object, path: list[str]) -> Object | None:
    found: Any = fields
    for part in path:
        found = found.get(part)
        if not isinstance(found, dict):
            return None
    return found  # type: ignore[no-any-return]
