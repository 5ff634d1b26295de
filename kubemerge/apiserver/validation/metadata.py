"""Metadata of objects of any kind, without their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.clientside.last_applied import LARGEST

from ..eras import Era
from ..problems import GO_SYNTAX_UNTIL, Problem, forbidden, invalid, required, too_long
from ..unchecked import as_map, as_number, as_text, maps
from . import names
from .values.formats import NOT_NEGATIVE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

OWNED_BY = ("apiVersion", "kind", "name", "uid")
"""The required fields of an ownerReference."""
_INDEXED_SINCE = 37
"""The first minor release that names the index of a wrong ownerReference."""
STANDARD_FINALIZERS = ("foregroundDeletion", "kubernetes", "orphan")
STRICT = frozenset(
    {
        "",
        "apps",
        "autoscaling",
        "batch",
        "certificates.k8s.io",
        "discovery.k8s.io",
        "events.k8s.io",
        "extensions",
        "flowcontrol.apiserver.k8s.io",
        "networking.k8s.io",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
        "storagemigration.k8s.io",
    }
)
"""Groups whose objects may only have the standard finalizers and those with a domain."""


def problems(metadata: Object, group: str, kind: str) -> Iterator[Problem]:
    """Validate labels, annotations, ownerReferences and finalizers."""
    generation = as_number(metadata.get("generation"))
    if generation is not None and generation < 0:
        yield invalid("metadata.generation", generation, NOT_NEGATIVE)
    yield from names.labels("metadata.labels", metadata.get("labels"))
    yield from names.annotation_keys("metadata.annotations", metadata.get("annotations"))
    yield from annotations_size("metadata.annotations", as_map(metadata.get("annotations")))
    yield from _owners(metadata)
    yield from _finalizers(metadata.get("finalizers"), strict=group in STRICT and (group, kind) != ("", "Event"))


def annotations_size(at: str, annotations: Object) -> Iterator[Problem]:
    """Validate the maximum size of all annotations together."""
    if sum(len(key.encode()) + len(str(value).encode()) for key, value in annotations.items()) > LARGEST:
        yield too_long(at, LARGEST)


def _owners(metadata: Object) -> Iterator[Problem]:
    at, controllers = "metadata.ownerReferences", []
    for index, owner in maps(metadata, "ownerReferences"):
        yield from Era(_INDEXED_SINCE).limit(_owner(owner, f"{at}[{index}]"))
        yield from Era(until=_INDEXED_SINCE - 1).limit(_owner_until_1_36(owner, at))
        if owner.get("controller") is True:
            controllers.append(f"{as_text(owner.get('kind'))}/{as_text(owner.get('name'))}")
    if len(controllers) > 1:
        which = f'Found "true" in references for {controllers[0]} and {controllers[1]}'
        why = f"Only one reference can have Controller set to true. {which}"
        shown = [_owner_shown(owner) for _, owner in maps(metadata, "ownerReferences")]
        yield invalid(at, shown, why)


def _owner(owner: Object, at: str) -> Iterator[Problem]:
    for field in OWNED_BY:
        if not owner.get(field):
            yield required(f"{at}.{field}", "must not be empty")
        elif field == "apiVersion" and not _is_version(as_text(owner[field])):
            yield invalid(f"{at}.apiVersion", owner[field], "must be <group>/<version> or <version>")
    yield from _event_as_owner(owner, at)


def _owner_until_1_36(owner: Object, at: str) -> Iterator[Problem]:
    version = as_text(owner.get("apiVersion"))
    if not version or not _is_version(version):
        yield invalid(f"{at}.apiVersion", version, "version must not be empty")
    for field in OWNED_BY[1:]:
        if not owner.get(field):
            found = invalid(f"{at}.{field}", "", "must not be empty")
            yield from Era(GO_SYNTAX_UNTIL + 1).limit([found])
            yield from Era(until=GO_SYNTAX_UNTIL).limit([found._replace(detail=f"{field} must not be empty")])
    yield from _event_as_owner(owner, at)


def _event_as_owner(owner: Object, at: str) -> Iterator[Problem]:
    if (owner.get("apiVersion"), owner.get("kind")) == ("v1", "Event"):
        yield invalid(at, _owner_shown(owner), "/v1, Kind=Event is disallowed from being an owner")


def _owner_shown(owner: Object) -> Object:
    """An ownerReference in the order of its Go type."""
    every = {**dict.fromkeys(OWNED_BY, ""), "controller": None, "blockOwnerDeletion": None, **owner}
    return {field: value for field, value in every.items() if value is not None}


def _is_version(value: str) -> bool:
    """Whether a text is an apiVersion. Of two parts, the last must not be empty."""
    return value.count("/") <= 1 and not value.endswith("/")


def _finalizers(finalizers: Any, *, strict: bool) -> Iterator[Problem]:
    listed = finalizers if isinstance(finalizers, list) else ()
    at, found = "metadata.finalizers", [one for one in listed if isinstance(one, str)]
    for one in found:
        yield from (invalid(at, one, why) for why in names.key(one))
    if "orphan" in found and "foregroundDeletion" in found:
        yield invalid(at, found, "finalizer orphan and foregroundDeletion cannot be both set")
    for index, one in enumerate(found if strict else ()):
        if "/" not in one and one not in STANDARD_FINALIZERS:
            yield invalid(f"{at}[{index}]", one, "name is neither a standard finalizer name nor is it fully qualified")


FIELDS = (
    *("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp"),
    *("deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers"),
    "managedFields",
)
"""The fields of ObjectMeta in the order of the Go type."""
_NOT_IN_TEMPLATES = {
    field: "uID" if field == "uid" else field for field in FIELDS if field not in ("labels", "annotations")
}
"""Fields that templates do not have, with their names in messages."""


def template(at: str, metadata: Object) -> Iterator[Problem]:
    """Validate the metadata of a template, which has only labels and annotations. Empty lists count as values."""
    yield from names.annotation_keys(f"{at}.annotations", metadata.get("annotations"))
    yield from names.labels(f"{at}.labels", metadata.get("labels"))
    for field, shown in _NOT_IN_TEMPLATES.items():
        value = metadata.get(field)
        if value not in (None, "", 0) or (value == 0 and field == "deletionGracePeriodSeconds"):
            yield forbidden(f"{at}.{shown}", "cannot be set")
