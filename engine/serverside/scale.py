"""Writes to the subresource scale: an object of its own, whose one field stands for spec.replicas of the object."""

from __future__ import annotations

from ..errors import MergeError, NotAnObject
from ..values.guard import run
from ..values.plain import copied
from . import chain, managers
from .fields import trees
from .managers import Entry
from .outcome import ServerSideOutcome
from .stored import bare, with_entries, with_times_of
from .typed.compare import equal
from .typed.shapes import DEDUCED, Shape, shape_of
from .updater import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tables.schema import Schema
    from ..values.plain import Object
    from .chain import Writer
    from .managers import Managed

VERSION = "autoscaling/v1"
REPLICAS = trees.of_paths([("f:spec", "f:replicas")])
"""Where both the Scale and the object have it."""
_KEPT = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


def apply_scale(
    config: Object, live: Object | None, schema: Schema | None, writer: Writer, *, force: bool
) -> ServerSideOutcome:
    """The outcome for the object of an apply of a Scale."""

    def work(config: Object, live: Object) -> ServerSideOutcome:
        managed = managers.read(managers.of_object(live))
        start = _scale_of(live)
        new, after = chain.apply(_writing(), start, config, _of_scale(managed), writer, force=force)
        stored = _stored(live, start if new is None else new, managed, after)
        result = "unchanged" if equal(stored, live) else "configured"
        return ServerSideOutcome(result, copied(stored), config, live, writer, schema)

    if live is None:
        raise NotAnObject("live object that is scaled", live)
    if config.get("apiVersion") != VERSION or config.get("kind") != "Scale":
        raise MergeError(f"an apply to the subresource scale takes a Scale of {VERSION}; give one as config")
    return run(work, config=config, live=live)


def record_scale(before: Object | None, after: Object, schema: Schema | None, writer: Writer) -> Object:  # noqa: ARG001
    """What the object becomes when it is scaled to the replicas of `after`."""

    def work(before: Object, after: Object) -> Object:
        managed = managers.read(managers.of_object(before))
        start = _scale_of(before)
        spec = after.get("spec")
        scale = dict(start)
        if type(spec) is dict and "replicas" in spec:
            scale["spec"] = {**start.get("spec", {}), "replicas": spec["replicas"]}
        changed = chain.update(_writing(), start, scale, _of_scale(managed), writer)
        stored: Object = copied(_stored(before, scale, managed, changed))
        return stored

    if before is None:
        raise NotAnObject("object that is scaled", before)
    return run(work, before=before, after=after)


def _writing() -> Writing:
    return Writing(_shape(), VERSION, trees.EMPTY, typed=True)


def _shape() -> Shape:
    """The shape of a Scale: without lists and atomic maps, what is deduced is what its type says."""
    from ..tables.loading import load

    tables = load()
    return shape_of(tables.schema(VERSION, "Scale")) if (VERSION, "Scale") in tables else DEDUCED


def _scale_of(live: Object) -> Object:
    metadata = live.get("metadata")
    known = metadata if type(metadata) is dict else {}
    scale: Object = {
        "apiVersion": VERSION,
        "kind": "Scale",
        "metadata": {name: known[name] for name in _KEPT if name in known},
    }
    spec = live.get("spec")
    if type(spec) is dict and spec.get("replicas") is not None:
        scale["spec"] = {"replicas": spec["replicas"]}
    return scale


def _of_scale(managed: Managed) -> Managed:
    """Who owns the replicas of the object, as owners of the Scale."""
    found: Managed = {}
    for key, entry in managed.items():
        if trees.contains(entry.tree, ("f:spec", "f:replicas")):
            own = managers.identity(key[0], key[1], VERSION, key[3])
            found[own] = Entry(own, VERSION, REPLICAS, entry.time)
    return found


def _stored(live: Object, scale: Object, managed: Managed, changed: Managed) -> Object:
    """The object with the replicas of the Scale, and with the managers of both."""
    spec = scale.get("spec")
    result = bare(live)
    if type(spec) is dict and "replicas" in spec:
        old = live.get("spec")
        result = {**result, "spec": {**(old if type(old) is dict else {}), "replicas": spec["replicas"]}}
    entries = managers.written(_handed_back(str(live.get("apiVersion")), managed, changed))
    entries = with_times_of(entries, managers.of_object(live), lambda: equal(result, bare(live)))
    return with_entries(result, entries)


def _handed_back(version: str, managed: Managed, scale: Managed) -> Managed:
    """The managers of the object: an update that the Scale still has is an entry of its own, as in the reference."""
    left = dict(scale)
    result: Managed = {}
    for key, entry in managed.items():
        if not trees.contains(entry.tree, ("f:spec", "f:replicas")) or left.pop(key, None) is not None:
            result[key] = entry
        elif tree := trees.difference(entry.tree, REPLICAS):
            result[key] = entry.owning(tree)
    for key, entry in left.items():
        if trees.contains(entry.tree, ("f:spec", "f:replicas")):
            # As in the reference: of updates, the time is looked up by the apiVersion of the Scale, and not found.
            known = managed.get(key)
            result[key] = Entry(key, version, REPLICAS, known.time if known else None)
    return result
