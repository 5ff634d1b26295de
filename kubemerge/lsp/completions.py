"""Completion of fields, values, apiVersions and kinds, also in a document that is no valid YAML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..apiserver.kinds.deprecated import lifecycle
from ..apiserver.kinds.names import rank
from ..kinds.explain import below
from ..linting.repository.skip_reasons import OTHER, skip_reason
from ..output import words
from .fields import field_at, path_of, rule_at, values_of
from .model import Candidate
from .places import cursor_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Rule, Schema

    from .fields import Field
    from .outline import Cursor
    from .repository import Rules

    Key = tuple[str, str]

HEAD = ("apiVersion", "kind", "metadata")
_OF_OBJECTS = frozenset({*HEAD, "spec", "status", "data", "rules", "subjects", "roleRef", "type"})
"""Fields of a document without apiVersion and kind that may become an object."""
_REST = re.compile(r"[\w./-]*[\"']?")


def complete(text: str, offset: int, name: str, rules: Rules) -> list[Candidate]:
    """The completions at an offset."""
    found = cursor_in(text, offset)
    if found is None:
        return []
    cursor = found[1]
    end = offset + _rest(text, offset)
    start = offset - len(cursor.prefix)
    has_colon = re.match(r"[ \t]*:", text[end : end + 10]) is not None
    return [
        Candidate(
            one.label, one.kind, one.detail, one.documentation, _text(one, has_colon=has_colon), start, end
        )._replace(deprecated=one.deprecated)
        for one in _candidates(cursor, name, rules)
    ]


def _rest(text: str, offset: int) -> int:
    """The length of the word behind the cursor."""
    match = _REST.match(text, offset)
    return len(match[0]) if match else 0


def _text(one: Candidate, *, has_colon: bool) -> str:
    """The inserted text. A key that has a colon already gets none."""
    return one.text.rstrip(": ") if has_colon and one.kind == "field" else one.text


def _candidates(cursor: Cursor, name: str, rules: Rules) -> Iterator[Candidate]:
    api_version, kind = cursor.values.get("apiVersion", ""), cursor.values.get("kind", "")
    steps = cursor.path[len(cursor.at) :]
    if cursor.is_value and steps == ("apiVersion",):
        yield from _api_versions(rules, kind)
    elif cursor.is_value and steps == ("kind",):
        yield from _kinds(rules, api_version)
    elif not steps and not (api_version and kind):
        yield from _head(cursor, name)
    else:
        field = field_at(rules, (api_version, kind), steps)
        if field is not None:
            yield from _values(field) if cursor.is_value else _fields(field, cursor, rules)


def _head(cursor: Cursor, name: str) -> Iterator[Candidate]:
    """The fields that every object has."""
    if skip_reason({}, name) == OTHER and cursor.siblings <= _OF_OBJECTS:
        for one in HEAD:
            if one not in cursor.siblings:
                yield _candidate(one, "field", "", "", "metadata:" if one == "metadata" else f"{one}: ")


def _api_versions(rules: Rules, kind: str) -> Iterator[Candidate]:
    known = rules.kinds()
    versions = sorted({api for api, one in known if kind in ("", one)}, key=rank, reverse=True)
    for api_version in versions or sorted({api for api, _ in known}):
        said = _deprecated(rules, (api_version, kind)) if kind else ""
        yield _candidate(api_version, "value", said, "", api_version)._replace(deprecated=bool(said))


def _kinds(rules: Rules, api_version: str) -> Iterator[Candidate]:
    found: dict[str, list[str]] = {}
    for api, kind in sorted(rules.kinds()):
        if api_version in ("", api) and not kind.endswith("List"):
            found.setdefault(kind, []).append(api)
    for kind, versions in sorted(found.items()):
        said = _deprecated(rules, (versions[0], kind)) if api_version else ""
        best = ", ".join(sorted(versions, key=rank, reverse=True))
        yield _candidate(kind, "class", said or best, "", kind)._replace(deprecated=bool(said))


def _deprecated(rules: Rules, key: Key) -> str:
    """The deprecation of a kind in the last release of the range; empty if it has none."""
    found = lifecycle(*key)
    if found is None or not found.is_deprecated_in(rules.releases[-1]):
        return ""
    return f"deprecated since {found.deprecated}"


def _fields(field: Field, cursor: Cursor, rules: Rules) -> Iterator[Candidate]:
    """The fields of a map that are not there yet, and the values of a list of scalars."""
    in_element = bool(cursor.path) and cursor.path[-1] is None
    dash = "- " if field.rule.kind == "list" and not in_element else ""
    others = [schema for schema in _in_other_releases(field.schema, rules) if schema is not None]
    for one in below(field.schema, field.rule):
        path = path_of((*cursor.path[len(cursor.at) :], one.name))
        if one.path in cursor.siblings or any(rule_at(schema, path) is None for schema in others):
            continue
        said = f"kubectl apply: {words.client_side(one.rule)}\nserver-side apply: {words.server_side(one.rule)}"
        colon = ": " if _is_scalar(one.rule) else ":"
        yield _candidate(one.path, "field", words.noun(one.rule), said, f"{dash}{_quoted(one.path)}{colon}")
    if field.rule.kind == "list":
        for value in values_of(field):
            yield _candidate(value, "value", "", "", f"{dash}{_as_yaml(value, field)}")


def _in_other_releases(schema: Schema, rules: Rules) -> Iterator[Schema | None]:
    """The kind in the other releases of the range."""
    key = (str(schema.api_version), str(schema.kind))
    for tables in rules.tables() if schema.built_in else ():
        if tables.release != schema.release:
            yield tables.schema(*key) if key in tables else None


def _is_scalar(rule: Rule) -> bool:
    return rule.kind in ("primitive", "any")


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[\w./$-]+", name) and not name.startswith("$") else f'"{name}"'


def _values(field: Field) -> Iterator[Candidate]:
    for value in values_of(field):
        yield _candidate(value, "value", "", "", _as_yaml(value, field))


def _as_yaml(value: str, field: Field) -> str:
    """A value as YAML: a text that YAML would read as something else is quoted."""
    from codegen.documents.yaml_scalars import YamlError, resolve

    if field.rule.of == "boolean" or (field.rule.of not in ("string", None) and not field.schema.built_in):
        return value
    try:
        is_text = value != "" and resolve(value) == value and re.fullmatch(r"[\w][\w ./+-]*", value) is not None
    except YamlError:
        is_text = False
    return value if is_text else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _candidate(label: str, kind: str, detail: str, documentation: str, text: str) -> Candidate:
    return Candidate(label, kind, detail, documentation, text, 0, 0)
