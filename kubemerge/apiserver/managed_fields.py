"""Field ownership: changes to metadata.managedFields on each write, like `FieldManager` of upstream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine
from engine import MergeError
from engine.tables.behaviour import NAMES_NO_OBJECT, REJECTS_DUPLICATES
from engine.values.go_json import encode

from .decoding import type_errors
from .decoding.comparison import as_compared, with_template_times
from .decoding.decoder import Empties, decode_object
from .defaulting.fill import apply_defaults
from .errors import ApplyConflict, BadRequest, Invalid, UnknownReason, UnsupportedMediaType
from .problems import invalid, required
from .registry.strategy import in_version
from .resources import APPLIES_SINCE
from .scale import scaled
from .text.go_text import GO_TYPES, go_syntax, go_text
from .unchecked import as_map, get_path

if TYPE_CHECKING:
    from typing import Any

    from engine import Schema
    from engine.serverside.typed.validate import WrongType

    from .metadata import Origins
    from .problems import Problem
    from .protocol import Object, Resource
    from .resources import Kinds

RECORDED_SINCE = 18
"""The first minor release whose servers record every write. Before, servers recorded writes only in objects that had
a server-side apply.
"""
FIRST_MANAGER = "failed to create manager for existing fields:"
UPDATE, OPERATIONS = "Update", ("Apply", "Update")
RESET_REQUEST: list[Object] = [{}]
"""The value of managedFields that requests their removal."""


class ManagedFieldsRecorder:
    """Records the writes of one field manager in managedFields."""

    def __init__(self, manager: str, kinds: Kinds, origins: Origins, *, force: bool = False) -> None:
        self.manager, self._kinds, self._origins, self._force = manager, kinds, origins, force
        self._minor = kinds.minor

    def created(self, content: Object, resource: Resource) -> Object:
        """Return a new object whose fields belong to the manager."""
        if self._minor < RECORDED_SINCE:
            return content
        return with_managed_fields(content, self._entries(None, content, resource, None))

    def updated(
        self, live: Object, content: Object, resource: Resource, subresource: str | None, sent: Object | None = None
    ) -> Object:
        """Return the object after a write. The manager owns the changed fields. `sent` is the object of the request."""
        if self._minor < APPLIES_SINCE:
            return content
        if subresource == "status" and resource.built_in:
            live = {"status": {}, **live}  # Go prints an empty status
        compared = content
        if sent is not None:
            fill = lambda held: apply_defaults(held, self._kinds.release, read=True)  # noqa: E731
            compared = as_compared(content, sent, resource, self._kinds, fill)
        return with_managed_fields(content, self._entries(live, compared, resource, subresource))

    def scaled(self, live: Object, replicas: Any, resource: Resource) -> Object:
        """Return the object with another number of replicas, owned by the manager through the scale subresource."""
        after = scaled(live, str(resource.scaled_by), replicas)
        if self._minor < APPLIES_SINCE:
            return after
        recorded = engine.record_update(
            live,
            {"spec": {"replicas": replicas}},
            self._kinds.schema(resource),
            manager=self.manager,
            subresource="scale",
            time=self._origins.now(),
            scaled_by=str(resource.scaled_by),
        )
        return with_managed_fields(after, recorded["metadata"].get("managedFields"))

    def _entries(self, live: Object | None, content: Object, resource: Resource, subresource: str | None) -> Any:
        from engine.serverside.update import managed_fields_after  # only writes need it

        schema = self._kinds.schema(resource)
        if resource.built_in:
            live = None if live is None else with_template_times(live, schema)
            content = with_template_times(content, schema)
        return managed_fields_after(
            live,
            content,
            schema,
            manager=self.manager,
            subresource=subresource,
            time=self._origins.now(),
            reset_fields=_reset_fields(resource),
            convert=self._converter(resource),
        )

    def applied(self, config: Object, live: Object | None, resource: Resource, subresource: str | None) -> Object:
        """Return the result of a server-side apply to an object, or to none."""
        if "apply" not in resource.patch_types:
            raise UnsupportedMediaType(resource.called, "apply", resource.patch_types)
        if not self.manager:
            raise Invalid.of("PatchOptions.meta.k8s.io", "", [required("fieldManager", "is required for apply patch")])
        from engine.serverside.apply import WrongRequest  # only server-side apply needs them
        from engine.serverside.conflicts import FieldConflict
        from engine.serverside.typed.validate import WrongType
        from engine.serverside.updater import UnknownVersion

        schema = self._kinds.schema(resource)
        if resource.built_in and live is not None:
            live = with_template_times(live, schema)
        asked: dict[str, Any] = {"force": self._force, "subresource": subresource, "time": self._origins.now()}
        if subresource == "scale":
            asked["scaled_by"] = str(resource.scaled_by)
        else:
            asked |= {"reset_fields": _reset_fields(resource), "convert": self._converter(resource)}
        try:
            merged = engine.server_side_apply(config, live, schema, manager=self.manager, **asked).merged
        except FieldConflict as error:
            raise ApplyConflict(error) from None
        except WrongRequest as error:
            raise BadRequest(str(error)) from None
        except UnknownVersion as error:
            raise UnknownReason(error.server_text, advice=error.advice) from None
        except WrongType as error:
            raise UnknownReason(_typed_object_error(config, live, schema, error)) from None
        except MergeError as error:
            raise UnknownReason(str(error)) from None
        try:
            return type_errors.converted(merged, resource, self._kinds)
        except type_errors.NotConverted as error:
            raise UnknownReason(_conversion_error(config, error.why), advice=error.advice) from None

    def _converter(self, resource: Resource) -> engine.Converter | None:
        """Return a converter between the apiVersions of a kind. None if they all have the same fields."""
        if not self._kinds.is_converted(resource):
            return self._custom_converter(resource)

        def convert(document: Object, api_version: str) -> Object:
            target = self._kinds.resource(api_version, resource.kind)
            source = self._kinds.resource(document["apiVersion"], resource.kind)
            content, entries = split_managed_fields({**document, "metadata": as_map(document.get("metadata"))})
            content = in_version(decode_object(content, source, self._kinds, Empties.SENT), api_version, self._minor)
            content = decode_object(content, target, self._kinds, Empties.SENT)
            return with_managed_fields(content, entries)

        return convert

    def _custom_converter(self, resource: Resource) -> engine.Converter | None:
        """Return a converter for a custom resource with a conversion webhook."""
        definition = self._kinds.definition(resource)
        if definition is None or get_path(definition, "spec.conversion.strategy") != "Webhook":
            return None
        from .crd import objects as custom  # most clusters have no custom resources

        def convert(document: Object, api_version: str) -> Object:
            return custom.convert_between(document, definition, api_version, self._kinds.release)

        return convert


def _reset_fields(resource: Resource) -> engine.FieldSet | None:
    """An empty set for a custom resource without a status subresource. None means the reset fields of the kind."""
    return None if resource.built_in or resource.has_status else engine.FieldSet.parse({})


def _conversion_error(config: Object, why: str) -> str:
    metadata, group_kind = as_map(config.get("metadata")), _full_kind(config)
    about = f"({metadata.get('namespace') or ''}/{metadata.get('name')}; {group_kind})"
    doing = f"failed to convert new object {about} to proper version"
    return f"{doing}: unable to convert unstructured object to {group_kind}: {why}"


def _typed_object_error(config: Object, live: Object | None, schema: Schema, error: WrongType) -> str:
    from engine.serverside.typed.schema import atom_of
    from engine.serverside.typed.validate import WrongType, validate

    behaviour = schema.types.behaviour
    kind = _full_kind(config)
    if REJECTS_DUPLICATES in behaviour and live is not None and not as_map(live.get("metadata")).get("managedFields"):
        try:
            validate(live, atom_of(schema), duplicates=False)
        except WrongType as found:
            about = kind if NAMES_NO_OBJECT in behaviour else f"{_full_name(live)}; {kind}"
            return f"{FIRST_MANAGER} failed to convert new object ({about}) to smd typed: {type_problems(found)}"
    which = "live"
    try:
        validate(config, atom_of(schema), duplicates=False)
    except WrongType:
        which = "patch"
    about = f" ({_full_name(live if which == 'live' and live is not None else config)}; {kind})"
    about = "" if NAMES_NO_OBJECT in behaviour else about
    doing = f"failed to create typed {which} object{about}: " if error.doing is None else error.doing
    return f"{doing}{type_problems(error)}"


def _full_kind(config: Object) -> str:
    """Return the kind of a config as Go prints it. That of a write to a Scale differs from the resource's."""
    group, _, version = config["apiVersion"].rpartition("/")
    return f"{group}/{version}, Kind={config['kind']}"


def _full_name(content: Object) -> str:
    metadata = as_map(content.get("metadata"))
    return f"{metadata.get('namespace') or ''}/{metadata.get('name')}"


def type_problems(error: WrongType) -> str:
    """Return all type errors of a config in the words of a server."""
    texts = []
    for number, (where, what) in enumerate(error.problems):
        said = _expected(*error.values[number]) if number in error.values else what
        texts.append(f"{where}: {said}" if where else said)
    return texts[0] if len(texts) == 1 else "\n  ".join(["errors:", *texts])


def _expected(word: str, value: Any) -> str:
    if word == "string":
        return f"expected string, got &value.valueUnstructured{{Value:{go_syntax(value)}}}"
    found = GO_TYPES[type(value)] if word.startswith("numeric") else f"&{{{go_text(value)}}}"
    return f"expected {word}, got {found}"


def with_managed_fields(content: Object, entries: list[Object] | None) -> Object:
    """Return the object with these managedFields, or without any."""
    metadata = {name: value for name, value in content["metadata"].items() if name != "managedFields"}
    return {**content, "metadata": {**metadata, **({"managedFields": entries} if entries else {})}}


def as_reset_request(content: Object, resource: Resource) -> Object:
    """Replace an empty managedFields list by `[{}]`. Both request a removal, but `[]` would get lost on the way.

    A custom resource loses an empty list while it is decoded, so it requests nothing.
    """
    metadata = content.get("metadata")
    if not isinstance(metadata, dict) or metadata.get("managedFields") != []:
        return content
    if not resource.built_in:
        return {**content, "metadata": {key: value for key, value in metadata.items() if key != "managedFields"}}
    return {**content, "metadata": {**metadata, "managedFields": RESET_REQUEST}}


def split_managed_fields(content: Object) -> tuple[Object, Any]:
    """Split an object into the object without its managedFields, and the managedFields. They are long, and no other
    step of a write needs them.
    """
    entries = content["metadata"].get("managedFields")
    return (content, None) if entries is None else (with_managed_fields(content, None), entries)


def entries_problem(entries: Any) -> str:
    """Return the reason why a server cannot read managedFields, or an empty text."""
    for one in entries if isinstance(entries, list) else ():
        if as_map(one).get("operation") not in OPERATIONS:
            return "operation must be `Apply` or `Update`"
        try:
            engine.FieldSet.parse(as_map(one).get("fieldsV1") or {})
        except MergeError as error:
            return f"error decoding set: {error}"
    return ""


ANY_OPERATION_UNTIL = 20
"""The last minor release that reads entries with any operation, and rejects the object if one is left."""
_OTHER = "\0"
"""The start of the subresource that stands for another operation. Entries of these releases have no subresource."""


def with_read_operations(entries: Any, minor: int) -> Any:
    """Return managedFields of an update in which entries with another operation are recorded like updates.

    Later servers do not read such managedFields, and keep those of the live object.
    """
    if minor > ANY_OPERATION_UNTIL or not isinstance(entries, list) or entries == RESET_REQUEST:
        return entries
    return [
        {**one, "operation": UPDATE, "subresource": f"{_OTHER}{one.get('operation') or ''}"}
        if isinstance(one, dict) and one.get("operation") not in OPERATIONS
        else one
        for one in entries
    ]


def operation_problems(content: Object) -> list[Problem]:
    """Return the problems of the other operations in recorded managedFields. Entries that lost all fields are gone."""
    entries = content["metadata"].get("managedFields") or ()
    subresources = sorted(one.get("subresource") or "" for one in entries)
    return [
        invalid("metadata.managedFields.operation", one.removeprefix(_OTHER), "must be `Apply` or `Update`")
        for one in subresources
        if one.startswith(_OTHER)
    ]


def omits_managed_fields(patch: Any) -> bool:
    """Whether a patch does not touch managedFields, so that it can be applied without them."""
    if isinstance(patch, dict):
        metadata = patch.get("metadata")
        return not (isinstance(metadata, dict) and any("managedFields" in str(field) for field in metadata))
    operations = patch if isinstance(patch, list) else ()
    paths = [str(one.get(field)) for one in operations if isinstance(one, dict) for field in ("path", "from")]
    return not any(path in ("", "/metadata") or path.startswith("/metadata/managedFields") for path in paths)


def is_unchanged(content: Object, old: Object, schema: Schema, *, built_in: bool) -> bool:
    """Whether a write changes nothing, so that a server does not store it. Some releases store changed times."""
    from engine.serverside.write_steps import keeps_times  # only writes need it

    if keeps_times(schema.types.behaviour, typed=built_in):
        return equal_except_times(content, old)
    return is_same(content, old)


def is_same(content: Object, old: Object) -> bool:
    """Whether two objects are equal, including the times in managedFields."""
    return encode(content) == encode(old)


def equal_except_times(one: Object, other: Object) -> bool:
    """Whether two objects are equal except for the times in managedFields."""
    (ours, mine), (theirs, yours) = split_managed_fields(one), split_managed_fields(other)
    return _without_times(mine) == _without_times(yours) and encode(ours) == encode(theirs)


def _without_times(entries: Any) -> Any:
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
        return entries or []
    return [{name: value for name, value in one.items() if name != "time"} for one in entries]
