"""Writes to the scale subresource: a separate object, whose single field holds the replicas of the object."""

from __future__ import annotations

from ..errors import MergeError, NotAnObject
from ..tables.behaviour import IGNORES_SUBRESOURCES, LACKS_SCALE_TYPE, NAMES_NO_OBJECT, TIMES_BY_FIELDS
from ..values.guard import run
from ..values.plain import copied
from . import field_managers, managers
from .fields import trees
from .fields.path_elements import field_element
from .managers import ManagedFieldsEntry
from .outcome import ServerSideOutcome
from .typed.compare import equal
from .typed.schema import DEDUCED, Atom, atom_of, versions_of
from .updater import SCALE, UnknownVersion, Updater
from .write_steps import behaviour_for, keep_times, with_managed_fields, without_managed_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.schema import Schema
    from ..values.plain import Object
    from .field_managers import Writer
    from .fields.trees import Path
    from .managers import Managed

IN_SCALE = ("f:spec", "f:replicas")
REPLICAS = trees.of_paths([IN_SCALE])
"""The fields of a Scale that can be owned."""
_KEPT = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


class Scaling:
    """The scale subresource of a kind: the path of the replicas, and the kind's apiVersions."""

    __slots__ = ("behaviour", "path", "schema", "served")

    def __init__(self, schema: Schema | None, scaled_by: str) -> None:
        self.schema, self.served, self.behaviour = schema, versions_of(schema), behaviour_for(schema)
        self.path = tuple(map(field_element, scaled_by.removeprefix(".").split(".")))

    @property
    def custom(self) -> bool:
        """True for custom resources, for which an API server cannot apply a changed Scale."""
        return self.schema is not None and not self.schema.built_in

    @property
    def lacks_type(self) -> bool:
        """True for custom resources of releases in which a Scale of them has no type."""
        return self.custom and LACKS_SCALE_TYPE in self.behaviour

    def known(self, managed: Managed, version: str) -> Managed:
        """The managers without those whose apiVersion the kind no longer has."""
        if self.served is None:
            return managed
        served = {*self.served.named, version}
        return {key: entry for key, entry in managed.items() if entry.version in served}

    def replicas(self, document: Object) -> Any:
        value: Any = document
        for element in self.path:
            value = value.get(element[2:]) if type(value) is dict else None
        return value

    def scaled(self, document: Object, replicas: Any) -> Object:
        return _with(document, self.path, replicas)


def _with(document: Any, path: Path, value: Any) -> Object:
    found = document if type(document) is dict else {}
    name, *rest = path[0][2:], *path[1:]
    return {**found, name: _with(found.get(name), tuple(rest), value) if rest else value}


def apply_scale(
    config: Object, live: Object | None, scaling: Scaling, writer: Writer, *, force: bool
) -> ServerSideOutcome:
    """The outcome, for the object, of an apply of a Scale."""

    def work(config: Object, live: Object) -> ServerSideOutcome:
        managed = managers.parse_entries(managers.managed_fields_of(live))
        start = _scale_of(live, scaling)
        owners = _of_scale(managed, live, scaling)
        if scaling.custom and IGNORES_SUBRESOURCES in scaling.behaviour:
            raise UnknownVersion(SCALE, "", NO_MANAGER)
        if not owners and scaling.custom:
            about = _about({}, scaling)
            doing = f"failed to create manager for existing fields: failed to convert live object{about} to proper"
            raise UnknownVersion(SCALE, f"{doing} version: ")
        if scaling.lacks_type:
            raise UnknownVersion(SCALE, f"failed to create typed patch object{_about(config, scaling)}: ", NO_TYPE)
        new, after = field_managers.apply(_writing(scaling), start, config, owners, writer, force=force)
        if new is not None and scaling.custom:
            raise UnknownVersion(SCALE, f"failed to convert new object{_about(config, scaling)} to proper version: ")
        stored = _store(live, start if new is None else new, managed, after, scaling)
        result = "unchanged" if equal(stored, live) else "configured"
        return ServerSideOutcome(result, copied(stored), config, live, writer, scaling.schema)

    if live is None:
        raise NotAnObject("live object that is scaled", live)
    if config.get("apiVersion") != SCALE or config.get("kind") != "Scale":
        raise MergeError(f"an apply to the subresource scale requires a Scale of {SCALE}. Pass one as config")
    return run(work, config=config, live=live)


NO_MANAGER = "FieldManager must be installed to run apply"
"""The last words of a handler that crashes."""
NO_TYPE = f"no corresponding type for {SCALE}, Kind=Scale"


def _about(config: Object, scaling: Scaling) -> str:
    """The applied Scale in a message."""
    metadata = config.get("metadata")
    known = metadata if type(metadata) is dict else {}
    about = f" ({known.get('namespace') or ''}/{known.get('name') or ''}; {SCALE}, Kind=Scale)"
    return "" if NAMES_NO_OBJECT in scaling.behaviour else about


def record_scale(before: Object | None, after: Object, scaling: Scaling, writer: Writer) -> Object:
    """The object after it is scaled to the replicas of `after`."""

    def work(before: Object, after: Object) -> Object:
        managed = managers.parse_entries(managers.managed_fields_of(before))
        start = _scale_of(before, scaling)
        spec = after.get("spec")
        wanted = spec.get("replicas") if type(spec) is dict else None
        scale = start if wanted is None else {**start, "spec": _spec(wanted)}
        changed: Managed = {}
        if not scaling.lacks_type:
            owners = _of_scale(managed, before, scaling)
            changed = field_managers.update(_writing(scaling), start, scale, owners, writer)
        stored: Object = copied(_store(before, scale, managed, changed, scaling))
        return stored

    if before is None:
        raise NotAnObject("object that is scaled", before)
    return run(work, before=before, after=after)


def _writing(scaling: Scaling) -> Updater:
    return Updater(_scale_atom(), SCALE, trees.EMPTY, typed=True, behaviour=scaling.behaviour)


def _scale_atom() -> Atom:
    """The schema of a Scale: without lists and atomic maps, deduced types are its types."""
    from ..tables.loading import load

    tables = load()
    return atom_of(tables.schema(SCALE, "Scale")) if (SCALE, "Scale") in tables else DEDUCED


def _scale_of(live: Object, scaling: Scaling) -> Object:
    metadata = live.get("metadata")
    known = metadata if type(metadata) is dict else {}
    return {
        "apiVersion": SCALE,
        "kind": "Scale",
        "metadata": {name: known[name] for name in _KEPT if name in known},
        "spec": _spec(scaling.replicas(live)),
    }


def _spec(replicas: Any) -> Object:
    """The spec of a Scale. Go does not print a zero, so it counts as absent."""
    return {"replicas": replicas} if replicas else {}


def _of_scale(managed: Managed, live: Object, scaling: Scaling) -> Managed:
    """The owners of the object's replicas, as owners of the Scale."""
    found: Managed = {}
    if IGNORES_SUBRESOURCES in scaling.behaviour:
        return found
    for key, entry in scaling.known(managed, str(live.get("apiVersion"))).items():
        if trees.contains(entry.tree, scaling.path):
            own = managers.identity(key[0], key[1], SCALE, key[3])
            found[own] = ManagedFieldsEntry(own, SCALE, REPLICAS, entry.time)
    return found


def _store(live: Object, scale: Object, managed: Managed, changed: Managed, scaling: Scaling) -> Object:
    """The object with the replicas of the Scale, and with the managers of both."""
    spec = scale.get("spec")
    replicas = spec.get("replicas") if type(spec) is dict else None
    result = without_managed_fields(live)
    if replicas or scaling.replicas(live):
        result = scaling.scaled(result, replicas or 0)
    if IGNORES_SUBRESOURCES in scaling.behaviour:
        return with_managed_fields(result, managers.managed_fields_of(live) or [])
    entries = managers.encode_entries(_return_to_object(str(live.get("apiVersion")), managed, changed, scaling))
    if TIMES_BY_FIELDS not in scaling.behaviour:
        before = managers.managed_fields_of(live)
        entries = keep_times(entries, before, lambda: equal(result, without_managed_fields(live)))
    return with_managed_fields(result, entries)


def _return_to_object(version: str, managed: Managed, scale: Managed, scaling: Scaling) -> Managed:
    """The object's managers. As in the reference, an update that the Scale still has becomes a separate entry."""
    left = dict(scale)
    replicas = trees.of_paths([scaling.path])
    result: Managed = {}
    for key, entry in scaling.known(managed, version).items():
        if not trees.contains(entry.tree, scaling.path) or left.pop(key, None) is not None:
            result[key] = entry
        elif tree := trees.difference(entry.tree, replicas):
            result[key] = entry.with_tree(tree)
    for key, entry in left.items():
        if trees.contains(entry.tree, IN_SCALE):
            # As in the reference: the time of an update is looked up by the Scale's apiVersion, and not found.
            known = managed.get(key)
            result[key] = ManagedFieldsEntry(key, version, replicas, known.time if known else None)
    return result
