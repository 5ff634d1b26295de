"""Writes to the subresource scale: an object of its own, whose one field stands for the replicas of the object."""

from __future__ import annotations

from ..errors import MergeError, NotAnObject
from ..values.guard import run
from ..values.plain import copied
from . import chain, managers
from .fields import trees
from .fields.elements import of_field
from .managers import Entry
from .outcome import ServerSideOutcome
from .stored import bare, with_entries, with_times_of
from .typed.compare import equal
from .typed.shapes import DEDUCED, Shape, shape_of, versions_of
from .updater import SCALE, UnknownVersion, Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.schema import Schema
    from ..values.plain import Object
    from .chain import Writer
    from .fields.trees import Path
    from .managers import Managed

IN_SCALE = ("f:spec", "f:replicas")
REPLICAS = trees.of_paths([IN_SCALE])
"""What is owned of a Scale."""
_KEPT = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


class Scaling:
    """How an object of a kind is scaled: where it has its replicas, and the apiVersions that the kind has."""

    __slots__ = ("path", "schema", "served")

    def __init__(self, schema: Schema | None, scaled_by: str) -> None:
        self.schema, self.served = schema, versions_of(schema)
        self.path = tuple(map(of_field, scaled_by.removeprefix(".").split(".")))

    @property
    def custom(self) -> bool:
        """Whether it is a custom resource, to which an API server cannot apply a Scale that changes anything."""
        return self.schema is not None and not self.schema.built_in

    def known(self, managed: Managed, version: str) -> Managed:
        """The managers without those of apiVersions that the kind no longer has."""
        if self.served is None:
            return managed
        served = {*self.served.named, version}
        return {key: entry for key, entry in managed.items() if entry.version in served}

    def replicas(self, document: Object) -> Any:
        """The replicas of an object."""
        value: Any = document
        for element in self.path:
            value = value.get(element[2:]) if type(value) is dict else None
        return value

    def scaled(self, document: Object, replicas: Any) -> Object:
        """The object with other replicas."""
        return _with(document, self.path, replicas)


def _with(document: Any, path: Path, value: Any) -> Object:
    found = document if type(document) is dict else {}
    name, *rest = path[0][2:], *path[1:]
    return {**found, name: _with(found.get(name), tuple(rest), value) if rest else value}


def apply_scale(
    config: Object, live: Object | None, scaling: Scaling, writer: Writer, *, force: bool
) -> ServerSideOutcome:
    """The outcome for the object of an apply of a Scale."""

    def work(config: Object, live: Object) -> ServerSideOutcome:
        managed = managers.read(managers.of_object(live))
        start = _scale_of(live, scaling)
        owners = _of_scale(managed, live, scaling)
        if not owners and scaling.custom:
            kept = f"failed to convert live object (/; {SCALE}, Kind=Scale) to proper version: "
            raise UnknownVersion(SCALE, f"failed to create manager for existing fields: {kept}")
        new, after = chain.apply(_writing(), start, config, owners, writer, force=force)
        if new is not None and scaling.custom:
            metadata = config.get("metadata")
            known = metadata if type(metadata) is dict else {}
            about = f"{known.get('namespace') or ''}/{known.get('name') or ''}; {SCALE}, Kind=Scale"
            raise UnknownVersion(SCALE, f"failed to convert new object ({about}) to proper version: ")
        stored = _stored(live, start if new is None else new, managed, after, scaling)
        result = "unchanged" if equal(stored, live) else "configured"
        return ServerSideOutcome(result, copied(stored), config, live, writer, scaling.schema)

    if live is None:
        raise NotAnObject("live object that is scaled", live)
    if config.get("apiVersion") != SCALE or config.get("kind") != "Scale":
        raise MergeError(f"an apply to the subresource scale requires a Scale of {SCALE}. Pass one as config")
    return run(work, config=config, live=live)


def record_scale(before: Object | None, after: Object, scaling: Scaling, writer: Writer) -> Object:
    """What the object becomes when it is scaled to the replicas of `after`."""

    def work(before: Object, after: Object) -> Object:
        managed = managers.read(managers.of_object(before))
        start = _scale_of(before, scaling)
        spec = after.get("spec")
        wanted = spec.get("replicas") if type(spec) is dict else None
        scale = start if wanted is None else {**start, "spec": _spec(wanted)}
        changed = chain.update(_writing(), start, scale, _of_scale(managed, before, scaling), writer)
        stored: Object = copied(_stored(before, scale, managed, changed, scaling))
        return stored

    if before is None:
        raise NotAnObject("object that is scaled", before)
    return run(work, before=before, after=after)


def _writing() -> Writing:
    return Writing(_shape(), SCALE, trees.EMPTY, typed=True)


def _shape() -> Shape:
    """The shape of a Scale: without lists and atomic maps, what is deduced is what its type says."""
    from ..tables.loading import load

    tables = load()
    return shape_of(tables.schema(SCALE, "Scale")) if (SCALE, "Scale") in tables else DEDUCED


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
    """The spec of a Scale; Go does not print a zero, so that it counts as absent."""
    return {"replicas": replicas} if replicas else {}


def _of_scale(managed: Managed, live: Object, scaling: Scaling) -> Managed:
    """Who owns the replicas of the object, as owners of the Scale."""
    found: Managed = {}
    for key, entry in scaling.known(managed, str(live.get("apiVersion"))).items():
        if trees.contains(entry.tree, scaling.path):
            own = managers.identity(key[0], key[1], SCALE, key[3])
            found[own] = Entry(own, SCALE, REPLICAS, entry.time)
    return found


def _stored(live: Object, scale: Object, managed: Managed, changed: Managed, scaling: Scaling) -> Object:
    """The object with the replicas of the Scale, and with the managers of both."""
    spec = scale.get("spec")
    replicas = spec.get("replicas") if type(spec) is dict else None
    result = bare(live)
    if replicas or scaling.replicas(live):
        result = scaling.scaled(result, replicas or 0)
    entries = managers.written(_handed_back(str(live.get("apiVersion")), managed, changed, scaling))
    entries = with_times_of(entries, managers.of_object(live), lambda: equal(result, bare(live)))
    return with_entries(result, entries)


def _handed_back(version: str, managed: Managed, scale: Managed, scaling: Scaling) -> Managed:
    """The managers of the object: an update that the Scale still has is an entry of its own, as in the reference."""
    left = dict(scale)
    replicas = trees.of_paths([scaling.path])
    result: Managed = {}
    for key, entry in scaling.known(managed, version).items():
        if not trees.contains(entry.tree, scaling.path) or left.pop(key, None) is not None:
            result[key] = entry
        elif tree := trees.difference(entry.tree, replicas):
            result[key] = entry.owning(tree)
    for key, entry in left.items():
        if trees.contains(entry.tree, IN_SCALE):
            # As in the reference: of updates, the time is looked up by the apiVersion of the Scale, and not found.
            known = managed.get(key)
            result[key] = Entry(key, version, replicas, known.time if known else None)
    return result
