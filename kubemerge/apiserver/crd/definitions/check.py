"""Validation of CustomResourceDefinitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode
from engine.values.plain import same

from ...problems import Printed, Problem, forbidden, required
from ...regex.matching import compile_pattern
from ...regex.syntax import BadPattern, UnknownPattern
from ...schemas.formats import CHECKS
from ...schemas.problems import deduplicate, invalid, unsupported
from ...schemas.schemas import Schema, raw_schema
from ...unchecked import as_map, as_text, has_condition
from ...validation.names import subdomain
from ...warnings.eras import SET_OF_OBJECTS, UNKNOWN_FORMAT, DatedWarning, Era
from ..scale import of_subresources
from . import columns, conversion, default_values, keywords, names, paths, printing, structural
from .approval import problems as approval_problems
from .names import label_1035
from .status import listed_versions, stored_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

Raw = dict[str, Any]
NO_SCHEMA = {
    "schema": "may only be set when `version.schema.openAPIV3Schema` is not included",
    "validation": "may only be set when validations.schema is included",
}
"""Errors of selectable fields without a schema, by its position. The server adds `not included`."""
SHARED = ("subresources", "schema", "additionalPrinterColumns", "selectableFields")
"""Fields that a server stores once if all versions have the same value."""
AT_ROOT = [
    "description",
    "type",
    "format",
    "title",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "required",
    "items",
    "properties",
    "externalDocs",
    "example",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
]
AT_ROOT_IN_GO = (
    "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern "
    "MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields "
    "XValidations]"
)
STORAGE = "must have exactly one version marked as storage version"


def problems(definition: Raw, before: Raw | None) -> list[Problem]:
    """Return the problems of a definition with defaults, in the order and the words of a server."""
    spec = as_map(definition.get("spec"))
    old = as_map(before.get("spec")) if before is not None else None
    check = _Check(spec, old, str(definition.get("apiVersion")))
    found = [*_name(definition, spec)] if before is None else []
    found += check.problems()
    if old is not None:
        found += _kept(spec, old, established=has_condition(before or {}, "Established"))
    found += status_problems(definition)
    found += _stored(stored_versions(definition, before), spec)
    found += approval_problems(definition, before)
    if spec.get("preserveUnknownFields") is True and not (old or {}).get("preserveUnknownFields"):
        why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
        if check.modern:
            found.append(invalid("spec.preserveUnknownFields", True, why))
    return deduplicate(found)


def status_problems(definition: Raw) -> Iterator[Problem]:
    """Return the problems of the status of a definition."""
    return names.problems(as_map(as_map(definition.get("status")).get("acceptedNames")), "status.acceptedNames")


def _has_defaults(owner: Raw) -> bool:
    schema = as_map(owner.get("schema")).get("openAPIV3Schema")
    return isinstance(schema, dict) and Schema(schema).uses("default")


class _Check:
    """One definition in a server's internal form: fields shared by all versions are stored once."""

    def __init__(self, spec: Raw, old: Raw | None, api_version: str) -> None:
        self.spec, self.old = spec, old
        self.modern = api_version.endswith("/v1")
        self.versions: list[Raw] = [{**one} for one in listed_versions(spec)]
        self.shared: Raw = {} if self.modern else {word: spec.get(_at(word)) for word in SHARED}
        if self.modern and self.versions:
            self._share()

    def _share(self) -> None:
        for word in SHARED:
            values = [one.get(word) for one in self.versions]
            if all(same(value, values[0]) for value in values):
                self.shared[word] = values[0]
                for one in self.versions:
                    one.pop(word, None)

    def problems(self) -> Iterator[Problem]:
        spec = self.spec
        yield from _group(as_text(spec.get("group")))
        scope = as_text(spec.get("scope"))
        if not scope:
            yield required("spec.scope")
        elif scope not in ("Cluster", "Namespaced"):
            yield unsupported("spec.scope", scope, ["Cluster", "Namespaced"])
        yield from self._schemas_are_there()
        if self.modern and spec.get("preserveUnknownFields") and any(map(_has_defaults, (self.shared, *self.versions))):
            why = "must be false in order to use defaults in the schema"
            yield invalid("spec.preserveUnknownFields", True, why)
        for index, version in enumerate(self.versions):
            yield from self._version(version, f"spec.versions[{index}]")
        yield from self._of_versions()
        yield from self._names()
        yield from self._parts(self.shared, "spec", "validation", self._any_status())
        yield from self._conversion()

    def _schemas_are_there(self) -> Iterator[Problem]:
        if not self.modern or as_map(self.shared.get("schema")).get("openAPIV3Schema") is not None:
            return
        for index, version in enumerate(self.versions):
            if as_map(version.get("schema")).get("openAPIV3Schema") is None:
                yield required(f"spec.versions[{index}].schema.openAPIV3Schema")

    def _version(self, version: Raw, at: str) -> Iterator[Problem]:
        name = as_text(version.get("name"))
        found = ",".join(label_1035(name))
        if found:
            yield invalid(f"{at}.name", name, found)
        yield from _deprecation(version, f"{at}.deprecationWarning")
        own = as_map(version.get("subresources")) if "subresources" in version else self.shared.get("subresources")
        yield from self._parts(version, at, "schema", as_map(own).get("status") is not None)

    def _parts(self, owner: Raw, at: str, word: str, status: bool) -> Iterator[Problem]:
        schema = as_map(owner.get("schema")).get("openAPIV3Schema")
        if isinstance(schema, dict):
            version = as_text(owner.get("name")) if word == "schema" else ""
            yield from self._schema(schema, f"{at}.{word}.openAPIV3Schema", status, version)
        yield from of_subresources(as_map(owner.get("subresources")), f"{at}.subresources")
        for index, column in enumerate(owner.get("additionalPrinterColumns") or ()):
            yield from columns.problems(as_map(column), f"{at}.additionalPrinterColumns[{index}]")
        fields = owner.get("selectableFields")
        if fields and isinstance(schema, dict):
            yield from paths.selectable([*map(as_map, fields)], schema, f"{at}.selectableFields")
        elif fields:  # also if all versions have one schema, which a server hoists
            yield invalid(f"{at}.selectableFields", "", NO_SCHEMA[word])

    def _schema(self, raw: Raw, at: str, status: bool, version: str) -> Iterator[Problem]:
        found = [*_root(raw, at, status)]
        strict = self.modern or not self.spec.get("preserveUnknownFields") or Schema(raw).uses("default")
        unsupported_word = structural.unsupported_word(raw) if strict else ""
        fits = False
        if strict and not unsupported_word:
            wrong = structural.problems(raw, at) or [*default_values.problems(_resource(raw), at)]
            found += wrong
            fits = not wrong
        place = keywords.SchemaPosition(raw, at, root=True, judged=fits)
        if Schema(raw).uses("x-kubernetes-validations"):
            from .rules import RuleChecks  # late, because most definitions have no rules

            rules = RuleChecks(raw, unchanged=self._is_known(raw, version))
            found += keywords.problems(place, rules.problems)
            found += rules.whole(at)
        else:
            found += keywords.problems(place, keywords.no_rules)
        if not found and unsupported_word:
            found.append(invalid(at, "", unsupported_word))
        yield from found

    def _is_known(self, raw: Raw, version: str) -> bool:
        """Whether an old version had this schema."""
        if self.old is None:
            return False
        names = [version] if version else [as_text(one.get("name")) for one in self.versions[:1]]
        return any(same(raw_schema({"spec": self.old}, name), raw) for name in names)

    def _of_versions(self) -> Iterator[Problem]:
        called = [one.get("name") for one in self.versions]
        if len(set(called)) < len(called):
            yield self._invalid_versions("must contain unique version names")
        if sum(one.get("storage") is True for one in self.versions) != 1:
            yield self._invalid_versions(STORAGE)
        version = as_text(called[0] if self.modern and called else self.spec.get("version"))
        if version:
            found = ",".join(label_1035(version))
            if found:
                yield invalid("spec.version", version, found)
            if called and called[0] != version:
                yield invalid("spec.version", version, "must match the first version in spec.versions")

    def _invalid_versions(self, why: str) -> Problem:
        shown = printing.literal(printing.versions(self.versions)) if self.versions else None
        return invalid("spec.versions", shown, why)

    def _names(self) -> Iterator[Problem]:
        given = as_map(self.spec.get("names"))
        for word in ("plural", "singular", "kind", "listKind"):
            if not given.get(word):
                yield required(f"spec.names.{word}")
        yield from names.problems(given, "spec.names")

    def _any_status(self) -> bool:
        owners = (self.shared, *self.versions)
        return any(as_map(one.get("subresources")).get("status") is not None for one in owners)

    def _conversion(self) -> Iterator[Problem]:
        given = self.spec.get("conversion")
        if isinstance(given, dict):
            if given.get("strategy") != "None" and self.spec.get("preserveUnknownFields"):
                why = "must be None if spec.preserveUnknownFields is true"
                yield invalid("spec.conversion.strategy", given.get("strategy"), why)
            yield from conversion.problems(given, "spec.conversion")


def _at(word: str) -> str:
    return "validation" if word == "schema" else word


def _resource(raw: Raw) -> Schema:
    return Schema(raw)


def _group(group: str) -> Iterator[Problem]:
    if not group:
        yield required("spec.group")
        return
    found = ",".join(subdomain(group))
    if found:
        yield invalid("spec.group", group, found)
    elif "." not in group:
        yield invalid("spec.group", group, "should be a domain with at least one dot")


def _deprecation(version: Raw, at: str) -> Iterator[Problem]:
    warning = version.get("deprecationWarning")
    if warning is None:
        return
    if not version.get("deprecated"):
        yield invalid(at, warning, "can only be set for deprecated versions")
        return
    if len(warning.encode()) > 256:
        yield invalid(at, warning, "must be <= 256 characters long")
    if not warning:
        yield invalid(at, warning, "must not be an empty string")
    index = next((place for place, char in enumerate(warning) if not char.isprintable()), None)
    if index is not None:
        where = len(warning[:index].encode())
        only = "must only contain printable UTF-8 characters"
        yield invalid(at, warning, f"{only}; non-printable character found at index {where}")


def _root(raw: Raw, at: str, status: bool) -> Iterator[Problem]:
    if status:
        under = "if the status subresource is enabled"
        if raw.get("type") and raw["type"] != "object":
            why = f'only "object" is allowed as the type at the root of the schema {under}'
            yield invalid(f"{at}.type", raw["type"], why)
        elif any(value not in (None, "", False, [], {}) and word not in AT_ROOT for word, value in raw.items()):
            shown = printing.literal(printing.schema(raw))
            yield invalid(at, shown, f"only {AT_ROOT_IN_GO} fields are allowed at the root of the schema {under}")
    if raw.get("nullable"):
        yield forbidden(f"{at}.nullable", "nullable cannot be true at the root")


def _kept(spec: Raw, old: Raw, *, established: bool) -> Iterator[Problem]:
    given, before = as_map(spec.get("names")), as_map(old.get("names"))
    fixed = [("spec.group", spec.get("group"), old.get("group"))]
    fixed.append(("spec.names.plural", given.get("plural"), before.get("plural")))
    if established:
        kind = ("spec.names.kind", given.get("kind"), before.get("kind"))
        fixed = [("spec.scope", spec.get("scope"), old.get("scope")), kind, *fixed]
    for at, now, then in fixed:
        if as_text(now) != as_text(then):
            yield invalid(at, as_text(now), "field is immutable")


def _name(definition: Raw, spec: Raw) -> Iterator[Problem]:
    expected = f"{names.names_of(definition).get('plural') or ''}.{spec.get('group') or ''}"
    for field in ("generateName", "name"):
        name = as_text(as_map(definition.get("metadata")).get(field))
        if name and name != expected:
            yield invalid(f"metadata.{field}", name, 'must be spec.names.plural+"."+spec.group')


def _stored(stored: list[str], spec: Raw) -> Iterator[Problem]:
    at = "status.storedVersions"
    if not stored:
        yield invalid(at, None, "must have at least one stored version")
        return
    known = listed_versions(spec)
    shown = Printed(encode(stored))
    left = {*stored}  # a server finds each stored version once
    for one in known:
        if one.get("storage") is True and one.get("name") not in left:
            yield invalid(at, shown, f"must have the storage version {one.get('name')}")
        left.discard(one.get("name", ""))
    for index, name in enumerate(stored):
        if name not in [one.get("name") for one in known]:
            why = (
                f"missing from spec.versions; {name} was previously a storage version, and must remain in "
                f"spec.versions until a storage migration ensures no data remains persisted in {name} and removes "
                f"{name} from status.storedVersions"
            )
            yield invalid(f"{at}[{index}]", name, why)


def warnings(definition: Raw, before: Raw | None) -> list[DatedWarning]:
    """Return warnings: unknown formats, and sets of non-scalars."""
    known = _warnings(before) if before is not None else []
    return [one for one in _warnings(definition) if one not in known]


def _warnings(definition: Raw) -> list[DatedWarning]:
    check = _Check(as_map(definition.get("spec")), None, str(definition.get("apiVersion")))
    formats: list[DatedWarning] = []
    sets: set[DatedWarning] = set()
    for owner in (check.shared, *check.versions):
        raw = as_map(owner.get("schema")).get("openAPIV3Schema")
        for one in _all(raw):
            form, kind = one.get("format"), one.get("type") or ""
            if form and not _is_known(form, kind):
                formats.append(UNKNOWN_FORMAT(f'unrecognized format "{form}"'))
            formats.extend(Era(0)(text) for text in _unjudged(one.get("pattern")))
            items = as_map(one.get("items")).get("type")
            if one.get("x-kubernetes-list-type") == "set" and items in ("object", "array"):
                why = "is not supported by server-side apply or CEL validation rules"
                sets.add(SET_OF_OBJECTS(f'x-kubernetes-list-type: set for items of type "{items}" {why}'))
    return [*formats, *sorted(sets)]


def _unjudged(wanted: Any) -> Iterator[str]:
    """A warning about a valid pattern that is too large for the embedded cluster."""
    try:
        compile_pattern(wanted or "")
    except UnknownPattern as error:
        yield f"no value is compared with the pattern {wanted} here: {error}"
    except BadPattern:
        pass


def _is_known(form: str, kind: str) -> bool:
    if kind in ("integer", "number"):
        return form in {"integer": ("int32", "int64"), "number": ("float", "double")}[kind]
    return kind in ("", "string") and form.replace("-", "") in CHECKS


def _all(raw: Any) -> Iterator[Raw]:
    """A schema with all schemas inside, in the order of a server."""
    if not isinstance(raw, dict):
        return
    yield raw
    items = raw.get("items")
    for one in items if isinstance(items, list) else [items]:
        yield from _all(one)
    for word in ("allOf", "anyOf", "oneOf"):
        for one in raw.get(word) or ():
            yield from _all(one)
    yield from _all(raw.get("not"))
    for one in as_map(raw.get("properties")).values():
        yield from _all(one)
    yield from _all(raw.get("additionalProperties"))
