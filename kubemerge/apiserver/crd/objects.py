"""Custom resources on write: pruning, defaulting and validation by their definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..eras import minor_of
from ..errors import ConversionFailed, CorruptObject
from ..problems import GO_SYNTAX_UNTIL, INVALID, NO_PATH, WRONG_TYPE, Problem
from ..schemas.problems import NOT_CHECKED, NOT_CHECKED_IN_GO, blocks_rules, deduplicate
from ..schemas.schemas import Schema, schema_of, version_in, versions_of
from ..text.go_text import quoted
from ..unchecked import as_map, get_path
from ..validation import names
from ..validation.go_values import in_go_syntax_of_json
from ..validation.metadata import STANDARD_FINALIZERS
from ..warnings.eras import FINALIZER, sent_by
from . import defaulting, embedded, lists, pruning, scale
from .deadlines import current_request
from .ratcheting import Correlated
from .values import ValueValidator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..warnings.eras import DatedWarning
    from .embedded import ReadMetadata

    Object = dict[str, Any]

TYPES_NAMED_SINCE = 24
"""The first minor release in which a value of a wrong type has its own reason."""
CHECKED_SINCE, PRUNED_SINCE, DEFAULTS_SINCE, RULES_SINCE, FORGIVING_SINCE = 9, 15, 16, 25, 30
"""The first minor releases with validation, pruning, defaulting, rules, and ratcheting."""


def keeps_unknown(definition: Object) -> bool:
    """Whether objects keep unknown fields, as with v1beta1 definitions."""
    asked = as_map(definition.get("spec")).get("preserveUnknownFields")
    return asked is True or (asked is None and str(definition.get("apiVersion")).endswith("/v1beta1"))


def prune_unknown(content: Object, definition: Object, release: str | None) -> tuple[Object, list[str]]:
    """Return the object without fields unknown to its definition, and their paths."""
    if minor_of(release) < PRUNED_SINCE or keeps_unknown(definition):
        return content, []
    schema = schema_of(definition, version_in(content))
    return pruning.prune(content, schema) if schema is not None else (content, [])


def apply_defaults(
    content: Object,
    definition: Object,
    release: str | None,
    read: ReadMetadata | None = None,
    *,
    applied: bool = False,
) -> Object:
    """Return the object as it is stored: pruned, with decoded embedded metadata and defaults.

    An `applied` object is not decoded again, so that its nulls are validated.
    """
    found, _ = prune_unknown(content, definition, release)
    schema = schema_of(definition, version_in(content))
    if schema is not None and read is not None:
        found = embedded.coerce(found, schema, read)
    if minor_of(release) < DEFAULTS_SINCE:
        return found
    return defaulting.apply_defaults(found, schema, nulls=applied)


def storage_version(definition: Object) -> str:
    """Return the storage version."""
    return str(next((one.get("name") for one in versions_of(definition) if one.get("storage")), None))


def convert(content: Object, definition: Object, api_version: str, release: str | None) -> Object:
    """Convert a stored object to a version. Defaults come from the storage version."""
    found = apply_defaults(content, definition, release)
    if content.get("apiVersion") == api_version:
        return found
    try:
        made = _converted(found, definition, api_version)
    except ConversionFailed as error:
        raise _corrupt(found, definition, str(error)) from None
    return prune_unknown(made, definition, release)[0]


def _corrupt(content: Object, definition: Object, why: str) -> CorruptObject:
    metadata, spec = content["metadata"], definition["spec"]
    steps = (spec["group"], spec["names"]["plural"], metadata.get("namespace"), metadata["name"])
    problem = f"object not decodable revision={metadata.get('resourceVersion', 0)}: {why}"
    return CorruptObject(f"/{'/'.join(filter(None, steps))}", problem)


def to_storage(content: Object, definition: Object, release: str | None) -> Object:
    """Convert an object to the storage version."""
    group = str(content["apiVersion"]).rpartition("/")[0]
    return convert_between(content, definition, f"{group}/{storage_version(definition)}", release)


def convert_between(content: Object, definition: Object, api_version: str, release: str | None) -> Object:
    """Convert an object that is not stored to another version."""
    if content.get("apiVersion") == api_version:
        return content
    return prune_unknown(_converted(content, definition, api_version), definition, release)[0]


def _converted(content: Object, definition: Object, api_version: str) -> Object:
    """The object in another version. Webhooks are called for requests to a server only."""
    if get_path(definition, "spec.conversion.strategy") == "Webhook":
        request = current_request()
        if request is not None and request.convert is not None:
            return request.convert(content, definition, api_version, request)
    return {**content, "apiVersion": api_version}


class ValidationResult(NamedTuple):
    """Problems, and warnings."""

    problems: list[Problem]
    warnings: list[str]


def problems(
    content: Object,
    before: Object | None,
    definition: Object,
    release: str | None,
    *,
    status_only: bool = False,
    blocked: bool = False,
) -> ValidationResult:
    """Validate an object with its defaults.

    `before` is the object before the update, in the same version. `blocked`: rules are skipped in any case.
    """
    minor = minor_of(release)
    if minor < CHECKED_SINCE:
        return ValidationResult([], [])
    schema = schema_of(definition, version_in(content)) or Schema({})
    judge = ValueValidator(minor)
    whole = Correlated(content, before, schema) if before is not None and minor >= FORGIVING_SINCE else None
    if status_only:
        found = _of_status(judge, content, schema, whole)
        found += scale.of_status(content, definition)
    else:
        found = judge.problems(content, schema, whole)
        found += scale.of_spec(content, definition) + scale.of_status(content, definition)
        found += embedded.problems(content, schema)
    if before is None or not lists.problems(before, schema):
        found += lists.problems(content, schema)
    found = deduplicate(in_go_syntax_of_json(found) if minor <= GO_SYNTAX_UNTIL else found)
    warned: list[str] = []
    if schema.uses("x-kubernetes-validations") and minor >= RULES_SINCE:
        if blocked or any(map(blocks_rules, found)):
            found.append(NOT_CHECKED_IN_GO if minor <= GO_SYNTAX_UNTIL else NOT_CHECKED)
        else:
            from .rules import evaluate_rules

            wrong, forgiven = evaluate_rules(content, before, schema, whole, minor)
            found += wrong
            warned = list(map(str, deduplicate(forgiven)))
    if minor < TYPES_NAMED_SINCE:
        found = [one._replace(kind=INVALID) if one.kind == WRONG_TYPE else one for one in found]
    warned += (f"no value is compared with the pattern {one} here" for one in judge.unjudged)
    if not (found or status_only):
        warned += sent_by(_finalizers(content, before), minor)
    return ValidationResult(found, warned)


def _of_status(judge: ValueValidator, content: Object, schema: Schema, whole: Correlated | None) -> list[Problem]:
    """Validate a status. Paths in its schema begin there."""
    inner = schema.field("status")
    if inner is None or "status" not in content:
        return []
    found = judge.problems(content["status"], inner, whole.key("status") if whole is not None else None)
    return [one._replace(path="status" if one.path == NO_PATH else f"status.{one.path}") for one in found]


def _finalizers(content: Object, before: Object | None) -> Iterator[DatedWarning]:
    """Warnings about new finalizers without a domain."""
    given = as_map(content.get("metadata")).get("finalizers") or []
    kept = as_map((before or {}).get("metadata")).get("finalizers") or []
    for name in sorted({one for one in given if isinstance(one, str) and one not in kept}):
        at = f"metadata.finalizers: {quoted(name)}"
        yield from (FINALIZER(f"{at}: {why}") for why in names.key(name))
        if "/" not in name and name not in STANDARD_FINALIZERS:
            path = " including a path (/)" if "." in name else ""
            better = f"prefer a domain-qualified finalizer name{path}"
            yield FINALIZER(f"{at}: {better} to avoid accidental conflicts with other finalizer writers")
