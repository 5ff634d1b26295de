"""Server-side apply of one object: the public function."""

from __future__ import annotations

from .. import aliases
from ..clientside.outcome import Outcome
from ..errors import MergeError, NotAnObject
from ..tables.schema import Schema
from ..values.guard import run
from . import field_managers, managers
from .field_managers import Writer
from .fields.field_set import FieldSet
from .fields.reset_fields import reset_fields as reset_by
from .outcome import ServerSideOutcome
from .typed.validate import validate
from .typed.zero_values import without_nulls
from .write_steps import finish, in_version, updater_for, without_managed_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..values.plain import Object
    from .updater import Updater


class WrongRequest(MergeError):
    """An apply that the API server rejects before it looks at fields."""


def server_side_apply(
    config: aliases.Object,
    live: aliases.Object | None,
    schema: Schema | None,
    *,
    manager: str,
    force: bool = False,
    subresource: str | None = None,
    time: str | None = None,
    reset_fields: FieldSet | None = None,
    scaled_by: str = "spec.replicas",
    convert: aliases.Converter | None = None,
) -> Outcome:
    """The outcome of a server-side apply of a config by a manager. `live` is the stored object, or None.

    `merged` of the outcome carries metadata.managedFields. `force` takes over fields of other managers; without it, a
    `FieldConflict` lists them. `time` is the time of the write, by default now. Without a schema, the types of values
    are deduced, as the API server does for custom resources without one.

    `subresource` is "status", "scale" (config is then a Scale) or another one. `reset_fields` are the fields that this
    write cannot change, by default those of the kind. `scaled_by` is the path of the kind's replicas. `convert`
    converts an object to another apiVersion, for managers that wrote in that version. Without it, all apiVersions are
    assumed to have the same fields.
    """
    if not isinstance(config, dict):
        raise NotAnObject("config", config)
    if not manager:
        raise WrongRequest("an apply requires a field manager. Pass manager")
    writer = Writer(manager, subresource, managers.to_utc(time) or managers.now() if time else managers.now())
    if subresource == "scale":
        from .scale import Scaling, apply_scale

        return apply_scale(config, live, Scaling(schema, scaled_by), writer, force=force)
    reset = reset_by(schema, subresource) if reset_fields is None else reset_fields.tree

    def work(config: Object, live: Object | None = None) -> ServerSideOutcome:
        updater = updater_for(schema, _version(config, schema), reset, subresource, convert)
        return _work(updater, config, live, schema, writer, force=force)

    return run(work, config=config) if live is None else run(work, config=config, live=live)


def _version(config: Object, schema: Schema | None) -> str:
    """The apiVersion of a config, whose kind must match the schema."""
    version, kind = config.get("apiVersion"), config.get("kind")
    for name, value in (("apiVersion", version), ("kind", kind)):
        if type(value) is not str or not value:
            raise WrongRequest(f"config has no {name}. Add it")
    if schema is not None and schema.kind is not None and (schema.api_version, schema.kind) != (version, kind):
        raise WrongRequest(
            f"config is a {version} {kind}, but the schema describes {schema.api_version} {schema.kind}. "
            "Pass the schema of the config"
        )
    return str(version)


def _work(
    updater: Updater, config: Object, live: Object | None, schema: Schema | None, writer: Writer, *, force: bool
) -> ServerSideOutcome:
    if managers.managed_fields_of(config) is not None:
        raise WrongRequest("metadata.managedFields must be nil; leave it out of config")
    before = None if live is None else in_version(live, updater)
    start: Object = (
        {"apiVersion": config["apiVersion"], "kind": config["kind"]}
        if before is None
        else without_managed_fields(before)
    )
    if validate(start, updater.atom, duplicates=updater.duplicates) and updater.typed and before is not None:
        before = without_nulls(before, updater.atom)
        start = without_managed_fields(before)
    managed = managers.parse_entries(None if before is None else managers.managed_fields_of(before))
    new, after = field_managers.apply(updater, start, config, managed, writer, force=force)
    stored = start if new is None else without_nulls(new, updater.atom) if updater.typed else new
    stored = finish(stored, after, before, updater)
    result = "created" if live is None else "unchanged" if stored == live else "configured"
    return ServerSideOutcome(result, stored, config, live, writer, schema)
