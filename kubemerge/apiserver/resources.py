"""Served kinds: those of the release, and those of CustomResourceDefinitions."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import engine
from engine import MergeError, UnknownKind

from .eras import minor_of
from .errors import BadRequest, ClusterError, Invalid, NoMatch
from .identity import DEFAULT_NAMESPACE, ObjectId
from .kinds.builtin_kinds import facts_of, stored_in
from .kinds.names import plural, rank
from .problems import invalid, verbatim
from .protocol import Resource
from .registry.strategy import as_read, hubs, in_version, read_back
from .releases import minor_release
from .unchecked import as_map, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from engine import Schema, Tables

    from .protocol import Object, Reference

ADDED_APIS = frozenset({"apiextensions.k8s.io/v1beta1", "apiregistration.k8s.io/v1beta1"})
"""API versions that all clusters serve, but that specifications before `FIRST_WITH_ADDED` lack."""
APPLIES_SINCE = 16
"""The first minor release with server-side apply."""
FIRST_WITH_ADDED = 11
"""The first minor release whose specification has `ADDED_APIS`. Earlier releases take them from it."""


class Kinds:
    """All kinds of a cluster at one moment. Definitions are read when the first custom kind is requested.

    The release may be a patch release, whose merge algorithms are then used.
    """

    def __init__(self, release: str, definitions: Callable[[], Sequence[Object]]) -> None:
        self.tables: Tables = engine.load(release)
        self.patch_release, self.release = release, minor_release(release)
        self.minor = minor_of(self.release)
        lacks_added = self.minor < FIRST_WITH_ADDED
        self._added = engine.load(f"1.{FIRST_WITH_ADDED}") if lacks_added else None
        self._read_definitions = definitions
        self._resources: dict[tuple[str, str], Resource] = {}
        self._custom: CustomKinds | None = None
        self._earlier: tuple[CustomKinds, Mapping[str, Object | None]] | None = None
        """The kinds before the last changes of definitions, and the changed definitions."""
        self._schemas: dict[tuple[str, str], Schema] = {}
        self._built_in_resources: dict[tuple[str, str], Resource] = {}
        self._known_schemas: dict[tuple[str, str], tuple[Object | None, Schema]] = {}
        """Schemas by kind, each with its definition. They are shared with the kinds before and after a change."""

    def after(self, changed: Mapping[str, Object | None]) -> Kinds:
        """Return the kinds after changes of definitions, which are given by name, with None for removed ones."""
        found = Kinds(self.patch_release, self._read_definitions)
        earlier, known = (self._custom, {}) if self._custom is not None else (self._earlier or (None, {}))
        if earlier is not None:
            found._earlier = earlier, {**known, **changed}
        found._built_in_resources, found._known_schemas = self._built_in_resources, self._known_schemas
        return found

    def resource(self, api_version: str, kind: str) -> Resource:
        """Return one kind. Raise NoMatch if it is not served."""
        key = (api_version, kind)
        found = self._resources.get(key)
        if found is None:
            found = self._resources[key] = self._resource(key)
        return found

    def _resource(self, key: tuple[str, str]) -> Resource:
        tables = self._built_in(key)
        if tables is not None:
            found = self._built_in_resources.get(key)
            if found is None:
                found = self._built_in_resources[key] = _built_in(tables.schema(*key), self.release)
            return found
        if key in self._definitions():
            return self._definitions()[key][0]
        try:
            self.tables.schema(*key)
        except UnknownKind as error:
            raise NoMatch(error) from None
        raise NoMatch(UnknownKind(*key, release=self.release))  # in the tables, but not served, such as a list

    def schema(self, resource: Resource) -> Schema:
        """Return the merge rules of a kind."""
        key = (resource.api_version, resource.kind)
        if key not in self._schemas:
            self._schemas[key] = self._schema(key, built_in=resource.built_in)
        return self._schemas[key]

    def _schema(self, key: tuple[str, str], *, built_in: bool) -> Schema:
        """Return the merge rules of a kind. A built-in one may not be stored, such as a Scale or a review."""
        tables = self._built_in(key)
        definition = None if tables is not None or built_in else self._definitions()[key][1]
        known = self._known_schemas.get(key)
        if known is None or known[0] is not definition:
            found = self.tables if definition is None else self._tables_of(definition)
            known = self._known_schemas[key] = definition, (tables or found).schema(*key)
        return known[1]

    def definition(self, resource: Resource) -> Object | None:
        """Return the CustomResourceDefinition of a kind, or None for a built-in one."""
        if resource.built_in:
            return None
        return self._definitions()[resource.api_version, resource.kind][1]

    def in_version(self, stored: Object, resource: Resource) -> Object:
        """Convert a stored object to this version of its kind."""
        definition = self.definition(resource)
        if definition is None:
            found = as_read(stored)
            if found["apiVersion"] == resource.api_version:
                return found
            if not self.is_converted(resource):
                return in_version(found, resource.api_version, self.minor)
            return self._converted(found, resource.api_version)
        from .crd import objects as custom  # most clusters have no custom resources

        return custom.convert(stored, definition, resource.api_version, self.release)

    def is_converted(self, resource: Resource) -> bool:
        """Whether the versions of a built-in kind have different fields, so that objects are converted."""
        return resource.built_in and self._hub_version(resource) is not None

    def _hub_version(self, resource: Resource) -> str | None:
        """The version in which objects of a converted kind are stored. None for other kinds."""
        versions = hubs(resource.api_version, resource.kind)
        if not versions:  # as for nearly all kinds
            return None
        return next((one for one in versions if self._built_in((one, resource.kind)) is not None), None)

    def hub(self, content: Object, resource: Resource) -> Object:
        """Convert an object to the version in which its kind is stored, as a server reads it back."""
        found = self._converted(content, str(self._hub_version(resource)))
        return read_back(found, self.minor)

    def _converted(self, content: Object, api_version: str) -> Object:
        from .decoding.decoder import decode_object  # late, because few kinds are converted

        found = in_version(content, api_version, self.minor)
        metadata = found["metadata"]
        kept = {key: metadata[key] for key in metadata if key == "managedFields"}
        bare = {**found, "metadata": {key: metadata[key] for key in metadata if key not in kept}}
        read = decode_object(bare, self.resource(api_version, found["kind"]), self)
        return {**read, "metadata": {**read["metadata"], **kept}}

    def stored(self, content: Object) -> Object:
        """Convert a custom resource to its storage version."""
        group = str(content["apiVersion"]).rpartition("/")[0]
        definition = self.definition_of(group, str(content["kind"])) if "." in group else None
        if definition is None:
            return content
        from .crd import objects as custom

        return custom.to_storage(content, definition, self.release)

    def definition_of(self, group: str, kind: str) -> Object | None:
        """Return the CustomResourceDefinition of a kind in any version."""
        return self._served().definitions.get((group, kind))

    def load(self, kinds: Container[str]) -> None:
        """Read the definitions and the merge rules of these custom kinds before they are requested."""
        for resource, _ in self._definitions().values():
            if resource.kind in kinds:
                with suppress(MergeError):  # the first request reports it
                    self.schema(resource)

    def all(self) -> list[Resource]:
        """Return every kind in every version, the preferred version first."""
        built_in = _all_built_in(self.release)
        custom = [resource for key, (resource, _) in self._definitions().items() if key not in built_in]
        return _sorted_by_rank([*built_in.values(), *custom]) if custom else [*built_in.values()]

    def all_built_in(self) -> list[Resource]:
        """Return every built-in kind in every version, the preferred version first."""
        keys = {key for tables in (self.tables, self._added) if tables for key in tables.kinds()}
        return _sorted_by_rank([self.resource(*key) for key in keys if self._built_in(key)])

    def _built_in(self, key: tuple[str, str]) -> Tables | None:
        if _is_stored(self.tables, key):
            return self.tables
        if self._added and key[0] in ADDED_APIS and _is_stored(self._added, key):
            return self._added
        return None

    def _definitions(self) -> dict[tuple[str, str], tuple[Resource, Object]]:
        return self._served().kinds

    def _served(self) -> CustomKinds:
        if self._custom is None:
            changed = None if self._earlier is None else self._earlier[0].after(self._earlier[1], self.release)
            self._custom = CustomKinds.of(self._read_definitions(), self.release) if changed is None else changed
            self._earlier = None
        return self._custom

    def _tables_of(self, definition: Object) -> Tables:
        from .crd.definitions.tables import tables_of  # only needed for custom resources

        return self.tables.overlay(tables_of(definition))


@cache
def _all_built_in(release: str) -> dict[tuple[str, str], Resource]:
    """The built-in kinds of a release, cached: most commands look up a kind by a name such as `deploy`."""
    return {(one.api_version, one.kind): one for one in Kinds(release, list).all_built_in()}


def _sorted_by_rank(resources: list[Resource]) -> list[Resource]:
    resources.sort(key=lambda one: rank(one.api_version), reverse=True)
    resources.sort(key=lambda one: (one.group, one.kind))
    return resources


class CustomKinds(NamedTuple):
    """The kinds of definitions. If two definitions have the same kind, `after` returns None, and all are read again."""

    kinds: dict[tuple[str, str], tuple[Resource, Object]]
    """The kinds by apiVersion and kind. If several definitions have one, the last definition is used."""
    definitions: dict[tuple[str, str], Object]
    """The definitions by group and kind. If several have one, the first definition is used."""
    of_definition: dict[str, tuple[tuple[str, str], ...]]
    """The kinds of each definition that serves any, by the name of the definition."""

    @classmethod
    def of(cls, definitions: Iterable[Object], release: str) -> CustomKinds:
        """Return the kinds of these definitions."""
        found = cls({}, {}, {})
        for one in definitions:
            found._add(one, release)
        if not found._is_unambiguous():
            found.definitions.clear()
            for resource, definition in found.kinds.values():
                found.definitions.setdefault((resource.group, resource.kind), definition)
        return found

    def after(self, changed: Mapping[str, Object | None], release: str) -> CustomKinds | None:
        """Return the kinds after changes of definitions. None if two definitions have the same kind."""
        if not self._is_unambiguous():
            return None
        found = CustomKinds(dict(self.kinds), dict(self.definitions), dict(self.of_definition))
        for name in changed:
            for key in found.of_definition.pop(name, ()):
                resource, _ = found.kinds.pop(key)
                found.definitions.pop((resource.group, resource.kind), None)
        for definition in changed.values():
            if definition is not None:
                found._add(definition, release)
        return found if found._is_unambiguous() else None

    def _is_unambiguous(self) -> bool:
        return len(self.definitions) == len(self.of_definition)

    def _add(self, definition: Object, release: str) -> None:
        defined = _defined(definition, release)
        if defined:
            keys = dict.fromkeys((one.api_version, one.kind) for one in defined)
            self.of_definition[definition["metadata"]["name"]] = tuple(keys)
        for one in defined:
            self.kinds[one.api_version, one.kind] = one, definition
            self.definitions.setdefault((one.group, one.kind), definition)


def _defined(definition: Object, release: str) -> list[Resource]:
    with suppress(AttributeError, KeyError, TypeError, ValueError):
        found = list(kinds_of_definition(definition, release))
        if all(_is_text(name) for one in found for name in (one.group, one.version, one.kind)):
            return found
    name = definition["metadata"]["name"]
    raise ClusterError(f"{name}: this CustomResourceDefinition is damaged. Restore a copy of the cluster")


def patch_types(release: str, *others: str) -> tuple[str, ...]:
    """The patch types of a custom kind, with server-side apply if the release has it."""
    return (*(["apply"] if minor_of(release) >= APPLIES_SINCE else ()), *others)


def kinds_of_definition(definition: Object, release: str) -> Iterator[Resource]:
    """Yield the kinds that a CustomResourceDefinition adds, one for each served version."""
    spec = definition["spec"]
    names = spec["names"]
    versions = spec.get("versions") or [{"name": spec.get("version"), "served": True}]
    shared = as_map(spec.get("subresources"))
    plural_name, short = names.get("plural"), names.get("shortNames")
    for version in versions:
        if version.get("served", True):
            parts = as_map(version.get("subresources")) or shared
            yield Resource(
                group=spec["group"],
                version=version["name"],
                kind=names["kind"],
                plural=plural_name if plural_name and isinstance(plural_name, str) else plural(names["kind"]),
                namespaced=spec.get("scope", "Namespaced") == "Namespaced",
                short_names=tuple(filter(_is_text, short)) if isinstance(short, list) else (),
                patch_types=patch_types(release, "json", "merge"),
                has_status="status" in parts,
                built_in=False,
                singular=as_text(names.get("singular")),
                scaled_by=as_text(as_map(parts.get("scale")).get("specReplicasPath")).lstrip(".") or None,
            )


def check_definition(content: Object, resource: Resource, release: str) -> None:
    """Reject a CustomResourceDefinition whose name is not PLURAL.GROUP, or that cannot be converted to tables."""
    from .crd.definitions.tables import check_readable  # only needed for definitions

    name = content["metadata"].get("name", "")
    try:
        check_readable(content)
    except MergeError as error:
        raise Invalid.of(resource.title, name, [verbatim(str(error))]) from None
    if any(name != one.called for one in kinds_of_definition(content, release)):
        problem = invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')
        raise Invalid.of(resource.title, name, [problem])


def _is_stored(tables: Tables, key: tuple[str, str]) -> bool:
    """Whether objects of a kind are stored. Then the release also has its list kind."""
    return key in tables and (key[0], f"{key[1]}List") in tables and key[1] != "APIGroup"


def _built_in(schema: Schema, release: str) -> Resource:
    api_version, kind = str(schema.api_version), str(schema.kind)
    group, _, version = api_version.rpartition("/")
    facts = facts_of(group, kind)
    return Resource(
        group=group,
        version=version,
        kind=kind,
        plural=plural(kind),
        namespaced=facts.namespaced if schema.namespaced is None else schema.namespaced,
        short_names=facts.short_names,
        patch_types=patch_types(release, "json", "merge", "strategic"),
        has_status=schema.rule("status") is not None,
        scaled_by="spec.replicas" if facts.can_scale else None,
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def key_of(resource: Resource, name: str, namespace: str | None) -> ObjectId:
    """Return the key under which an object of the kind is stored."""
    at = (namespace or DEFAULT_NAMESPACE) if resource.namespaced else ""
    return ObjectId(stored_in(resource.group, resource.kind), resource.kind, at, name)


def key_for(resource: Resource, reference: Reference) -> ObjectId:
    """Return the key under which the referenced object is stored."""
    if not isinstance(reference.name, str) or not reference.name:
        raise BadRequest("resource name may not be empty; give the name of the object")
    return key_of(resource, reference.name, reference.namespace)


def key_in_store(content: Object) -> ObjectId:
    """Return the key of an object that is stored, or is about to be."""
    metadata, kind = content["metadata"], content["kind"]
    group = stored_in(content["apiVersion"].rpartition("/")[0], kind)
    return ObjectId(group, kind, metadata.get("namespace") or "", metadata["name"])


@cache
def built_in(release: str) -> Kinds:
    """Return the built-in kinds of a release."""
    return Kinds(release, lambda: ())
